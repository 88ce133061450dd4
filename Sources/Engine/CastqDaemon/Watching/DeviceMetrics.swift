import CastProtocol
import CastSender
import CastqFeeding
import CastqMetrics
import CastqPlaylists
import CastqSchedule
import CastqText

/// What is counted of devices, under the names that people have given them.
struct DeviceMetrics {
  /// Nil counts nothing.
  let registry: MetricRegistry?
  private var labels: [DeviceID: String] = [:]
  /// Devices whose connection was lost, and why.
  private var lost: [DeviceID: CastError] = [:]

  init(_ registry: MetricRegistry?) { self.registry = registry }

  /// A device is fed under this name.
  mutating func name(_ id: DeviceID, _ label: String) {
    if let before = labels.updateValue(label, forKey: id), before != label { forget(before) }
  }

  /// Others were removed: whether they answer is nobody's question any more.
  mutating func keep(only devices: Set<DeviceID>) {
    for (id, label) in labels where !devices.contains(id) {
      labels[id] = nil
      lost[id] = nil
      forget(label)
    }
  }

  private func forget(_ label: String) {
    guard !labels.values.contains(label) else { return }
    registry?.remove(MetricCatalogue.deviceUp, MetricLabels([("device", label)]))
  }

  /// Counts what a runner reports.
  /// - Parameter wasConnected: whether the device was connected before.
  mutating func count(_ report: RunnerReport, of id: DeviceID, wasConnected: Bool) {
    guard let registry, let device = labels[id] else { return }
    switch report {
    case .connected:
      registry.set(MetricCatalogue.deviceUp, MetricLabels([("device", device)]), to: 1)
      if let error = lost.removeValue(forKey: id) {
        registry.add(to: MetricCatalogue.reconnects, MetricLabels([("cause", Self.cause(of: error))]))
      }
    case .retrying(let error, _, _):
      // One that never answered was not lost.
      if wasConnected { lost[id] = error }
      registry.set(MetricCatalogue.deviceUp, MetricLabels([("device", device)]), to: 0)
    case .measured(let load, let gap):
      if let load { registry.observe(max(load.seconds, 0), in: MetricCatalogue.loadSeconds) }
      if let gap { registry.observe(max(gap, 0), in: MetricCatalogue.gapSeconds) }
    case .decided(let decision):
      guard decision.onAir != nil, let planned = decision.planned?.dated else { return }
      let late = decision.at.milliseconds.subtractingReportingOverflow(planned.milliseconds).partialValue
      registry.observe(max(Double(late) / 1000, 0), in: MetricCatalogue.lateness)
    case .ended(_, _, let play, _):
      registry.add(
        to: MetricCatalogue.plays,
        MetricLabels([
          ("device", device), ("outcome", play.outcome.rawValue), ("evidence", play.evidence.rawValue),
        ]))
      registry.add(
        max(play.played, 0), to: MetricCatalogue.playSeconds, MetricLabels([("device", device)]))
    case .connecting, .waiting, .replaced, .sentTo, .scheduleNoted, .started, .status, .storeFailed,
      .storeCaughtUp, .fencePassed, .unanswered:
      break
    }
  }

  /// A device that has been given up does not answer either.
  func countEnd(_ end: RunEnd, of id: DeviceID) {
    guard case .unreachable = end, let device = labels[id] else { return }
    registry?.set(MetricCatalogue.deviceUp, MetricLabels([("device", device)]), to: 0)
  }

  /// For how long screens were dark, as it is now.
  func count(dark seconds: [DeviceID: [DarkReason: Double]]) {
    for (id, causes) in seconds {
      guard let device = labels[id] else { continue }
      for (cause, seconds) in causes {
        registry?.set(
          MetricCatalogue.darkSeconds, MetricLabels([("device", device), ("cause", cause.rawValue)]),
          to: seconds)
      }
    }
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
}
