import CastProtocol
import CastSender
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText
import Logging

/// Answers what a site asks the rows.
struct SiteRows {
  let database: Database
  let logger: Logger
  let devices: DeviceStore
  let queue: QueueStore
  let history: HistoryStore
  /// The rules; nil where only what people enqueue is fed.
  var desk: ScheduleDesk?

  init(_ database: Database, _ logger: Logger) {
    (self.database, self.logger) = (database, logger)
    devices = DeviceStore(database)
    queue = QueueStore(database)
    history = HistoryStore(database)
  }

  func answer(_ question: SiteMachine.Question, at now: WallTime) -> [SiteMachine.Event] {
    switch question {
    case .devices:
      return read { () throws(StoreError) in
        .devices(try devices.all().map { SiteName($0.id, label: $0.label, names: $0.names) })
      }
    case .work(let looping, let next):
      return read(otherwise: .work(nil, then: next)) { () throws(StoreError) in
        .work(try work(looping: looping, at: now), then: next)
      }
    case .programmes(let name):
      guard let desk else { return [] }
      return read { () throws(StoreError) in
        let (schedule, version) = try desk.schedule()
        return .programmes(schedule.playedProgrammes, version: version, read: name)
      }
    case .keepProblems(let problems, let source, let id):
      return read { () throws(StoreError) in
        let new = try ListProblemStore(database).keep(problems, of: source, on: id, at: now)
        return .keptProblems(new, source: source, id)
      }
    case .left:
      return read(otherwise: .left([])) { () throws(StoreError) in
        .left(Set(try queue.devicesLeftPlaying().keys))
      }
    case .unwritten: return waiting
    case .admission(let ask):
      do throws(Failure) {
        try admit(ask)
        return [.admitted(ask, nil)]
      } catch {
        return [.admitted(ask, error)]
      }
    case .begin(let ask, let recovers):
      return [
        .begun(
          ask,
          result { () throws(Failure) in
            try self.ask { () throws(StoreError) in try begin(ask, recovers: recovers, at: now) }
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
      // What a person has stopped is not to be started again because the disk is full.
      do throws(StoreError) {
        try put(.stop(at: now), of: id)
        return [.held(id, nil, ticket)] + waiting
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
    var reading = SiteMachine.WorkReading(
      queued: try queue.devicesWithWork(looping: looping, at: now), stopped: try queue.stoppedDevices(),
      hasPending: database.hasPending)
    reading.ruled = try desk?.devices() ?? []
    reading.configured = try queue.devicesWithConfiguredLists()
    return reading
  }

  private func admit(_ ask: FeedAsk) throws(Failure) {
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
  }

  private func begin(_ ask: FeedAsk, recovers: Bool, at now: WallTime) throws(StoreError) {
    try queue.start(ask.device)
    if let first = ask.request.first {
      // A killed feeder leaves an entry in state playing. Reset it before moving the list.
      if recovers { try queue.recover(ask.device) }
      try queue.moveList(to: first, on: ask.device)
    }
    // A list whose time is over is no work, and one that waits in a later round is.
    try queue.advance(ask.device, limit: 1, besides: nil, at: now, looping: ask.request.loops)
  }

  private func reading(_ ask: FeedAsk, at now: WallTime) throws(Failure) -> SiteMachine.QueueReading {
    let (id, looping) = (ask.device, ask.request.loops)
    return try self.ask { () throws(StoreError) in
      let hasRules = try desk?.devices().contains(id) == true
      return try database.reading {
        SiteMachine.QueueReading(
          next: try queue.look(into: id, limit: 1, besides: nil, at: now, looping: looping).first?.entry,
          hasWork: try queue.devicesWithWork(looping: looping ? [id] : [], at: now).contains(id),
          hasRules: hasRules)
      }
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

  /// Writes what was read of lists.
  /// - Returns: what the site has to hear of it.
  func keep(_ write: ListWrite, at now: WallTime) -> [SiteMachine.Event] {
    do throws(StoreError) {
      var removed: [SiteMachine.Event] = []
      switch write {
      case .takeOver: try adoptOldLists()
      case .problem(let words, let name): try queue.take(problem: words, of: name)
      case .standIns(let drafts, let name, let ids):
        try queue.take(standIns: drafts, of: name, for: ids, at: now)
      case .list(let list, let name, let ids, let starts):
        try queue.take(list, of: name, for: ids, starts: starts, at: now)
      case .adopt(let list, let configured, let id):
        try queue.adopt(list, as: configured, for: id, at: now)
      case .replace(let list, let configured, let id):
        try queue.replace(with: list, as: configured, for: id, at: now)
      case .removeOld(let wanted, let known):
        for (id, list) in try queue.configuredLists() where known.contains(id) && !wanted.contains(id) {
          try queue.remove(list, from: id, at: now)
          removed.append(.listRemoved(id))
          logger.notice(
            "list has left the configuration, its entries are removed",
            metadata: ["castq.list": "\(TerminalText.sanitized(list.source))"])
        }
      case .forgetProblems(let played):
        try ListProblemStore(database).forget { played[$0]?.contains($1) == true }
      }
      return removed
    } catch {
      return [.rowsFailed("\(error)")]
    }
  }

  private func result<Value>(_ body: () throws(Failure) -> Value) -> Result<Value, Failure> {
    do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
  }

  private func ask<Value>(_ body: () throws(StoreError) -> Value) throws(Failure) -> Value {
    do throws(StoreError) { return try body() } catch { throw Failure(error) }
  }
}

extension StoredSchedule {
  /// The programmes that enabled rules may show, with those that stand in for them.
  fileprivate var playedProgrammes: [PlayedProgramme] {
    var names: Set<String> = []
    for rule in book.rules where rule.isEnabled { names.formUnion(rule.programmes) }
    let played = programmes.filter { names.contains($0.name) }
    names.formUnion(played.compactMap(\.filler))
    return programmes.filter { names.contains($0.name) }.map { programme in
      PlayedProgramme(
        name: programme.name, source: programme.source, filler: programme.filler,
        order: PlayedProgramme.Order(
          number: programme.id.number, isShuffled: programme.isShuffled, seed: programme.seed),
        devices: devices(showing: programme.name) { !$0.isStart },
        starts: devices(showing: programme.name, by: \.isStart))
    }
  }

  /// The devices on which some rules may show a programme.
  private func devices(showing programme: String, by isWanted: (ScheduleRule) -> Bool) -> [DeviceID] {
    let targets = Set(
      book.rules.filter { $0.isEnabled && $0.programmes.contains(programme) && isWanted($0) }.map(\.target))
    guard !targets.isEmpty else { return [] }
    return devices.filter { device in targets.contains { device.isTarget(of: $0) } }
      .compactMap { DeviceID(ruleName: $0.id) }
  }
}
