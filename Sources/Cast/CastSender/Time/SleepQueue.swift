import CastProtocol
import Synchronization

/// All waits of a process, on one timer of the system. A wait that is cancelled is gone at once: the system's own would be kept until
/// it is over, and of a request that is answered nearly all of its wait is left.
final class SleepQueue: Sendable {
  private struct Sleeper {
    let until: Tick
    let number: UInt64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    /// The one that wakes next is the last.
    var sleepers: [Sleeper] = []
    var started: UInt64 = 0
    /// Those who were cancelled before they slept.
    var cancelled: Set<UInt64> = []
    /// When the running timers fire. The one that fires next is the last: each was started because it is
    /// earlier than those before it.
    var armed: [Tick] = []
  }

  private let time: TimeSource
  private let state = Mutex(State())

  /// - Parameter time: what the one timer waits with.
  init(_ time: TimeSource) { self.time = time }

  /// How many are waiting.
  var count: Int { state.withLock { $0.sleepers.count } }

  /// Waits.
  /// - Throws: `CancellationError` when the task is cancelled.
  func wait(_ wait: Duration) async throws {
    let until = time.now() + wait
    let number = state.withLock { state in
      state.started &+= 1
      return state.started
    }
    // A cancellation may come when the wait is just over: then it finds nobody.
    defer { state.withLock { _ = $0.cancelled.remove(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        add(Sleeper(until: until, number: number, continuation: $0))
      }
    } onCancel: {
      cancel(number, until: until)
    }
  }

  private func add(_ sleeper: Sleeper) {
    let isCancelled = state.withLock { state in
      if state.cancelled.contains(sleeper.number) { return true }
      state.sleepers.insert(
        sleeper, at: Self.place(of: sleeper.number, until: sleeper.until, in: state.sleepers))
      arm(&state)
      return false
    }
    if isCancelled { sleeper.continuation.resume(throwing: CancellationError()) }
  }

  private func cancel(_ number: UInt64, until: Tick) {
    let sleeper = state.withLock { state -> Sleeper? in
      let place = Self.place(of: number, until: until, in: state.sleepers)
      if place < state.sleepers.count, state.sleepers[place].number == number {
        return state.sleepers.remove(at: place)
      }
      state.cancelled.insert(number)
      return nil
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }

  /// Where one is, or belongs: those who wake later come before it, and of those who wake with it those who came later.
  private static func place(of number: UInt64, until: Tick, in sleepers: [Sleeper]) -> Int {
    var (low, high) = (0, sleepers.count)
    while low < high {
      let middle = (low + high) / 2
      if (sleepers[middle].until, sleepers[middle].number) > (until, number) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// Starts a timer unless one fires early enough. One that fires later is left to itself: it finds out that there is nothing to do.
  private func arm(_ state: inout State) {
    guard let next = state.sleepers.last?.until else { return }
    if let armed = state.armed.last, armed <= next { return }
    state.armed.append(next)
    Task.detached { [self] in
      try? await time.sleep(max(next - time.now(), .zero))
      wake(timer: next)
    }
  }

  private func wake(timer: Tick) {
    let due = state.withLock { state in
      state.armed.removeAll { $0 == timer }
      let now = time.now()
      let rest = state.sleepers.lastIndex { $0.until > now }.map { $0 + 1 } ?? 0
      // A slice would have the removal copy all of them.
      let due = Array(state.sleepers[rest...].reversed())
      state.sleepers.removeSubrange(rest...)
      arm(&state)
      return due
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}
