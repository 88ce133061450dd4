import Dispatch
import Synchronization

/// Writes lines on a thread of its own: who logs never waits for who reads.
///
/// A pipe that nobody reads, a terminal that was stopped and a journal that hangs block `write(2)` for as long as they like. They block
/// the thread of the writer, and no other.
package final class LineWriter: Sendable {
  /// Bytes that wait at most: some minutes of all frames of a device.
  package static let limit = 256 << 10

  private struct State {
    var backlog: LineBacklog
    /// Whether the thread is at work.
    var isWriting = false
  }

  private let descriptor: Int32
  private let report: @Sendable (Int) -> String
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "castq.output")

  /// - Parameters:
  ///   - descriptor: a file that stays open.
  ///   - report: the line that says how many lines were dropped, without its end.
  package init(
    to descriptor: Int32, limit: Int = LineWriter.limit, report: @escaping @Sendable (Int) -> String
  ) {
    self.descriptor = descriptor
    self.report = report
    state = Mutex(State(backlog: LineBacklog(limit: limit)))
  }

  /// Writes a line, to which an end is added, soon. Never blocks.
  package func write(_ line: String) { add { $0.append(Array("\(line)\n".utf8)) } }

  /// Redraws the line of progress soon. Never blocks.
  package func redraw(_ text: String) { add { $0.append(progress: Array(text.utf8)) } }

  /// Waits until everything is written that was handed over before.
  /// - Parameter patience: how long at most; nil waits for as long as it takes.
  /// - Returns: whether it is written.
  @discardableResult
  package func drain(within patience: Duration? = nil) -> Bool {
    let written = DispatchSemaphore(value: 0)
    // Behind everything that was handed over.
    queue.async { written.signal() }
    guard let patience else {
      written.wait()
      return true
    }
    let (seconds, attoseconds) = patience.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    return written.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success
  }

  /// Returns when everything is written that was handed over before.
  package func drained() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  private func add(_ append: (inout LineBacklog) -> Void) {
    let begins = state.withLock { state in
      append(&state.backlog)
      defer { state.isWriting = true }
      return !state.isWriting
    }
    guard begins else { return }
    CrashDrain.writers.add(1, ordering: .relaxed)
    queue.async { self.writeAll() }
  }

  private func writeAll() {
    while let bytes = next() { _ = StandardStream.write(bytes, to: descriptor) }
    CrashDrain.writers.subtract(1, ordering: .releasing)
  }

  private func next() -> [UInt8]? {
    state.withLock { state in
      let bytes = state.backlog.next { Array("\(report($0))\n".utf8) }
      if bytes == nil { state.isWriting = false }
      return bytes
    }
  }
}
