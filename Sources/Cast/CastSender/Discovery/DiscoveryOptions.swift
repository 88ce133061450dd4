/// The devices to find, and the interfaces to use (protocol 13).
public struct DiscoveryOptions: Sendable {
  /// Criteria for devices; empty, the default, finds all (protocol 13.4).
  public var criteria: DiscoveryCriteria
  /// Names or addresses of the network interfaces to use; nil, the default, uses all that are up and support multicast.
  public var interfaces: Set<String>?
  /// Whether devices on this computer itself are found, such as simulated ones; default false. Not needed for an interface that is
  /// listed in `interfaces`.
  public var includesLoopback: Bool
  /// Whether queries are rare, for programs that show no list: intervals grow up to one hour, instead of ten seconds; default false
  /// (protocol 13.5).
  public var isPassive: Bool
  /// UDP port of multicast DNS, 1 to 65535; tests use another one for isolation.
  package var port = 5353

  /// Options for all devices on all interfaces, apart from the given values.
  public init(
    criteria: DiscoveryCriteria = DiscoveryCriteria(), interfaces: Set<String>? = nil,
    includesLoopback: Bool = false, isPassive: Bool = false
  ) {
    self.criteria = criteria
    self.interfaces = interfaces
    self.includesLoopback = includesLoopback
    self.isPassive = isPassive
  }
}
