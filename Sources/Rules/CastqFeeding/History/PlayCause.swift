/// Why a play ended: a closed set, which its seal has. The schema has the same codes.
package enum PlayCause: String, Sendable, Hashable, CaseIterable {
  /// It was shown to its end.
  case completed
  /// The time that its entry has for it was over.
  case timeLimit = "time_limit"
  /// A window of a rule took the screen.
  case rule
  /// A trigger of a rule, or an announcement by hand, took the screen.
  case announcement
  /// An item of a share took the screen.
  case share
  /// The occurrence of its own rule was over.
  case ruleEnded = "rule_ended"
  /// Another list of its queue took its place.
  case replaced
  case skipped
  /// A person stopped the device by castq.
  case stopped
  /// It continues on another device.
  case transferred
  case quietHours = "quiet_hours"
  /// An earlier castq had left it on the screen, and nothing was due.
  case nothingDue = "nothing_due"
  /// Its list stopped at an entry that failed.
  case listStopped = "list_stopped"
  case castqEnded = "castq_ended"
  /// Another sender took the screen.
  case guest
  /// It was stopped at the device, or by another sender.
  case deviceStopped = "device_stopped"
  case deviceLost = "device_lost"
  /// Its device was removed from castq.
  case deviceRemoved = "device_removed"
  /// Another box feeds the device.
  case otherBox = "other_box"
  /// The receiver reported that it failed.
  case failed
  /// It was never sent, because it could not be.
  case unplayable
  /// It stood still, or displayed nothing.
  case stalled
  /// It ended by itself, more than a few seconds before its length; the note says by how much.
  case endedEarly = "ended_early"
  /// The receiver did not report its end.
  case unreported
  /// castq did not see its end.
  case unobserved

  /// For people; nil for what ends as planned, and where the receiver's words or castq's note say it.
  /// - Parameter name: the rule or the title that interrupted it.
  package func words(by name: String?) -> String? {
    switch self {
    case .completed, .timeLimit, .ruleEnded, .skipped, .failed, .unplayable, .stalled, .endedEarly,
      .unreported,
      .unobserved:
      nil
    case .rule, .announcement, .share: "interrupted by \(name ?? "another rule")"
    case .replaced: "another list took its place"
    case .stopped: "stopped by castq"
    case .transferred: "continued on another device"
    case .quietHours: "quiet hours began"
    case .nothingDue: "nothing was due"
    case .listStopped: "the list stopped at an entry that failed"
    case .castqEnded: "castq ended"
    case .guest: name.map { "another sender loaded \($0)" } ?? "another sender took the screen"
    case .deviceStopped: "stopped at the device or by another sender"
    case .deviceLost: "the device was lost"
    case .deviceRemoved: "its device was removed from castq"
    case .otherBox: "another box feeds the device"
    }
  }

  /// Whether what the receiver said belongs to the reason. Of a play that castq or a person ended, it says only how.
  var hasReceiverWords: Bool { words(by: nil) == nil && ![.timeLimit, .ruleEnded, .skipped].contains(self) }

  /// What took the place of a play whose list was replaced.
  /// - Parameters:
  ///   - play: what the play was shown by; nil is unknown.
  ///   - isOver: whether the occurrence of its rule was over.
  ///   - next: what is shown since.
  package static func replacement(
    of play: PlaySchedule?, isOver: Bool, by next: PlaySchedule
  ) -> (cause: PlayCause, name: String?) {
    guard let play, play.decision != next.decision else { return (.replaced, nil) }
    if play.kind != .base, isOver || next.kind == .base { return (.ruleEnded, nil) }
    return switch next.kind {
    case .base: (.replaced, nil)
    case .rule: (.rule, next.name)
    case .announcement: (.announcement, next.name)
    case .share: (.share, next.name)
    }
  }
}

/// Why castq ends what it plays.
package struct PlayEnding: Sendable, Hashable, ExpressibleByStringLiteral {
  package var cause: PlayCause
  /// What there is to say beside the cause; nil is nothing.
  package var note: String?

  package init(_ cause: PlayCause, _ note: String? = nil) {
    self.cause = cause
    self.note = note
  }

  /// castq ends, for a reason in words.
  package init(stringLiteral words: String) { self.init(.castqEnded, words) }

  /// For the log and for people.
  package var words: String { note ?? cause.words(by: nil) ?? cause.rawValue }
}
