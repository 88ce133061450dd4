import CastProtocol
import CastqCore

/// Formats lengths and positions.
enum ClockText {
  /// `0:07`, `12:34`, `1:02:03`; parts of a second are dropped.
  static func format(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? Int(bounded: min(max(seconds, 0), 1e9)) : 0
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
  }

  /// `0:03 / 0:05`; an unknown position is `-:--`, an unknown length is omitted.
  static func progress(_ position: Double?, of length: Double?) -> String {
    (position.map(format) ?? "-:--") + (length.map { " / \(format($0))" } ?? "")
  }
}
