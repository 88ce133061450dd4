import CastProtocol
import CastqPlaylists
import CastqSchedule
import CastqText

/// Commands of people, and requests to feed a device.
extension SiteMachine {
  mutating func control(_ request: ControlRequest, _ ticket: TicketID) {
    let id = request.device
    // It is about no device.
    if case .metrics = request.command {
      return actions.append(.tellMetrics(ticket, dark: darkness.seconds(at: now)))
    }
    if let device = scope.device, device != id {
      return answer(
        ticket,
        .failed(
          Failure(
            "device_unknown", "this feeder does not feed device \(id)", exit: .deviceUnknown)))
    }
    let hasRun = devices[id]?.run != nil
    switch request.command {
    case .poke:
      // A new announcement names a list that has not been read yet.
      followLists()
      readWork()
      tellRun(id, .rowsChanged)
      answer(ticket, .done)
    case .outlook where !hasRun: tellOutlook(of: id, ticket)
    case .watch, .health, .metrics:
      answer(ticket, .failed(Failure("bug", "the control server answers this", exit: .bug)))
    case .fetches:
      let error = devices[id]?.run?.connectionError
      actions.append(.tellFetches(ticket, problem: error.map { CastErrorSummary($0).message }))
    case .feed(let request): admit(FeedAsk(id, request, ticket))
    case .perform(.stop) where !hasRun: actions.append(.ask(.hold(id, ticket)))
    case .perform, .readVolume, .readTracks, .send, .status, .outlook:
      if hasRun {
        actions.append(.pass(id, request.command, ticket))
      } else {
        answer(ticket, .failed(Self.notFeeding))
      }
    }
  }

  /// The caller performs the command without a feeder.
  private static let notFeeding = Failure(
    Failure.notFeeding, "the daemon does not feed this device now", exit: .no)

  /// A device without a runner is stopped until it is started.
  mutating func held(_ id: DeviceID, _ failure: Failure?, _ ticket: TicketID) {
    // What was told to have failed changes nothing.
    if let failure { return answer(ticket, .failed(failure)) }
    supervise(.hold(id))
    changed(id)
    readWork()
    devices[id]?.start = nil
    settle(id) { $0.ended(.halted) }
    answer(ticket, .failed(Self.notFeeding))
  }

  /// What a device without a runner waits for.
  private mutating func tellOutlook(of id: DeviceID, _ ticket: TicketID) {
    var outlook: Outlook?
    if isSilent(id) {
      outlook = Outlook(.quietHours, until: endOfQuietHours(id))
    } else {
      switch supervisor.wait(of: id, at: now) {
      case .guest(let length, let end):
        outlook = Outlook(
          end == .stoppedElsewhere ? .stoppedAtDevice : .guest, until: wall.adding(seconds: length.seconds))
      case .person(after: .takenOver), .person(after: .superseded): outlook = Outlook(.guest)
      case .person(after: .stoppedElsewhere): outlook = Outlook(.stoppedAtDevice)
      case .person: actions.append(.ask(.stoppedAt(id, ticket)))
      case .pause(_, after: .drained), nil: actions.append(.ask(.nextChange(id, ticket)))
      case .pause: outlook = Outlook(.unreachable)
      }
    }
    if let outlook { answer(ticket, .done(outlook.json)) }
  }

  // MARK: - Feeding

  /// Has a request looked at: it starts a device, or goes to its runner. The ticket is answered when the request says.
  mutating func admit(_ ask: FeedAsk) {
    // A rule may be newer than the last look at the rows.
    if ask.request.takesRules, scope == .service { actions.append(.ask(.programmes(read: nil))) }
    actions.append(.ask(.admission(ask)))
  }

  mutating func admitted(_ ask: FeedAsk, _ failure: Failure?) {
    let id = ask.device
    if let failure { return answer(ask.ticket, .failed(failure)) }
    if ask.request.isNewQueue { settle(id) { $0.replaced() } }
    if isSilent(id) {
      actions.append(.ask(.begin(ask, recovers: devices[id]?.run == nil)))
    } else if ask.request.takesRules, lists.areBeingRead(for: id) {
      update(id) { $0.late.append(ask) }
    } else if devices[id]?.run != nil, supervisor.isRunning(id) {
      actions.append(.ask(.queue(ask)))
    } else {
      actions.append(.ask(.begin(ask, recovers: devices[id]?.run == nil)))
    }
    keepLooping(id)
  }

  /// The device is started by its rows.
  mutating func begun(_ ask: FeedAsk, _ result: Result<QueueReading, Failure>) {
    let (id, request) = (ask.device, ask.request)
    guard case .success(let reading) = result else { return fail(ask, result) }
    if isSilent(id) {
      // A start in quiet hours is one for their end.
      supervise(.start(id))
      return answer(ask.ticket, .failed(quietHours(id)))
    }
    let resume = request.first.flatMap { first in
      request.position.map { ResumePoint(entry: first, position: $0) }
    }
    // A start that fails before leaves nothing behind for the next one.
    var start = RunStart()
    start.resume = resume
    start.startsOver = request.isNewQueue || request.first != nil
    start.patience = .bounded(seconds: request.patience)
    update(id) { $0.start = start }
    guard scope.device != nil || reading.hasWork || request.takesRules && reading.hasRules else {
      // Without work the supervisor starts nothing; what is enqueued from now on plays.
      supervise(.start(id))
      let nothing = FirstPlay().answer(.drained(failed: 0))
      return answer(ask.ticket, request.waits ? .done : nothing)
    }
    let awaited = request.first ?? (request.isNewQueue ? reading.next : nil)
    keepWaiting(
      ask,
      FirstPlay(
        of: awaited, isConnected: scope != .service, takesRules: request.takesRules,
        isQueueOver: isOver(reading), times: times), isConnected: false
    )
    supervise(.start(id))
    readWork()
    keepLooping(id)
  }

