import Dispatch

/// Runs operations beside the threads that serve: SQLite blocks its caller while it waits for the disk or another process.
package final class OperationExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "castq.operations", attributes: .concurrent)

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
