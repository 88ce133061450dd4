import CastProtocol
import CastSender
import CastqCore
import CastqStore
import Logging

/// Live commands of the daemon: one socket for all devices.
extension DaemonService {
  /// Serves live commands; fails without a usable socket path.
  func serveControl() async throws(ControlSocketError) -> ControlServer {
    let path = try SocketPath.choose(
      database: database.path, device: scope.feeder?.device.id, runtime: settings.runtimeFolder)
    let watch = StatusWatch(
      devices: { [self] in await deviceIDs() }, only: scope.feeder?.device.id, board: board,
      boot: String(UInt64.random(in: 0...(.max)), radix: 16), time: settings.time
    ) { [send] in await Self.reply(to: $0, through: send) }
    var limits = ControlServer.Limits()
    limits.connections = settings.shares.controlClients
    let server = try await ControlServer.start(
      path: path, limits: limits,
      watch: { [unowned self] request in
        if case .metrics = request.command { return metricsReplies() }
        return watch.replies(to: request)
      }
    ) { [send, unowned self] request in
      if case .health = request.command { return .done(await healthDocument()) }
      return await Self.reply(to: request, through: send)
    }
    lock?.announce(socket: path)
    scope.feeder?.announce(socket: path)
    return server
  }

  /// The devices that may be watched; none while the database cannot be read.
  private func deviceIDs() -> [DeviceID] { (try? devices.all().map(\.id)) ?? [] }

  func control(_ request: ControlRequest, _ ticket: ControlTicket, in group: inout DiscardingTaskGroup) {
    let id = request.device
    do throws(Failure) {
      if let device = scope.feeder?.device, device.id != id {
        throw Failure(
          "device_unknown", "this feeder does not feed device \(id)", exit: .deviceUnknown)
      }
      switch request.command {
      case .poke:
        // A new announcement names a list that has not been read yet.
        followProgrammes()
        readWork(in: &group)
        fed[id]?.run.poke()
        ticket.answer(.done)
      case .outlook:
        guard let run = fed[id]?.run else { return ticket.answer(.done(try outlook(of: id).json)) }
        group.addTask { ticket.answer(await run.control(.outlook)) }
      case .watch, .health, .metrics:
        throw Failure("bug", "the control server answers this", exit: .bug)
      case .fetches:
        let problem = fed[id]?.connectionError.map { CastErrorSummary($0).message }
        group.addTask { [host, settings] in
          ticket.answer(.done(await host.mediaDocument(settings.shares, connectionProblem: problem)))
        }
      case .feed(let feedRequest):
        try checkMember(id, feedRequest)
        if feedRequest.isNewQueue { waiters[id]?.replaced() }
        try feed(id, feedRequest, ticket, in: &group)
        keepLooping(id)
      case .perform(.stop) where fed[id] == nil:
        try hold(id, in: &group)
        pendingStarts[id] = nil
        waiters[id]?.ended(.halted)
        throw Self.notFeeding
      case .perform, .readVolume, .readTracks, .send, .status:
        guard let run = fed[id]?.run else { throw Self.notFeeding }
        group.addTask { ticket.answer(await run.control(request.command)) }
      }
    } catch {
      ticket.answer(.failed(error))
    }
  }

  /// Marks a device without a runner as stopped until it is started.
  private func hold(_ id: DeviceID, in group: inout DiscardingTaskGroup) throws(Failure) {
    supervise(.hold(id), in: &group)
    let now = WallTime(milliseconds: settings.time.wallMilliseconds())
    try ask { () throws(StoreError) in try queue.stop(id, at: now) }
    board.note(id)
    readWork(in: &group)
  }

  /// What a device without a runner waits for.
  private func outlook(of id: DeviceID) throws(Failure) -> Outlook {
    let now = WallTime(milliseconds: settings.time.wallMilliseconds())
    if isSilent(id) { return Outlook(.quietHours, until: endOfQuietHours(id)) }
    switch machine.wait(of: id, at: settings.time.now()) {
    case .guest(let length, let end):
      return Outlook(
        end == .stoppedElsewhere ? .stoppedAtDevice : .guest, until: now.adding(seconds: length.seconds))
    case .person(after: .takenOver), .person(after: .superseded): return Outlook(.guest)
    case .person(after: .stoppedElsewhere): return Outlook(.stoppedAtDevice)
    case .person:
      return Outlook(.stopped, since: try ask { () throws(StoreError) in try queue.stoppedAt(id) })
    case .pause(_, after: .drained), nil:
      let next = try ask { () throws(StoreError) in try queue.nextChange(for: id, after: now) }
      return next.map { Outlook(.notYet, until: $0) } ?? Outlook(.nothingDue)
    case .pause: return Outlook(.unreachable)
    }
  }

  /// The caller performs the command without a feeder.
  private static let notFeeding = Failure(
    Failure.notFeeding, "the daemon does not feed this device now", exit: .no)

  func ask<Value>(_ body: () throws(StoreError) -> Value) throws(Failure) -> Value {
    do throws(StoreError) { return try body() } catch {
      throw Failure(error)
    }
  }
}
