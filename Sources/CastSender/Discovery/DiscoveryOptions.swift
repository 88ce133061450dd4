/// What is looked for, and where (protocol 13).
public struct DiscoveryOptions: Sendable {
  /// Which devices are worth finding; empty, the default, finds all (protocol 13.4).
  public var criteria: DiscoveryCriteria
  /// Names or addresses of the network interfaces to look on; nil, the default, takes all that are up and can do multicast.
  public var interfaces: Set<String>?
  /// Whether devices on this computer itself are found, such as simulated ones; default false. An interface that is named in
  /// `interfaces` needs no such permission.
  public var includesLoopback: Bool
  /// Whether nobody waits for the list: then questions become rare, at last one an hour, where they come every ten seconds
  /// otherwise; default false (protocol 13.5).
  public var isPassive: Bool
  /// UDP port of multicast DNS, 1 to 65535; tests use another one, to be among themselves.
  package var port = 5353

  /// Looks for all devices on all interfaces, apart from what is given.
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
