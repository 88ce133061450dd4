import CastqFeeding
import Synchronization

/// What a runner, which reports from its own thread, has told its site.
final class ShownMark: Sendable {
  private let news = Mutex(ReportNews())

  /// Whether the daemon has to hear of the report.
  func isNews(_ report: RunnerReport) -> Bool { news.withLock { $0.takes(report) } }
}
