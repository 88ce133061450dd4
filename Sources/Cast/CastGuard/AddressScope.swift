/// Where an IP address leads, by its prefix (RFC 6890).
package enum AddressScope: Sendable, Hashable, CaseIterable {
  /// `0.0.0.0` and its network, `::`: on Linux that is this computer.
  case unspecified
  /// `127.0.0.0/8`, `::1`.
  case loopback
  /// `169.254.0.0/16`, `fe80::/10`: one cable. Computers in a cloud learn their secrets there.
  case linkLocal
  /// `224.0.0.0/4`, `ff00::/8`.
  case multicast
  /// `240.0.0.0/4`, with the address of everybody.
  case reserved
  /// A network of a house or a company: `10.0.0.0/8`, `172.16.0.0/12`, `192.168.0.0/16`, `100.64.0.0/10`, `fc00::/7`, `fec0::/10`.
  case local
  /// Anything else.
  case open
}

extension IPAddress {
  /// Where it leads. One that stands for an address of IPv4 leads where that does.
  package var scope: AddressScope {
    let own = ownScope
    guard own == .open || own == .local else { return own }
    return embedded.map(\.ownScope).first { $0 != .open } ?? own
  }

  private var ownScope: AddressScope { isIPv6 ? scopeOfIPv6 : scopeOfIPv4 }

  private var scopeOfIPv4: AddressScope {
    switch (bytes[0], bytes[1]) {
    case (0, _): .unspecified
    case (127, _): .loopback
    case (169, 254): .linkLocal
    case (224...239, _): .multicast
    case (240...255, _): .reserved
    case (10, _), (172, 16...31), (192, 168), (100, 64...127): .local
    default: .open
    }
  }

  private var scopeOfIPv6: AddressScope {
    let isSmall = bytes.dropLast().allSatisfy { $0 == 0 }
    switch (bytes[0], bytes[1]) {
    case _ where isSmall && bytes[15] == 0: return .unspecified
    case _ where isSmall && bytes[15] == 1: return .loopback
    case (0xFE, 0x80...0xBF): return .linkLocal
    case (0xFF, _): return .multicast
    case (0xFE, 0xC0...0xFF), (0xFC...0xFD, _): return .local
    default: return .open
    }
  }

  /// The addresses of IPv4 for which it may stand, on the way or at its end: mapped and compatible ones, those of NAT64 (RFC 6052, 8215),
  /// 6to4, Teredo and ISATAP.
  package var embedded: [IPAddress] {
    guard isIPv6 else { return [] }
    var found: [IPAddress?] = []
    let last = IPAddress(bytes: bytes[12...])
    let zeros = [UInt8](repeating: 0, count: 12)
    if bytes.starts(with: zeros) || bytes.starts(with: zeros.dropLast(2) + [0xFF, 0xFF])
      || bytes.starts(with: zeros.dropLast(4) + [0xFF, 0xFF, 0, 0])
      || bytes.starts(with: [0, 0x64, 0xFF, 0x9B])
      || (bytes[8] & 0xFD == 0 && bytes[9] == 0 && bytes[10] == 0x5E && bytes[11] == 0xFE)
    {
      found.append(last)
    }
    if bytes.starts(with: [0x20, 0x02]) { found.append(IPAddress(bytes: bytes[2..<6])) }
    if bytes.starts(with: [0x20, 0x01, 0, 0]) {
      found.append(IPAddress(bytes: bytes[12...].map { ~$0 }))
    }
    return found.compactMap(\.self)
  }
}
