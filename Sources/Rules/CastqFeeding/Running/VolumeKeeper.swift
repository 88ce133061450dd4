import CastProtocol

/// The volume of a device while castq feeds it, and the volume before.
///
/// A volume that somebody else sets meanwhile is kept: neither a reconnection nor the end of the run changes it back.
struct VolumeKeeper: Sendable {
  /// 0 to 1; nil is as before.
  var wanted: Double? {
    didSet { if wanted != oldValue { isOverruled = false } }
  }
  /// 0 to 1, while the rule on the air has a volume of its own; nil is the wanted one.
  var scheduled: Double? {
    didSet { if scheduled != oldValue { isOverruled = false } }
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

  /// The level to set now; nil when none.
  mutating func level(now volume: DeviceVolume?) -> Double? {
    guard let volume, volume.controlType != .fixed, !isOverruled else { return nil }
    let wanted = scheduled ?? wanted
    guard let goal = wanted ?? before else { return nil }
    if wanted != nil { before = before ?? volume.level }
    // A level that was set a moment ago may not be reported yet: the reported one is then out of date.
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
    // Either the volume is unchanged, or what was set has not been reported yet.
    return Self.isSame(volume.level, set) || Self.isSame(volume.level, before) ? before : nil
  }

  private static func isSame(_ left: Double, _ right: Double) -> Bool { abs(left - right) <= tolerance }
}
