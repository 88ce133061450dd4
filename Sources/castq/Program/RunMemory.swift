import CastProtocol
import CastqCore
import CastqDaemon
import CastqStore
import Synchronization

/// The last entry that failed finally, for the message at the end of a run.
final class FailureMemory: Sendable {
  private let memory = Mutex<(turn: EntryTurn, title: String, words: String, receiver: JSONValue)?>(nil)

  private let replaced = Mutex(false)

  /// Whether another list replaced the one being fed.
  var isReplaced: Bool { replaced.withLock { $0 } }

  func remember(_ report: RunnerReport) {
    if case .replaced = report { replaced.withLock { $0 = true } }
    guard case .ended(let turn, let title, let play, .failed) = report else { return }
    let words = play.reason?.words ?? "no reason given"
    memory.withLock { $0 = (turn, title, words, JSONOutput.receiver(play.reason)) }
  }

  /// Its title and its reason in history, which may have been extended since it was reported.
  func last(in history: HistoryStore) -> String? {
    guard let last = memory.withLock({ $0 }) else { return nil }
    let words = (try? history.reason(of: last.turn))?.words
    return TerminalText.sanitized("\(last.title): \(words ?? last.words)")
  }

  var receiver: JSONValue? { memory.withLock { $0?.receiver } }
}

/// The signal that ended the run, as an exit code.
final class SignalMemory: Sendable {
  private let memory = Mutex<ExitStatus?>(nil)

  func remember(_ status: ExitStatus) { memory.withLock { $0 = $0 ?? status } }

  var status: ExitStatus? { memory.withLock { $0 } }
}
