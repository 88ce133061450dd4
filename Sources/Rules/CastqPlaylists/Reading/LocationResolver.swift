import CastqPaths
import CastqText

/// The base of relative locations.
enum PlaylistBase: Sendable {
  /// A local directory: its path, and its name for messages (empty for the working directory).
  case directory(String, shown: String)
  /// A document from the network.
  case address(WebAddress)

  /// The origin of entries with this base.
  var origin: EntryOrigin {
    switch self {
    case .directory: .local
    case .address: .network
    }
  }
}

/// Location of media, images or lists.
enum MediaLocation: Sendable, Hashable {
  /// A file that exists: its path, and its name for messages.
  case file(String, shown: String)
  case address(WebAddress)

  /// The URL for a receiver, or for castq's media server.
  var url: String {
    switch self {
    case .file(let path, _): FilePath.url(path)
    case .address(let address): address.text
    }
  }

  /// The path whose last component may show the kind of media.
  var path: String {
    switch self {
    case .file(let path, _): path
    case .address(let address): address.path
    }
  }
}

/// The result of resolving a location.
enum FoundLocation: Sendable, Hashable {
  case media(MediaLocation)
  /// A directory that exists: its path, and its name for messages.
  case directory(String, shown: String)
  /// Nothing exists there; the error to report.
  case missing(TextError)
}

/// Resolves what a playlist writes to a path or an address, or reports why it is unusable.
struct LocationResolver {
  let loader: any PlaylistLoader
  let limits: PlaylistLimits
  /// The character set of the list that writes the locations, where that is none of Unicode; nil otherwise.
  var set: CharacterSet?
  /// Looks for names that are spelt otherwise on the disk; nil where they must be exact.
  var search: NameSearch?
  /// What lists of the Music Player Daemon are relative to, besides their folder.
  var music = MusicFolders()

  func resolve(_ text: String, base: PlaylistBase) throws(TextError) -> FoundLocation {
    if let offset = text.unicodeScalars.enumerated().first(where: { Self.isControl($0.element) })?.offset {
      throw TextError("a control character in a path or address", offset: offset)
    }
    if Self.isWindowsPath(text) {
      throw Self.windowsPath(text)
    }
    if let (scheme, rest) = WebAddress.scheme(of: text) {
      if scheme == "http" || scheme == "https" { return .media(.address(try checked(WebAddress(text)))) }
      if scheme == "file" && rest.utf8.first == UInt8(ascii: "/") {
        try refuseFromNetwork(text, base)
        let path = try FilePath.path(url: text)
        // `file:///C:/…`
        guard !Self.isWindowsPath(String(path.dropFirst())) else { throw Self.windowsPath(text) }
        return try addressed(path, shown: path, written: text, base)
      }
      if scheme == "file", let found = try relativeFile(text, rest, base) { return found }
      if rest.utf8.starts(with: "//".utf8) || Self.foreignSchemes.contains(scheme) {
        throw TextError(
          "a receiver cannot play \(TerminalText.excerpt(scheme)) addresses",
          hint: "it plays http and https; convert the stream, or name a file")
      }
    }
    switch base {
    case .address(let address):
      return .media(.address(try checked(address.resolving(slashed(text)))))
    case .directory(let directory, let shown): return try local(text, directory: directory, shown: shown)
    }
  }

  /// A reference in a list of the web, in which `\` separates folders, as browsers read it (WHATWG URL, 4.4).
  private func slashed(_ reference: String) -> String {
    let end = reference.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    let path = reference[..<(end ?? reference.endIndex)]
    guard path.utf8.contains(UInt8(ascii: "\\")) else { return reference }
    search?.note([.backslash])
    return NameSearch.slashed(String(path)) + reference[path.endIndex...]
  }

  /// The file that `file:a%20b.mp4` names, relative to the list; nil when a file is called so as a whole.
  private func relativeFile(_ text: String, _ rest: Substring, _ base: PlaylistBase) throws(TextError)
    -> FoundLocation?
  {
    try refuseFromNetwork(text, base)
    guard case .directory(let directory, let shown) = base,
      loader.kind(of: FilePath.absolute(text, in: directory)) == .missing
    else { return nil }
    if Self.isWindowsPath(String(rest)) { throw Self.windowsPath(text) }
    let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
    guard let path = PercentEncoding.decodingPath(String(rest[..<end])), !path.isEmpty,
      !path.unicodeScalars.contains(where: Self.isControl)
    else { throw TextError("the file address is malformed", hint: "write file:///path or the path alone") }
    return try addressed(path, shown: FilePath.shown(path, in: shown), written: text, base)
  }

  /// The file of a `file:` address, whose name may be spelt otherwise on the disk.
  private func addressed(_ path: String, shown: String, written: String, _ base: PlaylistBase)
    throws(TextError) -> FoundLocation
  {
    guard case .directory(let directory, let folder) = base else {
      return try existing(FilePath.absolute(path, in: "/"), shown: shown, written: written)
    }
    let exact = FilePath.absolute(path, in: directory)
    if loader.kind(of: exact) == .missing, let other = try search?.path(path, in: directory) {
      return try found(other, written: written, directory: directory, shown: folder)
    }
    return try existing(exact, shown: shown, written: written)
  }

  /// Schemes that are written without `//`; other words before a colon are part of a file name.
  private static let foreignSchemes: Set<String> = [
    "data", "javascript", "magnet", "mailto", "plugin", "rtp", "rtmp", "sip", "spotify", "udp",
  ]

