/// An address that a device has announced.
package enum DeviceAddress: Sendable, Hashable {
  /// Four bytes.
  case v4([UInt8])
  /// Sixteen bytes; with the interface for link-local addresses (`fe80::…`), else nil.
  case v6([UInt8], interface: String?)

  /// The address in an address record that was received on an interface; nil for other records and for invalid addresses.
  package init?(_ data: DNSRecordData, interface: String) {
    switch data {
    case .a(let bytes) where bytes.count == 4: self = .v4(bytes)
    case .aaaa(let bytes) where bytes.count == 16:
      let isLinkLocal = bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
      self = .v6(bytes, interface: isLinkLocal ? interface : nil)
    case .a, .aaaa, .ptr, .srv, .txt, .other: return nil
    }
    guard isOfOneHost else { return nil }
  }

  /// Whether it can be the address of a device: neither multicast nor unspecified.
  private var isOfOneHost: Bool {
    switch self {
    case .v4(let bytes): bytes[0] != 0 && bytes[0] < 224
    case .v6(let bytes, _): bytes[0] != 0xFF && bytes.contains { $0 != 0 }
    }
  }

  var isIPv4: Bool { if case .v4 = self { true } else { false } }

  /// Whether it is a loopback address.
  package var isLoopback: Bool {
    switch self {
    case .v4(let bytes): bytes[0] == 127
    case .v6(let bytes, _):
      bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
        // An IPv4-mapped IPv6 address.
        || bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
          && bytes[12] == 127
    }
  }

  /// Preference; smaller is better: devices listen on IPv4, and rarely on the IPv6 addresses they announce (protocol 18.41).
  private var rank: Int {
    switch self {
    case .v4(let bytes): bytes[0] == 169 && bytes[1] == 254 ? 2 : 0
    case .v6(_, let interface): interface == nil ? 1 : 3
    }
  }

  /// Whether this address is preferred to another; equal preferences are ordered by their bytes, for a stable order.
  package func isPreferred(to other: DeviceAddress) -> Bool {
    rank == other.rank ? text < other.text : rank < other.rank
  }

  /// The literal, with the interface after a `%` if required.
  package var text: String {
    switch self {
    case .v4(let bytes): bytes.map(String.init).joined(separator: ".")
    case .v6(let bytes, let interface): Self.text(ofV6: bytes) + (interface.map { "%" + $0 } ?? "")
    }
  }

  /// Hexadecimal groups, with the first longest run of zeros omitted (RFC 5952).
  private static func text(ofV6 bytes: [UInt8]) -> String {
    let groups: [UInt16] = stride(from: 0, to: 16, by: 2).map { (index: Int) in
      UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
    }
    var longest = 0..<0
    var index = 0
    while index < groups.count {
      let end = groups[index...].firstIndex { $0 != 0 } ?? groups.count
      if end - index > max(longest.count, 1) { longest = index..<end }
      index = max(end, index + 1)
    }
    func text(_ groups: ArraySlice<UInt16>) -> String {
      groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
    if longest.isEmpty { return text(groups[...]) }
    return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
  }
}
