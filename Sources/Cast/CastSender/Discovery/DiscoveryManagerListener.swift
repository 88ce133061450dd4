public import CastProtocol

/// Receives changes of the list of devices (protocol 17.5). Methods are called in order, on no particular thread, and must return
/// soon. All have an empty default.
public protocol DiscoveryManagerListener: AnyObject, Sendable {
  /// A device was found.
  func discoveryManager(_ manager: DiscoveryManager, didInsert device: Device)
  /// A device has a new endpoint, name or other property.
  func discoveryManager(_ manager: DiscoveryManager, didUpdate device: Device)
  /// A device announced its departure, or its records expired.
  func discoveryManager(_ manager: DiscoveryManager, didRemove device: Device)
  /// The problems that limit discovery changed; empty when there are none.
  func discoveryManager(_ manager: DiscoveryManager, didUpdate problems: [DiscoveryProblem])
}

extension DiscoveryManagerListener {
  /// Does nothing.
  public func discoveryManager(_ manager: DiscoveryManager, didInsert device: Device) {}
  /// Does nothing.
  public func discoveryManager(_ manager: DiscoveryManager, didUpdate device: Device) {}
  /// Does nothing.
  public func discoveryManager(_ manager: DiscoveryManager, didRemove device: Device) {}
  /// Does nothing.
  public func discoveryManager(_ manager: DiscoveryManager, didUpdate problems: [DiscoveryProblem]) {}
}
