import CastProtocol

/// Formats lengths and positions.
package enum ClockText {
  /// `0:07`, `12:34`, `1:02:03`; parts of a second are dropped.
  package static func format(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? Int(bounded: min(max(seconds, 0), 1e9)) : 0
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, (whole % 60).digits(2))
    return hours > 0 ? "\(hours):\(minutes.digits(2)):\(rest)" : "\(minutes):\(rest)"
  }

  /// `0:03 / 0:05`; an unknown position is `-:--`, an unknown length is omitted.
  package static func progress(_ position: Double?, of length: Double?) -> String {
    (position.map(format) ?? "-:--") + (length.map { " / \(format($0))" } ?? "")
  }
}
