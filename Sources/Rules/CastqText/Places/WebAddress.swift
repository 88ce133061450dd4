/// An `http` or `https` URL (RFC 3986), unchanged except that invalid characters are encoded.
package struct WebAddress: Sendable, Hashable {
  /// `http` or `https`.
  package private(set) var scheme: String
  /// Host, with optional port and user.
  package private(set) var authority: String
  /// Empty or beginning with a slash; encoded.
  package private(set) var path: String
  /// The part after `?`, encoded; nil when there is none.
  package private(set) var query: String?
  /// The part after `#`, encoded; nil when there is none.
  package private(set) var fragment: String?

  /// Parses an absolute address. Spaces and characters outside ASCII are percent-encoded.
  package init(_ text: String) throws(TextError) {
    guard let (scheme, rest) = Self.scheme(of: text), scheme == "http" || scheme == "https" else {
      throw TextError("not an http address")
    }
    guard rest.utf8.starts(with: "//".utf8) else {
      throw TextError("the address has no host", hint: "write \(scheme)://host/path")
    }
    let afterSlashes = Substring(rest.utf8.dropFirst(2))
    let end = afterSlashes.utf8.firstIndex { "/?#".utf8.contains($0) } ?? afterSlashes.endIndex
    self.scheme = scheme
    authority = PercentEncoding.repairing(afterSlashes[..<end])
    (path, query, fragment) = Self.parts(afterSlashes[end...])
    try checkAuthority()
  }

  /// Resolves a reference in a document at this address (RFC 3986, 5.2).
  package func resolving(_ reference: String) throws(TextError) -> WebAddress {
    if Self.scheme(of: reference) != nil { return try WebAddress(reference) }
    if reference.utf8.starts(with: "//".utf8) { return try WebAddress(scheme + ":" + reference) }
    var result = self
    let parts = Self.parts(Substring(reference))
    result.fragment = parts.fragment
    if parts.path.isEmpty {
      result.query = parts.query ?? query
      return result
    }
    let directory = path.utf8.lastIndex(of: slash).map { path[...$0] } ?? "/"
    let merged = parts.path.utf8.first == slash ? parts.path : directory + parts.path
    result.path = Self.removingDots(merged)
    result.query = parts.query
    return result
  }

  package var text: String {
    "\(scheme)://\(authority)\(path)" + (query.map { "?\($0)" } ?? "") + (fragment.map { "#\($0)" } ?? "")
  }

  /// The host, in lower case and without user, port and brackets.
  package var host: String {
    let host = hostAndPort.host.lowercased()
    return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  /// The port of an address, also where it is not written; nil for what is no address of the web.
  package static func port(of text: String) -> Int? {
    guard let address = try? WebAddress(text) else { return nil }
    return address.hostAndPort.port ?? (address.scheme == "https" ? 443 : 80)
  }

  /// The host without user, and the port; nil where the address names none.
  package var hostAndPort: (host: String, port: Int?) {
    let afterUser =
      authority.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    guard let colon = afterUser.lastIndex(of: ":"), !afterUser[colon...].contains("]") else {
      return (afterUser, nil)
    }
    return (String(afterUser[..<colon]), Int(afterUser[afterUser.index(after: colon)...]))
  }

  /// Whether a source is on the web, and not a path or a file: it begins with `http://` or `https://`, in letters of either case.
  package static func isOnWeb(_ text: String) -> Bool {
    guard let (scheme, rest) = scheme(of: text), scheme == "http" || scheme == "https" else { return false }
    return rest.utf8.starts(with: "//".utf8)
  }

  /// The scheme in lower case and the text after its colon; nil when there is no scheme.
  package static func scheme(of text: String) -> (scheme: String, rest: Substring)? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex else {
      return nil
    }
    let name = text.utf8[..<colon]
    guard let first = name.first, PercentEncoding.isAlphanumeric(first), !(0x30...0x39).contains(first),
      name.allSatisfy({ PercentEncoding.isAlphanumeric($0) || "+-.".utf8.contains($0) })
    else { return nil }
    return (Substring(name).lowercased(), text[text.utf8.index(after: colon)...])
  }

  private func checkAuthority() throws(TextError) {
    let afterUser = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority.utf8.index(after: $0) }
    let hostAndPort = authority[(afterUser ?? authority.startIndex)...]
    var host = hostAndPort
    var port: Substring?
    let bracket = hostAndPort.utf8.lastIndex(of: UInt8(ascii: "]"))
    if let colon = hostAndPort.utf8.lastIndex(of: UInt8(ascii: ":")), bracket.map({ $0 < colon }) ?? true {
      host = hostAndPort[..<colon]
      port = hostAndPort[hostAndPort.utf8.index(after: colon)...]
    }
    let isLiteral = host.utf8.first == UInt8(ascii: "[")
    let hasColon = host.utf8.contains(UInt8(ascii: ":"))
    guard !host.isEmpty, isLiteral == (bracket != nil), isLiteral || !hasColon else {
      throw TextError("the address has no usable host", hint: "write \(scheme)://host/path")
    }
    if let port, !port.isEmpty {
      guard port.utf8.count <= 5, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(port),
        number <= 65535
      else { throw TextError("the port of the address is not a number up to 65535") }
    }
  }

  private static func parts(_ text: Substring) -> (path: String, query: String?, fragment: String?) {
    let hash = text.utf8.firstIndex(of: UInt8(ascii: "#"))
    let beforeHash = text[..<(hash ?? text.endIndex)]
    let mark = beforeHash.utf8.firstIndex(of: UInt8(ascii: "?"))
    return (
      PercentEncoding.repairing(beforeHash[..<(mark ?? beforeHash.endIndex)]),
      mark.map { PercentEncoding.repairing(beforeHash[beforeHash.utf8.index(after: $0)...]) },
      hash.map { PercentEncoding.repairing(text[text.utf8.index(after: $0)...]) }
    )
  }

  /// Removes `.` and `..` from a path that begins with a slash (RFC 3986, 5.2.4).
  private static func removingDots(_ path: String) -> String {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropFirst().map { String(Substring($0)) }
    var result: [String] = []
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      if part == ".." { _ = result.popLast() } else if part != "." { result.append(part) }
      // A path that ends in a dot segment names a directory and keeps its slash.
      if isLast && (part == "." || part == "..") { result.append("") }
    }
    return "/" + result.joined(separator: "/")
  }

  private var slash: UInt8 { UInt8(ascii: "/") }
}
