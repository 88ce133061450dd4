import CastSender
import CastqCore
import CastqStore
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
        fed[id] = nil
        counted.countEnd(end, of: id)
      }
      if case .cleared(let id) = event { clearing[id] = nil }
      if case .shutDown = event { settings.notice.stopping() }
      tell(event, in: &group)
    case .control(let request, let ticket): tell(.control(request, tickets.add(ticket)), in: &group)
    case .timersDue:
      for timer in timers.takeDue() {
        switch timer {
        case .site(let timer): tell(.timerFired(timer), in: &group)
        case .hooks: writeHooks()
        case .pending: writePending(in: &group)
        }
      }
    case .reload: reload(in: &group)
    case .programme(let name, let source, let list): read(name, source: source, list, in: &group)
    case .base(let id, let source, let list): readBase(of: id, source: source, list, in: &group)
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
    case .start(let id, let start): answers.append(self.start(id, start, in: &group))
    case .end(let id, let manner, let reason): (fed[id]?.run ?? clearing[id])?.end(manner, reason)
    case .clear(let id, let manner, let reason): clear(id, manner, because: reason, in: &group)
    case .poke(let id): fed[id]?.run.poke()
    case .noteClockSet(let id): fed[id]?.run.noteClockSet()
    case .keepVolume(let id, let volume): fed[id]?.run.keepVolume(volume)
    case .loop(let id, let isLooping): fed[id]?.run.loop(isLooping)
    case .fence(let id):
      guard let run = fed[id]?.run else { return }
      group.addTask { [send] in
        // It is answered after everything that was to be done before.
        _ = await run.control(.outlook)
        send.yield(.site(.fencePassed(id)))
      }
    case .pass(let id, let command, let ticket):
      guard let run = fed[id]?.run, let ticket = tickets.take(ticket) else { return }
      group.addTask { ticket.answer(await run.control(command)) }
    case .steer(let ask):
      guard let run = fed[ask.device]?.run else { return }
      group.addTask { [send] in
        send.yield(.site(.steered(ask, await run.control(.feed(ask.request)))))
      }
    case .answer(let ticket, let reply): tickets.answer(ticket, reply)
    case .tellFetches(let ticket, let problem):
      guard let ticket = tickets.take(ticket) else { return }
      group.addTask { [host, settings] in
        ticket.answer(.done(await host.mediaDocument(settings.shares, connectionProblem: problem)))
      }
    case .reconfigure: reconfigure(in: &group)
    case .followLists(let lists):
      followBases(lists)
      followProgrammes()
    case .write(let write, let id): self.write(write, of: id)
    case .closeOutages(let fed):
      do throws(StoreError) { try OutageStore(database).closeAll(besides: fed, at: wall) } catch {
        logger.debug("outage not written", metadata: ["error": "\(error)"])
      }
    case .awaitRows: awaitDatabase()
    case .prepare(let devices): prepare(devices, in: &group)
    case .deliver(let event): deliver(event)
    case .startTimer(let timer, let wait): timers.start(.site(timer), after: wait)
    case .cancelTimer(let timer): timers.cancel(.site(timer))
    case .changed(let id): board.note(id)
    case .note(let note): logger.log(note)
    case .finished: break  // `machine.isFinished` ends the loop
    }
  }

  private func answer(_ question: SiteMachine.Question) -> [SiteMachine.Event] {
    if case .work(let looping, _) = question { takeUpBases(looping: looping) }
    let answers = rows.answer(question, at: wall) { [self] id throws(Failure) in try isReadingLists(for: id) }
    if case .devices(let names)? = answers.first { counted.keep(only: Set(names.map(\.id))) }
    return answers
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
    case .rowsUnreadable(let words): error("database cannot be read", metadata: ["error": "\(words)"])
    case .ending(let screens): notice("ending", metadata: ["castq.screens": "\(screens)"])
    case .leaseEnded(let reason): notice("lease ended", metadata: ["castq.reason": "\(reason)"])
    }
  }
}
