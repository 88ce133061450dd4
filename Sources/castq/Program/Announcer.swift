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
    var play: FirstPlay
  }

  private let state: Mutex<State>

  /// - Parameter entry: what is waited for; nil is whichever comes first.
  init(descriptor: Int32, awaiting entry: EntryID?) {
    state = Mutex(State(descriptor: descriptor, play: FirstPlay(of: entry)))
  }

  func announce(_ report: RunnerReport) {
    if let reply = state.withLock({ $0.play.observe(report) }) { announce(reply) }
  }

  /// The run is over before anything was shown.
  func announce(_ outcome: RunEnd) { announce(state.withLock { $0.play.answer(outcome) }) }

  private func announce(_ reply: ControlReply) {
    switch reply {
    case .done(let played): tell(played)
    case .failed(let failure): tell(Failure(failure).json)
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
