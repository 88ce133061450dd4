package import CastMulticast

/// How a simulated receiver makes itself known.
package struct AdvertisingOptions: Sendable {
  /// Names or addresses of network interfaces; empty for those that suit the address it listens on.
  package var interfaces: [String] = []
  /// Another port than that of multicast DNS keeps a test to itself.
  package var port = 5353
  /// What an answer waits that others may give, too (RFC 6762, 6).
  package var answerDelay: ClosedRange<Duration> = .milliseconds(20) ... .milliseconds(120)

  package init() {}

  /// Where a receiver that listens on an address can be heard, and under which addresses it is found there.
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
      // Who can be reached over one family alone need not be heard over the other.
      return interface.links.filter { link in
        addresses.contains { $0.count == (link.family == .v4 ? 4 : 16) }
      }
      .map { AdvertiserMachine.Place(link: $0, addresses: addresses) }
    }
    guard !places.isEmpty else { throw .nowhere(bind: bind) }
    return places
  }

  /// The addresses under which the listener answers.
  private func addresses(
    of interface: NetworkInterface, in all: [NetworkInterface], bind: String
  ) -> [[UInt8]] {
    switch bind {
    case "0.0.0.0": return interface.ipv4.map(\.bytes)
    // A socket of IPv6 takes what comes over IPv4, too.
    case "::": return (interface.ipv4 + interface.ipv6).map(\.bytes)
    default:
      let bare = bind.prefix { $0 != "%" }
      let everywhere = all.flatMap { $0.ipv4 + $0.ipv6 }
      if let own = everywhere.first(where: { $0.description == bare }) { return [own.bytes] }
      // 127.0.0.2 is nobody's address, and reaches this machine.
      return InterfaceAddress(parsing: String(bare)).map { [$0.bytes] } ?? []
    }
  }
}

/// Why a receiver cannot make itself known, in words made to be shown.
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
