package import CastqText

/// How `castq web` serves: `web:` of the configuration. The daemon does without it.
package struct WebRules: Sendable, Hashable {
  /// Host and port, such as `0.0.0.0:8010`; nil is the loopback.
  package var listen: WebListen?
  /// Names under which browsers ask, beside addresses and the loopback.
  package var hosts: [String] = []
  /// Whether a token is asked for on loopback, too.
  package var alwaysAsksForToken = false
  /// PEM files; nil serves without TLS. Both or neither are given.
  package var certificate: String?
  package var key: String?
}

/// Where a server listens.
package struct WebListen: Sendable, Hashable {
  package var host: String
  /// 0 to 65535; 0 is any free one.
  package var port: Int

  /// Parses `HOST:PORT` or `[V6]:PORT`.
  package init(_ text: String) throws(TextError) {
    let hint: FaceWords = "write HOST:PORT, such as 127.0.0.1:8010, 0.0.0.0:8010 or [::]:8010"
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (0...65535).contains(port)
    else { throw TextError("`\(TerminalText.excerpt(text))` is no address with a port", hint: hint) }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") {
      throw TextError("`\(TerminalText.excerpt(text))` has colons in its host", hint: hint)
    }
    let isPlain = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    guard !host.isEmpty, isPlain else {
      throw TextError("`\(TerminalText.excerpt(text))` has no host", hint: hint)
    }
    self.host = host
    self.port = port
  }

  /// As it is typed.
  package var text: String { Self.text(host, port) }

  static func text(_ host: String, _ port: Int) -> String {
    "\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}
