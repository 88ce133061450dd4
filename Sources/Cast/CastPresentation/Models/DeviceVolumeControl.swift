import CastProtocol

/// The slider and the mute button of the device's volume (protocol 5.7). Always there while a device is connected, and in step with
/// it.
public struct DeviceVolumeControl: Sendable, Hashable {
  /// The volume, 0 to 1; nil before the device has reported it.
  public let level: Double?
  /// Whether the device is muted.
  public let isMuted: Bool
  /// The change of one step, 0 to 1: the device's suggestion, else 0.05.
  public let step: Double
  /// Whether it may be changed.
  public let isInputEnabled: Bool
  /// Whether the volume of the device is fixed: that is said, not tried.
  public let isFixed: Bool
  /// Why it may not be changed, in words for a person; nil when it may.
  public let explanation: String?
  /// Whether a change is pending.
  public let isPending: Bool
  /// Whether the volume keys of the computer change it.
  public let obeysVolumeKeys: Bool
  /// The volume, 0 to 1, that the operator configured for the device; nil when none is.
  public let configuredLevel: Double?

  init(_ facts: PresentationFacts, _ options: PresentationOptions, shown: ShownValues) {
    let volume = facts.receiver?.volume
    level = shown.deviceLevel
    isMuted = shown.isDeviceMuted
    step = facts.volumeStep
    isFixed = volume?.controlType == .fixed
    let permission = facts.volumePermission
    isInputEnabled = permission.isAllowed
    explanation = permission.failure?.line
    isPending = facts.isPending { $0.kind == .deviceVolume || $0.kind == .deviceMute }
    obeysVolumeKeys = options.volumeControlsDriveDevice
    configuredLevel = options.configuredVolume.map(\.clampedToUnit)
  }
}

extension PresentationFacts {
  /// The step of the device, else the one of the SDK (protocol 5.7).
  var volumeStep: Double {
    guard let step = receiver?.volume?.stepInterval, step > 0, step <= 1 else {
      return VolumeMachine.defaultStep
    }
    return step
  }

  var volumePermission: Permission {
    guard let session = openSession else { return .notConnected }
    guard session.phase == .connected else { return .suspended(session) }
    guard receiver?.volume?.controlType != .fixed else {
      return .refused(
        "the volume of \(session.deviceName) is fixed", "change it on the speaker or amplifier",
        code: .notAllowed)
    }
    return .allowed
  }
}
