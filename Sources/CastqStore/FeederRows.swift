package import CastProtocol
package import CastqCore

/// The rows of one device as its feeder sees them: the database while it works, memory while it does not.
///
/// A screen must not go dark because a disk is full. So when the database fails, what was read last is played on, and what is
/// to be written waits in order until it can be. From the first failure on everything comes from memory until all that waits
/// has been written: rows that do not know yet what has been played would be played again.
package struct FeederRows: Sendable {
  /// Entries that are remembered of each list.
  package static let memory = 200
  /// Writes made up for at a time, so that whoever feeds is not held up for long.
  private static let batch = 200
  /// How old memory may get while others write again and again: a copy costs more than the few places that are read.
  private static let memoryAge: Duration = .seconds(10)
  /// Longest pause between two tries.
  private static let longestPause: Duration = .seconds(10)

  private struct Outage {
    var error: StoreError
    var since: Tick
    var tries = 0
    var written = 0
    var isTold = false
  }

  /// Whether the list restarts at its end during this run, whatever its rows say.
  package var isLooping = false {
    didSet {
      isStale = true
      rememberedAt = nil
    }
  }
  private let device: KnownDevice
  private let queue: QueueStore
  private var list: QueueSnapshot?
  private var fallback: QueueSnapshot?
  /// Somebody else has written since.
  private var isStale = true
  private var rememberedAt: Tick?
  private var pending: PendingWrites
  private var outage: Outage?

  /// - Parameter limit: of what waits to be written.
  package init(device: KnownDevice, database: Database, limit: Int = PendingWrites.limit) {
    self.device = device
    queue = QueueStore(database)
    pending = PendingWrites(limit: limit)
  }

  // MARK: - Reading and writing

  /// The next places of the list; see `QueueStore.upcoming`.
  package mutating func upcoming(
    limit: Int, besides: UpcomingPlace?, at now: Tick, wall: WallTime
  ) throws(StoreError) -> UpcomingList {
    if let read = try working(
      at: now,
      { rows throws(StoreError) in
        let read = try rows.queue.upcomingList(
          for: rows.device.id, limit: limit, besides: besides, at: wall, looping: rows.isLooping,
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

  /// The next places of the fallback list; see `QueueStore.upcomingFallback`.
  package mutating func upcomingFallback(
    limit: Int, besides: UpcomingPlace?, at now: Tick
  ) throws(StoreError) -> [UpcomingEntry] {
    if let read = try working(
      at: now,
      { rows throws(StoreError) in
        let read = try rows.queue.upcomingFallback(
          for: rows.device.id, limit: limit, besides: besides, looping: rows.isLooping,
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

  /// What is known of turns that a receiver holds; see `QueueStore.held`.
  package mutating func held(_ turns: [EntryTurn], at now: Tick) throws(StoreError) -> [HeldTurn] {
    let read = try working(at: now) { rows throws(StoreError) in
      try rows.queue.held(turns, on: rows.device.id, looping: rows.isLooping)
    }
    return read ?? (list?.held(turns) ?? []) + (fallback?.held(turns) ?? [])
  }

  /// Puts in order what a feeder before left behind; see `QueueStore.recover`.
  package mutating func recover(
    keeping kept: [EntryTurn], at now: Tick
  ) throws(StoreError) -> ResumePoint? {
    let write = FeederWrite.recover(keeping: kept)
    var point: ResumePoint?
    let isDone: Void? = try working(at: now) { rows throws(StoreError) in
      point = try rows.queue.recover(rows.device.id, keeping: kept)
    }
    if isDone == nil { pending.append(write) }
    list?.apply(write)
    fallback?.apply(write)
    return point
  }

  /// Writes now, or later.
  package mutating func write(_ write: FeederWrite, at now: Tick) throws(StoreError) {
    let isWritten: Void? = try working(at: now) { rows throws(StoreError) in
      try rows.queue.perform(write, on: rows.device)
    }
    if isWritten == nil { pending.append(write) }
    list?.apply(write)
    fallback?.apply(write)
  }

  /// Somebody else has written: what is remembered is not true any more, and is read anew with the next reading.
  package mutating func forget() {
    isStale = true
  }

  /// How many entries of each list the next reading copies; nil while the copies are fresh enough.
  private func dueCopy(at now: Tick) -> Int? {
    guard isStale else { return nil }
    if let rememberedAt, now - rememberedAt < Self.memoryAge { return nil }
    return Self.memory
  }

  private mutating func remember(_ copies: QueueSnapshots?, at now: Tick) {
    guard let copies else { return }
    list = copies.main
    fallback = copies.fallback
    isStale = false
    rememberedAt = now
  }

  /// Does something with the database; nil when it does not work.
  private mutating func working<Value>(
    at now: Tick, _ body: (inout FeederRows) throws(StoreError) -> Value
  ) throws(StoreError) -> Value? {
    guard outage == nil else { return nil }
    do throws(StoreError) { return try body(&self) } catch {
      guard error.isOutage else { throw error }
      outage = Outage(error: error, since: now)
      // Many a database that cannot be written can still be read.
      if isStale {
        do throws(StoreError) {
          remember(try queue.remembered(for: device.id, limit: Self.memory, looping: isLooping), at: now)
        } catch {}
      }
      return nil
    }
  }

  /// What memory answered; a list that goes on where nobody can look is not said to be over.
  private func known(_ places: [UpcomingEntry]?) throws(StoreError) -> [UpcomingEntry] {
    if let places { return places }
    throw outage?.error ?? .failed(path: "the queue", words: "nothing is known of it")
  }

  // MARK: - Outages

  /// A file that is damaged as a whole is never written to again: it has to be restored, and the program restarted. A single
  /// unreadable row may still be repaired, or removed.
  private var isHopeless: Bool { queue.database.refusesWrites }

  /// An outage that nobody has been told of yet.
  package mutating func takeNews() -> StoreError? {
    guard let outage, !outage.isTold else { return nil }
    self.outage?.isTold = true
    return outage.error
  }

  /// How long to wait before the next try; nil when nothing has to be made up for, or when trying would do harm.
  package var pause: Duration? {
    guard let outage, !isHopeless else { return nil }
    return min(.milliseconds(500) * (1 << min(outage.tries, 5)), Self.longestPause)
  }

  /// Tries to write what waits.
  /// - Returns: what that came to when the outage is over; nil while it goes on.
  package mutating func catchUp(at now: Tick) -> StoreCatchUp? {
    guard outage != nil, !isHopeless else { return nil }
    self.outage?.tries += 1
    guard writePending(atMost: Self.batch), closeLost(), isReadable else { return nil }
    defer {
      self.outage = nil
      isStale = true
      rememberedAt = nil
      pending = PendingWrites(limit: pending.limit)
    }
    return report(at: now)
  }

  /// Nothing more comes: writes what can be written in one last try, and says what cannot.
  /// - Returns: nil when there was no outage.
  package mutating func finish(at now: Tick) -> StoreCatchUp? {
    guard outage != nil else { return nil }
    if !isHopeless { _ = writePending(atMost: .max) }
    return report(at: now)
  }

  /// True when nothing waits any more.
  private mutating func writePending(atMost limit: Int) -> Bool {
    var count = 0
    while let write = pending.first {
      guard count < limit else {
        // It works: the rest comes right after.
        outage?.tries = 0
        return false
      }
      count += 1
      do throws(StoreError) {
        try queue.perform(write, on: device)
        pending.removeFirst()
        outage?.written += 1
        outage?.tries = 0
      } catch {
        if error.isOutage, !isOfOneRow(error) || !isReadable { return false }
        // It makes no sense any more, such as a word about a device that was removed meanwhile.
        pending.dropFirst()
      }
    }
    return true
  }

  /// Whether a write failed because of one unreadable row.
  private func isOfOneRow(_ error: StoreError) -> Bool {
    if case .corrupt = error { !isHopeless } else { false }
  }

  /// Plays whose end was let go do not stay open. False when the database failed again.
  private func closeLost() -> Bool {
    guard pending.lostFacts > 0 else { return true }
    do throws(StoreError) {
      try queue.closeLostPlays(of: device.id)
      return true
    } catch {
      return !error.isOutage
    }
  }

  private var isReadable: Bool {
    do throws(StoreError) {
      _ = try queue.upcoming(for: device.id, limit: 1, besides: nil, looping: isLooping)
      return true
    } catch {
      return !error.isOutage
    }
  }

  private func report(at now: Tick) -> StoreCatchUp {
    StoreCatchUp(
      after: now - (outage?.since ?? now), written: outage?.written ?? 0, missing: pending.count,
      lostFacts: pending.lostFacts, error: outage.map { ControlFailure($0.error) })
  }
}
