import CastProtocol
import CastqCore
import CastqDaemon
import Glibc
import Synchronization

/// Tells the command that started this feeder what became of its first item: one line, once.
final class Announcer: Sendable {
  /// Where a feeder in the background finds the pipe.
  static let inheritedDescriptor: Int32 = 3

  private let descriptor: Mutex<Int32?>

  init(descriptor: Int32) { self.descriptor = Mutex(descriptor) }

  func announce(_ report: RunnerReport) {
    switch report {
    case .started(let turn, let title):
      tell(["entry": .integer(turn.entry.rawValue), "title": .string(title), "player_state": "PLAYING"])
    case .ended(let turn, let title, let play, .failed):
      let words = play.reason?.words ?? "no reason given"
      tell(
        Failure(
          "load_failed", "\(title) (entry \(turn.entry.rawValue)) could not be played: \(words)",
          exit: .refused,
          receiver: JSONOutput.receiver(play.reason)
        ).json)
    case .connecting, .retrying, .connected, .status, .ended: break
    }
  }

  /// The run is over; says so when nothing was shown before.
  func announce(_ failure: Failure) { tell(failure.json) }

  private func tell(_ document: JSONValue) {
    descriptor.withLock { descriptor in
      guard let open = descriptor else { return }
      let bytes = Array((document.text + "\n").utf8)
      _ = write(open, bytes, bytes.count)
      close(open)
      descriptor = nil
    }
  }
}
