package import CastProtocol
package import CastqPlaylists
package import CastqText

/// The rows of one device for its feeder: from its store, or from memory during an outage.
///
/// A full disk must not stop playback. When the store fails, the feeder continues with the rows read last, and writes are
/// queued in order. Reads come from memory until all queued writes have succeeded: rows without them would play entries again.
package struct FeederRows<Store: FeederStore>: Sendable {
  /// Number of entries kept in memory per list.
  package static var memory: Int { 200 }
  /// Number of queued writes per try, so that the feeder is not blocked for long.
  private static var batch: Int { 200 }
  /// Minimum time between copies while other processes keep writing: a copy costs more than a normal read.
  private static var memoryAge: Duration { .seconds(10) }
  /// How long the progress of a play may wait for a commit that takes it along.
  private static var progressPatience: Duration { .seconds(1) }
  /// Longest pause between tries.
  private static var longestPause: Duration { .seconds(10) }

  private struct Outage {
    var error: Store.Failure
    var since: Tick
    var nextTry: Tick
    var tries = 0
    var written = 0
    var isReported = false
  }

  /// Whether the list restarts at its end during this run, whatever its rows say.
  package var isLooping = false {
    didSet {
      isStale = true
      rememberedAt = nil
    }
  }
  package var store: Store
  /// What is read.
  package internal(set) var lists: FeederLists
  private var list: QueueSnapshot?
  private var fallback: QueueSnapshot?
  /// Whether another process has written since the last copy.
  private var isStale = true
  private var rememberedAt: Tick?
  private var pending: PendingWrites
  /// When the progress that waits is committed; nil when none waits.
  private var progressDue: Tick?
  private var outage: Outage?

  /// What feeders before could not write comes first: while it waits, the database does not work for this one either.
  /// - Parameters:
  ///   - limit: maximum number of queued writes.
  ///   - now: the present moment.
  package init(_ store: Store, limit: Int = PendingWrites.limit, at now: Tick = .zero) {
    self.store = store
    lists = FeederLists(now: ChosenList(queue: store.base))
    pending = PendingWrites(limit: limit)
    if let error = store.lateFailure { outage = Outage(error: error, since: now, nextTry: now) }
  }

  // MARK: - Reading and writing

  /// The next places of what is on the air, and then of what follows it; see `FeederStore.upcoming`. While nothing of a programme is
  /// due, those of what stands in for it.
  package mutating func upcoming(
    limit: Int, besides: UpcomingPlace?, at now: Tick, wall: WallTime
  ) throws(Store.Failure) -> UpcomingList {
    var list = UpcomingList([])
    if !lists.isClosed {
      list = try present(limit: limit, besides: besides, at: now, wall: wall)
      if list.places.isEmpty, limit > 0, lists.now.hasStandIns {
        list.places = try upcomingFallback(limit: limit, besides: besides, at: now)
      }
      lists.now = try withCut(lists.now, at: now)
      list.places = lists.now.continued(list.places)
    }
    guard let next = lists.next, list.places.count < limit else { return list }
    let rest = limit - list.places.count
    let following = try working(at: now) { rows throws(Store.Failure) in
      try rows.store.upcoming(
        of: next.queue, limit: rest, besides: besides, at: wall, isLooping: false, remembering: nil)
    }
    let continued = try withCut(next, at: now)
    lists.next = continued
    list.places += continued.continued(following?.list.places ?? [])
    return list
  }

  private mutating func present(
    limit: Int, besides: UpcomingPlace?, at now: Tick, wall: WallTime
  ) throws(Store.Failure) -> UpcomingList {
    if let read = try working(
      at: now,
      { rows throws(Store.Failure) in
        let read = try rows.store.upcoming(
          of: rows.lists.now.queue, limit: limit, besides: besides, at: wall, isLooping: rows.isLoopingNow,
          remembering: rows.dueCopy(at: now))
        rows.remember(read.copies, at: now)
        return read.list
      })
    {
      return read
    }
    let places = try known(list?.upcoming(limit: limit, besides: besides, at: wall))
    return UpcomingList(places, until: list?.change(after: wall))
  }

  /// The next places of the fallback list; see `FeederStore.upcomingFallback`.
  package mutating func upcomingFallback(
    limit: Int, besides: UpcomingPlace?, at now: Tick
  ) throws(Store.Failure) -> [UpcomingEntry] {
    if let read = try working(
      at: now,
      { rows throws(Store.Failure) in
        let read = try rows.store.upcomingFallback(
          of: rows.lists.now.queue, limit: limit, besides: besides, isLooping: rows.isLoopingNow,
          remembering: rows.dueCopy(at: now))
        rows.remember(read.copies, at: now)
        return read.places
      })
    {
      return read
    }
    let besides = besides.flatMap { place in
      fallback?.rows.contains { $0.place.entry == place.entry } == true ? place : nil
    }
    return try known(fallback?.upcoming(limit: limit, besides: besides))
  }

  /// The rows of turns that a receiver holds; see `FeederStore.held`.
  package mutating func held(_ turns: [EntryTurn], at now: Tick) throws(Store.Failure) -> [HeldTurn] {
    let read = try working(at: now) { rows throws(Store.Failure) in
      try rows.store.held(turns, isLooping: rows.isLooping)
    }
    return read ?? (list?.held(turns) ?? []) + (fallback?.held(turns) ?? [])
  }

  /// Recovers what an earlier feeder left behind; see `FeederStore.recover`.
  package mutating func recover(
    keeping kept: [EntryTurn], at now: Tick
  ) throws(Store.Failure) -> ResumePoint? {
    let write = FeederWrite.recover(keeping: kept)
    var point: ResumePoint?
    let isDone: Void? = try working(at: now) { rows throws(Store.Failure) in
      point = try rows.store.recover(keeping: kept)
    }
    if isDone == nil { pending.append(write) }
    list?.apply(write)
    fallback?.apply(write)
    return point
  }

  /// Writes now, or queues the write during an outage.
  package mutating func write(_ write: FeederWrite, at now: Tick) throws(Store.Failure) {
    let isWritten: Void? = try working(at: now) { rows throws(Store.Failure) in
      try rows.store.perform(write)
    }
    if isWritten == nil { pending.append(write) }
    // More progress does not postpone the commit.
    if write.progress != nil, progressDue == nil { progressDue = now + Self.progressPatience }
    if case .record(let facts) = write {
      for case .started(let turn, _) in facts.map(\.fact) { lists.started(turn.entry) }
    }
    list?.apply(write)
    fallback?.apply(write)
  }

  /// Has a write wait for the end of an outage.
  mutating func queue(_ write: FeederWrite) { pending.append(write) }

  /// Brings fresh copies, which were read during an outage, to where the writes that wait will bring the rows.
  mutating func replayPending() {
    for write in store.late + pending.all {
      if case .choose(let choice, let queue, at: _) = write {
        if queue == lists.now.queue { list?.begin(choice) }
      } else {
        list?.apply(write)
        fallback?.apply(write)
      }
    }
  }

  /// Where the newest play of the present list was cut, during an outage: by what waits to be written, else by rows that can be read.
  func knownCut(of queue: QueueID) -> ResumePoint? {
    guard queue == lists.now.queue, let list else { return nil }
    for case .record(let facts) in pending.all.reversed() {
      for case .ended(let turn, let play) in facts.reversed().map(\.fact) {
        guard list.rows.contains(where: { $0.place.entry == turn.entry }) else { continue }
        guard play.outcome == .interrupted || play.outcome == .cancelled, let position = play.position,
          position > .zero
        else { return nil }
        return ResumePoint(entry: turn.entry, position: position)
      }
    }
    return (try? store.cut(of: queue)).flatMap(\.self)
  }

  /// Commits the progress that still waits.
  package mutating func commitProgress(at now: Tick) throws(Store.Failure) {
    progressDue = nil
    _ = try working(at: now) { rows throws(Store.Failure) in try rows.store.commitProgress() }
  }

  /// Marks the copies as stale, because another process has written; the next read refreshes them.
  package mutating func forget() {
    isStale = true
  }

  /// Copies of the present list and its fallback list.
  func copies() throws(Store.Failure) -> QueueSnapshots {
    try store.copies(of: lists.now.queue, limit: Self.memory, isLooping: isLoopingNow)
  }

  /// Whether the present list restarts whatever its rows say: only the base is looped by a run.
  private var isLoopingNow: Bool { isLooping && lists.now.queue == store.base }

  /// Number of entries per list that the next read copies; nil while the copies are fresh.
  private func dueCopy(at now: Tick) -> Int? {
    guard isStale else { return nil }
    if let rememberedAt, now - rememberedAt < Self.memoryAge { return nil }
    return Self.memory
  }

  mutating func remember(_ copies: QueueSnapshots?, at now: Tick) {
    guard let copies else { return }
    list = copies.main
    fallback = copies.fallback
    isStale = false
    rememberedAt = now
  }

  /// Runs a body on the database; nil during an outage.
  mutating func working<Value>(
    at now: Tick, _ body: (inout FeederRows) throws(Store.Failure) -> Value
  ) throws(Store.Failure) -> Value? {
    guard outage == nil else {
      learn(at: now)
      return nil
    }
    do throws(Store.Failure) { return try body(&self) } catch {
      guard error.isOutage else { throw error }
      outage = Outage(error: error, since: now, nextTry: now + Self.pause(afterTries: 0))
      // A database that cannot be written may still be readable.
      if isStale {
        do throws(Store.Failure) {
          remember(try copies(), at: now)
        } catch {}
      }
      return nil
    }
  }

  /// Reads what is not known yet of a database that can only be read: of a feeder that began in an outage.
  private mutating func learn(at now: Tick) {
    guard list == nil else { return }
    do throws(Store.Failure) {
      remember(try copies(), at: now)
      replayPending()
    } catch {}
  }

  /// Returns the places from memory; throws if they are unknown, so that the list does not appear to be drained.
  private func known(_ places: [UpcomingEntry]?) throws(Store.Failure) -> [UpcomingEntry] {
    if let places { return places }
    throw outage?.error ?? .unknownRows
  }

  // MARK: - Work that is due

  /// When `work` is due: to commit the progress that waits, or to try a failed database again. Nil when nothing is due, and for a
  /// file that must not be written.
  package var nextWork: Tick? {
    guard let outage else { return progressDue }
    return isHopeless ? nil : outage.nextTry
  }

  /// Does what is due; it may be called at any time.
  /// - Returns: the result if an outage has ended.
  package mutating func work(at now: Tick) throws(Store.Failure) -> StoreCatchUp? {
    guard let nextWork, nextWork <= now else { return nil }
    if outage != nil { return catchUp(at: now) }
    try commitProgress(at: now)
    return nil
  }

  // MARK: - Outages

  /// Whether the whole file is damaged. It must then be restored and the program restarted; single unreadable rows may still be
  /// repaired or removed.
  private var isHopeless: Bool { store.refusesWrites }

  /// The error of a new outage; nil if there is none or it was reported already.
  package mutating func takeNews() -> Store.Failure? {
    guard let outage, !outage.isReported else { return nil }
    self.outage?.isReported = true
    return outage.error
  }

  private static func pause(afterTries tries: Int) -> Duration {
    min(.milliseconds(500) * (1 << min(tries, 5)), longestPause)
  }

  /// Tries to perform the queued writes.
  /// - Returns: the result if the outage has ended; nil while it continues.
  package mutating func catchUp(at now: Tick) -> StoreCatchUp? {
    guard outage != nil, !isHopeless else { return nil }
    self.outage?.tries += 1
    guard writePending(atMost: Self.batch), closeLost(), isUsable() else {
      let tries = outage?.tries ?? 0
      outage?.nextTry = now + Self.pause(afterTries: tries)
      return nil
    }
    defer {
      self.outage = nil
      isStale = true
      rememberedAt = nil
      pending = PendingWrites(limit: pending.limit)
    }
    return report(at: now)
  }

  /// Performs the queued writes in a last try.
  /// - Returns: the result; nil if there was no outage.
  package mutating func finish(at now: Tick) -> StoreCatchUp? {
    do throws(Store.Failure) { try commitProgress(at: now) } catch {
      let isKept = store.keepLate([], because: error)
      return StoreCatchUp(
        after: .zero, written: 0, missing: 1, isKept: isKept, lostFacts: 0, error: error.failure)
    }
    guard let outage else { return nil }
    if !isHopeless { _ = writePending(atMost: .max) }
    let rest = pending.all
    return report(at: now, isKept: !rest.isEmpty && store.keepLate(rest, because: outage.error))
  }

  /// Performs queued writes; true if none is left.
  private mutating func writePending(atMost limit: Int) -> Bool {
    guard writeLate(), commitWaiting() else { return false }
    var count = 0
    while let write = pending.first {
      guard count < limit else {
        // The database works, so the next try may follow at once.
        outage?.tries = 0
        return false
      }
      count += 1
      do throws(Store.Failure) {
        try store.perform(write)
        pending.removeFirst()
        outage?.written += 1
        outage?.tries = 0
      } catch {
        if error.isOutage, !error.isOfOneRow || isHopeless || !isUsable() { return false }
        // The write is obsolete, for example because its device was removed meanwhile.
        pending.dropFirst()
      }
    }
    return commitWaiting()
  }

  /// Performs what feeders before could not write. False if the store failed again.
  private mutating func writeLate() -> Bool {
    do throws(Store.Failure) {
      outage?.written += try store.performLate()
      return true
    } catch {
      return false
    }
  }

  /// Commits progress that waited when the store failed, or was queued since. False if the store failed again.
  private mutating func commitWaiting() -> Bool {
    isWorking { store throws(Store.Failure) in try store.commitProgress() }
  }

  /// Closes plays whose end was dropped from the full queue. False if the database failed again.
  private mutating func closeLost() -> Bool {
    pending.lostFacts == 0 || isWorking { store throws(Store.Failure) in try store.closeLostPlays() }
  }

  private mutating func isUsable() -> Bool {
    let (isLooping, queue) = (isLoopingNow, lists.now.queue)
    return isWorking { store throws(Store.Failure) in try store.probe(queue, isLooping: isLooping) }
  }

  /// False if the database failed again; an error of a row alone is none.
  private mutating func isWorking(_ body: (inout Store) throws(Store.Failure) -> Void) -> Bool {
    do throws(Store.Failure) {
      try body(&store)
      return true
    } catch {
      return !error.isOutage
    }
  }

  private func report(at now: Tick, isKept: Bool = false) -> StoreCatchUp {
    StoreCatchUp(
      after: now - (outage?.since ?? now), written: outage?.written ?? 0, missing: pending.count,
      isKept: isKept, lostFacts: pending.lostFacts, error: outage?.error.failure)
  }
}
