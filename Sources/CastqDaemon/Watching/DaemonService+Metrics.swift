import CastProtocol
import CastSender
import CastqCore
import CastqMetrics
import CastqStore
import Logging

/// What the daemon counts, where it happens.
extension DaemonService {
  /// The text that Prometheus reads: what was counted, and what is read now.
  func metricsText() -> String {
    guard let metrics = settings.metrics else { return "" }
    counted.count(dark: screens.seconds(at: settings.time.now()))
    if let counts = try? queue.counts() {
      for state in EntryState.allCases {
        metrics.set(
          MetricCatalogue.queueEntries, MetricLabels([("state", state.rawValue)]),
          to: Double(counts[state] ?? 0))
      }
    }
    let (watchers, dropped) = board.counts
    let source = MetricLabels([("source", "daemon")])
    metrics.set(MetricCatalogue.subscribers, source, to: Double(watchers))
    metrics.set(MetricCatalogue.dropped, source, to: Double(dropped))
    processFacts.write(to: metrics)
    return metrics.text()
  }

  /// The text in pieces that fit into replies, and the mark of the end.
  nonisolated func metricsReplies() -> AsyncStream<ControlReply> {
    AsyncStream { continuation in
      let task = Task {
        var piece = ""
        func flush() {
          continuation.yield(.done(["text": .string(piece), "more": true]))
          piece = ""
        }
        for line in await metricsText().split(separator: "\n") {
          piece += "\(line)\n"
          // Quotes take two bytes in JSON.
          if piece.utf8.count > ControlRequest.lineLimit / 4 { flush() }
        }
        flush()
        continuation.yield(.done(["more": false]))
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
