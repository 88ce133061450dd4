import CastProtocol
package import CastqCore

/// What became of the first entry that was to be shown: told once, to whoever waits for it.
///
/// When it failed and another one plays, the first has failed for whoever waits, even if it gets a second chance later.
package struct FirstPlay: Sendable {
  private var failed: (entry: EntryID, failure: ControlFailure)?

  package init() {}

  /// The answer, once it is known.
  package mutating func observe(_ report: RunnerReport) -> ControlReply? {
    switch report {
    case .started(let turn, let title):
      if let failed, failed.entry != turn.entry { return .failed(failed.failure) }
      let played: JSONValue = [
        "entry": .integer(turn.entry.rawValue), "title": .string(title), "player_state": "PLAYING",
      ]
      return .done(played)
    case .ended(let turn, let title, let play, let entry) where play.outcome == .failed:
      let failure = ControlFailure(play, title: title, entry: turn.entry)
      if entry == .failed { return .failed(failure) }
      failed = failed ?? (turn.entry, failure)
      return nil
    case .waiting(let until):
      return .failed(
        ControlFailure(
          "not_due", "nothing may be shown before \(RFC3339.text(until)); it begins then by itself", exit: .no
        ))
    case .connecting, .retrying, .connected, .status, .ended, .storeFailed, .storeCaughtUp: return nil
    }
  }

  /// The answer when the run is over before anything was shown.
  package func answer(_ outcome: RunnerOutcome) -> ControlReply {
    switch outcome {
    case .unreachable, .entryFailed, .failed: .failed(outcome.failure ?? Self.nothing)
    case .drained, .takenOver, .stoppedElsewhere, .refused, .stopped, .halted:
      .failed(failed?.failure ?? Self.nothing)
    }
  }

  private static let nothing = ControlFailure("nothing_played", "nothing was played", exit: .refused)
}
