import CastProtocol
import CastSender
package import CastqCore
package import CastqStore
package import Logging

/// Feeds every device that has work: one runner per device, one daemon per database.
///
/// The supervisor machine decides which device is fed when. The service performs its actions in order, without suspending in
/// between, and feeds it events.
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
  /// The configured rules of each device.
  private var rules: [DeviceID: DeviceRules] = [:]
  /// Devices with a runner.
  var fed: [DeviceID: FedDevice] = [:]
  var waiters: [DeviceID: FeedWaiters] = [:]
  /// Start options for devices without a runner.
  var pendingStarts: [DeviceID: PendingStart] = [:]
  private var host: FeederHost
  private var hasReadError = false
  private var isFinished = false
  private var shownStatus = ""

  /// Acquires the database's lock; throws `StoreError.busy` if another daemon holds it.
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

  /// Reloads the configuration; an invalid one is logged and changes nothing. Safe from anywhere.
  package nonisolated func reload() { send.yield(.reload) }

  /// Ends the daemon and its runners, as the configuration says. Safe from anywhere, also before `run()`.
  package nonisolated func terminate() { send.yield(.terminate) }

  /// Feeds until `terminate()`. Call once.
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
    // Releasing the tickets fails the clients that still wait.
    waiters = [:]
    for await _ in inbox {}
    await control?.stop()
    await host.shutDown(logger)
    lock.release()
  }

  private func handle(_ event: DaemonEvent, in group: inout DiscardingTaskGroup) {
    switch event {
    case .rowsChanged:
      // Devices may have been added, removed or renamed.
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
    case .minute: applyClock(in: &group)
    case .work:
      applyRules(in: &group)
      readWork(in: &group)
    }
  }

  // MARK: - Supervision

  /// Handles an event in the machine and performs its actions.
  func supervise(_ event: SupervisorMachine.Event, in group: inout DiscardingTaskGroup) {
    for action in machine.handle(event, at: settings.time.now()) {
      switch action {
      case .start(let id): start(id, in: &group)
      case .end(let id, let manner): fed[id]?.run.end(manner, "the daemon stopped it")
      case .startTimer(let id, let wait): timers.start(.device(id), after: wait)
      case .cancelTimer(let id): timers.cancel(.device(id))
      case .waits(let id, let wait): logWait(wait, of: id)
      case .finished: isFinished = true
      }
    }
  }

  /// Reads which devices have something to play.
  func readWork(in group: inout DiscardingTaskGroup) {
    do throws(StoreError) {
      let work = try queue.devicesWithWork(looping: Set(waiters.filter { $0.value.loops }.keys))
      let stopped = try queue.stoppedDevices()
      hasReadError = false
      supervise(.work(work, stopped: stopped), in: &group)
    } catch {
      reportReadError(error)
    }
  }

  private func reportReadError(_ error: StoreError) {
    if !hasReadError { logger.error("database cannot be read", metadata: ["error": "\(error)"]) }
    hasReadError = true
    timers.start(.work, after: .seconds(5))
  }

  // MARK: - Configuration

  private func reload(in group: inout DiscardingTaskGroup) {
    settings.notice.reloading()
    switch settings.configuration() {
    case .success(let new):
      configuration = new
      logger.notice("configuration reloaded")
      applyRules(in: &group)
    case .failure(let failure):
      logger.error(
        "configuration is invalid, the previous one stays in use", metadata: ["error": "\(failure.message)"])
    }
    shownStatus = status
    settings.notice.ready(shownStatus)
  }

  /// Looks up the configured rules of each device.
  private func applyRules(in group: inout DiscardingTaskGroup) {
    do throws(StoreError) {
      var found: [DeviceID: DeviceRules] = [:]
      for device in try devices.all() { found[device.id] = configuration.rules(for: device.names) }
      rules = found
    } catch {
      return reportReadError(error)
    }
    supervise(.guests(standard: configuration.standard.guests, rules.mapValues(\.guests)), in: &group)
    applyClock(in: &group)
  }

  /// The civil time that a device's quiet hours use.
  private func clock(of rules: DeviceRules) -> CivilTime {
    rules.clock(
      at: WallTime(milliseconds: settings.time.wallMilliseconds()), localOffset: settings.utcOffset)
  }

  /// Starts and ends quiet hours. The wall clock may jump, so it is checked every minute while any device has quiet hours.
  private func applyClock(in group: inout DiscardingTaskGroup) {
    supervise(.quiet(Set(rules.filter { $0.value.isSilent(at: clock(of: $0.value)) }.keys)), in: &group)
    for id in fed.keys {
      guard let rules = rules[id] else { continue }
      let volume = rules.volume(at: clock(of: rules))
      guard fed[id]?.volume != volume else { continue }
      fed[id]?.volume = volume
      fed[id]?.run.keepVolume(volume)
    }
    guard rules.values.contains(where: { !$0.quietHours.isEmpty }) else { return timers.cancel(.minute) }
    // Zone offsets are whole minutes.
    let passed = (settings.time.wallMilliseconds() % 60_000 + 60_000) % 60_000
    timers.start(.minute, after: .milliseconds(Int64(60_000 - passed)))
  }

  /// Whether the device has quiet hours now.
  func isSilent(_ id: DeviceID) -> Bool {
    guard let rules = rules[id] else { return false }
    return rules.isSilent(at: clock(of: rules))
  }

  /// When quiet hours end; nil if not within 26 hours.
  func endOfQuietHours(_ id: DeviceID) -> WallTime? {
    guard let rules = rules[id] else { return nil }
    let minute = settings.time.wallMilliseconds() / 60_000
    return (1...26 * 60).lazy.map { WallTime(milliseconds: (minute + $0) * 60_000) }.first {
      !rules.isSilent(at: rules.clock(at: $0, localOffset: self.settings.utcOffset))
    }
  }

  // MARK: - Runners

  private func start(_ id: DeviceID, in group: inout DiscardingTaskGroup) {
    do throws(StoreError) {
      guard let device = try devices.device(id) else { return reportNotStarted(id, .drained(failed: 0)) }
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
      // The daemon's command line overrides the configuration.
      options.receiverApplicationID = options.receiverApplicationID ?? rules.receiverApplication
      options.pageApplicationID = rules.pageApplication ?? options.pageApplicationID
      options.loops = waiters[id]?.loops ?? false
      if let pending = pendingStarts.removeValue(forKey: id) {
        options.resume = pending.resume
        options.startsOver = pending.startsOver
      }
      let run = feeder.start(options: options) { [send] report in
        // Statuses are frequent, and the supervisor does not need them.
        if case .status = report { return }
        send.yield(.report(id, report))
      }
      fed[id] = FedDevice(device: device, run: run, loops: options.loops, volume: options.volume)
      logger.notice("feeding", metadata: ["castq.device": "\(device.label)"])
      group.addTask { [send] in
        send.yield(.ended(id, await run.outcome()))
      }
    } catch {
      if case .busy = error { return reportNotStarted(id, .busy) }
      logger.error("device cannot be fed", metadata: ["castq.device": "\(id)", "error": "\(error)"])
      reportNotStarted(id, .failed(ControlFailure(error)))
    }
  }

  /// Reports the end as an event, because the machine must not be called while its actions are performed.
  private func reportNotStarted(_ id: DeviceID, _ end: RunEnd) { send.yield(.ended(id, end)) }

  private func observe(_ report: RunnerReport, of id: DeviceID) {
    switch report {
    case .started: fed[id]?.hasShown = true
    case .connected:
      fed[id]?.isConnected = true
      fed[id]?.connectionError = nil
    case .retrying(let error, _):
      fed[id]?.isConnected = false
      fed[id]?.connectionError = error
    case .connecting, .waiting, .replaced, .sentTo, .status, .ended, .storeFailed, .storeCaughtUp: break
    }
    waiters[id]?.observe(report, at: settings.time.now())
    keepLooping(id)
  }

  private func ended(_ id: DeviceID, _ end: RunEnd, in group: inout DiscardingTaskGroup) {
    let device = fed.removeValue(forKey: id)
    // A run that could not start is retried; clients learn of it only if another process feeds the device.
    if device != nil || end == .busy { waiters[id]?.ended(end) }
    if let device { log(end, of: device) }
    // The runner has read newer rows than the machine knows.
    readWork(in: &group)
    supervise(.ended(id, end, hasShown: device?.hasShown ?? false), in: &group)
    if machine.isHeld(id), let failure = end.failure { waiters[id]?.fail(failure) }
    for (request, ticket) in device?.pendingRequests ?? [] { retryFeed(id, request, ticket, in: &group) }
  }

  /// Makes the list restart at its end while a waiting client wants that.
  func keepLooping(_ id: DeviceID) {
    let loops = waiters[id]?.loops ?? false
    guard let device = fed[id], device.loops != loops else { return }
    fed[id]?.loops = loops
    device.run.loop(loops)
  }

  // MARK: - Logging

  private func log(_ end: RunEnd, of device: FedDevice) {
    let words =
      switch end {
      case .drained(failed: 0): "nothing is left to play"
      case .halted: "stopped by castq"
      case .stopped: "stopped"
      case .takenOver(let title): "another sender took over with \(TerminalText.sanitized(title))"
      case .stoppedElsewhere: "the media was stopped elsewhere"
      case .drained, .refused, .unreachable, .entryFailed, .failed, .busy: end.failure?.message ?? "ended"
      }
    logger.notice(
      "feeding ended", metadata: ["castq.device": "\(device.device.label)", "castq.outcome": "\(words)"])
  }

  private func logWait(_ wait: SupervisorWait, of id: DeviceID) {
    let label = (try? devices.device(id))?.label ?? "\(id)"
    switch wait {
    case .pause(let length, let end):
      // Repeated failures are logged at debug level only.
      logger.debug(
        "waiting",
        metadata: ["castq.device": "\(label)", "castq.pause": "\(length)", "castq.after": "\(end)"])
    case .guest(let length):
      logger.notice(
        "yielding to a guest", metadata: ["castq.device": "\(label)", "castq.lease": "\(length)"])
    case .person:
      logger.notice("waiting for a start", metadata: ["castq.device": "\(label)"])
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

/// Start options of a feed request.
struct PendingStart {
  /// Where the first entry starts; nil uses the resume position in the rows.
  var resume: ResumePoint?
  /// Whether to replace what the device still plays for the queue instead of adopting it.
  var startsOver = false
}

/// A device with a runner.
struct FedDevice {
  let device: KnownDevice
  let run: DeviceFeeder.Run
  /// Whether its list restarts at its end.
  var loops: Bool
  /// The volume to keep, 0 to 1; nil leaves it unchanged.
  var volume: Double?
  /// Whether anything was shown.
  var hasShown = false
  var isConnected = false
  /// Why the device is unreachable; nil if it is connected or not yet called.
  var connectionError: CastError?
  /// Requests that arrived while the runner was ending, performed once it has ended.
  var pendingRequests: [(request: FeedRequest, ticket: ControlTicket)] = []
}

extension KnownDevice {
  /// All names by which a configuration may refer to the device.
  package var names: [String] {
    [alias, name, friendlyName, uuid, "\(endpoint)", endpoint.host].compactMap { $0 }
  }
}
