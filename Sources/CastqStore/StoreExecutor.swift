import Dispatch

/// The executor of actors that use the database. SQLite blocks its caller while it waits for the disk or another process, and must
/// not block the few threads of the concurrency pool.
package final class StoreExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "castq.store")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Runs a closure on the executor.
  package func run<Value: Sendable, Problem: Error>(
    _ work: @escaping @Sendable () throws(Problem) -> Value
  ) async throws(Problem) -> Value {
    try await withCheckedContinuation { (done: CheckedContinuation<Result<Value, Problem>, Never>) in
      queue.async { done.resume(returning: Result(catching: work)) }
    }.get()
  }
}
