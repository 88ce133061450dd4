public import CastProtocol

/// Finds the current endpoint of a device. A session calls it before every connection attempt: devices get new addresses, and a
/// group moves with its leader (protocol 13.5, 14.6).
public protocol DeviceResolver: Sendable {
  /// Returns the device with its latest known endpoint and properties, or the given device if nothing newer is known. Takes at most
  /// 2 seconds.
  func locate(_ device: Device) async -> Device
}
