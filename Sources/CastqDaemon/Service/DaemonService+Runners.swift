import CastGuard
import CastProtocol
import CastSender
import CastqCore
import CastqStore
import Logging

/// The runners: one per device that is fed.
extension DaemonService {
  func start(_ id: DeviceID, in group: inout DiscardingTaskGroup) {
    do throws(StoreError) {
      guard let device = try devices.device(id) else { return reportNotStarted(id, .drained(failed: 0)) }
      let feeder = try feeder(of: device)
      black.removeValue(forKey: id)?.end()
      var options = options(for: device)
      options.schedule = desk
      options.times = times
      options.noticed = { [board] in board.note(id) }
      options.loops = waiters[id]?.loops ?? false
      if let pending = pendingStarts.removeValue(forKey: id) {
        options.resume = pending.resume
        options.startsOver = pending.startsOver
        options.devicePatience = pending.patience
      }
      counted.name(id, device.label)
      watch(.fed(id))
      let mark = ShownMark()
      let run = feeder.start(on: host, options: options) { [send, settings, board] report in
        settings.report(report)
        board.note(id)
        if mark.isNews(report) { send.yield(.report(id, report)) }
      }
      fed[id] = FedDevice(
        device: device, run: run, feeder: feeder, loops: options.loops, volume: options.volume)
      logger.notice("feeding", metadata: ["castq.device": "\(device.label)"])
      group.addTask { [send] in
        send.yield(.ended(id, await run.outcome()))
      }
    } catch {
      if case .busy = error { return reportNotStarted(id, .busy) }
      logger.error("device cannot be fed", metadata: ["castq.device": "\(id)", "error": "\(error)"])
      reportNotStarted(id, .failed(Failure(error)))
    }
  }

  /// The options of a runner by the configuration, without rules and what a start asks for.
  func options(for device: KnownDevice) -> RunnerOptions {
    var options = settings.runner(device)
    options.watchesRows = false
    if !scope.isUntilIdle {
      options.reconnect = RunnerConfiguration.eager
      options.sessionOptions.connectTimeout = min(
        options.sessionOptions.connectTimeout, DaemonSettings.connectTimeout)
    }
    let rules = rules[device.id] ?? configuration.standard
    options.volume = rules.volume(at: clock(of: rules))
    options.configuration.onError = rules.onError
    options.resolvers = configuration.resolvers
    options.allowed = LocalPlaces(configuration.allowedLocal)
    options.subtitles = rules.subtitles
    options.subtitleStyle = rules.subtitleStyle
    options.prepared = PreparedMedia(device, configuration, database, ahead: ahead)
    // The daemon's command line overrides the configuration.
    options.receiverApplicationID = options.receiverApplicationID ?? rules.receiverApplication
    options.pageApplicationID = rules.pageApplication ?? options.pageApplicationID
    options.advertised = options.advertised ?? rules.advertised
    return options
  }

  func feeder(of device: KnownDevice) throws(StoreError) -> DeviceFeeder {
    if let feeder = scope.feeder { return feeder }
    return try DeviceFeeder(device: device, database: database, logger: settings.runnerLogger)
  }

  /// Reports the end as an event, because the machine must not be called while its actions are performed.
  private func reportNotStarted(_ id: DeviceID, _ end: RunEnd) { send.yield(.ended(id, end)) }

  func observe(_ report: RunnerReport, of id: DeviceID) {
    counted.count(report, of: id, wasConnected: fed[id]?.isConnected == true)
    watchScreen(report, of: id)
    notifyHooks(report, of: id)
    switch report {
    case .started:
      fed[id]?.hasShown = true
      fed[id]?.waits = nil
    case .waiting(let outlook): fed[id]?.waits = outlook
    case .connected:
      if fed[id]?.isConnected == false { endOutage(of: id) }
      fed[id]?.isConnected = true
      fed[id]?.connectionError = nil
    case .retrying(let error, _, let heard):
      if fed[id]?.connectionError == nil { beginOutage(of: id, error, lastHeard: heard) }
      fed[id]?.isConnected = false
      fed[id]?.connectionError = error
    case .decided(let decision):
      logger.notice(
        "on the screen by the schedule",
        metadata: [
          "castq.device": "\(fed[id]?.device.label ?? "\(id)")",
          "castq.programme":
            "\(decision.onAir.map { ProgrammeName.shown($0.programme) } ?? decision.kind.word)",
          "castq.reason": "\(decision.reason)",
        ])
    case .scheduleNoted(let words):
      logger.warning("\(words)", metadata: ["castq.device": "\(fed[id]?.device.label ?? "\(id)")"])
    case .connecting: fed[id]?.waits = nil
    case .replaced, .sentTo, .status, .measured, .ended, .storeFailed,
      .storeCaughtUp:
      break
    }
    let isOfQueue = isOfQueue(report, id)
    waiters[id]?.observe(report, isOfQueue: isOfQueue, at: settings.time.now())
    answerDrained(id)
    keepLooping(id)
  }

  /// Whether a failure is one of the queue that people fill; where no rules are, everything is.
  private func isOfQueue(_ report: RunnerReport, _ id: DeviceID) -> Bool {
    guard waiters[id]?.awaitsEnd == true, desk != nil, case .ended(let turn, _, _, .failed) = report else {
      return true
    }
    return (try? queue.contains(turn.entry, on: id)) ?? true
  }

