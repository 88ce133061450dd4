package import CastqText

/// Which addresses a resolver is for: a host with its subdomains, optionally with a scheme, a port and the beginning of a path.
package struct AddressPattern: Sendable, Hashable {
  /// `http` or `https`; nil is either.
  private let scheme: String?
  /// The labels of the host in lower case.
  private let host: [Substring]
  /// Nil is any port.
  private let port: Int?
  /// The segments that a path begins with.
  private let path: [Substring]

  /// Parses `HOST`, `HOST:PORT`, `HOST/PATH`, or either after `http://` or `https://`.
  package init(_ text: String) throws(TextError) {
    let hasScheme = text.contains("://")
    let address: WebAddress
    do throws(TextError) { address = try WebAddress(hasScheme ? text : "http://\(text)") } catch {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is not a host: \(error.message)",
        hint: "write a host such as example.org, or the beginning of an address")
    }
    guard address.query == nil, address.fragment == nil, !address.authority.contains("@") else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` has more than a host and a path",
        hint: "write it without user, `?` and `#`; a rule is for all that begins like it")
    }
    let (name, port) = address.hostAndPort
    scheme = hasScheme ? address.scheme : nil
    host = Self.labels(name)
    self.port = port
    path = Self.segments(address.path)
  }

  /// Whether it is for this address. Hosts match by whole labels: `example.org` is for `www.example.org`, not for `badexample.org`.
  package func matches(_ address: WebAddress) -> Bool {
    let (name, port) = address.hostAndPort
    let labels = Self.labels(name)
    // The last numbers of an IP address are no domain.
    let isHost = labels == host || (!Self.isLiteral(name) && labels.suffix(host.count) == host[...])
    guard isHost, scheme == nil || scheme == address.scheme else { return false }
    let standard = address.scheme == "https" ? 443 : 80
    return (self.port == nil || self.port == port ?? standard)
      && Self.segments(address.path).prefix(path.count) == path[...]
  }

  private static func labels(_ host: String) -> [Substring] {
    let labels = host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    // A name may end in a full stop, which stands for the root.
    return labels.count > 1 && labels.last == "" ? labels.dropLast() : labels
  }

  private static func segments(_ path: String) -> [Substring] { path.split(separator: "/") }

  private static func isLiteral(_ host: String) -> Bool {
    host.hasPrefix("[") || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
  }
}
