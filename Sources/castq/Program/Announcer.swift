import CastProtocol
import CastqCore
import CastqDaemon
import Glibc
import Synchronization

/// Tells the command that started this feeder what became of its first item: one line, once.
final class Announcer: Sendable {
  /// Where a feeder in the background finds the pipe.
  static let inheritedDescriptor: Int32 = 3

  private struct State {
    var descriptor: Int32?
    /// The first item's failure, while it may still be tried again.
    var failed: (entry: EntryID, failure: Failure)?
  }

  private let state: Mutex<State>

  init(descriptor: Int32) { state = Mutex(State(descriptor: descriptor)) }

  func announce(_ report: RunnerReport) {
    switch report {
    case .started(let turn, let title):
      // Another one plays: for whoever waits, the first has failed, even if it gets a second chance later.
      if let failed = state.withLock({ $0.failed }), failed.entry != turn.entry { announce(failed.failure) }
      tell(["entry": .integer(turn.entry.rawValue), "title": .string(title), "player_state": "PLAYING"])
    case .ended(let turn, let title, let play, let entry) where play.outcome == .failed:
      let words = play.reason?.words ?? "no reason given"
      let failure = Failure(
        "load_failed", "\(title) (entry \(turn.entry.rawValue)) could not be played: \(words)",
        exit: .refused, receiver: JSONOutput.receiver(play.reason))
      if entry == .failed { announce(failure) }
      state.withLock { $0.failed = $0.failed ?? (turn.entry, failure) }
    case .connecting, .retrying, .connected, .status, .ended: break
    }
  }

  /// The run is over before anything was shown.
  func announce(_ outcome: RunnerOutcome) {
    switch outcome {
    case .unreachable(let error): announce(Failure(error))
    case .failed(let error): announce(Failure(error))
    case .drained, .takenOver, .stoppedElsewhere, .refused, .stopped:
      let failed = state.withLock { $0.failed?.failure }
      announce(failed ?? Failure("nothing_played", "nothing was played", exit: .refused))
    }
  }

  /// Nothing will be shown, and why.
  func announce(_ failure: Failure) { tell(failure.json) }

  private func tell(_ document: JSONValue) {
    state.withLock { state in
      guard let open = state.descriptor else { return }
      let bytes = Array((document.text + "\n").utf8)
      _ = write(open, bytes, bytes.count)
      close(open)
      state.descriptor = nil
    }
  }
}
