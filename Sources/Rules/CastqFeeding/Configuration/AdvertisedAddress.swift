import CastProtocol
package import CastqText

/// The address at which devices reach local files, where it is not the one that the system would use: in a container, behind a router
/// that forwards a port, or through a VPN.
package struct AdvertisedAddress: Sendable, Hashable, CustomStringConvertible {
  /// IP address without brackets and zone, or a name that the device can resolve.
  package let host: String
  /// TCP port, 1 to 65535; nil is the one that castq listens on.
  package let port: Int?

  /// Reads `ADDRESS`, `ADDRESS:PORT`, `[v6]` or `[v6]:PORT`.
  package init(_ text: String) throws(TextError) {
    let hint: FaceWords = "write it as in 192.0.2.10 or 192.0.2.10:8011"
    guard text.utf8.count <= 260, let endpoint = DeviceEndpoint(text), Self.isHost(endpoint.host) else {
      throw TextError("`\(TerminalText.excerpt(text))` is not an address with or without a port", hint: hint)
    }
    guard !["0.0.0.0", "::"].contains(endpoint.host) else {
      throw TextError("`\(TerminalText.excerpt(text))` is no address that a device can open", hint: hint)
    }
    host = endpoint.host
    port = Self.namesPort(text, endpoint) ? endpoint.port : nil
    // A number may have a sign, a port may not.
    guard port == nil || !text.utf8.contains(UInt8(ascii: "+")) else {
      throw TextError("`\(TerminalText.excerpt(text))` is not an address with or without a port", hint: hint)
    }
  }

  package var description: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return port.map { "\(host):\($0)" } ?? host
  }

  /// Reads a TCP port, 1 to 65535.
  package static func port(_ text: String) throws(TextError) -> Int {
    guard let port = UInt16(text), port > 0, text.utf8.first != UInt8(ascii: "+") else {
      throw TextError("`\(TerminalText.excerpt(text))` is not a port", hint: "write 1 to 65535")
    }
    return Int(port)
  }

  /// A text with a port ends in it; a bare IPv6 literal and one in brackets do not.
  private static func namesPort(_ text: String, _ endpoint: DeviceEndpoint) -> Bool {
    text.utf8.count > endpoint.host.utf8.count && text.utf8.last != UInt8(ascii: "]")
  }

  /// Whether it is a name, or an address of either kind, by its characters. A colon makes it IPv6, whose zone means nothing elsewhere.
  private static func isHost(_ host: String) -> Bool {
    if host.contains(":") { return isIPv6(host) }
    return host.utf8.allSatisfy { "-._".utf8.contains($0) || PercentEncoding.isAlphanumeric($0) }
      && host.utf8.contains { PercentEncoding.isAlphanumeric($0) }
  }

  /// Groups of at most four digits, eight of them unless `::` stands for some; the last one may be an IPv4 address.
  private static func isIPv6(_ host: String) -> Bool {
    let groups = host.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let endsInIPv4 = groups.last?.contains(UInt8(ascii: ".")) == true
    let count = groups.count + (endsInIPv4 ? 1 : 0)
    return (host.contains("::") ? count <= 9 : count == 8)
      && groups.dropLast(endsInIPv4 ? 1 : 0).allSatisfy { $0.count <= 4 && $0.allSatisfy(isHexadecimal) }
      && (groups.last?.allSatisfy { $0 == UInt8(ascii: ".") || isHexadecimal($0) } ?? false)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    Character(Unicode.Scalar(byte)).isHexDigit
  }
}
