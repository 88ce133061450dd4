extension PlaylistReading {
  /// Takes up all media below a directory, in natural order, directories where their names stand.
  ///
  /// Hidden names, lists and files that are no media are passed over in silence; an HLS playlist is media.
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
    /// Canonical paths, so that a link to a directory above ends instead of starting over.
    var visited: Set<String>
    /// Something could not be read or was too much, and was reported.
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
    // Pages lie beside media for other reasons; one that is to be shown is named.
    guard let type = reader.types.type(path: path), type != ContentTypes.page else { return }
    if type == ContentTypes.hls && !isStreamManifest(path, shown: shown) { return }
    guard mayTakeCandidate(at: place) else { return }
    // Named in a list, the list's line is where it comes from; named by the user, the file itself is.
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