  /// An opaque name, such as an application's identifier, must not be the address of a file: the device would receive that
  /// file.
  func checkName(_ text: String, base: PlaylistBase) throws(TextError) {
    guard FilePath.isURL(text) else { return }
    try refuseFromNetwork(text, base)
    throw TextError(
      "\(TerminalText.excerpt(text)) is the address of a file, not an identifier",
      hint: "write it as `file`")
  }

  private func refuseFromNetwork(_ text: String, _ base: PlaylistBase) throws(TextError) {
    guard base.origin == .network else { return }
    throw TextError(
      "a playlist from the network may not name local files: \(TerminalText.excerpt(text))",
      hint: "download the playlist first if you trust it")
  }

  private func checked(_ address: WebAddress) throws(TextError) -> WebAddress {
    guard address.text.utf8.count <= limits.addressBytes else {
      throw TextError("the address is longer than \(limits.addressBytes) bytes")
    }
    return address
  }

  /// An existing name wins as written, beside the list and then in the folders of music. When there is no such file, `%20` is decoded, and
  /// then the name is looked for in the bytes of the list and in Latin-1, as disks have it that the list was written for, and at last as
  /// other systems spell it.
  private func local(_ text: String, directory: String, shown: String) throws(TextError) -> FoundLocation {
    let path = FilePath.absolute(text, in: directory)
    if loader.kind(of: path) == .missing {
      let forms = forms(of: text)
      let places = [(directory, forms)] + elsewhere(forms, directory)
      for (folder, names) in places {
        for name in names where folder != directory || name != text {
          let other = FilePath.absolute(name, in: folder)
          guard loader.kind(of: other) != .missing, isMeant(other, in: folder, directory) else { continue }
          return try found(other, written: text, directory: directory, shown: shown)
        }
      }
      for (folder, names) in places {
        for name in names {
          guard let other = try search?.path(name, in: folder), isMeant(other, in: folder, directory) else {
            continue
          }
          return try found(other, written: text, directory: directory, shown: shown)
        }
      }
    }
    return try existing(path, shown: FilePath.shown(text, in: shown), written: text)
  }

  /// The ways to read a name, first as it stands.
  private func forms(of text: String) -> [String] {
    let decoded = text.utf8.contains(UInt8(ascii: "%")) ? PercentEncoding.decodingPath(text) : nil
    var forms = [text]
    for other in [decoded, inBytesOfList(text), decoded.flatMap(inBytesOfList), PathText.latin1(text)] {
      guard let other, !other.unicodeScalars.contains(where: Self.isControl) else { continue }
      forms.append(other)
    }
    return forms
  }

  private func elsewhere(_ forms: [String], _ directory: String) -> [(folder: String, names: [String])] {
    forms.flatMap { music.paths($0, ofListIn: directory, loader) }.map { ($0.folder, [$0.name]) }
  }

  /// What is found in a folder of music lies in it.
  private func isMeant(_ path: String, in folder: String, _ directory: String) -> Bool {
    folder == directory || music.contains(path, in: folder, loader)
  }

  private func found(_ path: String, written: String, directory: String, shown: String) throws(TextError)
    -> FoundLocation
  {
    let isBeside = path.utf8.starts(with: (directory == "/" ? "/" : directory + "/").utf8)
    let rest = path.utf8.dropFirst(directory == "/" ? 1 : directory.utf8.count + 1)
    let name = isBeside ? FilePath.shown(String(Substring(rest)), in: shown) : path
    return try existing(path, shown: name, written: written)
  }

  /// The name in the character set of the list; nil where that is UTF-8, and where the name is the same in both.
  private func inBytesOfList(_ name: String) -> String? {
    guard let set, !name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return loader.bytes(name, in: set).map { PathText.text($0) }
  }

  private func existing(_ path: String, shown: String, written: String) throws(TextError) -> FoundLocation {
    switch loader.kind(of: path) {
    case .file: return .media(.file(path, shown: shown))
    case .directory: return .directory(path, shown: shown)
    case .other: throw TextError("not a regular file: \(TerminalText.excerpt(written))")
    case .missing:
      let name = TerminalText.excerpt(written, limit: 200)
      if let words = loader.obstacle(at: path) {
        return .missing(TextError("\(name) cannot be reached: \(words)"))
      }
      let hasBackslash = written.utf8.contains(UInt8(ascii: "\\"))
      return .missing(
        TextError(
          "no such file: \(name)",
          hint: !hasBackslash
            ? nil
            : search == nil ? "paths are written with / here, not with \\" : "nor is there one with / for \\")
      )
    }
  }

  private static func windowsPath(_ text: String) -> TextError {
    TextError(
      "\(TerminalText.excerpt(text)) is a path of Windows",
      hint: "write a path of this machine or an http address")
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
  }

  /// `C:\…`, `C:/…` and `\\server\share`.
  private static func isWindowsPath(_ text: String) -> Bool {
    let head = Array(text.utf8.prefix(3))
    if head.starts(with: [0x5C, 0x5C]) { return true }
    return head.count == 3 && PercentEncoding.isAlphanumeric(head[0]) && head[0] > 0x39
      && head[1] == UInt8(ascii: ":") && (head[2] == 0x5C || head[2] == UInt8(ascii: "/"))
  }
}
