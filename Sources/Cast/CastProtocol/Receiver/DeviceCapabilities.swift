/// The capabilities that a device announces (protocol 13.3). Bits without a published meaning are kept.
public struct DeviceCapabilities: OptionSet, Sendable, Hashable {
  /// The announced bits.
  public let rawValue: UInt64

  /// Creates capabilities from announced bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// It has a display.
  public static let videoOut = DeviceCapabilities(rawValue: 1 << 0)
  /// It has a camera.
  public static let videoIn = DeviceCapabilities(rawValue: 1 << 1)
  /// It has a loudspeaker.
  public static let audioOut = DeviceCapabilities(rawValue: 1 << 2)
  /// It has a microphone.
  public static let audioIn = DeviceCapabilities(rawValue: 1 << 3)
  /// It is in developer mode.
  public static let developerMode = DeviceCapabilities(rawValue: 1 << 4)
  /// It is a group of speakers.
  public static let multizoneGroup = DeviceCapabilities(rawValue: 1 << 5)
  /// It is a dynamic group.
  public static let dynamicGroup = DeviceCapabilities(rawValue: 1 << 6)
  /// It is a stereo pair of speakers.
  public static let multichannelGroup = DeviceCapabilities(rawValue: 1 << 7)
  /// It is one speaker of such a pair, and must not be listed.
  public static let multichannelMember = DeviceCapabilities(rawValue: 1 << 8)
  /// Its volume is the system's, or fixed.
  public static let masterOrFixedVolume = DeviceCapabilities(rawValue: 1 << 11)
  /// Its volume is attenuated, or fixed.
  public static let attenuationOrFixedVolume = DeviceCapabilities(rawValue: 1 << 12)
  /// It can join dynamic groups.
  public static let dynamicGrouping = DeviceCapabilities(rawValue: 1 << 16)
}
