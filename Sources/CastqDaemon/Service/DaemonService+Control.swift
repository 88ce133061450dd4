import CastProtocol
import CastSender
import CastqCore
import CastqStore
import Logging

/// What people ask of a daemon: one socket for all devices.
extension DaemonService {
  /// Feeding goes before control: without a place for a socket, devices are fed all the same.
  func serveControl() async -> ControlServer? {
    do throws(ControlSocketError) {
      let path = try SocketPath.choose(
        database: database.path, device: nil, runtime: settings.runtimeFolder)
      let server = try await ControlServer.start(path: path) { [send] request in
        await withCheckedContinuation { send.yield(.control(request, ControlTicket($0))) }
      }
      lock.announce(socket: path)
      return server
    } catch {
      logger.warning("live commands cannot be taken", metadata: ["error": "\(error)"])
      return nil
    }
  }

  func control(_ request: ControlRequest, _ ticket: ControlTicket, in group: inout DiscardingTaskGroup) {
    let id = request.device
    do throws(ControlFailure) {
      switch request.command {
      case .poke:
        readWork(in: &group)
        fed[id]?.run.poke()
        ticket.answer(.done)
      case .outlook:
        guard let run = fed[id]?.run else { return ticket.answer(.done(try outlook(of: id).json)) }
        group.addTask { ticket.answer(await run.control(.outlook)) }
      case .feed(let wish):
        if wish.isNewQueue { waiters[id]?.replaced() }
        try feed(id, wish, ticket, in: &group)
        keepLooping(id)
      case .stop where fed[id] == nil:
        try hold(id, in: &group)
        beginnings[id] = nil
        waiters[id]?.ended(.halted)
        throw Self.notFeeding
      case .play, .pause, .toggle, .stop, .next, .previous, .seek, .setRate, .volume, .setVolume, .setMuted,
        .tracks, .chooseTracks, .setTextStyle, .skipAd, .send, .restart:
        guard let run = fed[id]?.run else { throw Self.notFeeding }
        group.addTask { ticket.answer(await run.control(request.command)) }
      }
    } catch {
      ticket.answer(.failed(error))
    }
  }

  /// Nothing is to be played on a device that nobody feeds now, until somebody starts it.
  private func hold(_ id: DeviceID, in group: inout DiscardingTaskGroup) throws(ControlFailure) {
    supervise(.hold(id), in: &group)
    let now = WallTime(milliseconds: settings.time.wallMilliseconds())
    try ask { () throws(StoreError) in try queue.stop(id, at: now) }
    readWork(in: &group)
  }

  /// What a device without a runner waits for.
  private func outlook(of id: DeviceID) throws(ControlFailure) -> Outlook {
    let now = WallTime(milliseconds: settings.time.wallMilliseconds())
    if isSilent(id) { return Outlook(.quietHours, until: endOfSilence(id)) }
    switch machine.wait(of: id, at: settings.time.now()) {
    case .guest(let length): return Outlook(.guest, until: now.adding(seconds: length.seconds))
    case .person(after: .takenOver), .person(after: .stoppedElsewhere): return Outlook(.guest)
    case .person:
      return Outlook(.stopped, since: try ask { () throws(StoreError) in try queue.stoppedAt(id) })
    case .pause(_, after: .drained), nil:
      let next = try ask { () throws(StoreError) in try queue.nextChange(for: id, after: now) }
      return next.map { Outlook(.notBefore, until: $0) } ?? Outlook(.nothingDue)
    case .pause: return Outlook(.device)
    }
  }

  /// The caller does without a feeder.
  private static let notFeeding = ControlFailure(
    ControlFailure.notFeeding, "the daemon does not feed this device now", exit: .no)

  private func feed(
    _ id: DeviceID, _ wish: FeedRequest, _ ticket: ControlTicket, in group: inout DiscardingTaskGroup
  ) throws(ControlFailure) {
    try check(id, wish)
    if let device = fed[id], machine.isRunning(id) {
      return try steer(device, id, wish, ticket, in: &group)
    }
    try ask { () throws(StoreError) in try queue.start(id) }
    if let first = wish.first {
      try ask { () throws(StoreError) in
        // A feeder that was killed may have left an entry behind as playing, which is no place to move from.
        if fed[id] == nil { try queue.recover(id) }
        try queue.moveList(to: first, on: id)
      }
    }
    let resume = wish.first.flatMap { first in
      wish.position.map { ResumePoint(entry: first, position: $0) }
    }
    beginnings[id] = Beginning(resume: resume, startsOver: wish.isNewQueue || wish.first != nil)
    let next = try firstEntry(of: id, looping: wish.loops)
    let hasWork = try ask { () throws(StoreError) in
      try queue.devicesWithWork(looping: wish.loops ? [id] : []).contains(id)
    }
    guard hasWork else {
      supervise(.start(id), in: &group)
      let nothing = FirstPlay().answer(.drained(failed: 0))
      return ticket.answer(wish.waits ? .done : nothing)
    }
    let awaited = wish.first ?? (wish.isNewQueue ? next : nil)
    waiters[id, default: FeedWaiters()].add(
      ticket, first: wish.waits ? nil : FirstPlay(of: awaited, isConnected: false), isConnected: false,
      loops: wish.loops, until: patience(of: wish))
    readWork(in: &group)
    supervise(.start(id), in: &group)
  }

