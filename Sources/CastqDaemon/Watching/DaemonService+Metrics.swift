import CastProtocol
import CastSender
import CastqCore
import CastqMetrics
import CastqStore
import Logging

/// What the daemon counts, where it happens.
extension DaemonService {
  /// Counts what a runner reports.
  func count(_ report: RunnerReport, of id: DeviceID) {
    guard let metrics = settings.metrics, let device = deviceLabels[id] else { return }
    switch report {
    case .connected:
      metrics.set(MetricCatalogue.deviceUp, MetricLabels([("device", device)]), to: 1)
      if let error = lost.removeValue(forKey: id) {
        metrics.add(to: MetricCatalogue.reconnects, MetricLabels([("cause", Self.cause(of: error))]))
      }
    case .retrying(let error, _, _):
      // One that never answered was not lost.
      if fed[id]?.isConnected == true { lost[id] = error }
      metrics.set(MetricCatalogue.deviceUp, MetricLabels([("device", device)]), to: 0)
    case .measured(let load, let gap):
      if let load { metrics.observe(max(load.seconds, 0), in: MetricCatalogue.loadSeconds) }
      if let gap { metrics.observe(max(gap, 0), in: MetricCatalogue.gapSeconds) }
    case .decided(let decision):
      guard decision.onAir != nil, let planned = decision.planned else { return }
      let late = decision.at.milliseconds.subtractingReportingOverflow(planned.milliseconds).partialValue
      metrics.observe(max(Double(late) / 1000, 0), in: MetricCatalogue.lateness)
    case .ended(_, _, let play, _):
      metrics.add(
        to: MetricCatalogue.plays,
        MetricLabels([
          ("device", device), ("outcome", play.outcome.rawValue), ("evidence", play.evidence.rawValue),
        ]))
      metrics.add(
        max(play.played, 0), to: MetricCatalogue.playSeconds, MetricLabels([("device", device)]))
    case .connecting, .waiting, .replaced, .sentTo, .scheduleNoted, .started, .status, .storeFailed,
      .storeCaughtUp:
      break
    }
  }

  /// A device that has been given up does not answer either.
  func countEnd(_ end: RunEnd, of id: DeviceID) {
    guard case .unreachable = end, let device = deviceLabels[id] else { return }
    settings.metrics?.set(MetricCatalogue.deviceUp, MetricLabels([("device", device)]), to: 0)
  }

  /// Why a connection was lost, in one of few words.
  private static func cause(of error: CastError) -> String {
    switch error.code {
    case .timeout: "silent"
    case .disconnected: "closed"
    case .applicationNotRunning: "application"
    case .deviceAuthenticationFailure, .secureTransportError: "refused"
    default: "other"
    }
  }

  /// The text that Prometheus reads: what was counted, and what is read now.
  func metricsText() -> String {
    guard let metrics = settings.metrics else { return "" }
    for (id, causes) in screens.seconds(at: settings.time.now()) {
      guard let device = deviceLabels[id] else { continue }
      for (cause, seconds) in causes {
        metrics.set(
          MetricCatalogue.darkSeconds, MetricLabels([("device", device), ("cause", cause.rawValue)]),
          to: seconds)
      }
    }
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
