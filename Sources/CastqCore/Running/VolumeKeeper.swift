import CastProtocol

/// How loud a device is to be while castq feeds it, and how loud it was before.
///
/// Whoever turns the volume meanwhile is right: it is not turned back, neither when the device was away nor in the end.
struct VolumeKeeper: Sendable {
  /// 0 to 1; nil is as before.
  var wanted: Double? {
    didSet { if wanted != oldValue { isOverruled = false } }
  }
  /// What was there before castq set anything; nil while it has not.
  private var before: Double?
  /// What castq has set last.
  private var set: Double?
  /// Somebody has turned it to something else since.
  private var isOverruled = false

  /// Receivers add noise to what they tell (protocol 5.7).
  private static let tolerance = 0.02

  /// What plays, plays on without castq, and as loud as it is.
  var stays = false

  /// The level to set now; nil when nothing is to be set.
  mutating func level(now volume: DeviceVolume?) -> Double? {
    guard let volume, volume.controlType != .fixed, !isOverruled else { return nil }
    guard let goal = wanted ?? before else { return nil }
    if wanted != nil { before = before ?? volume.level }
    // What was set a moment ago may not have been told yet: then what is told says nothing.
    let isThere = Self.isSame(volume.level, goal) && set.map { Self.isSame($0, goal) } ?? true
    set = goal
    return isThere ? nil : goal
  }

  /// The session is gone.
  mutating func lost(_ volume: DeviceVolume?) {
    guard let volume, let set, !Self.isSame(volume.level, set) else { return }
    isOverruled = true
  }

  /// The level to leave behind; nil leaves what is.
  func last(now volume: DeviceVolume?) -> Double? {
    guard let before, let set, let volume, !isOverruled, !stays, !Self.isSame(set, before) else { return nil }
    // Either nobody has turned it, or what was set has not been told yet.
    return Self.isSame(volume.level, set) || Self.isSame(volume.level, before) ? before : nil
  }

  private static func isSame(_ left: Double, _ right: Double) -> Bool { abs(left - right) <= tolerance }
}
