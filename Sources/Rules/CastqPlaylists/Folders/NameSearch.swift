import CastqText

/// Looks for the files that a list means by names which are not those of the disk: written by a Mac, or on Windows. Each folder is read once
/// in a reading.
final class NameSearch {
  /// What was made of a name.
  enum Rule: Hashable {
    case backslash
    /// It began at the top of a disk of Windows.
    case top
    case difference(FolderNames.Difference)

    var words: String {
      switch self {
      case .backslash: #"`\` was read as `/`, as lists of Windows have it"#
      case .top:
        #"`\` at the beginning is the top of the disk on which a list was written; the file was found in a folder above the list"#
      case .difference(.composition):
        "letters are composed in another way than in the names of files (Unicode NFC and NFD), which were found nevertheless"
      case .difference(.capitals):
        "capitals are others than in the names of files, which were found nevertheless"
      }
    }
  }

  /// Where a rule was needed.
  struct Use {
    let rule: Rule
    let line: Int
  }

  /// Names that are looked at in all folders, folders that are read, and ways that are followed at a time.
  private static let (names, folders, ways) = (200_000, 1000, 16)

  private let loader: any PlaylistLoader
  private var known: [String: FolderNames] = [:]
  private var namesLeft = NameSearch.names
  /// The line of the list that is being read.
  var line = 1
  private(set) var uses: [Use] = []

  init(loader: any PlaylistLoader) { self.loader = loader }

  /// What was needed since the last call.
  func takeUses() -> [Use] {
    defer { uses = [] }
    return uses
  }

  /// The file or folder that is meant by a path that does not exist; nil when there is none.
  /// - Parameters:
  ///   - text: as the list writes it.
  ///   - directory: where relative paths begin; absolute.
  /// - Throws: when several may be meant.
  func path(_ text: String, in directory: String) throws(TextError) -> String? {
    let slashed = text.utf8.contains(UInt8(ascii: "\\")) ? Self.slashed(text) : nil
    let isFromTop = text.utf8.first == UInt8(ascii: "\\")
    let folders = isFromTop ? Self.folders(above: directory) : [directory]
    let rule = isFromTop ? Rule.top : .backslash
    if let slashed {
      let found = folders.map { FilePath.absolute(Self.rest(of: slashed, isFromTop), in: $0) }.filter(isThere)
      if let path = try Self.only(found) {
        note([rule])
        return path
      }
    }
    for difference in FolderNames.Difference.allCases {
      if let path = try Self.only(
        paths(like: FilePath.absolute(text, in: directory), in: directory, difference))
      {
        note([.difference(difference)])
        return path
      }
      guard let slashed else { continue }
      let found = folders.flatMap { folder in
        paths(
          like: FilePath.absolute(Self.rest(of: slashed, isFromTop), in: folder), in: folder, difference)
      }
      if let path = try Self.only(found) {
        note([rule, .difference(difference)])
        return path
      }
    }
    return nil
  }

  /// The folder of a list and those above it. Which one was the top of a disk of Windows, no name says.
  private static func folders(above directory: String) -> [String] {
    var folders = [directory]
    while let last = folders.last, last.utf8.count > 1 {
      let parent = FilePath.directory(of: last)
      folders.append(parent.isEmpty ? "/" : parent)
    }
    return folders
  }

  private static func rest(of path: String, _ isFromTop: Bool) -> String {
    isFromTop ? String(Substring(path.utf8.drop { $0 == UInt8(ascii: "/") })) : path
  }

  private static func only(_ found: [String]) throws(TextError) -> String? {
    if found.count > 1 { throw doubt(found) }
    return found.first
  }

  static func slashed(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\\" ? "/" : $0 }))
  }

  func note(_ rules: [Rule]) { uses += rules.map { Use(rule: $0, line: line) } }

  private static func doubt(_ found: [String]) -> TextError {
    let names = found.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }.prefix(2)
    let words = names.map { TerminalText.excerpt($0, limit: 200) }.joined(separator: " and ")
    let isSame = Set(names).count == 1 ? ", whose letters are composed in two ways" : ""
    return TextError(
      "two files may be meant: \(words)\(isSame)", hint: "write the name as one of them has it")
  }

  private func isThere(_ path: String) -> Bool {
    let kind = loader.kind(of: path)
    return kind == .file || kind == .directory
  }

  private func paths(
    like path: String, in directory: String, _ difference: FolderNames.Difference
  ) -> [String] {
    let start = start(of: path, in: directory)
    let rest = path.utf8.dropFirst(start == "/" ? 1 : start.utf8.count + 1)
    var ways = [start]
    for part in rest.split(separator: UInt8(ascii: "/")).map({ String(Substring($0)) }) {
      ways = ways.flatMap { folder -> [String] in
        names(in: folder).names(like: part, apartFrom: difference)
          .map { FilePath.absolute($0, in: folder) }
      }
      if ways.count > Self.ways { ways = Array(ways.prefix(Self.ways)) }
    }
    return rest.isEmpty ? [] : ways.filter(isThere)
  }

  /// The folder of the list for what is in it, else the last folder of the path that is there.
  private func start(of path: String, in directory: String) -> String {
    if directory == "/" || path.utf8.starts(with: (directory + "/").utf8) { return directory }
    var folder = FilePath.directory(of: path)
    while folder.utf8.count > 1, loader.kind(of: folder) != .directory {
      folder = FilePath.directory(of: folder)
    }
    return folder.isEmpty ? "/" : folder
  }

  private func names(in folder: String) -> FolderNames {
    if let names = known[folder] { return names }
    guard known.count < Self.folders else { return FolderNames([]) }
    let all = loader.names(in: folder)
    let names = FolderNames(all.prefix(namesLeft))
    namesLeft -= min(all.count, namesLeft)
    known[folder] = names
    return names
  }
}

extension PlaylistReading {
  /// Says once in a list what was made of its names.
  mutating func reportNames(at place: Place) {
    for use in search.takeUses() {
      guard let last = open.indices.last, open[last].saidRules.insert(use.rule).inserted else { continue }
      var place = place
      if place.line != use.line { (place.line, place.column) = (use.line, 1) }
      report(.note, .content, at: place, TextError(use.rule.words))
    }
  }
}
