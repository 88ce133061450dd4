import CastProtocol
import CastSender
import CastqCore
import CastqStore

/// Requests to feed a device, and to go on with another list or entry.
extension DaemonService {
  /// Starts a device, or passes the request to its runner; the ticket is answered when the request says.
  func feed(
    _ id: DeviceID, _ request: FeedRequest, _ ticket: ControlTicket, in group: inout DiscardingTaskGroup
  ) throws(Failure) {
    try check(id, request)
    if isSilent(id) { throw try startAfterQuietHours(id, request, in: &group) }
    if request.takesRules, try isReadingLists(for: id) { return lateStarts.append((id, request, ticket)) }
    if let device = fed[id], machine.isRunning(id) {
      return try steer(device, id, request, ticket, in: &group)
    }
    try start(id, request)
    let resume = request.first.flatMap { first in
      request.position.map { ResumePoint(entry: first, position: $0) }
    }
    let next = try firstEntry(of: id, looping: request.loops)
    let hasWork = try hasWork(id, looping: request.loops, withRules: request.takesRules)
    // A start that fails before leaves nothing behind for the next one.
    pendingStarts[id] = PendingStart(
      resume: resume, startsOver: request.isNewQueue || request.first != nil,
      patience: .bounded(seconds: request.patience))
    guard hasWork else {
      // Without work the machine starts nothing; what is enqueued from now on plays.
      supervise(.start(id), in: &group)
      let nothing = FirstPlay().answer(.drained(failed: 0))
      return ticket.answer(request.waits ? .done : nothing)
    }
    let awaited = request.first ?? (request.isNewQueue ? next : nil)
    let isQueueOver = try isOver(queueOf: id, looping: request.loops)
    waiters[id, default: FeedWaiters(isOneRun: scope.isUntilIdle)].add(
      ticket,
      first: request.waits
        ? nil
        : FirstPlay(
          of: awaited, isConnected: scope.isUntilIdle, takesRules: request.takesRules,
          isQueueOver: isQueueOver, times: times),
      isConnected: false,
      loops: request.loops, until: patience(of: request))
    readWork(in: &group)
    supervise(.start(id), in: &group)
  }

  /// Marks a device as started, from the entry that is wanted.
  private func start(_ id: DeviceID, _ request: FeedRequest) throws(Failure) {
    try ask { () throws(StoreError) in
      try queue.start(id)
      guard let first = request.first else { return }
      // A killed feeder leaves an entry in state playing. Reset it before moving the list.
      if fed[id] == nil { try queue.recover(id) }
      try queue.moveList(to: first, on: id)
    }
  }

  /// A start in quiet hours is one for their end.
  /// - Returns: what the client is told.
  private func startAfterQuietHours(
    _ id: DeviceID, _ request: FeedRequest, in group: inout DiscardingTaskGroup
  ) throws(Failure) -> Failure {
    try start(id, request)
    supervise(.start(id), in: &group)
    let until = endOfQuietHours(id).map { " until \(times.text($0))" } ?? ""
    let device = try ask { () throws(StoreError) in try devices.device(id) }
    return Failure(
      "quiet_hours", "quiet hours\(until): it plays then", hint: .playNow(device?.label ?? ""),
      exit: .tryAgain)
  }

  /// Passes the request to the running runner.
  private func steer(
    _ device: FedDevice, _ id: DeviceID, _ request: FeedRequest, _ ticket: ControlTicket,
    in group: inout DiscardingTaskGroup
  ) throws(Failure) {
    let run = device.run
    let isChange = request.isNewQueue || request.first != nil
    // A runner that waits has said until when, once.
    if !isChange, !request.waits, let outlook = device.waits,
      try firstEntry(of: id, looping: request.loops) == nil
    {
      throw .notDue(outlook, isQueueOver: try isOver(queueOf: id, looping: request.loops), by: times)
    }
    // Something plays: whether that is a rule's, the runner knows.
    let isAsked = !isChange && request.asksForScreen && device.hasShown && device.isConnected
    if isChange || isAsked {
      let steering = ControlRequest(device: id, command: .feed(request))
      group.addTask { [send] in
        send.yield(.steered(steering, ticket, await run.control(steering.command)))
      }
      if isAsked { return }
    } else {
      run.poke()
      if !request.waits, device.hasShown, device.isConnected { return ticket.answer(.done) }
    }
    if let connectionError = device.connectionError, request.patience <= 0, !scope.isUntilIdle {
      throw FeedWaiters.away(connectionError)
    }
    // The runner's own reply reports the outcome of the requested entry.
    if isChange, !request.waits { return }
    let isQueueOver = try isOver(queueOf: id, looping: request.loops)
    waiters[id, default: FeedWaiters(isOneRun: scope.isUntilIdle)].add(
      ticket,
      first: request.waits
        ? nil
        : FirstPlay(
          isConnected: device.isConnected, takesRules: request.takesRules,
          isQueueOver: isQueueOver, times: times),
      isConnected: device.isConnected, loops: request.loops, until: patience(of: request),
      isCurrent: !request.isNewQueue
    )
  }

