import CastqText

/// The files of a folder that are read, in natural order, those of its folders in the place of their names. An HLS or DASH stream is its
/// playlist or manifest alone.
struct FolderContents {
  /// A file that is read.
  struct File {
    let path: String
    /// As messages call it.
    let shown: String
    /// Of a list; nil for media.
    let format: PlaylistFormat?
  }

  private(set) var files: [File] = []
  /// Folders in it that were not looked into, because only one level was asked for.
  private(set) var leftOut = 0
  /// What could not be read, in order.
  private(set) var problems: [Problem] = []
  /// How many folders were listed.
  private(set) var listings = 0
  /// Whether there were more folders than may be listed.
  private(set) var isCut = false
  private let reader: PlaylistReader
  private let budget: Int
  /// Their segments are no entries.
  private var streams = FolderStreams()
  /// Canonical paths, which end a link to a parent folder.
  private var visited: Set<String> = []

  struct Problem {
    let severity: PlaylistIssue.Severity
    let kind: PlaylistIssue.Kind
    let error: TextError
  }

  /// - Parameters:
  ///   - path: absolute.
  ///   - shown: the folder as messages call it.
  ///   - reader: says whether folders in it are looked into, too.
  ///   - budget: most folders to list.
  init(of path: String, shown: String, reader: PlaylistReader, budget: Int) {
    self.reader = reader
    self.budget = budget
    list(path, shown: shown, depth: 1)
    files.removeAll { streams.contains($0.path, isList: $0.format != nil) }
  }

  private mutating func list(_ path: String, shown: String, depth: Int) {
    guard visited.insert(reader.loader.canonicalPath(path)).inserted else { return }
    guard depth <= reader.limits.directoryDepth else {
      let words =
        "directories deeper than \(reader.limits.directoryDepth) were left out: \(TerminalText.excerpt(shown))"
      return problems.append(Problem(severity: .warning, kind: .limit, error: TextError(words)))
    }
    guard listings < budget else {
      isCut = true
      return
    }
    listings += 1
    let names: [String]
    do {
      names = try reader.loader.list(path)
    } catch {
      let words = "cannot list \(TerminalText.excerpt(shown, limit: 200)): \(error.message)"
      return problems.append(Problem(severity: .error, kind: .unreadable, error: TextError(words)))
    }
    let visible = names.filter { $0.utf8.first != UInt8(ascii: ".") && !SystemNames.contains($0) }
    let artwork = SidecarPictures(visible).artwork(of: visible.filter(isFilmOrMusic))
    for name in visible.sorted(by: NaturalOrder.precedes) where !artwork.contains(name) {
      let child = FilePath.absolute(name, in: path)
      let childShown = FilePath.shown(name, in: shown)
      switch reader.loader.kind(of: child) {
      case .directory where reader.descends: list(child, shown: childShown, depth: depth + 1)
      case .directory: leftOut += 1
      case .file:
        let format = PlaylistFormat(fileExtension: FilePath.fileExtension(of: name))
        // Pages are often beside media for other reasons; only named ones are included.
        guard format != nil || reader.types.fileType(path: child).map({ $0 != ContentTypes.page }) == true
        else {
          continue
        }
        files.append(File(path: child, shown: childShown, format: format))
        lookForStream(child, format)
      case .missing, .other: break
      }
    }
  }

  private mutating func lookForStream(_ path: String, _ format: PlaylistFormat?) {
    let isDash = format == nil && reader.types.fileType(path: path) == ContentTypes.dash
    // A list that cannot be read is reported when it is read as one; a manifest is media, which only the device reads.
    guard isDash || format == .m3u8 || format == .m3u, !streams.isFull,
      let bytes = try? reader.loader.read(path, limit: FolderStreams.bytes)
    else { return }
    if isDash {
      if let manifest = DashManifest(bytes) { streams.add(manifest, at: path) }
    } else if let manifest = StreamManifest(bytes) {
      streams.add(manifest, at: path)
    }
  }

  private func isFilmOrMusic(_ name: String) -> Bool {
    reader.types.fileType(path: name).map { ["video", "audio"].contains(ContentTypes.family(of: $0)) } == true
  }
}
