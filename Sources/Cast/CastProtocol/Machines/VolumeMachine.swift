/// The volume of a device under manual control: displays the requested value at once, limits the rate of requests, and ignores
/// outdated values from the device (protocol 5.7).
///
/// At most one SET_VOLUME is open, two are at least `spacing` apart, and only the newest value is sent. For `settling` after a
/// request, levels that the device reports are held back; then they apply. When a request fails and nothing
/// newer is wanted, the last reported level applies at once.
package struct VolumeMachine: Sendable {
  package enum Event: Sendable {
    /// The device reported its volume.
    case told(DeviceVolume)
    /// A level was requested, 0 to 1.
    case set(Double)
    case setMuted(Bool)
    /// The request was answered, or a newer one of the session replaced it.
    case answered
    /// The request failed.
    case failed
    case timerFired
  }

  package enum Action: Sendable, Equatable {
    case sendLevel(Double)
    case sendMuted(Bool)
    case startTimer(Duration)
    /// The displayed value changed.
    case changed
  }

  /// Minimum time between two messages (protocol 5.7: 100 to 200 ms).
  package static let spacing = Duration.milliseconds(100)
  /// How long echoes of older requests may arrive (protocol 5.7).
  package static let settling = Duration.milliseconds(500)
  /// Levels are returned with single-precision noise (protocol 5.7).
  package static let tolerance = 0.01
  /// The step of a device that suggests none (protocol 5.7).
  package static let defaultStep = 0.05

  /// 0 to 1; nil before the device has reported it.
  package private(set) var level: Double?
  package private(set) var isMuted = false
  package private(set) var controlType: VolumeControlType?
  package private(set) var step = VolumeMachine.defaultStep
  private var wanted: Double?
  private var wantedMute: Bool?
  private var isInFlight = false
  private var lastSent: Tick?
  private var settlesAt: Tick?
  /// The last level reported during the settling time.
  private var aside: DeviceVolume?
  /// The last level reported at all.
  private var lastTold: DeviceVolume?

  package init() {}

  /// Whether the device accepts requests; true while it is unknown (protocol 5.7).
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
    case .failed:
      isInFlight = false
      return wanted == nil && wantedMute == nil ? restore() : send(at: now)
    case .timerFired: return calm(at: now) + send(at: now)
    }
  }

  private mutating func take(_ volume: DeviceVolume, at now: Tick) -> [Action] {
    lastTold = volume
    controlType = volume.controlType ?? controlType
    if let told = volume.stepInterval, told > 0, told <= 1 { step = told }
    if let settlesAt, now < settlesAt {
      aside = volume
      return []
    }
    return show(volume)
  }

  /// Applies the device's level; noise is not a change.
  private mutating func show(_ volume: DeviceVolume) -> [Action] {
    let isNoise = level.map { abs($0 - volume.level) < Self.tolerance } ?? false
    guard !isNoise || isMuted != volume.isMuted else { return [] }
    level = volume.level
    isMuted = volume.isMuted
    return [.changed]
  }

  /// Displays what the device reported last, and nothing if it has reported nothing.
  private mutating func restore() -> [Action] {
    settlesAt = nil
    aside = nil
    if let lastTold { return show(lastTold) }
    guard level != nil || isMuted else { return [] }
    (level, isMuted) = (nil, false)
    return [.changed]
  }

  private mutating func settle(at now: Tick) -> [Action] {
    settlesAt = now + Self.settling
    return [.startTimer(Self.settling)]
  }

  /// The settling time has ended, unless there is something to send.
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
    // A mute is audible at once; levels can wait. They are sent separately (protocol 5.7).
    if let muted = wantedMute {
      wantedMute = nil
      return [.sendMuted(muted), .startTimer(Self.settling)]
    }
    guard let level = wanted else { return [] }
    wanted = nil
    return [.sendLevel(level), .startTimer(Self.settling)]
  }
}
