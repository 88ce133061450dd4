import CastqCore

/// Lengths and positions as people read them.
enum ClockText {
  /// `0:07`, `12:34`, `1:02:03`; parts of a second are dropped.
  static func format(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? Int(min(max(seconds, 0), 1e9)) : 0
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
  }

  /// The local date and time of this computer, to the second: what `--since` and `--until` are written in.
  static func local(_ time: WallTime) -> String {
    let shifted = time.adding(seconds: Double(TimeArgument.utcOffset(at: time)))
    let text = RFC3339.text(shifted)
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
  }
}
