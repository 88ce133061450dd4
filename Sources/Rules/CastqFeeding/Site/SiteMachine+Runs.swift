import CastProtocol
import CastqPlaylists
import CastqSchedule
import CastqText

/// The runners: what they report, and how they end.
extension SiteMachine {
  mutating func start(_ id: DeviceID) {
    var start = devices[id]?.start ?? RunStart()
    start.loops = devices[id]?.waiters.loops ?? false
    let rules = rules(of: id)
    start.volume = rules.volume(at: clock(of: rules))
    actions.append(.start(id, start))
  }

  mutating func started(_ id: DeviceID, _ label: String, _ start: RunStart) {
    update(id) { device in
      device.label = label
      device.start = nil
      device.run = SiteRun(loops: start.loops, volume: start.volume)
    }
    watch(.fed(id))
    note(.feeding(label))
  }

  mutating func receive(_ report: RunnerReport, of id: DeviceID) {
    watchScreen(report, of: id)
    if case .ended(let turn, let title, let play, let state) = report,
      state == .failed || play.cause == .endedEarly
    {
      deliver(.failed, id) { event in
        event.entry = turn.entry
        event.title = title
        event.reason = play.reasonWords
      }
    }
    follow(report, of: id)
    if scope == .service, let waiters = devices[id]?.waiters, waiters.awaitsEnd {
      actions.append(.ask(.place(report, id, looping: waiters.loops)))
    } else {
      tellWaiters(report, of: id, Placing())
    }
    if case .waiting = report, let run = devices[id]?.run, !run.isConnected, !run.hasShown {
      supervise(.rests(id))
    }
  }

  /// Keeps what a report says of the run.
  private mutating func follow(_ report: RunnerReport, of id: DeviceID) {
    switch report {
    case .started:
      devices[id]?.run?.hasShown = true
      devices[id]?.run?.waits = nil
    case .waiting(let outlook): devices[id]?.run?.waits = outlook
    case .connecting: devices[id]?.run?.waits = nil
    case .connected:
      if devices[id]?.run?.isConnected == false { endOutage(of: id) }
      devices[id]?.run?.isConnected = true
      devices[id]?.run?.connectionError = nil
    case .retrying(let error, _, let heard):
      if devices[id]?.run?.connectionError == nil { beginOutage(of: id, error, lastHeard: heard) }
      devices[id]?.run?.isConnected = false
      devices[id]?.run?.connectionError = error
    case .decided(let decision):
      let name = decision.onAir.map { ProgrammeName.shown($0.programme) } ?? decision.kind.word
      note(.decided(label(of: id), onAir: "\(name)", reason: "\(decision.reason)"))
    case .scheduleNoted(let words): note(.schedule(label(of: id), words: words))
    case .replaced, .sentTo, .status, .measured, .ended, .storeFailed, .storeCaughtUp, .unanswered: break
    case .fencePassed: fencePassed(id)
    }
  }

  /// Passes a report on to those who wait. Where rules have the screen, or will have it, the end of the queue is not the end of feeding.
  mutating func tellWaiters(_ report: RunnerReport, of id: DeviceID, _ placing: Placing) {
    let now = now
    settle(id) { $0.observe(report, isOfQueue: placing.isOfQueue, at: now) }
    if placing.isOver { settle(id) { $0.drained() } }
    keepLooping(id)
  }

  private mutating func watchScreen(_ report: RunnerReport, of id: DeviceID) {
    switch report {
    case .connected: watch(.connected(id))
    case .retrying: watch(.lost(id))
    case .started, .status: watch(.shown(id))
    case .ended(_, _, _, let state): watch(.ended(id, isFailure: state == .failed))
    case .waiting: watch(.rests(id))
    case .connecting, .replaced, .sentTo, .decided, .measured, .scheduleNoted, .storeFailed, .storeCaughtUp,
      .fencePassed, .unanswered:
      break
    }
  }

  // MARK: - Outages

  /// The device is away; what is written of it rests on what was heard.
  private mutating func beginOutage(of id: DeviceID, _ error: CastError, lastHeard: Tick?) {
    let silence = lastHeard.map { max((now - $0).seconds, 0) } ?? 0
    actions.append(
      .write(.beginOutage(since: wall.adding(seconds: -silence), cause: "\(error)"), id))
  }

  /// Ends the outage of a device, if it has one.
  /// - Parameter hasAnswered: whether the device answers; otherwise castq has stopped calling it.
  private mutating func endOutage(of id: DeviceID, hasAnswered: Bool = true) {
    guard scope.device == nil else { return }
    actions.append(.write(.endOutage(at: wall, hasAnswered: hasAnswered), id))
  }

  // MARK: - The end of a run

  mutating func ended(_ id: DeviceID, _ end: RunEnd) {
    let run = devices[id]?.run
    devices[id]?.run = nil
    devices[id]?.left.formUnion(run?.steering ?? [])
    changed(id)
    outcome = outcome.joined(with: end)
    if case .takenOver(let guest) = end { deliver(.takeover, id) { $0.reason = guest } }
    let hasShown = run?.hasShown ?? false
    watch(.over(id, end, hasShown: hasShown))
    // A run that could not start is retried; clients learn of it only if another process feeds the device.
    if run != nil || end == .busy { settle(id) { $0.ended(end) } }
    // Another run shows it, when quiet hours are over.
    if end == .stopped, isSilent(id) {
      let failure = quietHours(id)
      settle(id) { $0.failFirstPlays(failure) }
    }
    if let run { note(.ended(label(of: id), words: Self.words(end, run))) }
    actions.append(.ask(.unwritten))
    // The runner has read newer rows than the supervisor knows.
    readWork(then: .ended(EndedRun(device: id, end: end, hasShown: hasShown, asks: run?.postponed ?? [])))
  }

  /// The supervisor hears of the end of a run.
  mutating func settle(_ run: EndedRun, isLifted: Bool) {
    let id = run.device
    supervise(.ended(id, run.end, hasShown: run.hasShown, isLifted: isLifted))
    // What is not called any more is not known to be away.
    if !supervisor.isCalledAgain(id) { endOutage(of: id, hasAnswered: false) }
    if supervisor.isSuperseded, case .superseded = run.end { yielded = run.end.failure }
    if supervisor.isHeld(id), let failure = run.end.failure { settle(id) { $0.fail(failure) } }
    // castq that ends does not answer them: their clients start another one.
    guard !isFinished else { return }
    for ask in run.asks { admit(ask) }
    dropFences(id)
  }

  private static func words(_ end: RunEnd, _ run: SiteRun) -> String {
    switch end {
    case .drained(failed: 0): "nothing is left to play"
    case .halted: "stopped by castq"
    case .stopped: run.endReason ?? "stopped"
    case .takenOver(let title): "another sender took over with \(TerminalText.sanitized(title))"
    case .stoppedElsewhere: "the media was stopped elsewhere"
    case .drained, .superseded, .refused, .unreachable, .entryFailed, .failed, .busy:
      end.failure?.typed.message ?? "ended"
    }
  }
}