  /// Handles a runner's reply. A request that reached an ending runner goes to the next one.
  func steered(
    _ request: ControlRequest, _ ticket: ControlTicket, _ reply: ControlReply,
    in group: inout DiscardingTaskGroup
  ) {
    guard case .feed(let feedRequest) = request.command else { return }
    guard case .failed(let failure) = reply, failure.code == Failure.feederGone else {
      if !feedRequest.waits { ticket.answer(reply) }
      waiters[request.device]?.accepted(ticket)
      return
    }
    waiters[request.device]?.withdraw(ticket)
    if fed[request.device] != nil {
      fed[request.device]?.pendingRequests.append((feedRequest, ticket))
    } else {
      retryFeed(request.device, feedRequest, ticket, in: &group)
    }
  }

  /// Repeats a request that reached an ending runner.
  func retryFeed(
    _ id: DeviceID, _ request: FeedRequest, _ ticket: ControlTicket, in group: inout DiscardingTaskGroup
  ) {
    do throws(Failure) { try feed(id, request, ticket, in: &group) } catch {
      ticket.answer(.failed(error))
    }
  }

  /// The first due entry, resuming an interrupted round; nil if none is due.
  private func firstEntry(of id: DeviceID, looping: Bool) throws(Failure) -> EntryID? {
    let now = WallTime(milliseconds: settings.time.wallMilliseconds())
    return try ask { () throws(StoreError) in
      try queue.upcoming(for: id, limit: 1, besides: nil, at: now, looping: looping).first?.entry
    }
  }

  /// Whether an entry is due. One device alone is fed without: its run also waits for what is due later.
  /// - Parameter withRules: whether a device that has rules has work.
  private func hasWork(_ id: DeviceID, looping: Bool, withRules: Bool) throws(Failure) -> Bool {
    guard scope.feeder == nil else { return true }
    let now = WallTime(milliseconds: settings.time.wallMilliseconds())
    return try ask { () throws(StoreError) in
      if withRules, try desk?.devices().contains(id) == true { return true }
      return try queue.devicesWithWork(looping: looping ? [id] : [], at: now).contains(id)
    }
  }

  /// Whether the queue itself has nothing left, neither now nor later.
  private func isOver(queueOf id: DeviceID, looping: Bool) throws(Failure) -> Bool {
    try !hasWork(id, looping: looping, withRules: false)
  }

  private func patience(of request: FeedRequest) -> Tick {
    settings.time.now() + .bounded(seconds: request.patience)
  }

  func checkMember(_ id: DeviceID, _ request: FeedRequest) throws(Failure) {
    guard let member = request.member else { return }
    if try !ask({ () throws(StoreError) in try queue.contains(member, on: id) }) { throw .replaced }
  }

  private func check(_ id: DeviceID, _ request: FeedRequest) throws(Failure) {
    guard try ask({ () throws(StoreError) in try devices.device(id) }) != nil else {
      throw Failure("device_unknown", "the device is no longer known", exit: .deviceUnknown)
    }
    if let first = request.first,
      try !ask({ () throws(StoreError) in try queue.contains(first, on: id) })
    {
      throw Failure("entry_unknown", "\(StoreError.unknownEntry("\(first.rawValue)"))", exit: .badData)
    }
  }
}
