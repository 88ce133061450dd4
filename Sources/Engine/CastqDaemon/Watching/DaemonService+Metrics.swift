import CastProtocol
import CastSender
import CastqFeeding
import CastqMetrics
import CastqStore
import Logging

/// What the daemon counts, where it happens.
extension DaemonService {
  /// The text that Prometheus reads: what was counted, and what is read now.
  func metricsText() async -> String {
    guard let metrics = settings.metrics else { return "" }
    counted.count(dark: machine.darkSeconds(at: settings.time.now()))
    if let counts = try? rows.queue.counts() {
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
    await writeGuests(to: metrics)
    processFacts.write(to: metrics)
    return metrics.text()
  }

  /// How many guests there are, and how many there may be.
  private func writeGuests(to metrics: MetricRegistry) async {
    let shares = settings.shares
    let kinds = [
      ("media", await runners.host.connections(), shares.mediaConnections),
      ("control", commandServer?.clients ?? 0, shares.controlClients),
    ]
    for (kind, count, most) in kinds {
      let label = MetricLabels([("kind", kind)])
      metrics.set(MetricCatalogue.guests, label, to: Double(count))
      metrics.set(MetricCatalogue.guestsMost, label, to: Double(most))
    }
    metrics.set(MetricCatalogue.reserve, to: Double(shares.reserve))
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