  /// A runner is at work: it goes on with what is wanted.
  private func steer(
    _ device: FedDevice, _ id: DeviceID, _ wish: FeedRequest, _ ticket: ControlTicket,
    in group: inout DiscardingTaskGroup
  ) throws(ControlFailure) {
    let run = device.run
    let isChange = wish.isNewQueue || wish.first != nil
    if isChange {
      let command: ControlCommand = wish.first.map { .play($0) } ?? .restart(waits: false)
      let request = ControlRequest(device: id, command: .feed(wish))
      group.addTask { [send] in send.yield(.steered(request, ticket, await run.control(command))) }
    } else {
      run.poke()
      if !wish.waits, device.hasShown, device.isConnected { return ticket.answer(.done) }
    }
    if let trouble = device.trouble, wish.patience <= 0 { throw FeedWaiters.away(trouble) }
    // The runner itself says what becomes of the entry that it was asked for.
    if isChange, !wish.waits { return }
    waiters[id, default: FeedWaiters()].add(
      ticket, first: wish.waits ? nil : FirstPlay(isConnected: device.isConnected),
      isConnected: device.isConnected, loops: wish.loops, until: patience(of: wish), isTaken: !wish.isNewQueue
    )
  }

  /// A runner has answered, or was ending when it was asked: then the wish is for the next one.
  func steered(
    _ request: ControlRequest, _ ticket: ControlTicket, _ reply: ControlReply,
    in group: inout DiscardingTaskGroup
  ) {
    guard case .feed(let wish) = request.command else { return }
    guard case .failed(let failure) = reply, failure.code == ControlFailure.feederGone else {
      if !wish.waits { ticket.answer(reply) }
      return
    }
    waiters[request.device]?.withdraw(ticket)
    if fed[request.device] != nil {
      fed[request.device]?.wishes.append((wish, ticket))
    } else {
      feedAgain(request.device, wish, ticket, in: &group)
    }
  }

  /// Does what a runner was asked for that was ending already.
  func feedAgain(
    _ id: DeviceID, _ wish: FeedRequest, _ ticket: ControlTicket, in group: inout DiscardingTaskGroup
  ) {
    do throws(ControlFailure) { try feed(id, wish, ticket, in: &group) } catch {
      ticket.answer(.failed(error))
    }
  }

  /// The first entry that is due; nil when none is. What was left in the middle of a round is due by this.
  private func firstEntry(of id: DeviceID, looping: Bool) throws(ControlFailure) -> EntryID? {
    let now = WallTime(milliseconds: settings.time.wallMilliseconds())
    return try ask { () throws(StoreError) in
      try queue.upcoming(for: id, limit: 1, besides: nil, at: now, looping: looping).first?.entry
    }
  }

  private func patience(of wish: FeedRequest) -> Tick {
    settings.time.now() + .bounded(seconds: wish.patience)
  }

  private func check(_ id: DeviceID, _ wish: FeedRequest) throws(ControlFailure) {
    guard try ask({ () throws(StoreError) in try devices.device(id) }) != nil else {
      throw ControlFailure("device_unknown", "no such device is known any more", exit: .deviceUnknown)
    }
    if let first = wish.first,
      try !ask({ () throws(StoreError) in try queue.contains(first, on: id) })
    {
      throw ControlFailure("entry_unknown", "\(StoreError.unknownEntry("\(first.rawValue)"))", exit: .badData)
    }
    if isSilent(id) {
      throw ControlFailure(
        "quiet_hours",
        "these are quiet hours by the configuration of the daemon, which plays afterwards; "
          + "'castq --no-daemon' plays now",
        exit: .tryAgain)
    }
  }

  private func ask<Value>(_ body: () throws(StoreError) -> Value) throws(ControlFailure) -> Value {
    do throws(StoreError) { return try body() } catch {
      throw ControlFailure(error)
    }
  }
}

extension ControlFailure {
  /// The code of a daemon that has nothing to do with a device now.
  package static let notFeeding = "not_feeding"
}
