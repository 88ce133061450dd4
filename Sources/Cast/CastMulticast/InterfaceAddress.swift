import Glibc

/// An address of an interface of this computer, and the length of its prefix.
package struct InterfaceAddress: Sendable, Hashable, CustomStringConvertible {
  /// In network order: 4 bytes of IPv4, or 16 of IPv6.
  package let bytes: [UInt8]
  /// Length of the prefix shared by all addresses of the link, in bits.
  package let prefixLength: Int

  package init(bytes: [UInt8], prefixLength: Int) {
    self.bytes = bytes
    self.prefixLength = max(0, min(prefixLength, bytes.count * 8))
  }

  /// Parses an address, without a prefix; nil for any other text. Names are not looked up.
  package init?(parsing text: String) {
    let isIPv6 = text.utf8.contains(UInt8(ascii: ":"))
    var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
    guard inet_pton(isIPv6 ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return nil }
    self.init(bytes: bytes, prefixLength: bytes.count * 8)
  }

  /// `192.0.2.7` or `fe80::1`, without zone.
  package var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let length = socklen_t(text.count)
    let isWritten = bytes.withUnsafeBytes {
      inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, $0.baseAddress, &text, length) != nil
    }
    guard isWritten else { return "\(bytes)" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether an address, in network order, is on the same link.
  package func isNeighbour(_ other: [UInt8]) -> Bool {
    guard other.count == bytes.count else { return false }
    let (whole, rest) = prefixLength.quotientAndRemainder(dividingBy: 8)
    guard bytes.prefix(whole) == other.prefix(whole) else { return false }
    return rest == 0 || (bytes[whole] ^ other[whole]) >> (8 - rest) == 0
  }
}