  /// Answers those who wait for the end of a queue. Where rules have the screen, or will have it, its end is not the end of feeding.
  private func answerDrained(_ id: DeviceID) {
    guard let desk, waiters[id]?.awaitsEnd == true else { return }
    do throws(StoreError) {
      let looping: Set<DeviceID> = waiters[id]?.loops == true ? [id] : []
      let now = WallTime(milliseconds: settings.time.wallMilliseconds())
      guard try desk.devices().contains(id),
        try !queue.devicesWithWork(looping: looping, at: now).contains(id)
      else { return }
      waiters[id]?.drained { [history] in (try? history.reason(of: $0)) ?? nil }
    } catch { reportReadError(error) }
  }

  /// The device is away; what is written of it rests on what was heard.
  private func beginOutage(of id: DeviceID, _ error: CastError, lastHeard: Tick?) {
    let silence = lastHeard.map { max((settings.time.now() - $0).seconds, 0) } ?? 0
    let now = WallTime(milliseconds: settings.time.wallMilliseconds())
    writeOutage(.beginOutage(since: now.adding(seconds: -silence), cause: "\(error)"), of: id)
  }

  /// What is not fed any more is not known to be away. What of that cannot be written is made up for at the next start.
  func closeOutages() {
    guard scope.feeder == nil else { return }
    let now = WallTime(milliseconds: settings.time.wallMilliseconds())
    do throws(StoreError) { try OutageStore(database).closeAll(besides: Set(fed.keys), at: now) } catch {
      logger.debug("outage not written", metadata: ["error": "\(error)"])
    }
  }

  /// Ends the outage of a device, if it has one.
  /// - Parameter hasAnswered: whether the device answers; otherwise castq has stopped calling it.
  private func endOutage(of id: DeviceID, hasAnswered: Bool = true) {
    guard scope.feeder == nil else { return }
    let now = WallTime(milliseconds: settings.time.wallMilliseconds())
    writeOutage(.endOutage(at: now, hasAnswered: hasAnswered), of: id)
  }

  /// Writes it now, or behind what waits, when the database works again.
  private func writeOutage(_ write: FeederWrite, of id: DeviceID) {
    do throws(StoreError) {
      if database.hasPending, database.keepPending([write], of: id, because: nil) { return awaitDatabase() }
      var device = fed[id]?.device
      if device == nil { device = try devices.device(id) }
      guard let device else { return }
      try queue.perform(write, on: device)
    } catch {
      guard error.isOutage, database.keepPending([write], of: id, because: error) else {
        return logger.debug("outage not written", metadata: ["error": "\(error)"])
      }
      awaitDatabase()
    }
  }

  func ended(_ id: DeviceID, _ end: RunEnd, in group: inout DiscardingTaskGroup) {
    let device = fed.removeValue(forKey: id)
    board.note(id)
    counted.countEnd(end, of: id)
    outcome = outcome.joined(with: end)
    notifyHooks(end, of: id)
    watch(.over(id, end, hasShown: device?.hasShown ?? false))
    // A run that could not start is retried; clients learn of it only if another process feeds the device.
    if device != nil || end == .busy {
      waiters[id]?.ended(end) { [history] in (try? history.reason(of: $0)) ?? nil }
    }
    if let device { log(end, of: device) }
    awaitDatabase()
    // The runner has read newer rows than the machine knows.
    readWork(in: &group)
    supervise(
      .ended(id, end, hasShown: device?.hasShown ?? false, isLifted: isLifted(id)), in: &group)
    // What is not called any more is not known to be away.
    if fed[id] == nil, !machine.isCalledAgain(id) { endOutage(of: id, hasAnswered: false) }
    if machine.isSuperseded, case .superseded = end { supersededBy = end }
    if machine.isHeld(id), let failure = end.failure { waiters[id]?.fail(failure) }
    // A daemon that ends does not answer them: their clients start another one.
    guard !isFinished else { return }
    for (request, ticket) in device?.pendingRequests ?? [] { retryFeed(id, request, ticket, in: &group) }
  }

  /// Whether the rows say that the device is not stopped. A stop may still wait to be written.
  private func isLifted(_ id: DeviceID) -> Bool {
    guard case .service = scope, !database.hasPending else { return false }
    do throws(StoreError) { return try queue.stoppedAt(id) == nil } catch { return false }
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
      case .stopped: device.endReason ?? "stopped"
      case .takenOver(let title): "another sender took over with \(TerminalText.sanitized(title))"
      case .stoppedElsewhere: "the media was stopped elsewhere"
      case .drained, .superseded, .refused, .unreachable, .entryFailed, .failed, .busy:
        end.failure?.typed.message ?? "ended"
      }
    logger.notice(
      "feeding ended", metadata: ["castq.device": "\(device.device.label)", "castq.outcome": "\(words)"])
  }

  func logWait(_ wait: SupervisorWait, of id: DeviceID) {
    let label = (try? devices.device(id))?.label ?? "\(id)"
    switch wait {
    case .pause(let length, let end):
      // Repeated failures are logged at debug level only.
      logger.debug(
        "waiting",
        metadata: ["castq.device": "\(label)", "castq.pause": "\(length)", "castq.after": "\(end)"])
    case .guest(let length, _):
      logger.notice(
        "yielding to a guest", metadata: ["castq.device": "\(label)", "castq.lease": "\(length)"])
    case .person:
      logger.notice("waiting for a start", metadata: ["castq.device": "\(label)"])
    }
  }
}
