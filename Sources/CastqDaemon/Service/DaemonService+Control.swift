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
      case .feed(let wish): try feed(id, wish, ticket, in: &group)
      case .stop where fed[id] == nil:
        supervise(.hold(id), in: &group)
        beginnings[id] = nil
        waiters[id]?.ended(.halted)
        throw Self.notFeeding
      default:
        guard let run = fed[id]?.run else { throw Self.notFeeding }
        group.addTask { ticket.answer(await run.control(request.command)) }
      }
    } catch {
      ticket.answer(.failed(error))
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
    let hasWork = try ask { () throws(StoreError) in try queue.devicesWithWork().contains(id) }
    guard hasWork else {
      supervise(.start(id), in: &group)
      let nothing = FirstPlay().answer(.drained(failed: 0))
      return ticket.answer(wish.waits ? .done : nothing)
    }
    waiters[id, default: FeedWaiters()].add(ticket, untilDrained: wish.waits, isConnected: false)
    readWork(in: &group)
    supervise(.start(id), in: &group)
  }

  /// A runner is at work: it goes on with what is wanted.
  private func steer(
    _ device: FedDevice, _ id: DeviceID, _ wish: FeedRequest, _ ticket: ControlTicket,
    in group: inout DiscardingTaskGroup
  ) throws(ControlFailure) {
    let run = device.run
    if wish.isNewQueue || wish.first != nil {
      let command: ControlCommand = wish.first.map { .play($0) } ?? .restart(waits: false)
      group.addTask {
        // What comes of it is heard by whoever waits for the device.
        _ = await run.control(command)
      }
    } else {
      run.poke()
      if !wish.waits, device.hasShown, device.isConnected { return ticket.answer(.done) }
    }
    if let trouble = device.trouble { throw FeedWaiters.away(trouble) }
    waiters[id, default: FeedWaiters()].add(
      ticket, untilDrained: wish.waits, isConnected: device.isConnected)
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
      throw ControlFailure("database", "\(error)", exit: .inputOutput)
    }
  }
}

extension ControlFailure {
  /// The code of a daemon that has nothing to do with a device now.
  package static let notFeeding = "not_feeding"
}
