import CastProtocol
import CastSender
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Logging

/// What happens, in its order, and what the site's machine wants done.
extension DaemonService {
  func handle(_ event: DaemonEvent, in group: inout DiscardingTaskGroup) {
    switch event {
    case .site(let event):
      if case .report(let id, let report) = event {
        counted.count(report, of: id, wasConnected: machine.isConnected(id))
      }
      if case .ended(let id, let end) = event {
        runners.ended(id)
        counted.countEnd(end, of: id)
      }
      if case .cleared(let id) = event { runners.cleared(id) }
      if case .shutDown = event { settings.notice.stopping() }
      tell(event, in: &group)
    case .control(let request, let ticket): tell(.control(request, tickets.add(ticket)), in: &group)
    case .timersDue:
      for timer in timers.takeDue() {
        switch timer {
        case .site(let timer): tell(.timerFired(timer), in: &group)
        case .hooks:
          hooks.write()
          awaitHooks()
        case .pending:
          if rows.writePending(logger) { tell(.rowsWritten, in: &group) } else { awaitRows() }
        }
      }
    case .reload: reload(in: &group)
    }
    showStatus()
  }

  /// Handles an event in the machine and performs its actions. Questions are answered before anything else happens.
  func tell(_ event: SiteMachine.Event, in group: inout DiscardingTaskGroup) {
    var events = [event]
    while !events.isEmpty {
      var answers: [SiteMachine.Event] = []
      for action in machine.handle(events.removeFirst(), at: settings.time.now(), wall: wall) {
        perform(action, answers: &answers, in: &group)
      }
      events = answers + events
    }
  }

  private func perform(
    _ action: SiteMachine.Action, answers: inout [SiteMachine.Event], in group: inout DiscardingTaskGroup
  ) {
    switch action {
    case .ask(let question): answers += answer(question)
    case .start(let id, let start):
      answers.append(runners.start(id, start, of: machine, rows.desk, in: &group))
      if case .started(_, let label, _)? = answers.last { counted.name(id, label) }
    case .clear(let id, let manner, let reason):
      do throws(StoreError) {
        try runners.clear(id, manner, because: reason, of: machine, in: &group)
      } catch {
        // Another process feeds the device: what is there is its own.
        if case .busy = error {} else { reportReadError(error) }
        send.yield(.site(.cleared(id)))
      }
    case .tell(let id, let event): runners.tell(id, event)
    case .pass(let id, let command, let ticket):
      if let ticket = tickets.take(ticket) { runners.fed[id]?.run.perform(command, for: ticket) }
    case .steer(let ask):
      guard let run = runners.fed[ask.device]?.run else { return }
      group.addTask { [send] in
        send.yield(.site(.steered(ask, await run.control(.feed(ask.request)))))
      }
    case .answer(let ticket, let reply): tickets.answer(ticket, reply)
    case .tellFetches(let ticket, let problem):
      guard let ticket = tickets.take(ticket) else { return }
      group.addTask { [host = runners.host, settings] in
        ticket.answer(.done(await host.mediaDocument(settings.shares, connectionProblem: problem)))
      }
    case .reconfigure:
      keeper?.follow(configuration.metrics)
      reconfigure(in: &group)
    case .follow(let id, let source, let refresh):
      let lists = settings.lists(source, refresh)
      readers[id] = Task { [send] in
        for await list in lists { send.yield(.site(.list(list, of: id, source: source))) }
      }
    case .unfollow(let id): readers.removeValue(forKey: id)?.cancel()
    case .keepLists(let write): answers += rows.keep(write, at: wall, logger)
    case .noteListsRead: rows.desk?.hasRead()
    case .write(let write, let id):
      rows.write(write, of: id, runners.fed[id]?.device, logger)
      awaitRows()
    case .closeOutages(let fed): rows.closeOutages(besides: fed, at: wall, logger)
    case .awaitRows: awaitRows()
    case .prepare(let devices): preparing.prepare(devices, in: &group)
    case .deliver(let event):
      hooks.post(event)
      awaitHooks()
    case .startTimer(let timer, let wait): timers.start(.site(timer), after: wait)
    case .cancelTimer(let timer): timers.cancel(.site(timer))
    case .changed(let id): board.note(id)
    case .note(let note): logger.log(note)
    case .finished: break  // `machine.isFinished` ends the loop
    }
  }

