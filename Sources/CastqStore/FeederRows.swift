package import CastProtocol
package import CastqCore

/// The rows of one device for its feeder: from the database, or from memory during an outage.
///
/// A full disk must not stop playback. When the database fails, the feeder continues with the rows read last, and writes are
/// queued in order. Reads come from memory until all queued writes have succeeded: rows without them would play entries again.
package struct FeederRows: Sendable {
  /// Number of entries kept in memory per list.
  package static let memory = 200
  /// Number of queued writes per try, so that the feeder is not blocked for long.
  private static let batch = 200
  /// Minimum time between copies while other processes keep writing: a copy costs more than a normal read.
  private static let memoryAge: Duration = .seconds(10)
  /// Longest pause between tries.
  private static let longestPause: Duration = .seconds(10)

  private struct Outage {
    var error: StoreError
    var since: Tick
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
  private let device: KnownDevice
  private let queue: QueueStore
  private let devices: DeviceStore
  private var list: QueueSnapshot?
  private var fallback: QueueSnapshot?
  /// Whether another process has written since the last copy.
  private var isStale = true
  private var rememberedAt: Tick?
  private var pending: PendingWrites
  private var outage: Outage?

  /// - Parameter limit: maximum number of queued writes.
  package init(device: KnownDevice, database: Database, limit: Int = PendingWrites.limit) {
    self.device = device
    queue = QueueStore(database)
    devices = DeviceStore(database)
    pending = PendingWrites(limit: limit)
  }

  // MARK: - From the database alone

  /// Answers a query of a live command.
  package func answer(_ question: EntryQuestion, at wall: WallTime) -> Result<EntryID?, ControlFailure> {
    queue.answer(question, of: device.id, at: wall, looping: isLooping)
  }

  /// Stores where and when the device answered. The last sighting may be lost in an outage.
  package func noteSeen(_ endpoint: DeviceEndpoint, at wall: WallTime) throws(StoreError) {
    do throws(StoreError) { try devices.seen(device.id, at: wall, endpoint: endpoint) } catch {
      if !error.isOutage { throw error }
    }
  }

  /// Marks the list as stopped by a person.
  package func noteStopped(at wall: WallTime) throws(StoreError) { try queue.stop(device.id, at: wall) }

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

  /// The rows of turns that a receiver holds; see `QueueStore.held`.
  package mutating func held(_ turns: [EntryTurn], at now: Tick) throws(StoreError) -> [HeldTurn] {
    let read = try working(at: now) { rows throws(StoreError) in
      try rows.queue.held(turns, on: rows.device.id, looping: rows.isLooping)
    }
    return read ?? (list?.held(turns) ?? []) + (fallback?.held(turns) ?? [])
  }

  /// Recovers what an earlier feeder left behind; see `QueueStore.recover`.
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

  /// Writes now, or queues the write during an outage.
  package mutating func write(_ write: FeederWrite, at now: Tick) throws(StoreError) {
    let isWritten: Void? = try working(at: now) { rows throws(StoreError) in
      try rows.queue.perform(write, on: rows.device)
    }
    if isWritten == nil { pending.append(write) }
    list?.apply(write)
    fallback?.apply(write)
  }

  /// Marks the copies as stale, because another process has written; the next read refreshes them.
  package mutating func forget() {
    isStale = true
  }

  /// Number of entries per list that the next read copies; nil while the copies are fresh.
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

  /// Runs a body on the database; nil during an outage.
  private mutating func working<Value>(
    at now: Tick, _ body: (inout FeederRows) throws(StoreError) -> Value
  ) throws(StoreError) -> Value? {
    guard outage == nil else { return nil }
    do throws(StoreError) { return try body(&self) } catch {
      guard error.isOutage else { throw error }
      outage = Outage(error: error, since: now)
      // A database that cannot be written may still be readable.
      if isStale {
        do throws(StoreError) {
          remember(try queue.remembered(for: device.id, limit: Self.memory, looping: isLooping), at: now)
        } catch {}
      }
      return nil
    }
  }

  /// Returns the places from memory; throws if they are unknown, so that the list does not appear to be drained.
  private func known(_ places: [UpcomingEntry]?) throws(StoreError) -> [UpcomingEntry] {
    if let places { return places }
    throw outage?.error ?? .failed(path: "the queue", words: "its rows are unknown")
  }

  // MARK: - Outages

  /// Whether the whole file is damaged. It must then be restored and the program restarted; single unreadable rows may still be
  /// repaired or removed.
  private var isHopeless: Bool { queue.database.refusesWrites }

  /// The error of a new outage; nil if there is none or it was reported already.
  package mutating func takeNews() -> StoreError? {
    guard let outage, !outage.isReported else { return nil }
    self.outage?.isReported = true
    return outage.error
  }

  /// How long to wait before the next try; nil if there is no outage, or the file must not be written.
  package var pause: Duration? {
    guard let outage, !isHopeless else { return nil }
    return min(.milliseconds(500) * (1 << min(outage.tries, 5)), Self.longestPause)
  }

  /// Tries to perform the queued writes.
  /// - Returns: the result if the outage has ended; nil while it continues.
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

  /// Performs the queued writes in a last try.
  /// - Returns: the result; nil if there was no outage.
  package mutating func finish(at now: Tick) -> StoreCatchUp? {
    guard outage != nil else { return nil }
    if !isHopeless { _ = writePending(atMost: .max) }
    return report(at: now)
  }

  /// Performs queued writes; true if none is left.
  private mutating func writePending(atMost limit: Int) -> Bool {
    var count = 0
    while let write = pending.first {
      guard count < limit else {
        // The database works, so the next try may follow at once.
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
        // The write is obsolete, for example because its device was removed meanwhile.
        pending.dropFirst()
      }
    }
    return true
  }

  /// Whether a write failed because of one unreadable row.
  private func isOfOneRow(_ error: StoreError) -> Bool {
    if case .corrupt = error { !isHopeless } else { false }
  }

  /// Closes plays whose end was dropped from the full queue. False if the database failed again.
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
