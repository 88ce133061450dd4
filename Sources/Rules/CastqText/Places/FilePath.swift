/// Absolute and relative file paths as text, without access to the file system.
package enum FilePath {
  /// The absolute path; a relative one is resolved in the directory. `.`, `..` and doubled slashes are removed.
  package static func absolute(_ path: String, in directory: String) -> String {
    let whole = path.utf8.first == slash ? path : directory + "/" + path
    return "/" + components(whole).joined(separator: "/")
  }

  /// The path joined to the directory for display: `lists` and `../a.mp4` give `a.mp4`.
  package static func shown(_ path: String, in directory: String) -> String {
    if path.utf8.first == slash { return path }
    if directory.utf8.first == slash { return absolute(path, in: directory) }
    return components(directory + "/" + path, keepingParents: true).joined(separator: "/")
  }

  /// The part before the last slash: empty for a bare name, `/` for an entry of the root.
  package static func directory(of path: String) -> String {
    guard let last = path.utf8.lastIndex(of: slash) else { return "" }
    return last == path.startIndex ? "/" : String(path[..<last])
  }

  /// The part after the last slash.
  package static func name(of path: String) -> String {
    guard let last = path.utf8.lastIndex(of: slash) else { return path }
    return String(path[path.utf8.index(after: last)...])
  }

  /// The part of the name after its last dot, empty when there is none. A dot at the beginning hides a file and starts no
  /// extension.
  package static func fileExtension(of path: String) -> String {
    let name = name(of: path)
    guard let point = name.utf8.lastIndex(of: UInt8(ascii: ".")), point != name.startIndex else { return "" }
    return String(name[name.utf8.index(after: point)...])
  }

  /// The `file://` URL of an absolute path.
  package static func url(_ path: String) -> String { "file://" + PercentEncoding.encodingPath(path) }

  /// Whether an address is a file URL as browsers parse it: case is ignored, and so are blanks and control characters before it
  /// and line ends within it.
  package static func isURL(_ address: String) -> Bool {
    // As castq writes them, and as those of the web begin.
    if address.utf8.starts(with: "file:".utf8) { return true }
    if let first = address.utf8.first, first == UInt8(ascii: "h") { return false }
    let head = address.utf8.drop { $0 <= 0x20 }.lazy.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    return head.prefix(5).map { $0 | 0x20 }.elementsEqual("file:".utf8)
  }

  /// The path of a `file:` URL on this machine.
  package static func path(url: String) throws(TextError) -> String {
    let isFile =
      url.utf8.starts(with: "file:".utf8) || url.utf8.prefix(5).map { $0 | 0x20 } == Array("file:".utf8)
    guard isFile else {
      throw TextError("the file address is malformed", hint: "write file:///path or the path alone")
    }
    let rest = url.utf8.dropFirst("file:".utf8.count)
    var path = Substring(rest)
    if path.utf8.starts(with: "//".utf8) {
      let afterSlashes = path.utf8.dropFirst(2)
      let host = String(Substring(afterSlashes.prefix { $0 != slash }))
      guard host.isEmpty || host.lowercased() == "localhost" else {
        throw TextError(
          "the file is on another machine, \(TerminalText.excerpt(host))",
          hint: "mount it and write its path here")
      }
      path = Substring(afterSlashes.dropFirst(host.utf8.count))
    }
    let end = path.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? path.endIndex
    guard let decoded = PercentEncoding.decodingPath(String(path[..<end])), decoded.utf8.first == slash,
      !decoded.utf8.contains(0)
    else { throw TextError("the file address is malformed", hint: "write file:///path or the path alone") }
    return decoded
  }

  /// An address as a line of a list: the path of a file, which other players accept, if it means the same there.
  package static func line(_ url: String) -> String {
    guard WebAddress.scheme(of: url)?.scheme == "file", let path = try? path(url: url), self.url(path) == url,
      TerminalText.sanitized(path) == path, !path.hasSuffix(" ")
    else { return url }
    return path
  }

  private static let slash = UInt8(ascii: "/")

  /// `keepingParents` keeps a `..` that has no component before it.
  private static func components(_ path: String, keepingParents: Bool = false) -> [String] {
    var result: [String] = []
    for part in path.utf8.split(separator: slash) {
      let name = String(Substring(part))
      if name == "." { continue }
      if name != ".." {
        result.append(name)
      } else if let last = result.last, last != ".." {
        result.removeLast()
      } else if keepingParents {
        result.append(name)
      }
    }
    return result
  }
}
