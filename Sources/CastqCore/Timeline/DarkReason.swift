/// Why castq has nothing on a screen: the one closed set of reasons. A case that is new has to be derived in `TimelineGap`, and needs its
/// words here; nothing else switches over them.
package enum DarkReason: String, Sendable, Hashable, CaseIterable {
  /// The device does not answer.
  case unreachable
  /// What was to be shown failed, and nothing else was there to be shown.
  case failed
  /// The next item loads.
  case loading
  /// Nothing is left to play, and no rule is on.
  case nothingDue = "nothing_due"
  /// Another sender has the screen.
  case guest
  /// A person stopped the device by castq.
  case stopped
  /// It was stopped at the device, or by another sender.
  case stoppedAtDevice = "stopped_at_device"
  /// By the configuration.
  case quietHours = "quiet_hours"

  /// The words of a reason.
  package struct Words: Sendable, Hashable {
    /// What documents call a stretch of it: a guest's screen is not dark.
    package let kind: String
    /// What was so, of a stretch that is over. A name of the device goes in front where the reason begins with a blank.
    package let past: String
    /// What competitors of that time lack; nil where the screen was theirs.
    package let due: String?

    fileprivate init(_ kind: String, _ past: String, due: String? = nil) {
      (self.kind, self.past, self.due) = (kind, past, due)
    }
  }

  /// The one table of words.
  package var words: Words {
    switch self {
    case .unreachable: Words("dark", " did not answer", due: "was due, and the device did not answer")
    case .failed: Words("dark", "what was to be shown failed")
    case .loading: Words("dark", "the next item was loaded")
    case .nothingDue: Words("dark", "nothing was left to play, and no rule was on")
    case .guest: Words("guest", "another sender had the screen", due: "was due, and a guest had the screen")
    case .stopped: Words("stopped", "stopped by castq", due: "was due, and the device was stopped")
    case .stoppedAtDevice:
      Words(
        "stopped", "stopped at the device or by another sender", due: "was due, and the device was stopped")
    case .quietHours: Words("quiet", "quiet hours", due: "was due, and waited for the end of quiet hours")
    }
  }

  /// Whether a person who looks for dark minutes is to hear of it: what somebody wanted is none.
  package var isDarkness: Bool { words.kind == "dark" }
}
