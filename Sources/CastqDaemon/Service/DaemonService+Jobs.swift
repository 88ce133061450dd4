import CastSender
import CastqCore
import CastqStore
import Logging

/// Commands that run once at their time. One whose time passed while no daemon ran is run when one does, as at(1) does it.
extension DaemonService {
  private var jobs: JobStore { JobStore(database) }
  private var wallTime: WallTime { WallTime(milliseconds: settings.time.wallMilliseconds()) }
  /// Clocks are set, and the wait is measured by another one.
  private static let longestWait = Duration.seconds(3600)
  /// What could not be read or written is tried again after this long.
  private static let pause = Duration.seconds(5)

  /// Waits for the next one.
  func planJobs() {
    guard case .service = scope else { return }
    do throws(StoreError) {
      guard let next = try jobs.waiting().first else { return timers.cancel(.jobs) }
      let wait = Duration.bounded(seconds: max(next.at - wallTime, 0))
      timers.start(.jobs, after: min(wait, Self.longestWait))
    } catch {
      putOffJobs(error)
    }
  }

  private func putOffJobs(_ error: StoreError) {
    reportReadError(error)
    timers.start(.jobs, after: Self.pause)
  }

  func runDueJobs(in group: inout DiscardingTaskGroup) {
    do throws(StoreError) {
      let now = wallTime
      for job in try jobs.waiting() where job.at <= now {
        guard try jobs.begin(job.id, at: now) else { continue }
        logger.notice("job begins", metadata: ["castq.job": "\(job.id)", "castq.command": "\(job.words)"])
        group.addTask { [send, settings] in
          let (exit, output) = await settings.runJob(job)
          send.yield(.jobEnded(job, exit: exit, output: output))
        }
      }
      planJobs()
    } catch {
      // It is due still: planned at once, it would be tried without end.
      putOffJobs(error)
    }
  }

  func ended(_ job: StoredJob, exit: Int, output: String) {
    if exit != 0 {
      logger.warning(
        "job failed",
        metadata: [
          "castq.job": "\(job.id)", "castq.exit": "\(exit)",
          "castq.problem": "\(TerminalText.sanitized(output))",
        ])
    }
    do throws(StoreError) {
      try jobs.end(job.id, at: wallTime, exit: exit, output: output)
    } catch {
      reportReadError(error)
    }
  }
}

extension StoredJob {
  /// The command for people.
  package var words: String { arguments.map(TerminalText.sanitized).joined(separator: " ") }
}
