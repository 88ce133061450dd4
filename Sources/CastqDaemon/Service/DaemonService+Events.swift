import CastSender
import CastqCore
import Logging

/// What happens, in its order, and what the supervisor decides.
extension DaemonService {
  func handle(_ event: DaemonEvent, in group: inout DiscardingTaskGroup) {
    switch event {
    case .rowsChanged:
      // Devices may have been added, removed or renamed.
      applyRules(in: &group)
      followProgrammes()
      startLate(in: &group)
      readWork(in: &group)
      for device in fed.values { device.run.poke() }
    case .clockSet:
      logger.notice("the system's clock was set")
      applyClock(in: &group)
      // By a clock that is set back, windows are open that had closed.
      readWork(in: &group)
      for device in fed.values { device.run.noteClockSet() }
    case .programme(let name, let source, let list): read(name, source: source, list, in: &group)
    case .base(let id, let source, let list): readBase(of: id, source: source, list, in: &group)
    case .report(let id, let report):
      observe(report, of: id)
      if case .waiting = report, fed[id]?.isConnected == false, fed[id]?.hasShown == false {
        supervise(.rests(id), in: &group)
      }
    case .ended(let id, let end): ended(id, end, in: &group)
    case .cleared(let id, let end): cleared(id, end, in: &group)
    case .timersDue:
      for timer in timers.takeDue() { fire(timer, in: &group) }
    case .control(let request, let ticket): control(request, ticket, in: &group)
    case .steered(let request, let ticket, let reply): steered(request, ticket, reply, in: &group)
    case .reload: reload(in: &group)
    case .abandoned: supervise(.abandoned, in: &group)
    case .terminate(let reason):
      settings.notice.stopping()
      logger.notice("ending", metadata: ["castq.screens": "\(configuration.onExit)"])
      supervise(.shutDown(configuration.onExit, because: PlayEnding(.castqEnded, reason)), in: &group)
    case .leaseEnded(let end):
      settings.notice.stopping()
      logger.notice("lease ended", metadata: ["castq.reason": "\(end)"])
      leaseEnd = end
      // Another box continues what is on the screens.
      supervise(.shutDown(.leave, because: PlayEnding(.otherBox, "the lease ended")), in: &group)
    }
    showStatus()
  }

  private func fire(_ timer: DaemonTimer, in group: inout DiscardingTaskGroup) {
    switch timer {
    case .device(let id): supervise(.timerFired(id), in: &group)
    case .minute: applyClock(in: &group)
    case .screens: watch(.timer)
    case .hooks: writeHooks()
    case .pending: writePending(in: &group)
    case .work:
      applyRules(in: &group)
      readWork(in: &group)
    }
  }

  // MARK: - Supervision

  /// Handles an event in the machine and performs its actions.
  func supervise(_ event: SupervisorMachine.Event, in group: inout DiscardingTaskGroup) {
    for action in machine.handle(event, at: settings.time.now()) {
      if let id = action.device { board.note(id) }
      switch action {
      case .start(let id): start(id, in: &group)
      case .end(let id, let manner, let reason):
        let leaves = manner == .leave && reason.cause != .nothingDue
        fed[id]?.endReason = leaves ? "the daemon ends, and leaves the screen as it is" : reason.words
        (fed[id]?.run ?? clearing[id])?.end(manner, reason)
      case .clear(let id, let manner, let reason): clear(id, manner, because: reason, in: &group)
      case .startTimer(let id, let wait): timers.start(.device(id), after: wait)
      case .cancelTimer(let id): timers.cancel(.device(id))
      case .waits(let id, let wait): logWait(wait, of: id)
      case .finished: isFinished = true
      }
    }
  }
}
