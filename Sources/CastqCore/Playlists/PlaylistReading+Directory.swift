extension PlaylistReading {
  /// Includes all media below a directory, in natural order, subdirectories in the place of their names.
  ///
  /// Hidden names, lists and other files are ignored without an issue; an HLS playlist is media.
  mutating func includeDirectory(_ path: String, shown: String, at place: Place) {
    var walk = DirectoryWalk(visited: [])
    let before = playlist.drafts.count
    include(directory: path, shown: shown, depth: 1, at: place, walk: &walk)
    if playlist.drafts.count == before && !walk.isRefused {
      report(
        .error, .content, at: place,
        TextError("no media files in \(TerminalText.excerpt(shown, limit: 200))"))
    }
  }

  private struct DirectoryWalk {
    /// Canonical paths, which end a link to a parent directory.
    var visited: Set<String>
    /// Whether an error or a limit was reported.
    var isRefused = false
  }

  private mutating func include(
    directory path: String, shown: String, depth: Int, at place: Place, walk: inout DirectoryWalk
  ) {
    guard walk.visited.insert(reader.loader.canonicalPath(path)).inserted else { return }
    guard depth <= limits.directoryDepth else {
      walk.isRefused = true
      report(
        .warning, .limit, at: place,
        TextError(
          "directories deeper than \(limits.directoryDepth) were left out: \(TerminalText.excerpt(shown))"))
      return
    }
    guard mayOpenDocument(at: place) else {
      walk.isRefused = true
      return
    }
    let names: [String]
    do {
      names = try reader.loader.list(path)
    } catch {
      walk.isRefused = true
      report(
        .error, .unreadable, at: place,
        TextError("cannot list \(TerminalText.excerpt(shown, limit: 200)): \(error.message)"))
      return
    }
    for name in names.filter({ $0.utf8.first != UInt8(ascii: ".") }).sorted(by: NaturalOrder.precedes) {
      let child = FilePath.absolute(name, in: path)
      let childShown = FilePath.shown(name, in: shown)
      switch reader.loader.kind(of: child) {
      case .directory:
        include(directory: child, shown: childShown, depth: depth + 1, at: place, walk: &walk)
      case .file: include(file: child, shown: childShown, at: place)
      case .missing, .other: break
      }
    }
  }

  private mutating func include(file path: String, shown: String, at place: Place) {
    // Pages are often beside media for other reasons; only named ones are included.
    guard let type = reader.types.type(path: path), type != ContentTypes.page else { return }
    if type == ContentTypes.hls && !isStreamManifest(path, shown: shown) { return }
    guard admitCandidate(at: place) else { return }
    // The source is the line of the list that names the directory, or the file itself if the user named the directory.
    let origin = place.line == nil ? Place(file: shown) : place
    append(nil, at: .file(path, shown: shown), base: .directory("/", shown: "/"), place: origin)
  }

  private mutating func isStreamManifest(_ path: String, shown: String) -> Bool {
    do {
      let bytes = try reader.loader.read(path, limit: limits.fileBytes)
      return M3UParser.parse(bytes, file: shown, format: .m3u8, limits: limits).isStreamManifest
    } catch {
      report(.error, .unreadable, at: Place(file: shown), TextError("cannot read it: \(error.message)"))
      return false
    }
  }
}
