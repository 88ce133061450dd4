package import CastProtocol
package import CastqPlaylists
import CastqSchedule
package import CastqText

/// Everything castq decides about the devices of a site: which one is fed when, who waits for what, which answer is true, when it is quiet,
/// and which screens are dark. What is on one device is its runner's.
///
///     request ──> admitted ──> late (a list is being read) ──> admitted
///                    │   └──> running ──> steered ──> its runner ends ──> admitted
///                    └──> begun ──> waits for its first play, or for the end of its list ──> answered
///
/// It reads no row and starts no runner itself: its actions are carried out by a driver, which answers questions before it handles any
/// other event. Every ticket is answered once, by the site or by the runner that it was passed to; those that still wait when the site
/// has finished fail.
package struct SiteMachine: Sendable {
  package let scope: Scope
  /// The computer's local time at a moment, in seconds ahead of UTC.
  let localOffset: @Sendable (WallTime) -> Int
  package internal(set) var configuration: DaemonConfiguration
  /// Tells moments to people.
  var times: SiteTimes
  var supervisor: SupervisorMachine
  var darkness = DarkWatch()
  var devices: [DeviceID: SiteDevice] = [:]
  var lists = SiteLists()
  /// Whether the rows could not be read when they were last.
  var isBlind = false
  package internal(set) var isFinished = false
  /// What the runs of all devices have ended with, of a site that is fed until idle.
  package internal(set) var outcome = RunEnd.drained(failed: 0)
  /// Why castq has ended by itself; nil while it has not.
  package internal(set) var yielded: Failure?
  var now = Tick.zero
  var wall = WallTime(milliseconds: 0)
  /// What the event being handled has led to so far.
  var actions: [Action] = []

  /// - Parameter localOffset: the computer's local time at a moment, in seconds ahead of UTC.
  package init(
    _ scope: Scope, _ configuration: DaemonConfiguration = DaemonConfiguration(), times: SiteTimes = .utc,
    localOffset: @escaping @Sendable (WallTime) -> Int = { _ in 0 }
  ) {
    self.scope = scope
    self.configuration = configuration
    self.times = times
    self.localOffset = localOffset
    supervisor = SupervisorMachine(scope.span)
  }

  /// What a message says of a device that does not answer, and plays when it does.
  package static let keepsCalling = "; the daemon keeps calling it"

  /// The one door.
  package mutating func handle(_ event: Event, at now: Tick, wall: WallTime) -> [Action] {
    (self.now, self.wall) = (now, wall)
    switch event {
    case .begin: begin()
    case .configured(let new, let times): configure(new, times)
    case .devices(let names): receive(names)
    case .rowsChanged:
      // Devices may have been added, removed or renamed.
      actions.append(.ask(.devices))
      pokeAll()
    case .rowsWritten:
      // The rows say now what was played.
      readWork()
      pokeAll()
    case .rowsFailed(let words): rowsFailed(words)
    case .unwritten(let what): actions.append(.startTimer(.unwritten(what), after: what.pause))
    case .clockSet:
      note(.clockSet)
      followClock()
      // By a clock that is set back, windows are open that had closed.
      readWork()
      for id in fed { actions.append(.tell(id, .clockSet)) }
    case .programmes(let played, let version, let name): receive(played, version: version, read: name)
    case .list(let list, let id, let source): receive(list, of: id, source)
    case .listRemoved(let id): tellRun(id, .rowsChanged)
    case .keptProblems(let new, let source, let id): keptProblems(new, of: source, on: id)
    case .work(let reading, let next): receive(reading, next)
    case .left(let devices):
      if scope == .service { supervise(.left(devices)) }
      if scope.device == nil { actions.append(.closeOutages(besides: supervisor.running)) }
      actions.append(.ask(.unwritten))
    case .timerFired(let timer): fire(timer)
    case .control(let request, let ticket): control(request, ticket)
    case .admitted(let ask, let failure): admitted(ask, failure)
    case .begun(let ask, let result): begun(ask, result)
    case .looked(let ask, let result): looked(ask, result)
    case .steered(let ask, let reply): steered(ask, reply)
    case .held(let id, let failure, let ticket): held(id, failure, ticket)
    case .outlook(let result, let ticket): answer(ticket, result.map(\.json))
    case .reason(let reason, let entries, let ticket):
      answer(ticket, .failed(entries.failure(reason)))
    case .started(let id, let label, let start): started(id, label, start)
    case .report(let id, let report): receive(report, of: id)
    case .placed(let id, let report, let placing): tellWaiters(report, of: id, placing)
    case .ended(let id, let end): ended(id, end)
    case .cleared(let id):
      changed(id)
      readWork(then: .cleared(id))
    case .abandoned: supervise(.abandoned)
    case .shutDown(let manner, let reason, let failure): shutDown(manner, reason, failure)
    }
    defer { actions = [] }
    return actions
  }

  // MARK: - The rows

  private mutating func begin() {
    if scope == .service { actions.append(.keepLists(.takeOver)) }
    followBesideFeeding()
    followHooks()
    actions.append(.ask(.devices))
    // Once, before anything is fed that the rows do not know of.
    actions.append(.ask(.left))
  }

  private mutating func rowsFailed(_ words: String) {
    if !isBlind { note(.rowsUnreadable(words)) }
    isBlind = true
    // What was read of lists may not have been written.
    lists.version = nil
    actions.append(.startTimer(.work, after: .seconds(5)))
  }

  /// Reads which devices have something to play.
  mutating func readWork(then next: AfterWork? = nil) {
    // One device alone is always fed: its run finds out.
    if let device = scope.device { return receive(WorkReading(queued: [device]), next) }
    let looping = Set(devices.filter { $0.value.waiters.loops }.keys)
    actions.append(.ask(.work(looping: looping, then: next)))
  }

  private mutating func receive(_ reading: WorkReading?, _ next: AfterWork?) {
    if let reading {
      isBlind = false
      let work = reading.queued.union(reading.ruled).union(takeUpBases(reading))
      if scope.device == nil {
        watch(.due(work.subtracting(reading.stopped).filter { !isSilent($0) }))
      }
      supervise(.work(work, stopped: reading.stopped))
      endWaits(besides: reading.queued)
    }
    switch next {
    case .ended(let run):
      // A stop may still wait to be written.
      let isLifted =
        reading.map { !$0.hasPending && !$0.stopped.contains(run.device) } == true && scope == .service
      settle(run, isLifted: isLifted)
    case .cleared(let id): supervise(.cleared(id))
    case nil: break
    }
  }

  // MARK: - Devices

  /// The devices that have a runner.
  package var fed: [DeviceID] { devices.filter { $0.value.run != nil }.keys.sorted() }

  /// Whether a device is connected, as far as its runner has said.
  package func isConnected(_ id: DeviceID) -> Bool { devices[id]?.run?.isConnected == true }

  /// What a device is called; its number before it is known.
  package func label(of id: DeviceID) -> String { devices[id]?.label ?? "\(id)" }

  /// The rules of a device, by the configuration.
  package func rules(of id: DeviceID) -> DeviceRules { devices[id]?.rules ?? configuration.standard }

  /// Changes what is known of a device.
  mutating func update(_ id: DeviceID, _ change: (inout SiteDevice) -> Void) {
    var device = devices[id] ?? SiteDevice(waiters: FeedWaiters(isOneRun: scope != .service))
    change(&device)
    devices[id] = device
  }

  /// Has those answered who do not wait any longer.
  mutating func settle(_ id: DeviceID, _ change: (inout FeedWaiters) -> FeedWaiters.Answers) {
    guard var waiters = devices[id]?.waiters else { return }
    let answers = change(&waiters)
    devices[id]?.waiters = waiters
    for (ticket, reply) in answers {
      // What its runner says of the request later is nobody's any more.
      devices[id]?.run?.steering.remove(ticket)
      devices[id]?.left.remove(ticket)
      switch reply {
      case .plain(let reply): answer(ticket, reply)
      case .failures(let entries) where entries.last == nil: answer(ticket, .failed(entries.failure(nil)))
      case .failures(let entries): actions.append(.ask(.reason(entries, ticket)))
      }
    }
  }

  // MARK: - Actions

  mutating func answer(_ ticket: TicketID, _ reply: ControlReply) { actions.append(.answer(ticket, reply)) }

  private mutating func answer(_ ticket: TicketID, _ result: Result<JSONValue, Failure>) {
    switch result {
    case .success(let value): answer(ticket, .done(value))
    case .failure(let failure): answer(ticket, .failed(failure))
    }
  }

  mutating func changed(_ id: DeviceID) { actions.append(.changed(id)) }

  mutating func note(_ note: SiteNote) { actions.append(.note(note)) }

  /// Tells the runner of a device, if it has one.
  mutating func tellRun(_ id: DeviceID, _ event: RunnerMachine.Event) {
    if devices[id]?.run != nil { actions.append(.tell(id, event)) }
  }

  mutating func pokeAll() { for id in fed { actions.append(.tell(id, .rowsChanged)) } }

  private mutating func fire(_ timer: SiteTimer) {
    switch timer {
    case .device(let id): supervise(.timerFired(id))
    case .minute: followClock()
    case .screens: watch(.timer)
    case .work: actions.append(.ask(.devices))
    case .unwritten(let what): actions.append(.writeAgain(what))
    }
  }

  // MARK: - Supervision

  /// Handles an event in the supervisor and takes over its actions.
  mutating func supervise(_ event: SupervisorMachine.Event) {
    for action in supervisor.handle(event, at: now) {
      if let id = action.device { changed(id) }
      switch action {
      case .start(let id): start(id)
      case .end(let id, let manner, let reason):
        let leaves = manner == .leave && reason.cause != .nothingDue
        devices[id]?.run?.endReason =
          leaves ? "the daemon ends, and leaves the screen as it is" : reason.words
        actions.append(.tell(id, .end(manner, because: reason)))
      case .clear(let id, let manner, let reason): actions.append(.clear(id, manner, because: reason))
      case .startTimer(let id, let wait): actions.append(.startTimer(.device(id), after: wait))
      case .cancelTimer(let id): actions.append(.cancelTimer(.device(id)))
      case .waits(let id, let wait): note(.waits(label(of: id), wait))
      case .finished:
        isFinished = true
        actions.append(.finished)
      }
    }
  }

  private mutating func shutDown(_ manner: RunnerEnding?, _ reason: PlayEnding, _ failure: Failure?) {
    actions.append(.announceEnd)
    if let failure {
      note(.leaseEnded(failure.message))
      yielded = yielded ?? failure
    } else {
      note(.ending(manner ?? configuration.onExit))
    }
    supervise(.shutDown(manner ?? configuration.onExit, because: reason))
  }

  // MARK: - Dark screens

  /// Handles an event in the watch of dark screens, and has the next moment waited for.
  mutating func watch(_ event: DarkWatch.Event) {
    actions.append(.cancelTimer(.screens))
    for action in darkness.handle(event, at: now) {
      switch action {
      case .wake(let moment): actions.append(.startTimer(.screens, after: max(moment - now, .zero)))
      case .dark(let id, let length, let cause, let since):
        let past = max(now - since, .zero).seconds
        deliver(.dark(length), id) { event in
          event.since = event.at.adding(seconds: -past)
          event.cause = cause
        }
      }
    }
  }

  // MARK: - Hooks

  /// Has the hooks told that wait for it.
  mutating func deliver(
    _ trigger: HookRule.Trigger, _ id: DeviceID, _ details: (inout HookEvent) -> Void
  ) {
    guard scope == .service, configuration.hooks.contains(where: { $0.triggers.contains(trigger) }) else {
      return
    }
    var event = HookEvent(trigger, device: label(of: id), at: wall)
    details(&event)
    actions.append(.deliver(event))
  }
}
