import CastProtocol
import CastSender
package import CastqCore
package import CastqStore
package import Logging

/// Feeds every device that has work, for ever: one runner a device, one daemon a database.
///
/// Decides nothing about who is fed when: the supervisor machine does. The service carries out its actions in order with no
/// wait in between, and turns what happens into its events.
package actor DaemonService {
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    database.executor.asUnownedSerialExecutor()
  }

  let database: Database
  let devices: DeviceStore
  let queue: QueueStore
  let settings: DaemonSettings
  let logger: Logger
  let lock: DatabaseLock
  private let inbox: AsyncStream<DaemonEvent>
  nonisolated let send: AsyncStream<DaemonEvent>.Continuation

  var machine = SupervisorMachine()
  private var timers: TimerSet<DaemonTimer>
  var configuration: DaemonConfiguration
  /// What the configuration says of each device there is.
  private var rules: [DeviceID: DeviceRules] = [:]
  /// What is at work.
  var fed: [DeviceID: FedDevice] = [:]
  var waiters: [DeviceID: FeedWaiters] = [:]
  /// How people want devices to start that have no runner yet.
  var beginnings: [DeviceID: Beginning] = [:]
  private var host: FeederHost
  private var hasReadTrouble = false
  private var isFinished = false
  private var shownStatus = ""

  /// Takes the database's lock; `StoreError.busy` when another daemon feeds from it.
  package init(
    database: Database, configuration: DaemonConfiguration, settings: DaemonSettings, logger: Logger
  ) throws(StoreError) {
    self.database = database
    self.configuration = configuration
    self.settings = settings
    self.logger = logger
    lock = try DatabaseLock(.daemon, of: database)
    host = FeederHost(database: nil)
    devices = DeviceStore(database)
    queue = QueueStore(database)
    let (inbox, send) = AsyncStream.makeStream(of: DaemonEvent.self)
    self.inbox = inbox
    self.send = send
    timers = TimerSet(time: settings.time) { send.yield(.timersDue) }
  }

  /// Reads the configuration again; one that is broken changes nothing and is told. Safe from anywhere.
  package nonisolated func reload() { send.yield(.reload) }

  /// Ends the daemon and its runners, as the configuration says. Safe from anywhere, also before `run()`.
  package nonisolated func terminate() { send.yield(.terminate) }

  /// Feeds until it is told to end. Call once.
  package func run() async {
    let control = await serveControl()
    host = FeederHost(database: database, socket: control?.path, limits: FeederHost.fleetLimits)
    await withDiscardingTaskGroup { group in
      let watcher = StoreWatcher(database: database, time: settings.time)
      group.addTask { [send] in await watcher.watch { send.yield(.rowsChanged) } }
      if let interval = settings.notice.watchdogInterval {
        group.addTask { [send, time = settings.time] in
          while (try? await time.sleep(interval)) != nil { send.yield(.watchdog) }
        }
      }
      applyRules(in: &group)
      readWork(in: &group)
      settings.notice.ready(status)
      logger.notice("ready", metadata: ["castq.database": "\(database.path)"])
      for await event in inbox {
        handle(event, in: &group)
        if isFinished { break }
      }
      group.cancelAll()
    }
    await timers.end()?.value
    send.finish()
    // Whoever still waits is told so by the end of the tickets.
    waiters = [:]
    for await _ in inbox {}
    await control?.stop()
    await host.shutDown(logger)
    lock.release()
  }

  private func handle(_ event: DaemonEvent, in group: inout DiscardingTaskGroup) {
    switch event {
    case .rowsChanged:
      // Devices may have come, gone, or got other names.
      applyRules(in: &group)
      readWork(in: &group)
      for device in fed.values { device.run.poke() }
    case .report(let id, let report): observe(report, of: id)
    case .ended(let id, let end): ended(id, end, in: &group)
    case .timersDue:
      for timer in timers.takeDue() { fire(timer, in: &group) }
    case .control(let request, let ticket): control(request, ticket, in: &group)
    case .steered(let request, let ticket, let reply): steered(request, ticket, reply, in: &group)
    case .reload: reload(in: &group)
    case .terminate:
      settings.notice.stopping()
      logger.notice("ending", metadata: ["castq.screens": "\(configuration.onExit)"])
      supervise(.shutDown(configuration.onExit), in: &group)
    case .watchdog: settings.notice.alive()
    }
    showStatus()
  }

  private func fire(_ timer: DaemonTimer, in group: inout DiscardingTaskGroup) {
    switch timer {
    case .device(let id): supervise(.timerFired(id), in: &group)
    case .minute: lookAtClock(in: &group)
    case .work:
      applyRules(in: &group)
      readWork(in: &group)
    }
  }

  // MARK: - What is to be done

  /// Hands an event to the machine and carries out its actions.
  func supervise(_ event: SupervisorMachine.Event, in group: inout DiscardingTaskGroup) {
    for action in machine.handle(event, at: settings.time.now()) {
      switch action {
      case .start(let id): start(id, in: &group)
      case .end(let id, let manner): fed[id]?.run.end(manner, "castq was told to end")
      case .startTimer(let id, let wait): timers.start(.device(id), after: wait)
      case .cancelTimer(let id): timers.cancel(.device(id))
      case .waits(let id, let wait): tell(wait, of: id)
      case .finished: isFinished = true
      }
    }
  }

  /// Looks which devices have something to play.
  func readWork(in group: inout DiscardingTaskGroup) {
    do throws(StoreError) {
      let work = try queue.devicesWithWork(looping: Set(waiters.filter { $0.value.loops }.keys))
      let stopped = try queue.stoppedDevices()
      hasReadTrouble = false
      supervise(.work(work, stopped: stopped), in: &group)
    } catch {
      couldNotRead(error)
    }
  }

  private func couldNotRead(_ error: StoreError) {
    if !hasReadTrouble { logger.error("database cannot be read", metadata: ["error": "\(error)"]) }
    hasReadTrouble = true
    timers.start(.work, after: .seconds(5))
  }

  // MARK: - Configuration

  private func reload(in group: inout DiscardingTaskGroup) {
    settings.notice.reloading()
    switch settings.configuration() {
    case .success(let new):
      configuration = new
      logger.notice("configuration was read again")
      applyRules(in: &group)
    case .failure(let failure):
      logger.error(
        "configuration is not used, the old one stays", metadata: ["error": "\(failure.message)"])
    }
    shownStatus = status
    settings.notice.ready(shownStatus)
  }

  /// Finds out what the configuration says of each device.
  private func applyRules(in group: inout DiscardingTaskGroup) {
    do throws(StoreError) {
      var found: [DeviceID: DeviceRules] = [:]
      for device in try devices.all() { found[device.id] = configuration.rules(for: device.names) }
      rules = found
    } catch {
      return couldNotRead(error)
    }
    supervise(.guests(standard: configuration.standard.guests, rules.mapValues(\.guests)), in: &group)
    lookAtClock(in: &group)
  }

  /// What the clock shows that a device's quiet hours go by.
  private func clock(of rules: DeviceRules) -> CivilTime {
    rules.clock(
      at: WallTime(milliseconds: settings.time.wallMilliseconds()), localOffset: settings.utcOffset)
  }

  /// Begins and ends quiet hours. Clocks are set and jump, so they are looked at each minute as long as they matter.
  private func lookAtClock(in group: inout DiscardingTaskGroup) {
    supervise(.quiet(Set(rules.filter { $0.value.isSilent(at: clock(of: $0.value)) }.keys)), in: &group)
    for id in fed.keys {
      guard let rules = rules[id] else { continue }
      let volume = rules.volume(at: clock(of: rules))
      guard fed[id]?.volume != volume else { continue }
      fed[id]?.volume = volume
      fed[id]?.run.keepVolume(volume)
    }
    guard rules.values.contains(where: { !$0.quietHours.isEmpty }) else { return timers.cancel(.minute) }
    // Zones differ by whole minutes.
    let passed = (settings.time.wallMilliseconds() % 60_000 + 60_000) % 60_000
    timers.start(.minute, after: .milliseconds(Int64(60_000 - passed)))
  }

  /// Whether nothing is played on the device now.
  func isSilent(_ id: DeviceID) -> Bool {
    guard let rules = rules[id] else { return false }
    return rules.isSilent(at: clock(of: rules))
  }

  /// When quiet hours are over; nil when they are not within a day and a bit.
  func endOfSilence(_ id: DeviceID) -> WallTime? {
    guard let rules = rules[id] else { return nil }
    let minute = settings.time.wallMilliseconds() / 60_000
    return (1...26 * 60).lazy.map { WallTime(milliseconds: (minute + $0) * 60_000) }.first {
      !rules.isSilent(at: rules.clock(at: $0, localOffset: self.settings.utcOffset))
    }
  }

  // MARK: - Runners

  private func start(_ id: DeviceID, in group: inout DiscardingTaskGroup) {
    do throws(StoreError) {
      guard let device = try devices.device(id) else { return notBegun(id, .drained(failed: 0)) }
      let feeder = try DeviceFeeder(
        device: device, database: database, host: host, logger: settings.runnerLogger)
      var options = settings.runner(device)
      options.watchesRows = false
      options.reconnect = RunnerConfiguration.eager
      options.sessionOptions.connectTimeout = min(
        options.sessionOptions.connectTimeout, DaemonSettings.connectTimeout)
      let rules = rules[id] ?? configuration.standard
      options.volume = rules.volume(at: clock(of: rules))
      options.configuration.onError = rules.onError
      // What the daemon was started with counts most.
      options.receiverApplicationID = options.receiverApplicationID ?? rules.receiverApplication
      options.pageApplicationID = rules.pageApplication ?? options.pageApplicationID
      options.loops = waiters[id]?.loops ?? false
      if let beginning = beginnings.removeValue(forKey: id) {
        options.resume = beginning.resume
        options.startsOver = beginning.startsOver
      }
      let run = feeder.start(options: options) { [send] report in
        // There are many statuses, and none of them is the supervisor's business.
        if case .status = report { return }
        send.yield(.report(id, report))
      }
      fed[id] = FedDevice(device: device, run: run, loops: options.loops, volume: options.volume)
      logger.notice("feeding", metadata: ["castq.device": "\(device.label)"])
      group.addTask { [send] in
        send.yield(.ended(id, await run.outcome()))
      }
    } catch {
      if case .busy = error { return notBegun(id, .busy) }
      logger.error("cannot be fed", metadata: ["castq.device": "\(id)", "error": "\(error)"])
      notBegun(id, .failed(ControlFailure(error)))
    }
  }

  /// Comes back as an event: the machine is not asked while it is being obeyed.
  private func notBegun(_ id: DeviceID, _ end: RunEnd) { send.yield(.ended(id, end)) }

  private func observe(_ report: RunnerReport, of id: DeviceID) {
    switch report {
    case .started: fed[id]?.hasShown = true
    case .connected:
      fed[id]?.isConnected = true
      fed[id]?.trouble = nil
    case .retrying(let error, _):
      fed[id]?.isConnected = false
      fed[id]?.trouble = error
    case .connecting, .waiting, .replaced, .sentTo, .status, .ended, .storeFailed, .storeCaughtUp: break
    }
    waiters[id]?.observe(report, at: settings.time.now())
    keepLooping(id)
  }

  private func ended(_ id: DeviceID, _ end: RunEnd, in group: inout DiscardingTaskGroup) {
    let device = fed.removeValue(forKey: id)
    // A run that could not begin is tried again; who waits hears of it only when somebody else feeds the device.
    if device != nil || end == .busy { waiters[id]?.ended(end) }
    if let device { log(end, of: device) }
    // What the machine knows of the rows is older than what the runner has read.
    readWork(in: &group)
    supervise(.ended(id, end, hasShown: device?.hasShown ?? false), in: &group)
    if machine.isHeld(id), let failure = end.failure { waiters[id]?.fail(failure) }
    for (wish, ticket) in device?.wishes ?? [] { feedAgain(id, wish, ticket, in: &group) }
  }

  /// A list starts over at its end for as long as somebody waits who wants that.
  func keepLooping(_ id: DeviceID) {
    let loops = waiters[id]?.loops ?? false
    guard let device = fed[id], device.loops != loops else { return }
    fed[id]?.loops = loops
    device.run.loop(loops)
  }

  // MARK: - Words

  private func log(_ end: RunEnd, of device: FedDevice) {
    let words =
      switch end {
      case .drained(failed: 0): "nothing is left to play"
      case .halted: "stopped by castq; waits until it is started"
      case .stopped: "stopped"
      case .takenOver(let title): "another sender took over with \(TerminalText.sanitized(title))"
      case .stoppedElsewhere: "somebody stopped the media"
      case .drained, .refused, .unreachable, .entryFailed, .failed, .busy: end.failure?.message ?? "ended"
      }
    logger.notice(
      "feeding ended", metadata: ["castq.device": "\(device.device.label)", "castq.outcome": "\(words)"])
  }

  private func tell(_ wait: SupervisorWait, of id: DeviceID) {
    let label = (try? devices.device(id))?.label ?? "\(id)"
    switch wait {
    case .pause(let length, let end):
      // The same trouble again is no news.
      logger.debug(
        "waiting",
        metadata: ["castq.device": "\(label)", "castq.pause": "\(length)", "castq.after": "\(end)"])
    case .guest(let length):
      logger.notice(
        "yielding to a guest", metadata: ["castq.device": "\(label)", "castq.lease": "\(length)"])
    case .person:
      logger.notice("waiting until somebody starts it", metadata: ["castq.device": "\(label)"])
    }
  }

  private var status: String {
    let count = fed.count
    return "feeding \(count) \(count == 1 ? "device" : "devices")"
  }

  private func showStatus() {
    guard status != shownStatus else { return }
    shownStatus = status
    settings.notice.status(shownStatus)
  }
}

/// How a person wants a device to start.
struct Beginning {
  /// Where its first entry begins; nil is where the rows say.
  var resume: ResumePoint?
  /// What the device still plays for the queue is not taken up.
  var startsOver = false
}

/// A device at work.
struct FedDevice {
  let device: KnownDevice
  let run: DeviceFeeder.Run
  /// Its list starts over at its end.
  var loops: Bool
  /// How loud it is kept, 0 to 1; nil as it is.
  var volume: Double?
  /// Something was on the screen.
  var hasShown = false
  var isConnected = false
  /// Why the device is away; nil when it is there, or nobody knows yet.
  var trouble: CastError?
  /// What people asked of it when it was ending already: done when it has ended.
  var wishes: [(wish: FeedRequest, ticket: ControlTicket)] = []
}

extension KnownDevice {
  /// Everything that a configuration may call it.
  package var names: [String] {
    [alias, name, friendlyName, uuid, "\(endpoint)", endpoint.host].compactMap { $0 }
  }
}
