import CastProtocol

/// How long ago something was, for people: to the second for a minute and a half, then to the minute, the hour and the day.
package enum AgeText {
  /// An age such as `61 s`, `5 min`, `3 h` or `12 days`.
  /// - Parameter seconds: what lies in the future is now.
  package static func words(_ seconds: Double) -> String {
    switch seconds {
    case ..<90: "\(Int(bounded: max(seconds, 0).rounded())) s"
    case ..<5400: "\(Int(bounded: (seconds / 60).rounded())) min"
    case ..<129_600: "\(Int(bounded: (seconds / 3600).rounded())) h"
    default: "\(Int(bounded: min(seconds / 86_400, 1e6).rounded())) days"
    }
  }

  /// How long ago something was, as `just now` or `5 min ago`. The page's script has the same words.
  /// - Parameter seconds: what lies in the future is now.
  package static func ago(_ seconds: Double) -> String {
    seconds < 90 ? "just now" : "\(words(seconds)) ago"
  }
}
