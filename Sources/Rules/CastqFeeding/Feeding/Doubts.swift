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

/// What was heard of the receiver's media in this run, by whatever session, and whether it answers questions for a status.
enum Hearing: Sendable, Hashable {
  case nothing
  /// It has reported something, last at that moment, but has never answered a question.
  case reports(last: Tick)
  /// It has answered questions, and was heard last at that moment.
  case answers(last: Tick)

  /// When it last reported anything; nil before.
  var last: Tick? {
    switch self {
    case .nothing: nil
    case .reports(let last), .answers(let last): last
    }
  }

  var isAnswering: Bool { if case .answers = self { true } else { false } }

  /// It has reported something; `isAnswer` to a question for a status.
  mutating func hear(isAnswer: Bool, at now: Tick) {
    self = isAnswer || isAnswering ? .answers(last: now) : .reports(last: now)
  }

  /// Up to when it is known to have been there, if it does not answer any more: by what it last reported.
  func known(at now: Tick) -> Tick { if case .answers(let last) = self { min(last, now) } else { now } }

  /// Whether nothing was heard since that moment.
  func isSilent(since moment: Tick) -> Bool { last.map { $0 <= moment } ?? true }
}

/// What is in doubt of what the receiver holds, and how well it answers for it.
struct Doubts: Sendable, Hashable {
  /// Unanswered questions in a row, or answers in a row that know of no load, after which the session is abandoned.
  static let patience = 2

  /// The status in doubt; nil when none is.
  var doubt: Doubt?
  /// Unanswered questions in a row.
  var silences = 0
  /// Answers in a row that know of no load under way.
  var emptyAnswers = 0
}
