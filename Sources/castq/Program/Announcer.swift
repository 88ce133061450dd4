import CastProtocol
import CastqCore
import CastqDaemon
import Glibc
import Synchronization

/// Reports the outcome of the first item to the command that started this feeder: one line, once.
final class Announcer: Sendable {
  /// The descriptor at which a background feeder inherits the pipe.
  static let inheritedDescriptor: Int32 = 3

  private struct State {
    var descriptor: Int32?
    var play: FirstPlay
  }

  private let state: Mutex<State>

  /// - Parameter entry: the awaited entry; nil means the first one.
  init(descriptor: Int32, awaiting entry: EntryID?) {
    state = Mutex(State(descriptor: descriptor, play: FirstPlay(of: entry)))
  }

  func announce(_ report: RunnerReport) {
    if let reply = state.withLock({ $0.play.observe(report) }) { announce(reply) }
  }

  /// Reports that the run ended before anything was shown.
  func announce(_ outcome: RunEnd) { announce(state.withLock { $0.play.answer(outcome) }) }

  private func announce(_ reply: ControlReply) {
    switch reply {
    case .done(let played): write(played)
    case .failed(let failure): write(Failure(failure).json)
    }
  }

  /// Reports why nothing will be shown.
  func announce(_ failure: Failure) { write(failure.json) }

  private func write(_ document: JSONValue) {
    state.withLock { state in
      guard let open = state.descriptor else { return }
      let bytes = Array((document.text + "\n").utf8)
      _ = Glibc.write(open, bytes, bytes.count)
      close(open)
      state.descriptor = nil
    }
  }
}
