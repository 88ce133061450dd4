import CastProtocol

/// What was requested of the device's volume. For 500 ms after a request and after its outcome it is shown in
/// place of what the device reports, which may be the echo of an older request (protocol 5.7).
struct RequestedVolume: Sendable, Hashable {
  private var level: Double?
  private var levelUntil = Tick.zero
  private var isMuted: Bool?
  private var isMutedUntil = Tick.zero

  /// When echoes are no longer expected.
  var ends: [Tick] { [levelUntil, isMutedUntil] }

  /// Notes a command; those that do not concern the volume change nothing.
  mutating func request(_ command: PresentationCommand, at now: Tick) {
    let end = now + VolumeMachine.settling
    switch command {
    case .setDeviceVolume(let level, let unmuting):
      (self.level, levelUntil) = (level, end)
      if unmuting { (isMuted, isMutedUntil) = (false, end) }
    case .setDeviceMuted(let isMuted): (self.isMuted, isMutedUntil) = (isMuted, end)
    default: break
    }
  }

  /// Notes the outcome of a command. After a failure the device's own value is shown, unless a newer request
  /// replaced this one.
  mutating func finish(_ command: PresentationCommand, hasFailed: Bool, at now: Tick) {
    let end = now + VolumeMachine.settling
    switch command {
    case .setDeviceVolume(let level, let unmuting):
      if !hasFailed { levelUntil = end } else if self.level == level { self.level = nil }
      if unmuting { finishMuting(false, hasFailed: hasFailed, end) }
    case .setDeviceMuted(let isMuted): finishMuting(isMuted, hasFailed: hasFailed, end)
    default: break
    }
  }

  private mutating func finishMuting(_ isMuted: Bool, hasFailed: Bool, _ end: Tick) {
    if !hasFailed { isMutedUntil = end } else if self.isMuted == isMuted { self.isMuted = nil }
  }

  /// The level to show: the device's own where it is the requested one, as it comes back with noise.
  func shownLevel(at now: Tick, device: Double?) -> Double? {
    guard let level, now < levelUntil else { return device }
    guard let device, abs(device - level) < VolumeMachine.tolerance else { return level }
    return device
  }

  func isShownMuted(at now: Tick, device: Bool) -> Bool {
    now < isMutedUntil ? isMuted ?? device : device
  }
}
