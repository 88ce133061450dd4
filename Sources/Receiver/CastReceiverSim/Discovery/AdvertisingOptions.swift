package import CastMulticast

/// How a simulated receiver is advertised.
package struct AdvertisingOptions: Sendable {
  /// Names or addresses of network interfaces; empty for those that match the address it listens on.
  package var interfaces: [String] = []
  /// The multicast DNS port; another one isolates a test.
  package var port = 5353
  /// Delay of answers that other devices may give as well (RFC 6762, 6).
  package var answerDelay: ClosedRange<Duration> = .milliseconds(20) ... .milliseconds(120)

  package init() {}

  /// The links on which a receiver that listens on an address is advertised, with its addresses on each.
  ///
  /// - Parameter bind: an IP address, or `0.0.0.0` or `::` for any.
  package func places(
    bind: String, in all: [NetworkInterface]
  ) throws(AdvertisingError) -> [AdvertiserMachine.Place] {
    let isAny = bind == "0.0.0.0" || bind == "::"
    var chosen: [NetworkInterface] = []
    if interfaces.isEmpty {
      let host = InterfaceAddress(parsing: bind)?.bytes ?? []
      chosen = all.filter { interface in
        if isAny { return !interface.isLoopback && !interface.isPointToPoint }
        // All of 127.0.0.0/8 is this machine.
        return interface.isMeant(by: bind)
          || interface.isLoopback && interface.ipv4.contains { $0.isNeighbour(host) }
      }
    }
    for name in interfaces {
      guard let interface = all.first(where: { $0.isMeant(by: name) }) else {
        throw .noSuchInterface(name)
      }
      if !chosen.contains(interface) { chosen.append(interface) }
    }
    let places = chosen.flatMap { interface in
      let addresses = addresses(of: interface, in: all, bind: bind)
      // A receiver that is reachable over one family alone is not advertised over the other.
      return interface.links.filter { link in
        addresses.contains { $0.count == (link.family == .v4 ? 4 : 16) }
      }
      .map { AdvertiserMachine.Place(link: $0, addresses: addresses) }
    }
    guard !places.isEmpty else { throw .nowhere(bind: bind) }
    return places
  }

  /// The addresses at which the listener is reachable.
  private func addresses(
    of interface: NetworkInterface, in all: [NetworkInterface], bind: String
  ) -> [[UInt8]] {
    switch bind {
    case "0.0.0.0": return interface.ipv4.map(\.bytes)
    // An IPv6 socket accepts IPv4 connections, too.
    case "::": return (interface.ipv4 + interface.ipv6).map(\.bytes)
    default:
      let bare = bind.prefix { $0 != "%" }
      let everywhere = all.flatMap { $0.ipv4 + $0.ipv6 }
      if let own = everywhere.first(where: { $0.description == bare }) { return [own.bytes] }
      // 127.0.0.2 is the address of no interface, and reaches this machine.
      return InterfaceAddress(parsing: String(bare)).map { [$0.bytes] } ?? []
    }
  }
}

/// Why a receiver cannot be advertised; the description is for people.
package enum AdvertisingError: Error, CustomStringConvertible {
  case noSuchInterface(String)
  case nowhere(bind: String)
  case multicast([MulticastError])

  package var description: String {
    switch self {
    case .noSuchInterface(let name):
      "there is no network interface \(name); “ip address” lists those there are"
    case .nowhere(let bind):
      "no network interface can make \(bind) known; name one with --interface, or listen on another address"
    case .multicast(let errors): errors.map(\.description).joined(separator: "; ")
    }
  }
}
