/// The loudness of a device as somebody turns it: shows what is wanted at once, sends no more than the device can take, and does
/// not jump back to what the device says of a moment ago (protocol 5.7).
///
/// One SET_VOLUME is on its way at a time, two are at least `spacing` apart, and only the newest wish counts. For `settling` after
/// a wish, what the device tells of its level is kept aside; then it is what counts.
package struct VolumeMachine: Sendable {
  package enum Event: Sendable {
    /// The device told its volume.
    case told(DeviceVolume)
    /// Somebody wants another level, 0 to 1.
    case set(Double)
    case setMuted(Bool)
    /// The device answered what was sent, or did not.
    case answered
    case timerFired
  }

  package enum Action: Sendable, Equatable {
    case sendLevel(Double)
    case sendMuted(Bool)
    case startTimer(Duration)
    /// What is shown changed.
    case changed
  }

  /// Between two messages (protocol 5.7: 100 to 200 ms).
  package static let spacing = Duration.milliseconds(100)
  /// How long echoes of older wishes may come (protocol 5.7).
  package static let settling = Duration.milliseconds(500)
  /// Levels come back with single-precision noise (protocol 5.7).
  package static let tolerance = 0.01
  /// The step of a device that does not say otherwise (protocol 5.7).
  package static let defaultStep = 0.05

  /// 0 to 1; nil before the device has told.
  package private(set) var level: Double?
  package private(set) var isMuted = false
  package private(set) var controlType: VolumeControlType?
  package private(set) var step = VolumeMachine.defaultStep
  private var wanted: Double?
  private var wantedMute: Bool?
  private var isInFlight = false
  private var lastSent: Tick?
  private var settlesAt: Tick?
  /// What the device told while its echoes were kept aside.
  private var aside: DeviceVolume?

  package init() {}

  /// Whether the device takes requests at all; true while it has not told (protocol 5.7).
  package var canChange: Bool { controlType != .fixed }

  package mutating func handle(_ event: Event, at now: Tick) -> [Action] {
    switch event {
    case .told(let volume): return take(volume, at: now)
    case .set(let level):
      let level = level.isFinite ? min(max(level, 0), 1) : 0
      guard canChange else { return [] }
      self.level = level
      wanted = level
      return [.changed] + settle(at: now) + send(at: now)
    case .setMuted(let isMuted):
      guard canChange else { return [] }
      self.isMuted = isMuted
      wantedMute = isMuted
      return [.changed] + settle(at: now) + send(at: now)
    case .answered:
      isInFlight = false
      return send(at: now)
    case .timerFired: return calm(at: now) + send(at: now)
    }
  }

  private mutating func take(_ volume: DeviceVolume, at now: Tick) -> [Action] {
    controlType = volume.controlType ?? controlType
    if let told = volume.stepInterval, told > 0, told <= 1 { step = told }
    if let settlesAt, now < settlesAt {
      aside = volume
      return []
    }
    return show(volume)
  }

  /// What the device says is what counts; noise is no change.
  private mutating func show(_ volume: DeviceVolume) -> [Action] {
    let isNoise = level.map { abs($0 - volume.level) < Self.tolerance } ?? false
    guard !isNoise || isMuted != volume.isMuted else { return [] }
    level = volume.level
    isMuted = volume.isMuted
    return [.changed]
  }

  private mutating func settle(at now: Tick) -> [Action] {
    settlesAt = now + Self.settling
    return [.startTimer(Self.settling)]
  }

  /// The time of echoes is over, unless something is still to be said.
  private mutating func calm(at now: Tick) -> [Action] {
    guard let settlesAt, now >= settlesAt, wanted == nil, wantedMute == nil, !isInFlight else { return [] }
    self.settlesAt = nil
    defer { aside = nil }
    return aside.map { show($0) } ?? []
  }

  private mutating func send(at now: Tick) -> [Action] {
    guard !isInFlight, wanted != nil || wantedMute != nil else { return calm(at: now) }
    if let lastSent, now < lastSent + Self.spacing { return [.startTimer(lastSent + Self.spacing - now)] }
    isInFlight = true
    lastSent = now
    settlesAt = now + Self.settling
    // A mute is heard at once; levels can wait. They travel apart (protocol 5.7).
    if let muted = wantedMute {
      wantedMute = nil
      return [.sendMuted(muted), .startTimer(Self.settling)]
    }
    guard let level = wanted else { return [] }
    wanted = nil
    return [.sendLevel(level), .startTimer(Self.settling)]
  }
}
