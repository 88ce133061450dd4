import CastMulticast
import CastProtocol

/// The links that discovery uses at one moment.
struct DiscoveryLinks: Sendable {
  /// For the sockets.
  private(set) var multicast: [MulticastLink] = []
  /// The same links for the machine.
  private(set) var discovery: [DiscoveryLink: MulticastLink] = [:]
  /// Problems of the selection; empty when there are none.
  private(set) var problems: [DiscoveryProblem] = []

  /// No links.
  init() {}

  /// Selects among the interfaces of this computer.
  init(_ options: DiscoveryOptions, interfaces: [NetworkInterface]) {
    var unknown = options.interfaces ?? []
    for interface in interfaces {
      let isNamed = options.interfaces?.contains { interface.isMeant(by: $0) } ?? false
      let links = interface.links
      if isNamed, !links.isEmpty { unknown = unknown.filter { !interface.isMeant(by: $0) } }
      let isSuitable =
        options.interfaces == nil && !interface.isPointToPoint
        && (!interface.isLoopback || options.includesLoopback)
      guard isNamed || isSuitable else { continue }
      multicast += links
      for link in links { discovery[Self.link(link, isLoopback: interface.isLoopback)] = link }
    }
    if !unknown.isEmpty {
      problems = [.unknownInterfaces(unknown.sorted())]
    } else if multicast.isEmpty {
      problems = [.noInterface]
    }
  }

  /// The machine's name for a link; nil when it is no longer in use.
  func link(_ link: MulticastLink) -> DiscoveryLink? { discovery.first { $0.value == link }?.key }

  private static func link(_ link: MulticastLink, isLoopback: Bool) -> DiscoveryLink {
    DiscoveryLink(
      interface: link.interfaceName, family: link.family == .v4 ? .v4 : .v6, isLoopback: isLoopback)
  }
}
