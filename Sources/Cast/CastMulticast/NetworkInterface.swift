import Glibc

/// A snapshot of one network interface of this computer.
package struct NetworkInterface: Sendable, Hashable {
  /// The system's index of it; above 0.
  package let index: Int
  /// `eth0`, `wlan0`, `lo`.
  package let name: String
  package let ipv4: [InterfaceAddress]
  package let ipv6: [InterfaceAddress]
  package let isLoopback: Bool
  /// Whether it is up and has a carrier.
  package let isUp: Bool
  /// Whether it reports multicast support. Loopback does not, but supports it.
  package let isMulticast: Bool
  /// Whether it is a tunnel to one peer, where no device can be.
  package let isPointToPoint: Bool

  package init(
    index: Int, name: String, ipv4: [InterfaceAddress], ipv6: [InterfaceAddress], isLoopback: Bool = false,
    isUp: Bool = true, isMulticast: Bool = true, isPointToPoint: Bool = false
  ) {
    self.index = index
    self.name = name
    self.ipv4 = ipv4
    self.ipv6 = ipv6
    self.isLoopback = isLoopback
    self.isUp = isUp
    self.isMulticast = isMulticast
    self.isPointToPoint = isPointToPoint
  }

  /// Its links: one for each address family; none while it is down.
  package var links: [MulticastLink] {
    guard isUp, isMulticast || isLoopback else { return [] }
    return [MulticastLink.Family.v4, .v6].filter { !addresses($0).isEmpty }
      .map { MulticastLink(interfaceIndex: index, interfaceName: name, family: $0) }
  }

  package func addresses(_ family: MulticastLink.Family) -> [InterfaceAddress] {
    switch family {
    case .v4: ipv4
    case .v6: ipv6
    }
  }

  /// Whether a name or an address identifies this interface.
  package func isMeant(by text: String) -> Bool {
    let bare = text.prefix { $0 != "%" }
    return name == text || ipv4.contains { $0.description == bare }
      || ipv6.contains { $0.description == bare }
  }
}

extension NetworkInterface {
  /// All interfaces of this computer with an address, by index.
  package static func all() throws(MulticastError) -> [NetworkInterface] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else {
      throw .interfacesUnreadable(reason: String(cString: strerror(errno)))
    }
    defer { freeifaddrs(first) }
    var found: [String: Gathered] = [:]
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let name = entry.ifa_name.map({ String(cString: $0) }) else { continue }
      found[name, default: Gathered()].take(entry)
    }
    return found.compactMap { name, gathered in
      // 0: it was removed between the two calls.
      let index = Int(if_nametoindex(name))
      return index > 0 ? gathered.interface(index: index, name: name) : nil
    }
    .sorted { $0.index < $1.index }
  }
}

/// Collects the system's entries of one interface.
private struct Gathered {
  private var flags: UInt32 = 0
  private var ipv4: [InterfaceAddress] = []
  private var ipv6: [InterfaceAddress] = []

  mutating func take(_ entry: ifaddrs) {
    flags |= entry.ifa_flags
    guard let bytes = Self.bytes(entry.ifa_addr) else { return }
    let prefix = Self.bytes(entry.ifa_netmask)?.reduce(0) { $0 + $1.nonzeroBitCount } ?? bytes.count * 8
    let address = InterfaceAddress(bytes: bytes, prefixLength: prefix)
    if bytes.count == 4 { ipv4.append(address) } else { ipv6.append(address) }
  }

  func interface(index: Int, name: String) -> NetworkInterface {
    let isUp = has(IFF_UP) && has(IFF_RUNNING)
    return NetworkInterface(
      index: index, name: name, ipv4: ipv4, ipv6: ipv6, isLoopback: has(IFF_LOOPBACK), isUp: isUp,
      isMulticast: has(IFF_MULTICAST), isPointToPoint: has(IFF_POINTOPOINT))
  }

  private func has(_ flag: Int) -> Bool { Int(flags) & flag != 0 }

  /// Nil for an address that is neither IPv4 nor IPv6.
  private static func bytes(_ address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
    guard let address else { return nil }
    // The kernel's sockaddr_in and sockaddr_in6: family, port, flow (IPv6 alone), address.
    switch CInt(address.pointee.sa_family) {
    case AF_INET: return Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(address) + 4, count: 4))
    case AF_INET6: return Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(address) + 8, count: 16))
    default: return nil
    }
  }
}
