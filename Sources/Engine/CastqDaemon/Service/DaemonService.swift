import CastProtocol
import CastSender
package import CastqFeeding
import CastqFiles
package import CastqStore
package import CastqText
import Logging

/// Feeds the devices of its scope: one runner per device.
///
/// `SiteMachine` decides which device is fed when, and who is answered what. The service performs its actions in order, without suspending
/// in between, and feeds it events.
package actor DaemonService {
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    database.executor.asUnownedSerialExecutor()
  }

  private let database: Database
  private let settings: DaemonSettings
  private let inbox: SiteInbox
  private var machine: SiteMachine
  private var timers: TimerSet<SiteTimer>
  private var requests: SiteRequests
  /// What the machine asks is answered from them.
  private var rows: SiteRows
  private var runners: SiteRunners
  private var lists: FollowedLists
  private var hooks: HookDesk
  /// Converts in quiet hours what queues play next.
  private var preparing: PreparingHours
  private var monitoring: SiteMonitoring

  /// Acquires the database's lock, unless the scope is one device; throws `StoreError.busy` if another daemon holds it, and `failed` for
  /// a file beside the database that may be somebody else's.
  package init(
    database: Database, scope: DaemonScope = .service, configuration: DaemonConfiguration,
    settings: DaemonSettings
  ) throws(StoreError) {
    (self.database, self.settings) = (database, settings)
    let locks = try SiteLocks(scope, of: database)
    do throws(OwnFileError) {
      _ = try MediaMemory(path: MediaMemory.path(ofDatabase: database.path))
    } catch {
      throw StoreError(error)
    }
    for news in try database.openPending(for: scope.feeder?.device.id) { settings.logger.log(news) }
    machine = SiteMachine(
      scope.site, configuration, times: settings.times(configuration), localOffset: settings.utcOffset)
    let (inbox, board) = (SiteInbox(), StatusBoard())
    self.inbox = inbox
    timers = TimerSet(time: settings.time) { inbox.yield(.timersDue) }
    requests = SiteRequests(board)
    rows = SiteRows(database, settings.logger)
    runners = SiteRunners(database, scope, settings, locks, board, inbox)
    lists = FollowedLists(settings, inbox)
    hooks = HookDesk(database, settings.logger, settings.time)
    preparing = PreparingHours(database, settings)
    monitoring = SiteMonitoring(SiteHealth(database, locks), inbox, settings)
  }

  /// Reloads the configuration; an invalid one is logged and changes nothing. Safe from anywhere.
  package nonisolated func reload() { inbox.yield(.reload) }

  /// Ends the daemon and its runners, as the configuration says. Safe from anywhere, also before `run()`.
  /// - Parameter reason: why what plays is interrupted, for history.
  package nonisolated func terminate(because reason: String = "the daemon stopped it") {
    inbox.yield(.shutDown(nil, because: PlayEnding(.castqEnded, reason)))
  }

  /// Ends the daemon and leaves the screens as they are, because the box may not feed any more. Safe from anywhere, also before `run()`.
  package nonisolated func yield(because end: LeaseWatch.End) {
    // Another box continues what is on the screens.
    inbox.yield(.shutDown(.leave, because: PlayEnding(.otherBox, "the lease ended"), end.failure))
  }

  /// Why the daemon has ended by itself; nil when it was ended.
  package var yielded: Failure? { machine.yielded }

  /// What the runs of all devices have ended with, of a daemon that feeds until idle.
  package var outcome: RunEnd { machine.outcome }

  /// The command that started the daemon has no further requests: a daemon that feeds until idle ends, unless it feeds. Safe from anywhere.
  package nonisolated func endIfIdle() { inbox.yield(.abandoned) }

  /// Performs a command and returns its reply, as the control socket does. Safe from anywhere, also before `run()`.
  package nonisolated func reply(to request: ControlRequest) async -> ControlReply {
    await inbox.reply(to: request)
  }

  // MARK: - The run

  /// Feeds until `terminate()`, or until the scope is done. Call once.
  /// - Parameter ready: called when commands are answered, or with the reason why none can be: the daemon feeds anyway.
  package func run(ready: @Sendable (Failure?) -> Void = { _ in }) async {
    let problem = await open()
    await withDiscardingTaskGroup { group in
      begin(in: &group)
      settings.logger.notice("ready", metadata: ["castq.database": "\(database.path)"])
      ready(problem)
      var events = inbox.events.makeAsyncIterator()
      while !machine.isFinished, let event = await database.executor.next(of: &events) {
        handle(event, in: &group)
      }
      hooks.close()
      group.cancelAll()
    }
    lists.close()
    await timers.end()?.value
    requests.close()
    await inbox.close()
    await requests.server?.stop()
    await runners.shutDown()
    if let news = database.closePending() { settings.logger.log(news) }
    monitoring.health.locks.release()
  }

  /// Opens what clients and devices reach.
  /// - Returns: why live commands are unavailable; nil when they are not.
  private func open() async -> Failure? {
    let (scope, health) = (machine.scope, monitoring.health)
    var problem: Failure?
    do throws(ControlSocketError) {
      requests.open(
        try await SiteRequests.serve(scope.device, health, inbox, requests.board, settings))
    } catch {
      settings.logger.warning("live commands are unavailable", metadata: ["error": "\(error)"])
      problem = Failure("socket", "live commands are unavailable: \(error)", exit: .inputOutput)
    }
    runners.open(machine.configuration, requests.server, health.loops)
    if scope == .service {
      await SiteMonitoring.open(monitoring.door, by: machine.configuration.metrics, settings)
    }
    return problem
  }

  private func begin(in group: inout DiscardingTaskGroup) {
    // Before the first reading of the rows: what is written in between is noticed.
    inbox.watch(StoreWatcher(database: database, time: settings.time), in: &group)
    monitoring.report(in: &group)
    // Somebody waits for the first picture, and still writes the rows.
    if machine.scope.device != nil { group.addTask { [host = runners.host] in await host.prepare() } }
    if machine.scope == .service {
      group.addTask { [courier = hooks.courier] in await courier.run() }
      group.addTask { [door = monitoring.door] in await door.run() }
    }
    tell(.begin, in: &group)
    settings.notice.ready(status)
  }

  private func handle(_ event: DaemonEvent, in group: inout DiscardingTaskGroup) {
    switch event {
    case .site(let event): tell(event, in: &group)
    case .control(let request, let ticket): tell(.control(request, requests.add(ticket)), in: &group)
    case .timersDue: for timer in timers.takeDue() { tell(.timerFired(timer), in: &group) }
    case .reload: reload(in: &group)
    }
    settings.notice.status(status)
  }

  private func reload(in group: inout DiscardingTaskGroup) {
    settings.notice.reloading()
    switch settings.configuration() {
    case .success(let new):
      settings.logger.notice("configuration reloaded")
      tell(.configured(new, times: settings.times(new)), in: &group)
    case .failure(let failure):
      settings.logger.error(
        "configuration is invalid, the previous one stays in use",
        metadata: ["error": "\(failure.typed.message)"])
    }
    settings.notice.ready(status)
  }

  private var status: String {
    let count = runners.fed.count
    return "feeding \(count) \(count == 1 ? "device" : "devices")"
  }

  // MARK: - The machine

  private var wall: WallTime { WallTime(milliseconds: settings.time.wallMilliseconds()) }

  /// Handles an event in the machine and performs its actions. Their answers are handled before anything else happens.
  private func tell(_ event: SiteMachine.Event, in group: inout DiscardingTaskGroup) {
    var events = [event]
    while !events.isEmpty {
      let event = events.removeFirst()
      monitoring.count(event, of: machine)
      runners.follow(event)
      var answers: [SiteMachine.Event] = []
      for action in machine.handle(event, at: settings.time.now(), wall: wall) {
        answers += perform(action, in: &group)
      }
      events = answers + events
    }
  }

  /// - Returns: what is answered at once.
  private func perform(
    _ action: SiteMachine.Action, in group: inout DiscardingTaskGroup
  ) -> [SiteMachine.Event] {
    switch action {
    case .ask(let question): return rows.answer(question, at: wall)
    case .start(let id, let start): return [runners.start(id, start, of: machine, rows.desk, in: &group)]
    case .clear(let id, let manner, let reason):
      runners.clear(id, manner, because: reason, of: machine, in: &group)
    case .tell(let id, let event): runners.tell(id, event)
    case .pass(let id, let command, let ticket):
      runners.perform(command, on: id, for: requests.take(ticket))
    case .steer(let ask): runners.steer(ask, in: &group)
    case .answer(let ticket, let reply): requests.answer(ticket, reply)
    case .tellFetches(let ticket, let problem):
      runners.tellFetches(requests.take(ticket), problem: problem, in: &group)
    case .tellMetrics(let ticket, let dark):
      guard let ticket = requests.take(ticket) else { break }
      monitoring.tell(ticket, dark: dark, rows, requests, runners.host, in: &group)
    case .writeConfiguration(let configuration): return rows.follow(configuration, settings, at: wall)
    case .renewPreparation(let configuration): preparing.renew(configuration, in: &group)
    case .followHooks(let rules): hooks.follow(rules)
    case .serveMetrics(let rules): monitoring.door.follow(rules)
    case .follow(let id, let source, let refresh): lists.follow(id, source, refresh)
    case .unfollow(let id): lists.unfollow(id)
    case .keepLists(let write): return rows.keep(write, at: wall)
    case .noteListsRead: rows.desk?.hasRead()
    case .write(let write, let id): return rows.write(write, of: id, runners.fed[id]?.device)
    case .closeOutages(let fed): rows.closeOutages(besides: fed, at: wall)
    case .writeAgain(.rows): return rows.writePending()
    case .writeAgain(.hooks): return hooks.write()
    case .prepare(let devices): preparing.prepare(devices, in: &group)
    case .deliver(let event): return hooks.post(event)
    case .startTimer(let timer, let wait): timers.start(timer, after: wait)
    case .cancelTimer(let timer): timers.cancel(timer)
    case .changed(let id): requests.board.note(id)
    case .announceEnd: settings.notice.stopping()
    case .note(let note): settings.logger.log(note)
    case .finished: break  // `machine.isFinished` ends the loop
    }
    return []
  }
}