  private func answer(_ question: SiteMachine.Question) -> [SiteMachine.Event] {
    let answers = rows.answer(question, at: wall)
    if case .devices(let names)? = answers.first { counted.keep(only: Set(names.map(\.id))) }
    return answers
  }

  /// Tries in a moment to write what waits.
  private func awaitRows() {
    if rows.database.hasPending { timers.start(.pending, after: SiteRows.pause) }
  }

  private func awaitHooks() {
    if hooks.isWaiting { timers.start(.hooks, after: HookDesk.pause) }
  }

  // MARK: - The configuration

  private func reload(in group: inout DiscardingTaskGroup) {
    settings.notice.reloading()
    switch settings.configuration() {
    case .success(let new):
      logger.notice("configuration reloaded")
      tell(.configured(new, times: settings.times(new)), in: &group)
    case .failure(let failure):
      logger.error(
        "configuration is invalid, the previous one stays in use",
        metadata: ["error": "\(failure.typed.message)"])
    }
    shownStatus = status
    settings.notice.ready(shownStatus)
  }

  /// Follows the configuration in what castq does beside feeding.
  func reconfigure(in group: inout DiscardingTaskGroup) {
    if scope.feeder == nil { preparing.renew(configuration, in: &group) }
    guard case .service = scope else { return }
    hooks.follow(configuration.hooks)
    do throws(StoreError) {
      try rows.renewDesk(configuration, settings, at: wall, logger)
      try rows.add(configuration.devices, at: wall, logger)
    } catch {
      reportReadError(error)
    }
  }

  var wall: WallTime { WallTime(milliseconds: settings.time.wallMilliseconds()) }
}

extension Logger {
  /// Says what is worth a line.
  func log(_ note: SiteNote) {
    switch note {
    case .feeding(let label): notice("feeding", metadata: ["castq.device": "\(label)"])
    case .ended(let label, let words):
      notice("feeding ended", metadata: ["castq.device": "\(label)", "castq.outcome": "\(words)"])
    case .decided(let label, let onAir, let reason):
      notice(
        "on the screen by the schedule",
        metadata: [
          "castq.device": "\(label)", "castq.programme": "\(onAir)", "castq.reason": "\(reason)",
        ])
    case .schedule(let label, let words): warning("\(words)", metadata: ["castq.device": "\(label)"])
    case .waits(let label, .pause(let length, let end)):
      // Repeated failures are logged at debug level only.
      debug(
        "waiting",
        metadata: ["castq.device": "\(label)", "castq.pause": "\(length)", "castq.after": "\(end)"])
    case .waits(let label, .guest(let length, _)):
      notice("yielding to a guest", metadata: ["castq.device": "\(label)", "castq.lease": "\(length)"])
    case .waits(let label, .person): notice("waiting for a start", metadata: ["castq.device": "\(label)"])
    case .clockSet: notice("the system's clock was set")
    case .listTakenUp(let source):
      notice("list is taken up again", metadata: ["castq.list": "\(TerminalText.sanitized(source))"])
    case .listProblem(let problem, let source, let devices):
      var metadata: Metadata = [
        "castq.list": "\(TerminalText.sanitized(AddressText.withoutSecrets(source)))",
        "castq.problem": "\(problem.message)", "castq.devices": "\(devices.joined(separator: ", "))",
      ]
      if let line = problem.line { metadata["castq.line"] = "\(line)" }
      warning(
        problem.line == nil ? "list is not taken up" : "line of a list is not taken up", metadata: metadata)
    case .listIsWhole(let source):
      notice(
        "all of the list is taken up",
        metadata: ["castq.list": "\(TerminalText.sanitized(AddressText.withoutSecrets(source)))"])
    case .rowsUnreadable(let words): error("database cannot be read", metadata: ["error": "\(words)"])
    case .ending(let screens): notice("ending", metadata: ["castq.screens": "\(screens)"])
    case .leaseEnded(let reason): notice("lease ended", metadata: ["castq.reason": "\(reason)"])
    }
  }
}
