import CastMulticast

/// Something that keeps devices from being found.
public struct DiscoveryProblem: Sendable, Hashable, CustomStringConvertible {
  /// What kind of thing it is.
  public enum Reason: Sendable, Hashable {
    /// No interface leads to a network where devices could be.
    case noInterface
    /// One interface cannot be listened to.
    case cannotListen
    /// Questions do not leave by one interface.
    case cannotSend
  }

  /// What kind of thing it is.
  public let reason: Reason
  /// The interface's name, such as `wlan0`; nil when all are concerned.
  public let interface: String?
  /// One sentence for a person: what is wrong, and what to do.
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
