/// What is known of this computer when an address is judged.
package struct OwnComputer: Sendable, Hashable {
  /// The addresses of its interfaces.
  package var addresses: Set<IPAddress>
  /// The names that it gives itself, in lower case.
  package var names: Set<String>

  package init(addresses: Set<IPAddress> = [], names: Set<String> = []) {
    self.addresses = addresses
    self.names = names
  }
}

/// The rule below every fetch: which addresses castq asks for strangers.
///
/// The owner may have any address asked. Strangers must not reach through castq what they cannot reach themselves: this computer, and the
/// devices on one cable with it. The rule judges the IP address that castq connects to, never a name, because the owner of a name can
/// change its meaning at any moment. It judges each redirection again, as words of the host that redirects.
package struct FetchGuard: Sendable, Hashable {
  package let origin: FetchOrigin
  package let allowed: LocalPlaces

  /// - Parameters:
  ///   - origin: whose words name the address.
  ///   - allowed: the exceptions.
  package init(_ origin: FetchOrigin, allowing allowed: LocalPlaces) {
    self.origin = origin
    self.allowed = allowed
  }

  /// For what the owner has written; redirections have no exceptions.
  package static let owner = FetchGuard(.owner, allowing: LocalPlaces())

  /// The rule for an address to which a host redirects.
  /// - Parameter address: where that host is; nil when it is not known.
  package func redirected(by host: String, at address: IPAddress?) -> FetchGuard {
    switch origin {
    // A picture that a receiver names stays one behind each redirection.
    case .receiver: self
    case .owner, .network, .resolver:
      FetchGuard(.network(host: host, address: address), allowing: allowed)
    }
  }

  /// Why an address is not asked; nil when it may be.
  /// - Parameters:
  ///   - host: the host of the address.
  ///   - address: an IP address of the host: the one that is connected to.
  package func refusal(
    of host: String, port: Int, at address: IPAddress, on computer: OwnComputer
  ) -> FetchRefusal? {
    let host = HostText.plain(host)
    guard origin != .owner else { return nil }
    guard let rule = rule(for: address, computer), !isAllowed(host, port, address, rule) else { return nil }
    switch origin {
    case .owner: return nil
    case .network(let said, let from):
      if from == address || said.map({ isSame($0, host, address, computer) }) == true { return nil }
    case .resolver(let said):
      if said.map({ isSame($0, host, address, computer) }) == true { return nil }
    case .receiver(let receiver):
      // Its address is its own where it is not this computer's: there, others listen too.
      let isOfReceiver = receiver.map {
        IPAddress(HostText.plain($0)) == address || HostText.plain($0) == host
      }
      if rule != .thisComputer, isOfReceiver == true { return nil }
    }
    return FetchRefusal(
      rule: rule, place: LocalPlace(host: host, port: port), address: address, origin: origin)
  }

  private func rule(for address: IPAddress, _ computer: OwnComputer) -> FetchRefusal.Rule? {
    if isOwn(address, computer) { return .thisComputer }
    switch address.scope {
    case .unspecified, .loopback: return .thisComputer
    case .linkLocal: return .linkLocal
    case .multicast, .reserved: return .noHost
    case .local: if case .receiver = origin { return .localNetwork } else { return nil }
    case .open: return nil
    }
  }

  private func isOwn(_ address: IPAddress, _ computer: OwnComputer) -> Bool {
    ([address] + address.embedded).contains { computer.addresses.contains($0) }
  }

  private func isAllowed(
    _ host: String, _ port: Int, _ address: IPAddress, _ rule: FetchRefusal.Rule
  ) -> Bool {
    // Behind a router that forwards a port, castq's own address is one of the local network.
    let isServed = allowed.ownPorts.contains(port) && (rule == .thisComputer || rule == .localNetwork)
    return isServed || allowed.places.contains { $0.isMeant(host: host, port: port, at: address) }
  }

  /// Whether words of a host lead back to that very host. A name counts only where it is this computer's own: another one may mean this
  /// computer now and have meant a stranger's before.
  private func isSame(_ said: String, _ host: String, _ address: IPAddress, _ computer: OwnComputer) -> Bool {
    let said = HostText.plain(said)
    if let literal = IPAddress(said) { return literal == address }
    if HostText.isLocalhost(said) { return address == .loopback4 || address == .loopback6 }
    return said == host && computer.names.contains(said)
  }
}

/// Why an address is not asked.
package struct FetchRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Rule: Sendable, Hashable {
    case thisComputer, linkLocal, noHost, localNetwork
  }

  package let rule: Rule
  /// What would allow it.
  package let place: LocalPlace
  /// The IP address that was refused.
  package let address: IPAddress
  let origin: FetchOrigin

  /// Names the address, the rule, and the exception.
  package var description: String {
    let what =
      switch rule {
      case .thisComputer: "an address of this computer"
      case .linkLocal: "a link-local address"
      case .noHost: "no address of one host"
      case .localNetwork: "an address of the local network"
      }
    let literal = "\(address)"
    let subject = place.host == literal ? literal : "\(place.host) (\(literal))"
    return "\(subject) is \(what), and not asked for \(origin.words); "
      + "`allow_local: [\"\(place)\"]` in the configuration allows it"
  }
}
