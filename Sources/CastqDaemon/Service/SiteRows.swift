import CastProtocol
import CastSender
import CastqCore
import CastqStore

/// Answers what a site asks the rows.
struct SiteRows {
  let database: Database
  let devices: DeviceStore
  let queue: QueueStore
  let history: HistoryStore
  /// The rules; nil where only what people enqueue is fed.
  var desk: ScheduleDesk?

  init(_ database: Database) {
    self.database = database
    devices = DeviceStore(database)
    queue = QueueStore(database)
    history = HistoryStore(database)
  }

  /// - Parameter isReadingLists: whether a list that rules show on a device has not been read yet.
  func answer(
    _ question: SiteMachine.Question, at now: WallTime, isReadingLists: (DeviceID) throws(Failure) -> Bool
  ) -> [SiteMachine.Event] {
    switch question {
    case .devices:
      return read { () throws(StoreError) in
        .devices(try devices.all().map { SiteName($0.id, label: $0.label, names: $0.names) })
      }
    case .work(let looping, let next):
      return read(otherwise: .work(nil, then: next)) { () throws(StoreError) in
        .work(try work(looping: looping, at: now), then: next)
      }
    case .left:
      return read(otherwise: .left([])) { () throws(StoreError) in
        .left(Set(try queue.devicesLeftPlaying().keys))
      }
    case .admission(let ask):
      return [.admitted(ask, result { () throws(Failure) in try admit(ask, isReadingLists) })]
    case .begin(let ask, let recovers):
      return [
        .begun(
          ask,
          result { () throws(Failure) in
            try self.ask { () throws(StoreError) in try begin(ask, recovers: recovers) }
            return try reading(ask, at: now)
          })
      ]
    case .queue(let ask): return [.looked(ask, result { () throws(Failure) in try reading(ask, at: now) })]
    case .place(let report, let id, let looping):
      return read(otherwise: .placed(id, report, SiteMachine.Placing())) { () throws(StoreError) in
        .placed(id, report, try place(report, of: id, looping: looping, at: now))
      }
    case .reason(let entries, let ticket):
      let reason = entries.last.flatMap { (try? history.reason(of: $0.turn)) ?? nil }
      return [.reason(reason, entries, ticket)]
    case .hold(let id, let ticket):
      do throws(StoreError) {
        try queue.stop(id, at: now)
        return [.held(id, nil, ticket)]
      } catch {
        return [.held(id, Failure(error), ticket)]
      }
    case .stoppedAt(let id, let ticket):
      let stop = result { () throws(Failure) in
        try self.ask { () throws(StoreError) in Outlook(.stopped, since: try queue.stoppedAt(id)) }
      }
      return [.outlook(stop, ticket)]
    case .nextChange(let id, let ticket):
      let next = result { () throws(Failure) in
        try self.ask { () throws(StoreError) in
          try queue.nextChange(for: id, after: now).map { Outlook(.notYet, until: $0) }
            ?? Outlook(.nothingDue)
        }
      }
      return [.outlook(next, ticket)]
    }
  }

  /// Which devices have something to play.
  private func work(
    looping: Set<DeviceID>, at now: WallTime
  ) throws(StoreError) -> SiteMachine.WorkReading {
    let work = try queue.devicesWithWork(looping: looping, at: now).union(try desk?.devices() ?? [])
    return SiteMachine.WorkReading(
      work: work, stopped: try queue.stoppedDevices(), hasPending: database.hasPending)
  }

  private func admit(
    _ ask: FeedAsk, _ isReadingLists: (DeviceID) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    let (id, request) = (ask.device, ask.request)
    if let member = request.member,
      try !self.ask({ () throws(StoreError) in try queue.contains(member, on: id) })
    {
      throw .replaced
    }
    guard try self.ask({ () throws(StoreError) in try devices.device(id) }) != nil else {
      throw Failure("device_unknown", "the device is no longer known", exit: .deviceUnknown)
    }
    if let first = request.first,
      try !self.ask({ () throws(StoreError) in try queue.contains(first, on: id) })
    {
      throw Failure("entry_unknown", "\(StoreError.unknownEntry("\(first.rawValue)"))", exit: .badData)
    }
    return request.takesRules ? try isReadingLists(id) : false
  }

  private func begin(_ ask: FeedAsk, recovers: Bool) throws(StoreError) {
    try queue.start(ask.device)
    guard let first = ask.request.first else { return }
    // A killed feeder leaves an entry in state playing. Reset it before moving the list.
    if recovers { try queue.recover(ask.device) }
    try queue.moveList(to: first, on: ask.device)
  }

  private func reading(_ ask: FeedAsk, at now: WallTime) throws(Failure) -> SiteMachine.QueueReading {
    let (id, looping) = (ask.device, ask.request.loops)
    return try self.ask { () throws(StoreError) in
      SiteMachine.QueueReading(
        next: try queue.upcoming(for: id, limit: 1, besides: nil, at: now, looping: looping).first?.entry,
        hasWork: try queue.devicesWithWork(looping: looping ? [id] : [], at: now).contains(id),
        hasRules: try desk?.devices().contains(id) == true)
    }
  }

  private func place(
    _ report: RunnerReport, of id: DeviceID, looping: Bool, at now: WallTime
  ) throws(StoreError) -> SiteMachine.Placing {
    guard let desk else { return SiteMachine.Placing() }
    var placing = SiteMachine.Placing()
    if case .ended(let turn, _, _, .failed) = report {
      placing.isOfQueue = (try? queue.contains(turn.entry, on: id)) ?? true
    }
    guard try desk.devices().contains(id) else { return placing }
    placing.isOver = try !queue.devicesWithWork(looping: looping ? [id] : [], at: now).contains(id)
    return placing
  }

  // MARK: - Failures

  private func read(
    otherwise event: SiteMachine.Event? = nil, _ body: () throws(StoreError) -> SiteMachine.Event
  ) -> [SiteMachine.Event] {
    do throws(StoreError) { return [try body()] } catch {
      return [.rowsFailed("\(error)")] + (event.map { [$0] } ?? [])
    }
  }

  private func result<Value>(_ body: () throws(Failure) -> Value) -> Result<Value, Failure> {
    do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
  }

  private func ask<Value>(_ body: () throws(StoreError) -> Value) throws(Failure) -> Value {
    do throws(StoreError) { return try body() } catch { throw Failure(error) }
  }
}
