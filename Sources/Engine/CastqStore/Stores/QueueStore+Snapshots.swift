package import CastqFeeding
package import CastqPlaylists
import CastqText
import GRDB

extension QueueStore {
  /// Copies of the list and the fallback list, each at most `limit` entries: those due in the current round
  /// first, and those whose time is over last.
  package func remembered(
    for queue: some QueueReference, limit: Int, looping: Bool = false
  ) throws(StoreError) -> QueueSnapshots {
    try database.read { db in try remembered(queue, limit: limit, at: nil, looping: looping, db) }
  }

  /// Performs a write of a feeder; repeating it changes nothing.
  package func perform(_ write: FeederWrite, on device: KnownDevice) throws(StoreError) {
    switch write {
    case .start: try start(device.id)
    case .stop(let wall): try stop(device.id, at: wall)
    case .offer(let turns, let wall): try offer(turns, for: device.id, at: wall)
    case .markQueued(let turns): try markQueued(turns)
    case .release(let turns): try release(turns)
    case .record(let facts):
      if let (turn, play) = write.progress { return database.progress.keep(play, of: turn, on: device.id) }
      try HistoryStore(database).record(facts, device: device)
    case .describe(let entry, let description): try describe(entry, description, on: device.id)
    case .moveList(let entry): try moveList(to: entry, on: queue(of: entry) ?? QueueID(device.id))
    case .recover(let kept): try recover(device.id, keeping: kept)
    case .choose(let choice, _, let wall): _ = try choose(choice, for: device.id, at: wall)
    case .decide(let decision): try ScheduleStore(database).record(decision, device: device)
    case .amend(let standing): try ScheduleStore(database).amend(standing, device: device.id)
    case .keepCredits(let credits): try ScheduleStore(database).keep(credits, device: device.id)
    case .seen(let endpoint, let wall):
      try DeviceStore(database).seen(device.id, at: wall, endpoint: endpoint)
    case .beginOutage(let wall, let cause):
      try OutageStore(database).begin(device, lastHeard: wall, cause: cause)
    case .endOutage(let wall, let hasAnswered):
      try OutageStore(database).end(device.id, at: wall, hasAnswered: hasAnswered)
    }
  }

  /// Commits the progress of this device that waits, and with it that of all others.
  func commitProgress(of device: DeviceID) throws(StoreError) {
    if database.progress.waits(for: device) { try database.write { _ in } }
  }

  /// Closes plays that have ended without a recorded end, at their last reported progress.
  func closeLostPlays(of device: DeviceID) throws(StoreError) {
    try database.write { db in
      let lost = try db.scalars(
        Int64.self, of: "play",
        sql: """
          SELECT id FROM play WHERE device_id = ? AND ended_at IS NULL AND NOT (
            EXISTS (SELECT 1 FROM queue_entry e WHERE e.id = play.entry_id AND e.state = 'playing')
            AND turn = (SELECT max(turn) FROM play other WHERE other.entry_id = play.entry_id))
          ORDER BY id
          """, arguments: [device.rawValue])
      for play in lost {
        try db.execute(
          sql: """
            UPDATE play SET ended_at = coalesce(observed_at, started_at), outcome = 'interrupted', evidence = 'unobserved',
              note = 'the database did not work when this play ended', cause = 'unobserved'
            WHERE id = ?
            """, arguments: [play])
        try database.seal.close(play: play, db)
      }
    }
  }

  /// - Parameter now: what is over by this time comes last; nil goes by what was passed over.
  func remembered(
    _ queue: some QueueReference, limit: Int, at now: WallTime?, looping: Bool, _ db: GRDB.Database
  ) throws -> QueueSnapshots {
    let settings = try Self.settings(queue, looping: looping, db)
    return QueueSnapshots(
      main: try remembered(.main, settings, queue, limit, at: now, db),
      fallback: try remembered(.fallback, Self.fallbackSettings(queue, db), queue, limit, at: now, db))
  }

  private func remembered(
    _ role: EntryRole, _ settings: QueueSettings, _ queue: some QueueReference, _ limit: Int,
    at now: WallTime?, _ db: GRDB.Database
  ) throws -> QueueSnapshot {
    let arguments: StatementArguments = [
      "queue": queue.number, "role": role.rawValue, "round": settings.round, "limit": limit,
      "now": now?.milliseconds,
    ]
    // What is over stays in its round, and many such entries would fill the copy. Windows mean nothing to the
    // fallback list.
    let isOver = """
      (role = 'main' AND coalesce(
        not_after <= :now, not_after IS NOT NULL AND state = 'skipped' AND round <= :round))
      """
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EntryColumn.list), CASE WHEN e.turn > 0 THEN \(Self.lastEnd(of: "e.id")) END AS last_end
        FROM \(EntryRows.source) WHERE e.id IN (
          SELECT id FROM queue_entry WHERE queue_id = :queue AND role = :role AND state <> 'cancelled'
          ORDER BY \(isOver), round > :round, position LIMIT :limit)
        ORDER BY e.position
        """, arguments: arguments)
    var seen = 0
    let remembered = try rows.readable(noting: database.notes) { row in
      seen += 1
      let stored = EntryRows.stored(row)
      return QueueSnapshot.Row(
        place: try EntryRows.place(row, round: stored.value(.round), db),
        state: try stored.choice(.state),
        lastEnd: try StoredRow(row, of: "queue_entry").optionalChoice("last_end"))
    }
    let count = try db.scalar(
      Int.self, of: "queue_entry",
      sql: """
        SELECT count(*) FROM queue_entry WHERE queue_id = ? AND role = ? AND state <> 'cancelled'
        """, arguments: [queue.number, role.rawValue])
    return QueueSnapshot(
      settings: settings, rows: remembered, isWhole: count == seen, isFallback: role == .fallback)
  }
}
