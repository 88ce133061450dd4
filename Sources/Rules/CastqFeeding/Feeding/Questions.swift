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

/// The questions for a status, and how well the receiver answers them.
struct Questions: Sendable, Hashable {
  /// Unanswered questions in a row, or answers in a row that know of no load, after which the session is abandoned.
  static let patience = 2

  /// The status in doubt; nil when none is.
  var doubt: Doubt?
  /// A question has not been answered yet.
  private(set) var isOpen = false
  /// Whether the receiver has ever answered one.
  private(set) var hasAnswered = false
  private(set) var silences = 0
  /// Answers in a row that know of no load under way.
  private(set) var emptyAnswers = 0
  /// When the receiver last reported anything of media; nil before.
  private(set) var lastHeard: Tick?
  /// Up to when its session has certainly seen the receiver; nil is now.
  var seenUntil: Tick?

  /// Up to when the receiver is known to have been there. One that has stopped answering is known by its last status alone.
  func known(at now: Tick) -> Tick {
    min(seenUntil ?? now, hasAnswered && silences > 0 ? lastHeard ?? now : now, now)
  }

  /// Whether nothing was heard since that moment.
  func isSilent(since moment: Tick) -> Bool { lastHeard.map { $0 <= moment } ?? true }

  mutating func ask() { isOpen = true }

  /// The receiver reported something.
  mutating func heard(at now: Tick) {
    silences = 0
    lastHeard = now
  }

  /// The open question is over.
  mutating func answered(_ answer: StatusAnswer, at now: Tick, isLoading: Bool) {
    isOpen = false
    switch answer {
    case .told:
      heard(at: now)
      emptyAnswers = 0
      hasAnswered = true
    case .nothingLoaded where isLoading: emptyAnswers += 1
    case .nothingLoaded:
      heard(at: now)
      hasAnswered = true
    case .silence: silences += 1
    }
  }

  /// What was asked concerned a window that is gone. That the receiver answers, and when it was last heard, remains known.
  mutating func reset() {
    doubt = nil
    isOpen = false
    silences = 0
    emptyAnswers = 0
  }
}
