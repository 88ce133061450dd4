import CastProtocol
package import CastqPlaylists
package import CastqSchedule
package import CastqText

/// The outcome of one entry that a command wants displayed: reported once, and never for another entry.
///
/// When it failed and another one plays, the command has failed, even if the entry is retried later.
package struct FirstPlay: Sendable {
  /// What is waited for; nil is whichever entry comes first.
  private let entry: EntryID?
  /// Plays before this turn do not count.
  private let firstTurn: Int
  private var failed: (entry: EntryID, failure: Failure)?
  /// How often the device may go away yet before it is called away.
  private var patience: Int
  /// Whether what a rule shows counts.
  private let takesRules: Bool
  /// Whether the queue had nothing left when the play was asked for.
  private let isQueueOver: Bool
  private let times: SiteTimes

  /// A short loss of a device that was connected is not reported.
  private static let patience = 3

  /// - Parameters:
  ///   - turn: the first turn that counts.
  ///   - isConnected: whether the device is there. One that is not, and does not answer when it is called, is away.
  ///   - takesRules: whether what a rule shows is the play that is waited for, too; only without an entry.
  ///   - isQueueOver: whether the queue has nothing left to play, now or later: what is due then is a rule's.
  ///   - times: tells when something is due.
  package init(
    of entry: EntryID? = nil, from turn: Int = 0, isConnected: Bool = true, takesRules: Bool = false,
    isQueueOver: Bool = false, times: SiteTimes = .utc
  ) {
    self.entry = entry
    firstTurn = turn
    self.takesRules = takesRules
    self.isQueueOver = isQueueOver
    self.times = times
    patience = isConnected ? Self.patience : 1
  }

  private func isOwn(_ turn: EntryTurn) -> Bool {
    guard let entry else { return true }
    return turn.entry == entry && turn.turn >= firstTurn
  }

  /// The answer, once it is known.
  package mutating func observe(_ report: RunnerReport) -> ControlReply? {
    switch report {
    case .started(let turn, let title, let isPaused):
      if let failed, failed.entry != turn.entry { return .failed(failed.failure) }
      return isOwn(turn) ? .done(Self.played(turn, title, isPaused: isPaused)) : nil
    case .ended(let turn, let title, let play, let state):
      return isOwn(turn) ? ended(turn, title, play, state) : nil
    case .waiting(let outlook): return .failed(.notDue(outlook, isQueueOver: isQueueOver, by: times))
    case .connected:
      patience = max(patience, Self.patience - 1)
      return nil
    case .unanswered(let error): return .failed(failed?.failure ?? Self.away(error))
    case .retrying(let error, _, _):
      patience -= 1
      return patience > 0 ? nil : .failed(failed?.failure ?? Self.away(error))
    case .replaced: return entry == nil ? nil : .failed(.replaced)
    case .sentTo(let wanted):
      guard let entry, entry != wanted else { return nil }
      return .failed(failed?.failure ?? Self.passedOver("entry \(entry.rawValue)"))
    case .decided(let decision):
      guard decision.onAir != nil, !takesRules else { return nil }
      return .failed(
        Failure(
          Failure.scheduled,
          "a rule has the screen now (\(decision.reason)); what is in the queue plays afterwards",
          exit: .tryAgain))
    case .connecting, .measured, .status, .scheduleNoted, .storeFailed, .storeCaughtUp, .fencePassed:
      return nil
    }
  }

  private mutating func ended(
    _ turn: EntryTurn, _ title: String, _ play: EndedPlay, _ state: EntryState
  ) -> ControlReply? {
    switch play.outcome {
    case .failed:
      let failure = Failure(play, title: title, entry: turn.entry)
      if state == .failed { return .failed(failure) }
      failed = failed ?? (turn.entry, failure)
      return nil
    // So short that its end is the first that was heard of it.
    case .finished where entry != nil: return .done(Self.played(turn, title))
    case .skipped where entry != nil, .cancelled where entry != nil:
      return .failed(Self.passedOver("\(title) (entry \(turn.entry.rawValue))"))
    case .finished, .skipped, .cancelled, .interrupted, .unknown: return nil
    }
  }

  private static func passedOver(_ what: String) -> Failure {
    Failure("passed_over", "\(what) was passed over before it played", exit: .tryAgain)
  }

  private static func played(_ turn: EntryTurn, _ title: String, isPaused: Bool = false) -> JSONValue {
    [
      "entry": .integer(turn.entry.rawValue), "title": .string(title),
      "player_state": isPaused ? "PAUSED" : "PLAYING",
    ]
  }

  /// The answer when the run is over before anything was shown.
  package func answer(_ outcome: RunEnd) -> ControlReply {
    if let failed { return .failed(failed.failure) }
    switch outcome {
    case .drained: return .failed(Self.nothing)
    case .halted:
      return .failed(
        Failure("stopped", "the device was stopped before anything was shown", exit: .tryAgain))
    case .stopped:
      return .failed(
        Failure(
          "ended", "the feeder was ended before anything was shown; start again", exit: .tryAgain)
      )
    case .unreachable, .entryFailed, .failed, .takenOver, .superseded, .stoppedElsewhere, .refused, .busy:
      return .failed(outcome.failure ?? Self.nothing)
    }
  }

  private static let nothing = Failure(
    Failure.nothingPlayed, "nothing was played", exit: .refused)

  private static func away(_ error: CastError) -> Failure {
    var failure = Failure(error)
    failure.exit = .unreachable
    failure.message += "; it is being called again"
    return failure
  }
}

extension Failure {
  /// The code of a feeder that ended while it was asked something.
  package static let feederGone = "feeder_gone"
  /// The next entry, or rule, has its time and begins by itself, or nothing is left.
  /// - Parameter isQueueOver: whether the queue has nothing left: what begins by itself is a rule.
  package static func notDue(
    _ outlook: Outlook, isQueueOver: Bool, by times: SiteTimes
  ) -> Failure {
    guard let moment = outlook.until else {
      return Failure(
        "not_due", "nothing is left in the queue, and no rule begins soon", hint: .showPlan, exit: .no)
    }
    if isQueueOver {
      return Failure(
        "not_due",
        "nothing is left in the queue; the next rule is for \(times.text(moment)), it begins then by itself",
        exit: .no)
    }
    if outlook.isOfRule {
      return Failure(
        "not_due",
        "nothing of the queue is due; the next rule is for \(times.text(moment)), it begins then by itself",
        exit: .no)
    }
    return Failure(
      "not_due", "nothing may be shown before \(times.text(moment)); it begins then by itself", exit: .no)
  }
  /// The code of a screen that a rule has.
  package static let scheduled = "scheduled"
  /// The code of a feeder that had nothing to play.
  package static let nothingPlayed = "nothing_played"
  /// The queue that somebody waits for is not there any more.
  package static let replaced = Failure(
    "replaced", "another list took its place", hint: .showQueue, exit: .tryAgain)
}
