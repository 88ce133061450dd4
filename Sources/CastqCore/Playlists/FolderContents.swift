/// The files of a folder that are read, in natural order, those of its folders in the place of their names.
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
    let artwork = FolderArtwork(names, types: reader.types)
    for name in names.filter({ $0.utf8.first != UInt8(ascii: ".") }).sorted(by: NaturalOrder.precedes) {
      let child = FilePath.absolute(name, in: path)
      let childShown = FilePath.shown(name, in: shown)
      switch reader.loader.kind(of: child) {
      case .directory where reader.descends: list(child, shown: childShown, depth: depth + 1)
      case .directory: leftOut += 1
      case .file:
        if artwork.holds(name) { continue }
        let format = PlaylistFormat(fileExtension: FilePath.fileExtension(of: name))
        // Pages are often beside media for other reasons; only named ones are included.
        guard format != nil || reader.types.fileType(path: child).map({ $0 != ContentTypes.page }) == true else {
          continue
        }
        files.append(File(path: child, shown: childShown, format: format))
      case .missing, .other: break
      }
    }
  }
}

/// The pictures of a folder that belong to its media instead of being media.
struct FolderArtwork {
  private let isAmongMedia: Bool
  /// The names of its sound and films without their endings, in lowercase.
  private let media: Set<String>

  /// What file managers and players put into every folder of music.
  private static let thumbnails: Set = ["folder", "albumart", "albumartsmall"]
  /// What people call the pictures of an album or a film; in a folder of pictures alone these are slides like any other.
  private static let covers: Set = [
    "cover", "front", "back", "poster", "fanart", "banner", "backdrop", "landscape", "logo", "thumb",
  ]

  init(_ names: [String], types: ContentTypes) {
    let shown = names.filter { name in
      guard name.utf8.first != UInt8(ascii: "."), let type = types.fileType(path: name) else { return false }
      return ["audio", "video"].contains(ContentTypes.family(of: type))
    }
    isAmongMedia = !shown.isEmpty
    media = Set(shown.map(Self.stem))
  }

  /// Whether the file of this name is such a picture.
  func holds(_ name: String) -> Bool {
    guard ["jpg", "jpeg", "png", "webp", "gif", "bmp"].contains(FilePath.fileExtension(of: name)) else {
      return false
    }
    let stem = Self.stem(name)
    if Self.thumbnails.contains(stem) || stem.hasPrefix("albumart_{") { return true }
    return isAmongMedia
      && (Self.covers.contains(stem) || media.contains(stem)
        || Self.covers.contains {
          stem.hasSuffix("-\($0)") && media.contains(String(stem.dropLast($0.utf8.count + 1)))
        })
  }

  private static func stem(_ name: String) -> String {
    let fileExtension = FilePath.fileExtension(of: name)
    return String(name.dropLast(fileExtension.isEmpty ? 0 : fileExtension.count + 1)).lowercased()
  }
}
