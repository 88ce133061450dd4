public import CastProtocol

/// Finds the current endpoint of a device. A session calls it before every connection attempt: devices get new addresses, and a
/// group moves with its leader (protocol 13.5, 14.6).
public protocol DeviceResolver: Sendable {
  /// Returns the device with its latest known endpoint and properties, or the given device if nothing newer is known. Takes at most
  /// 2 seconds.
  func locate(_ device: Device) async -> Device

  /// Returns the endpoint that each connection attempt must call before `locate` is asked for another one, such as one that a
  /// person gave: what devices announce does not come before it. Nil if there is none, which is the default.
  func firstEndpoint(of device: Device) async -> DeviceEndpoint?
}

extension DeviceResolver {
  /// No endpoint comes first: nil.
  public func firstEndpoint(of device: Device) async -> DeviceEndpoint? { nil }
}
