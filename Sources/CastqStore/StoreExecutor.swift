import Dispatch

/// Where actors run that read and write the database: SQLite blocks its caller while it waits for the disk or for another
/// process, and the threads of the concurrency pool, as many as there are processors, have to answer devices meanwhile.
package final class StoreExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "castq.store")

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Runs one piece of work there.
  package func run<Value: Sendable, Problem: Error>(
    _ work: @escaping @Sendable () throws(Problem) -> Value
  ) async throws(Problem) -> Value {
    try await withCheckedContinuation { (done: CheckedContinuation<Result<Value, Problem>, Never>) in
      queue.async { done.resume(returning: Result(catching: work)) }
    }.get()
  }
}
