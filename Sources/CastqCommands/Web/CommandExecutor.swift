import Dispatch

/// Runs commands beside the threads that serve: SQLite blocks its caller while it waits for the disk or another process.
final class CommandExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "castq.web.commands", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// How many commands run at a time; others wait for their turn.
actor CommandSlots {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