  /// A running device is asked to be fed.
  mutating func looked(_ ask: FeedAsk, _ result: Result<QueueReading, Failure>) {
    let (id, request) = (ask.device, ask.request)
    guard case .success(let reading) = result else { return fail(ask, result) }
    guard let run = devices[id]?.run else { return }
    let isChange = request.isNewQueue || request.first != nil
    // A runner that waits has said until when, once.
    if !isChange, !request.waits, let outlook = run.waits, reading.next == nil {
      return answer(
        ask.ticket, .failed(.notDue(outlook, isQueueOver: isOver(reading), by: times)))
    }
    // Something plays: whether that is a rule's, the runner knows.
    let isAsked = !isChange && request.asksForScreen && run.hasShown && run.isConnected
    if isChange || isAsked {
      actions.append(.steer(ask))
      devices[id]?.run?.steering.insert(ask.ticket)
      if isAsked { return }
    } else {
      actions.append(.tell(id, .rowsChanged))
      if !request.waits, run.hasShown, run.isConnected { return answer(ask.ticket, .done) }
    }
    if let error = run.connectionError, request.patience <= 0, scope == .service {
      // The runner goes on with the list all the same.
      devices[id]?.run?.steering.remove(ask.ticket)
      return answer(ask.ticket, .failed(FeedWaiters.away(error)))
    }
    // The runner's own reply reports the outcome of the requested entry.
    if isChange, !request.waits { return }
    keepWaiting(
      ask,
      FirstPlay(
        isConnected: run.isConnected, takesRules: request.takesRules, isQueueOver: isOver(reading),
        times: times), isConnected: run.isConnected, isCurrent: !request.isNewQueue
    )
    keepLooping(id)
  }

  /// Whether the queue itself has nothing left, neither now nor later. One device alone is fed without: its run also waits for what is
  /// due later.
  private func isOver(_ reading: QueueReading) -> Bool { scope.device == nil && !reading.hasWork }

  private mutating func keepWaiting(
    _ ask: FeedAsk, _ play: FirstPlay, isConnected: Bool, isCurrent: Bool = true
  ) {
    let patience = now + .bounded(seconds: ask.request.patience)
    update(ask.device) { device in
      device.waiters.add(
        ask.ticket, first: ask.request.waits ? nil : play, isConnected: isConnected, loops: ask.request.loops,
        until: patience, isCurrent: isCurrent)
    }
  }

  private mutating func fail(_ ask: FeedAsk, _ result: Result<QueueReading, Failure>) {
    if case .failure(let failure) = result { answer(ask.ticket, .failed(failure)) }
  }

  /// Handles a runner's reply. A request that reached an ending runner goes to the next one.
  mutating func steered(_ ask: FeedAsk, _ reply: ControlReply) {
    let id = ask.device
    let isOfRun = devices[id]?.run?.steering.remove(ask.ticket) != nil
    guard isOfRun || devices[id]?.left.remove(ask.ticket) != nil, !isFinished else { return }
    guard case .failed(let failure) = reply, failure.code == Failure.feederGone else {
      if !ask.request.waits { answer(ask.ticket, reply) }
      devices[id]?.waiters.accepted(ask.ticket)
      return
    }
    devices[id]?.waiters.withdraw(ask.ticket)
    if isOfRun { devices[id]?.run?.postponed.append(ask) } else { admit(ask) }
  }

  /// Answers who waits for the end of a list that is over, while nothing is fed: its last entry may have been passed over, or stopped at the
  /// device.
  mutating func endWaits(besides queued: Set<DeviceID>) {
    for (id, device) in devices.sorted(by: { $0.key < $1.key })
    where device.run == nil && device.waiters.awaitsEnd && !queued.contains(id) {
      settle(id) { $0.drained() }
    }
  }

  /// Makes the list restart at its end while somebody who waits wants that.
  mutating func keepLooping(_ id: DeviceID) {
    guard let device = devices[id], let run = device.run, run.loops != device.waiters.loops else { return }
    devices[id]?.run?.loops = device.waiters.loops
    actions.append(.tell(id, .loop(device.waiters.loops)))
  }

  // MARK: - Lists that are being read

  /// Repeats the requests that waited for a list, when their runners have seen it.
  mutating func startLate() {
    for (id, device) in devices.sorted(by: { $0.key < $1.key }) where !device.late.isEmpty {
      devices[id]?.late = []
      if device.run == nil {
        for ask in device.late { admit(ask) }
      } else {
        devices[id]?.fenced.append(device.late)
        actions.append(.tell(id, .fence))
      }
    }
  }

  /// The runner of a device has done what it was told before its fence.
  mutating func fencePassed(_ id: DeviceID) {
    guard devices[id]?.fenced.isEmpty == false else { return }
    for ask in devices[id]?.fenced.removeFirst() ?? [] { admit(ask) }
  }

  /// The runner of a device is over: its fences will not be passed.
  mutating func dropFences(_ id: DeviceID) {
    let asks = Array((devices[id]?.fenced ?? []).joined())
    devices[id]?.fenced = []
    for ask in asks { admit(ask) }
  }
}
