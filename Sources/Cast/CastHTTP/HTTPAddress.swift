import NIOCore

/// A parsed `http` or `https` address (RFC 3986). Its description omits possible secrets.
struct HTTPAddress: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// True for `https`.
  var isSecure: Bool
  /// A name or an address, in lower case and without brackets.
  var host: String
  var port: Int
  /// Path and query, beginning with a slash, encoded.
  var target: String
  /// `user:password`, decoded; nil when the address names no user.
  var credentials: String?

  /// Longer ones are refused; servers refuse them at 8,000 (RFC 9110, 4.1).
  private static let longest = 8192

  /// - Throws: `HTTPFetchError` of kind `badAddress`.
  init(_ text: String) throws(HTTPFetchError) {
    guard text.utf8.count <= Self.longest else { throw .bad("it is longer than \(Self.longest) bytes") }
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw .bad("it contains control characters")
    }
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      throw .bad("it begins with neither http:// nor https://")
    }
    switch text[..<colon].lowercased() {
    case "http": isSecure = false
    case "https": isSecure = true
    default: throw .bad("only http and https addresses are fetched")
    }
    let afterColon = text[text.utf8.index(after: colon)...]
    guard afterColon.utf8.starts(with: "//".utf8) else { throw .bad("it has no host") }
    let rest = Substring(afterColon.utf8.dropFirst(2))
    let end = rest.utf8.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    var authority = rest[..<end]
    if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
      credentials = URLText.decoded(authority[..<at])
      authority = authority[authority.utf8.index(after: at)...]
    }
    (host, port) = try Self.hostAndPort(authority, defaultPort: isSecure ? 443 : 80)
    target = Self.target(rest[end...])
  }

  /// The target of a redirection. User and password are kept within the same origin only; those in the redirection itself are
  /// dropped.
  func resolving(_ reference: String) throws(HTTPFetchError) -> HTTPAddress {
    var next: HTTPAddress
    if URLText.hasScheme(reference) {
      next = try HTTPAddress(reference)
    } else if reference.utf8.starts(with: "//".utf8) {
      next = try HTTPAddress((isSecure ? "https:" : "http:") + reference)
    } else {
      let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
      let text: String
      switch reference.utf8.first {
      case UInt8(ascii: "/"): text = reference
      case UInt8(ascii: "?"), UInt8(ascii: "#"), nil: text = String(Substring(path)) + reference
      default:
        let directory = path.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? path
        text = String(Substring(directory)) + reference
      }
      next = try HTTPAddress(origin + text)
    }
    next.credentials = next.origin == origin ? credentials : nil
    return next
  }

  private var origin: String { (isSecure ? "https://" : "http://") + authority }

  /// Host and port as in the `Host` header.
  var authority: String {
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// The whole address, query included; without user and password.
  var text: String { origin + target }

  /// Without user, password and the contents of the query, which may contain keys.
  var description: String {
    let path = Substring(target.utf8.prefix { $0 != UInt8(ascii: "?") })
    return origin + path + (path.utf8.count == target.utf8.count ? "" : "?…")
  }

  var debugDescription: String { description }
}

extension HTTPAddress {
  private static func hostAndPort(_ authority: Substring, defaultPort: Int) throws(HTTPFetchError) -> (
    String, Int
  ) {
    let bracket = authority.utf8.lastIndex(of: UInt8(ascii: "]"))
    var host = authority
    var port = defaultPort
    if let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")), bracket.map({ $0 < colon }) ?? true {
      host = authority[..<colon]
      let digits = authority[authority.utf8.index(after: colon)...]
      if !digits.isEmpty {
        guard digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
          let number = Int(digits), (1...65535).contains(number)
        else { throw .bad("its port is not a number from 1 to 65535") }
        port = number
      }
    }
    if bracket != nil {
      let inner = String(host.dropFirst().dropLast())
      // The form with a zone (`fe80::1%eth0`) is valid on one computer only.
      guard host.first == "[", host.last == "]", !inner.contains("%"),
        case .v6? = try? SocketAddress(ipAddress: inner, port: 0)
      else { throw .bad("the text in brackets is not an IPv6 address") }
      return (inner.lowercased(), port)
    }
    guard !host.isEmpty, host.utf8.count <= 253 else { throw .bad("it has no usable host") }
    guard host.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw .bad("its host has letters outside ASCII; write it as xn--…")
    }
    guard host.utf8.allSatisfy({ URLText.isAlphanumeric($0) || "-._".utf8.contains($0) }) else {
      throw .bad("it has no usable host")
    }
    return (host.lowercased(), port)
  }

  /// The target of the request line: without fragment, with dot segments resolved, encoded where required.
  private static func target(_ text: Substring) -> String {
    let whole = Substring(text.utf8.prefix { $0 != UInt8(ascii: "#") })
    let path = Substring(whole.utf8.prefix { $0 != UInt8(ascii: "?") })
    let query = whole[path.endIndex...]
    return URLText.encoded(Substring(URLText.removingDots(path))) + URLText.encoded(query)
  }
}

extension HTTPFetchError {
  fileprivate static func bad(_ reason: String) -> HTTPFetchError {
    HTTPFetchError(.badAddress, address: nil, "the address cannot be used: \(reason)")
  }
}
