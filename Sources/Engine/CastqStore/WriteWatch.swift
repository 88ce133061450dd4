import CastProtocol
import CastSender
import CoreMetrics
import Synchronization

/// How writing goes: each transaction is measured, and what became of the last one is kept.
final class WriteWatch: Sendable {
  private struct State {
    var lastCommit: Tick?
    var hasFailed = false
  }

  private let now = TimeSource.continuous.now
  private let state = Mutex(State())
  private let timer = CoreMetrics.Timer(label: "castq_store_write_seconds")

  /// Runs a transaction.
  func measure<Value>(_ transaction: () throws -> Value) throws -> Value {
    let begin = now()
    do {
      let value = try transaction()
      let end = now()
      let (seconds, attoseconds) = (end - begin).components
      timer.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
      state.withLock { $0 = State(lastCommit: end) }
      return value
    } catch {
      state.withLock { $0.hasFailed = true }
      throw error
    }
  }

  /// Whether the last transaction was written, and that is not longer ago than this.
  func hasWritten(within period: Duration) -> Bool {
    state.withLock { state in
      guard !state.hasFailed, let last = state.lastCommit else { return false }
      return now() - last <= period
    }
  }
}
