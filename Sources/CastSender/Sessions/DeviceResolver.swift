public import CastProtocol

/// Knows where devices are now. Asked before every attempt to reach one: devices get new addresses, and a group moves with its
/// leader (protocol 13.5, 14.6).
public protocol DeviceResolver: Sendable {
  /// The device with the newest place and properties that are known; the device as it is given when nothing better is known.
  /// Takes 2 seconds at most.
  func locate(_ device: Device) async -> Device
}
