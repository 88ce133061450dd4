public import CastProtocol

/// Hears which devices come and go (protocol 17.5). Methods are called in order, on no particular thread: hand on what takes time.
/// All have an empty default.
public protocol DiscoveryManagerListener: AnyObject, Sendable {
  /// A device was found.
  func discoveryManager(_ manager: DiscoveryManager, didInsert device: Device)
  /// A device moved, was renamed, or does something else now.
  func discoveryManager(_ manager: DiscoveryManager, didUpdate device: Device)
  /// A device said goodbye, or has not been heard of for too long.
  func discoveryManager(_ manager: DiscoveryManager, didRemove device: Device)
  /// What stands in the way of finding devices changed; empty when nothing does.
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
