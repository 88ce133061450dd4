import CastProtocol
import CastSender
package import CastqFeeding
import CastqFiles
import CastqMediaServer
import CastqMetrics
package import CastqStore
package import CastqText
package import Logging

/// Feeds the devices of its scope: one runner per device.
///
/// `SiteMachine` decides which device is fed when, and who is answered what. The service performs its actions in order, without suspending
/// in between, and feeds it events.
package actor DaemonService {
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    database.executor.asUnownedSerialExecutor()
  }

  let database: Database
  let settings: DaemonSettings
  let logger: Logger
  let scope: DaemonScope
  /// Those who watch the devices.
  nonisolated let board = StatusBoard()
  /// Asked whether everything runs.
  nonisolated let loops = LoopProbe()
  /// The lock of the database; nil if the daemon feeds one device, whose lock its feeder holds.
  let lock: DatabaseLock?
  private let inbox: AsyncStream<DaemonEvent>
  nonisolated let send: AsyncStream<DaemonEvent>.Continuation

  var machine: SiteMachine
  var timers: TimerSet<DaemonTimer>
  var tickets = TicketBook()
  /// What the machine asks is answered from them.
  var rows: SiteRows
  var runners: SiteRunners
  /// Serves live commands; nil where it cannot.
  private(set) var commandServer: ControlServer?
  /// Converts ahead of time what queues play next.
  var preparing: PreparingHours
  /// What reads the lists that are followed.
  var readers: [FollowedID: Task<Void, Never>] = [:]
  /// What is counted of devices.
  var counted: DeviceMetrics
  let processFacts = ProcessFacts()
  /// What hooks have to deliver.
  var hooks: HookDesk
  private(set) var keeper: DoorKeeper?
  var shownStatus = ""

  /// Acquires the database's lock, unless the scope is one device; throws `StoreError.busy` if another daemon holds it, and `failed` for
  /// a file beside the database that may be somebody else's.
  package init(
    database: Database, scope: DaemonScope = .service, configuration: DaemonConfiguration,
    settings: DaemonSettings, logger: Logger
  ) throws(StoreError) {
    self.database = database
    self.settings = settings
    self.logger = logger
    self.scope = scope
    lock = scope.feeder == nil ? try DatabaseLock(.daemon, of: database) : nil
    do throws(OwnFileError) {
      _ = try MediaMemory(path: MediaMemory.path(ofDatabase: database.path))
    } catch {
      throw StoreError(error)
    }
    for news in try database.openPending(for: scope.feeder?.device.id) { logger.log(news) }
    machine = SiteMachine(
      scope.site, configuration, times: settings.times(configuration), localOffset: settings.utcOffset)
    rows = SiteRows(database)
    preparing = PreparingHours(database, settings, logger)
    hooks = HookDesk(database, logger, settings.time)
    counted = DeviceMetrics(settings.metrics)
    let (inbox, send) = AsyncStream.makeStream(of: DaemonEvent.self)
    self.inbox = inbox
    self.send = send
    timers = TimerSet(time: settings.time) { send.yield(.timersDue) }
    runners = SiteRunners(
      database, scope, settings, on: FeederHost(database: nil), ahead: nil, board, logger, send)
    loops.addFeeder(database.executor.perform)
  }

  /// Reloads the configuration; an invalid one is logged and changes nothing. Safe from anywhere.
  package nonisolated func reload() { send.yield(.reload) }

  /// Ends the daemon and its runners, as the configuration says. Safe from anywhere, also before `run()`.
  /// - Parameter reason: why what plays is interrupted, for history.
  package nonisolated func terminate(because reason: String = "the daemon stopped it") {
    send.yield(.site(.shutDown(nil, because: PlayEnding(.castqEnded, reason))))
  }

  /// Ends the daemon and leaves the screens as they are, because the box may not feed any more. Safe from anywhere, also before `run()`.
  package nonisolated func yield(because end: LeaseWatch.End) {
    // Another box continues what is on the screens.
    send.yield(
      .site(.shutDown(.leave, because: PlayEnding(.otherBox, "the lease ended"), end.failure)))
  }

  /// Why the daemon has ended by itself; nil when it was ended.
  package var yielded: Failure? { machine.yielded }

  /// What the runs of all devices have ended with, of a daemon that feeds until idle.
  package var outcome: RunEnd { machine.outcome }

  /// The command that started the daemon has no further requests: a daemon that feeds until idle ends, unless it feeds. Safe from anywhere.
  package nonisolated func endIfIdle() { send.yield(.site(.abandoned)) }

  /// Performs a command and returns its reply, as the control socket does. Safe from anywhere, also before `run()`.
  package nonisolated func reply(to request: ControlRequest) async -> ControlReply {
    await Self.reply(to: request, through: send)
  }

  static func reply(
    to request: ControlRequest, through send: AsyncStream<DaemonEvent>.Continuation
  ) async -> ControlReply {
    await withCheckedContinuation { send.yield(.control(request, ControlTicket($0))) }
  }

  /// Feeds until `terminate()`, or until the scope is done. Call once.
  /// - Parameter ready: called when commands are answered, or with the reason why none can be: the daemon feeds anyway.
  package func run(ready: @Sendable (Failure?) -> Void = { _ in }) async {
    var problem: Failure?
    do throws(ControlSocketError) { commandServer = try await serveControl() } catch {
      logger.warning("live commands are unavailable", metadata: ["error": "\(error)"])
      problem = Failure("socket", "live commands are unavailable: \(error)", exit: .inputOutput)
    }
    let programs = settings.programs(configuration.programs)
    for problem in programs.problems {
      logger.warning("program is unavailable", metadata: ["castq.problem": "\(problem)"])
    }
    let host = FeederHost(
      database: database, control: commandServer, endsWithRun: scope.feeder != nil,
      limits: MediaServerLimits(settings.shares),
      mediaPort: settings.mediaPort ?? configuration.mediaPort,
      accessLog: MediaAccessLog(logger: settings.mediaLogger, time: settings.time), programs: programs,
      pictureFolder: settings.pictureFolder, loops: loops)
    runners = SiteRunners(
      database, scope, settings, on: host, ahead: preparing.ahead(configuration), board, logger, send)
    await openDoor()
    await withDiscardingTaskGroup { group in
      // Before the first reading of the rows: what is written in between is noticed.
      let watcher = StoreWatcher(database: database, time: settings.time)
      group.addTask { [send] in await watcher.watch { send.yield(.site(.rowsChanged)) } }
      if let interval = settings.notice.watchdogInterval {
        let reporter = LifeReporter(
          loops: loops, notice: settings.notice, time: settings.time, logger: logger)
        group.addTask { await reporter.run(every: interval) { await self.ailments() } }
      }
      group.addTask { [send] in
        for await _ in ClockWatch.changes() { send.yield(.site(.clockSet)) }
      }
      // Somebody waits for the first picture, and still writes the rows.
      if scope.feeder != nil { group.addTask { await host.prepare() } }
      if case .service = scope { group.addTask { [courier = hooks.courier] in await courier.run() } }
      if let keeper { group.addTask { await keeper.run() } }
      if case .service = scope {
        do throws(StoreError) { try rows.adoptOldLists(logger) } catch { reportReadError(error) }
      }
      reconfigure(in: &group)
      tell(.begin, in: &group)
      settings.notice.ready(status)
      logger.notice("ready", metadata: ["castq.database": "\(database.path)"])
      ready(problem)
      if !machine.isFinished {
        var events = inbox.makeAsyncIterator()
        while let event = await database.executor.next(of: &events) {
          handle(event, in: &group)
          if machine.isFinished { break }
        }
      }
      hooks.close()
      group.cancelAll()
    }
    for reader in readers.values { reader.cancel() }
    await timers.end()?.value
    send.finish()
    // Releasing the tickets fails the clients that still wait.
    tickets.close()
    for await _ in inbox {}
    await commandServer?.stop()
    await runners.shutDown()
    if let news = database.closePending() { logger.log(news) }
    lock?.release()
    scope.feeder?.release()
  }

  var configuration: DaemonConfiguration { machine.configuration }

  func reportReadError(_ error: StoreError) { send.yield(.site(.rowsFailed("\(error)"))) }

  // MARK: - Those who watch

  /// Serves `/metrics` and the rest where the configuration says; only the service does.
  private func openDoor() async {
    guard case .service = scope else { return }
    settings.metrics?.begin()
    settings.metrics?.set(
      MetricCatalogue.buildInfo, MetricLabels([("version", settings.version)]), to: 1)
    let answers = DoorAnswers(
      loops: loops, metrics: settings.metrics, problems: { [unowned self] in await problems() },
      listWords: { [unowned self] in await rows.listWords() },
      text: { [unowned self] in await metricsText() })
    let keeper = DoorKeeper(logger, connections: settings.shares.watchers) { answers.answer($0, on: $1) }
    self.keeper = keeper
    await keeper.keep(configuration.metrics)
  }

  // MARK: - Status

  var status: String {
    let count = runners.fed.count
    return "feeding \(count) \(count == 1 ? "device" : "devices")"
  }

  func showStatus() {
    guard status != shownStatus else { return }
    shownStatus = status
    settings.notice.status(shownStatus)
  }
}
