import CastProtocol

/// A status that can hardly be true, about which the receiver is being asked.
struct Doubt: Sendable, Hashable {
  var since: Tick
  /// The newest such status; nil says that nothing is loaded.
  var said: MediaStatus?
  /// The question was answered; the status that came with the answer may be still on its way.
  var isAnswered = false
}

/// The outcome of the last question for a status.
package enum StatusAnswer: Sendable, Hashable {
  /// The receiver reported what it shows; the status itself arrives before, or at the same time.
  case told
  /// It knows of no media.
  case nothingLoaded
  /// It did not answer until the question timed out.
  case silence
}

/// The questions for a status, and whether the receiver answers any.
struct Questions: Sendable, Hashable {
  /// Unanswered questions in a row, or answers in a row that know of no load, after which the session is abandoned.
  static let patience = 2

  /// Whether the receiver has ever answered one.
  var hasAnswered = false
  /// When the receiver last reported anything of media; nil before.
  var lastHeard: Tick?
  /// Up to when its session has certainly seen the receiver; nil is now.
  var seenUntil: Tick?

  /// Up to when the receiver is known to have been there. One that has stopped answering is known by its last status alone.
  func known(at now: Tick, isSilent: Bool) -> Tick {
    min(seenUntil ?? now, hasAnswered && isSilent ? lastHeard ?? now : now, now)
  }

  /// Whether nothing was heard since that moment.
  func isSilent(since moment: Tick) -> Bool { lastHeard.map { $0 <= moment } ?? true }
}

/// What is in doubt of what the receiver holds, and how well it answers for it.
struct Doubts: Sendable, Hashable {
  /// The status in doubt; nil when none is.
  var doubt: Doubt?
  /// Unanswered questions in a row.
  var silences = 0
  /// Answers in a row that know of no load under way.
  var emptyAnswers = 0
}
