import Dispatch

/// The executor of actors that use the database. SQLite blocks its caller while it waits for the disk or another process, and must
/// not block the few threads of the concurrency pool.
package final class StoreExecutor: SerialExecutor {
  private let queue: DispatchQueue
  private let wakes: Wakes

  package init() {
    queue = DispatchQueue(label: "castq.store")
    wakes = Wakes(queue)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// The next element for an actor on the executor. What wakes it comes to its thread at once: a task that waits is woken on the shared
  /// threads otherwise, moves here from there, and goes back to wait; that is three changes of thread for one element.
  package func next<Element>(
    of iterator: inout AsyncStream<Element>.Iterator, isolation: isolated (any Actor)? = #isolation
  ) async -> Element? {
    await withTaskExecutorPreference(wakes) { await iterator.next() }
  }

  /// Runs a closure on the executor later, and returns at once.
  package func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  /// Runs a closure on the executor.
  package func run<Value: Sendable, Problem: Error>(
    _ work: @escaping @Sendable () throws(Problem) -> Value
  ) async throws(Problem) -> Value {
    try await withCheckedContinuation { (done: CheckedContinuation<Result<Value, Problem>, Never>) in
      queue.async { done.resume(returning: Result(catching: work)) }
    }.get()
  }

  /// Where a task waits that belongs to an actor on the executor. It is not the executor itself: each call of an actor's own asynchronous
  /// methods would change from one to the other, and let others in between.
  private final class Wakes: TaskExecutor {
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}
