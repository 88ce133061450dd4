import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText

/// What a virtual site asks its rows.
extension VirtualSite {
  private static let outage = VirtualRows.Outage().failure

  mutating func answer(_ question: SiteMachine.Question) -> [SiteMachine.Event] {
    let isFailing = now < failsUntil
    switch question {
    case .devices:
      guard !isFailing else { return [.rowsFailed("the disk is full")] }
      return [.devices(ids.map { SiteName($0, label: "screen \($0)", names: ["screen \($0)"]) })]
    case .work(_, let next):
      guard !isFailing else { return [.rowsFailed("the disk is full"), .work(nil, then: next)] }
      var reading = SiteMachine.WorkReading(
        queued: devices { $0.feederRows.store.hasWork },
        stopped: devices { $0.feederRows.store.stoppedAt != nil })
      reading.ruled = devices { $0.book != nil }
      reading.configured = devices { $0.feederRows.store.configured != nil }
      return [.work(reading, then: next)]
    case .programmes(let name): return [.programmes([], version: 0, read: name)]
    case .keepProblems(let problems, let source, let id):
      let known = feeds[index(id)].rows.problems
      feeds[index(id)].rows.problems = problems
      return [.keptProblems(problems.filter { !known.contains($0) }, source: source, id)]
    case .left:
      guard !isFailing else { return [.rowsFailed("the disk is full"), .left([])] }
      return [.left(devices { $0.feederRows.store.hasLeft })]
    case .unwritten: return []
    case .admission(let ask):
      guard !isFailing else { return [.admitted(ask, Self.outage)] }
      let rows = rows(of: ask.device)
      if let member = ask.request.member, !rows.holds(member) { return [.admitted(ask, .replaced)] }
      if let first = ask.request.first, !rows.holds(first) {
        return [.admitted(ask, Failure("entry_unknown", "no such entry", exit: .badData))]
      }
      return [.admitted(ask, nil)]
    case .begin(let ask, let recovers):
      guard !isFailing else { return [.begun(ask, .failure(Self.outage))] }
      begin(ask, recovers: recovers)
      return [.begun(ask, .success(reading(ask)))]
    case .queue(let ask): return [.looked(ask, isFailing ? .failure(Self.outage) : .success(reading(ask)))]
    case .place(let report, let id, _): return [.placed(id, report, place(report, of: id))]
    case .reason(let entries, let ticket): return [.reason(nil, entries, ticket)]
    case .hold(let id, let ticket):
      guard !isFailing else { return [.held(id, Self.outage, ticket)] }
      visit(index(id)) { [wall] in $0.write(.stop(at: wall)) }
      return [.held(id, nil, ticket)]
    case .stoppedAt(let id, let ticket):
      return [.outlook(.success(Outlook(.stopped, since: rows(of: id).stoppedAt)), ticket)]
    case .nextChange(_, let ticket): return [.outlook(.success(Outlook(.nothingDue)), ticket)]
    }
  }

  /// The devices whose feeds meet a condition. A feed is large, so that none is copied.
  private func devices(where isTrue: (borrowing VirtualFeed) -> Bool) -> Set<DeviceID> {
    var found: Set<DeviceID> = []
    for (index, id) in ids.enumerated() where isTrue(feeds[index]) { found.insert(id) }
    return found
  }

  private func rows(of id: DeviceID) -> VirtualRows { feeds[index(id)].rows }

  private mutating func begin(_ ask: FeedAsk, recovers: Bool) {
    // It works: that was asked before.
    do throws(VirtualRows.Outage) {
      try feeds[index(ask.device)].rows.perform(.start)
      guard let first = ask.request.first else { return }
      if recovers { _ = try feeds[index(ask.device)].rows.recover(keeping: []) }
      try feeds[index(ask.device)].rows.perform(.moveList(to: first))
    } catch {
      note("device \(ask.device) cannot begin: \(error.failure.message)")
    }
  }

  private func reading(_ ask: FeedAsk) -> SiteMachine.QueueReading {
    let rows = rows(of: ask.device)
    return SiteMachine.QueueReading(
      next: rows.firstDue, hasWork: rows.hasWork, hasRules: feeds[index(ask.device)].book != nil)
  }

  /// Writes what was read of lists: those of devices alone.
  mutating func keep(_ write: ListWrite) {
    switch write {
    case .adopt(let list, let configured, let id), .replace(let list, let configured, let id):
      visit(index(id)) { $0.rows.adopt(list, as: configured) }
    case .takeOver, .problem, .standIns, .list, .removeOld, .forgetProblems: break
    }
  }

  private func place(_ report: RunnerReport, of id: DeviceID) -> SiteMachine.Placing {
    let rows = rows(of: id)
    var placing = SiteMachine.Placing()
    if case .ended(let turn, _, _, .failed) = report {
      placing.isOfQueue = rows.rows.contains { $0.id == turn.entry }
    }
    placing.isOver = feeds[index(id)].book != nil && !rows.hasWork
    return placing
  }
}

extension VirtualRows {
  /// Whether something is left to play.
  package var hasWork: Bool { repeatMode != .off && !rows.isEmpty || firstDue != nil }

  /// The first entry that has not ended.
  var firstDue: EntryID? { rows.first { !$0.state.isEnded }?.id }

  /// Whether a killed feeder has left something on the screen.
  var hasLeft: Bool { rows.contains { $0.state == .playing } }
}
