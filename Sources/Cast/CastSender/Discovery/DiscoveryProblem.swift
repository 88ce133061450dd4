import CastMulticast

/// A problem that limits discovery.
public struct DiscoveryProblem: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a problem.
  public enum Reason: Sendable, Hashable {
    /// No interface leads to a network with devices.
    case noInterface
    /// Receiving on one interface fails.
    case cannotListen
    /// Sending on one interface fails.
    case cannotSend
  }

  /// The kind of the problem.
  public let reason: Reason
  /// The interface's name, such as `wlan0`; nil when all are affected.
  public let interface: String?
  /// A message for a person: the problem, and what to do.
  public let description: String

  init(_ reason: Reason, interface: String? = nil, _ description: String) {
    self.reason = reason
    self.interface = interface
    self.description = description
  }

  static let noInterface = DiscoveryProblem(
    .noInterface,
    "no network interface that supports multicast is up; connect to the network of the devices, or use their addresses"
  )

  static func unknownInterfaces(_ names: [String]) -> DiscoveryProblem {
    DiscoveryProblem(
      .noInterface, interface: names.first,
      "there is no usable network interface \(names.joined(separator: ", ")); “ip address” lists those there are"
    )
  }

  static func listening(_ error: MulticastError, on link: MulticastLink) -> DiscoveryProblem {
    DiscoveryProblem(.cannotListen, interface: link.interfaceName, "\(error)")
  }

  static func sending(_ error: MulticastError, on link: MulticastLink) -> DiscoveryProblem {
    DiscoveryProblem(.cannotSend, interface: link.interfaceName, "\(error)")
  }
}
