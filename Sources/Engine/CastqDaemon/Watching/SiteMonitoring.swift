import CastProtocol
import CastSender
import CastqFeeding
import CastqMetrics
import CastqPlaylists
import CastqSchedule
import CastqStore
import Logging

/// What is seen of a daemon from outside: whether it is well, and what it counts.
struct SiteMonitoring {
  let health: SiteHealth
  /// Serves both at a port.
  let door: DoorKeeper
  private let settings: DaemonSettings
  private var devices: DeviceMetrics
  private let facts = ProcessFacts()

  init(_ health: SiteHealth, _ inbox: SiteInbox, _ settings: DaemonSettings) {
    (self.health, self.settings) = (health, settings)
    devices = DeviceMetrics(settings.metrics)
    let counted = CountedText(inbox: inbox, registry: settings.metrics)
    let answers = DoorAnswers(health: health, counted: counted)
    door = DoorKeeper(settings.logger, connections: settings.shares.watchers, time: settings.time) {
      answers.answer($0, on: $1)
    }
  }

  /// Opens the door, before others are told that the daemon is ready.
  static func open(_ door: DoorKeeper, by rules: MetricRules, _ settings: DaemonSettings) async {
    settings.metrics?.begin()
    settings.metrics?.set(
      MetricCatalogue.buildInfo, MetricLabels([("version", settings.version)]), to: 1)
    await door.keep(rules)
  }

  /// Resets the watchdog of the service manager, where there is one, until the group is cancelled.
  func report(in group: inout DiscardingTaskGroup) {
    guard let interval = settings.notice.watchdogInterval else { return }
    let reporter = LifeReporter(
      loops: health.loops, notice: settings.notice, time: settings.time, logger: settings.logger)
    group.addTask { [health] in await reporter.run(every: interval) { await health.ailments() } }
  }

  // MARK: - What is counted

  /// Counts what happens to a site, which does not know of it yet.
  mutating func count(_ event: SiteMachine.Event, of site: SiteMachine) {
    switch event {
    case .report(let id, let report): devices.count(report, of: id, wasConnected: site.isConnected(id))
    case .ended(let id, let end): devices.countEnd(end, of: id)
    case .started(let id, let label, _): devices.name(id, label)
    case .devices(let names): devices.keep(only: Set(names.map(\.id)))
    default: break
    }
  }

  /// Answers with what was counted, and what is read now.
  /// - Parameters:
  ///   - dark: for how long screens were dark.
  ///   - host: has the guests that fetch files.
  func tell(
    _ ticket: ControlTicket, dark: [DeviceID: [DarkReason: Double]], _ rows: SiteRows,
    _ requests: SiteRequests,
    _ host: FeederHost, in group: inout DiscardingTaskGroup
  ) {
    guard let metrics = settings.metrics else { return ticket.answer(CountedText.reply("")) }
    devices.count(dark: dark)
    if let counts = try? rows.queue.counts() {
      for state in EntryState.allCases {
        metrics.set(
          MetricCatalogue.queueEntries, MetricLabels([("state", state.rawValue)]),
          to: Double(counts[state] ?? 0))
      }
    }
    let (watchers, dropped) = requests.board.counts
    let source = MetricLabels([("source", "daemon")])
    metrics.set(MetricCatalogue.subscribers, source, to: Double(watchers))
    metrics.set(MetricCatalogue.dropped, source, to: Double(dropped))
    let clients = requests.clients
    group.addTask { [shares = settings.shares, facts] in
      let kinds = [
        ("media", await host.connections(), shares.mediaConnections),
        ("control", clients, shares.controlClients),
      ]
      for (kind, count, most) in kinds {
        let label = MetricLabels([("kind", kind)])
        metrics.set(MetricCatalogue.guests, label, to: Double(count))
        metrics.set(MetricCatalogue.guestsMost, label, to: Double(most))
      }
      metrics.set(MetricCatalogue.reserve, to: Double(shares.reserve))
      facts.write(to: metrics)
      ticket.answer(CountedText.reply(metrics.text()))
    }
  }
}
