import CastProtocol
package import CastqFeeding
package import CastqPlaylists
package import CastqText
import GRDB

/// Reads and writes of a feeder: the play order and the states of entries.
extension QueueStore {
  /// The next places in play order, from the due round on, without the current one. Nothing is written, so that many can look at a page
  /// while feeders write.
  /// - Parameters:
  ///   - now: entries outside their time windows are omitted; nil ignores windows.
  ///   - looping: whether the list repeats whatever its rows say.
  package func look(
    into queue: some QueueReference, limit: Int, besides: UpcomingPlace?, at now: WallTime? = nil,
    looping: Bool = false
  ) throws(StoreError) -> [UpcomingEntry] {
    try database.read { db in
      var order = try order(queue, at: now, looping: looping, db)
      return try order.look(limit: limit, besides: besides)
    }
  }

  /// Looks, and writes what the look has found, in one transaction: expired entries are passed over, the due round begins, and unreadable
  /// entries fail, so that the list can continue and end.
  /// - Parameter memory: number of entries per list to copy from the same snapshot; nil copies none.
  /// - Returns: what `look` says, and when that changes.
  @discardableResult
  package func advance(
    _ queue: some QueueReference, limit: Int, besides: UpcomingPlace?, at now: WallTime? = nil,
    looping: Bool = false, remembering memory: Int? = nil
  ) throws(StoreError) -> (list: UpcomingList, copies: QueueSnapshots?) {
    try database.write { db in
      var order = try order(queue, at: now, looping: looping, db)
      let places = try order.look(limit: limit, besides: besides)
      if let now { try Self.passOverExpired(queue, round: order.settings.round, at: now, db) }
      if let later = order.later {
        try order.settings.repeatMode == .off
          ? Self.beginWaiting(later, queue, after: order.settings.round, at: now, db)
          : Self.begin(later, queue, db)
      }
      try Self.fail(order.unreadable, round: order.later ?? order.settings.round, db)
      let change = try now.flatMap { try Self.nextChange(queue, after: $0, looping: looping, db) }
      return (
        UpcomingList(places, until: change),
        try memory.map { try remembered(queue, limit: $0, at: now, looping: looping, db) }
      )
    }
  }

  private func order(
    _ queue: some QueueReference, at now: WallTime?, looping: Bool, _ db: GRDB.Database
  ) throws -> PlayOrder {
    PlayOrder(
      QueueID(queue), try Self.settings(queue, looping: looping, db), at: now, db, noting: database.notes)
  }

  /// Marks unreadable entries as failed.
  static func fail(_ entries: [Int64], round: Int, _ db: GRDB.Database) throws {
    for id in entries {
      do {
        try db.execute(
          sql: """
            UPDATE queue_entry SET state = 'failed', round = max(round, ?) + 1 WHERE id = ? AND state = 'pending'
            """, arguments: [round, id])
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        // A row with a column of the wrong type can be removed but not updated.
        continue
      }
    }
  }

  /// When the result of `look` next changes because a time window opens or closes; nil if none does.
  package func nextChange(
    for queue: some QueueReference, after now: WallTime
  ) throws(StoreError) -> WallTime? {
    try database.read { db in try Self.nextChange(queue, after: now, looping: false, db) }
  }

  static func nextChange(
    _ queue: some QueueReference, after now: WallTime, looping: Bool, _ db: GRDB.Database
  ) throws -> WallTime? {
    let settings = try settings(queue, looping: looping, db)
    // Entries that have had their turn count only if the list repeats. Times beyond `latest` never come; text and blobs in a
    // damaged column compare greater than every number and are excluded, too.
    return try db.scalar(
      WallTime.self, of: "queue_entry",
      sql: """
        SELECT min(CASE WHEN not_before > :now THEN not_before ELSE not_after END) FROM queue_entry
        WHERE queue_id = :queue AND role = 'main' AND state <> 'cancelled'
          AND (not_before > :now OR not_after > :now) AND coalesce(not_after, :now + 1) > :now
          AND (CASE WHEN not_before > :now THEN not_before ELSE not_after END) <= :latest
          AND (:repeats OR round <= :round)
        """,
      arguments: [
        "queue": queue.number, "now": now.milliseconds, "repeats": settings.repeatMode != .off,
        "round": settings.round, "latest": WallTime.latest.milliseconds,
      ])
  }

  /// Marks entries with expired windows as passed over. They stay in their round, unlike those that have had
  /// their turn: a clock that is set back opens their windows again.
  private static func passOverExpired(
    _ queue: some QueueReference, round: Int, at now: WallTime, _ db: GRDB.Database
  ) throws {
    try db.execute(
      sql: """
        UPDATE queue_entry SET state = 'skipped'
        WHERE queue_id = :queue AND role = 'main' AND state = 'pending' AND round <= :round AND not_after <= :now
        """, arguments: ["queue": queue.number, "round": round, "now": now.milliseconds])
  }

  /// The list of an entry; nil when it is gone.
  package func queue(of entry: EntryID) throws(StoreError) -> QueueID? {
    try database.read { db in
      try db.scalar(
        Int64.self, of: "queue_entry", sql: "SELECT queue_id FROM queue_entry WHERE id = ?",
        arguments: [entry.rawValue])
    }.map(QueueID.init)
  }

  /// Moves the current place of the list: entries before this one in the round count as passed over; it and all that follow are
  /// due. The playing entry is unchanged until its end is recorded. An entry that is not in the list changes nothing.
  package func moveList(to entry: EntryID, on queue: some QueueReference) throws(StoreError) {
    try database.write { db in
      let settings = try Self.settings(queue, db)
      let order = PlayOrder(QueueID(queue), settings, db)
      let arguments: StatementArguments = [
        "queue": queue.number, "entry": entry.rawValue, "round": settings.round,
      ]
      let there = """
        (SELECT \(order.key) FROM queue_entry
          WHERE id = :entry AND queue_id = :queue AND role = 'main' AND state <> 'cancelled')
        """
      try db.execute(
        sql: """
          UPDATE queue_entry SET state = 'skipped', round = :round + 1
          WHERE queue_id = :queue AND role = 'main' AND state IN ('pending', 'offered', 'queued', 'skipped')
            AND round <= :round AND \(order.key) < \(there)
          """, arguments: arguments)
      try db.execute(
        sql: """
          UPDATE queue_entry SET round = :round, \(Self.again)
          WHERE queue_id = :queue AND role = 'main' AND state NOT IN ('cancelled', 'playing')
            AND \(order.key) >= \(there)
          """, arguments: arguments)
    }
  }

  /// The previous entry in play order, without failed ones; with repeat all, the last entry precedes the first. Nil if there is
  /// none.
  package func entry(before entry: EntryID, on queue: some QueueReference) throws(StoreError) -> EntryID? {
    try database.read { db in
      let settings = try Self.settings(queue, db)
      let order = PlayOrder(QueueID(queue), settings, db)
      func last(where condition: String) throws -> Int64? {
        // The text has the seed and the round in it: there is one for each shuffling.
        let row = try Row.fetchOne(
          db,
          sql: """
            SELECT id FROM queue_entry
            WHERE queue_id = :queue AND role = 'main' AND state NOT IN ('cancelled', 'failed') AND \(condition)
            ORDER BY \(order.key) DESC LIMIT 1
            """, arguments: ["queue": queue.number, "entry": entry.rawValue])
        return try row.map { try StoredRow($0, of: "queue_entry").value("id") }
      }
      let before = try last(
        where: "\(order.key) < (SELECT \(order.key) FROM queue_entry WHERE id = :entry AND role = 'main')")
      let found = try before ?? (settings.repeatMode == .all ? last(where: "id <> :entry") : nil)
      return found.map(EntryID.init)
    }
  }

  /// Whether the list holds the entry.
  package func contains(_ entry: EntryID, on queue: some QueueReference) throws(StoreError) -> Bool {
    try database.read { db in
      try db.scalar(
        Bool.self, of: "queue_entry",
        sql:
          "SELECT 1 FROM queue_entry WHERE id = ? AND queue_id = ? AND role = 'main' AND state <> 'cancelled'",
        arguments: [entry.rawValue, queue.number]) ?? false
    }
  }

  /// Marks turns that are about to be sent. The current entry stays `playing` while its next turn waits.
  package func offer(_ turns: [OfferedTurn], for queue: some QueueReference, at now: WallTime)
    throws(StoreError)
  {
    try database.write { db in
      for offered in turns {
        try db.cachedStatement(
          sql: """
            UPDATE queue_entry SET turn = max(turn, ?), offered_at = ?,
              state = CASE WHEN state IN ('queued', 'playing', 'cancelled') THEN state ELSE 'offered' END
            WHERE id = ?
            """
        ).execute(arguments: [offered.turn.turn, now.milliseconds, offered.turn.entry.rawValue])
      }
    }
  }

  /// Marks turns that the receiver has.
  package func markQueued(_ turns: [EntryTurn]) throws(StoreError) {
    try setState("'queued'", of: turns, when: "state = 'offered'")
  }

  /// Returns turns that the receiver does not have to the queue.
  package func release(_ turns: [EntryTurn]) throws(StoreError) {
    try setState(Self.stateOffReceiver, of: turns, when: "state IN ('offered', 'queued', 'playing')")
  }

  private func setState(_ state: String, of turns: [EntryTurn], when condition: String) throws(StoreError) {
    guard !turns.isEmpty else { return }
    try database.write { db in
      let sql = "UPDATE queue_entry SET state = \(state) WHERE id = ? AND turn = ? AND \(condition)"
      for turn in turns {
        try db.cachedStatement(sql: sql).execute(arguments: [turn.entry.rawValue, turn.turn])
      }
    }
  }

  /// Recovers from a feeder that did not end cleanly: its entries on the receiver return to the queue, and its open plays are
  /// closed as unobserved at the time of their last report.
  ///
  /// - Parameter kept: turns that continue, because the receiver still holds them.
  /// - Returns: the resume position; nil if the newest play was not interrupted.
  @discardableResult
  package func recover(
    _ device: DeviceID, keeping kept: [EntryTurn] = []
  ) throws(StoreError) -> ResumePoint? {
    let kept = Set(kept)
    return try database.write { db in
      let (isAnyOpen, closed) = try closePlays(
        of: device, besides: kept, PlayEnding(.unobserved, "castq ended without seeing the end of this play"),
        db)
      // If the list repeats, the receiver may have had later turns of it, which never started.
      let point =
        try isAnyOpen
        ? closed
        : cut(
          of: "SELECT max(id) FROM play WHERE device_id = ?", device.rawValue, while: "'pending'", db)
      let held = try Row.fetchCursor(
        db,
        sql:
          "SELECT id, turn FROM queue_entry WHERE device_id = ? AND state IN ('offered', 'queued', 'playing')",
        arguments: [device.rawValue])
      let turns = try held.readable(noting: database.notes) { row in
        let row = StoredRow(row, of: "queue_entry")
        return EntryTurn(entry: EntryID(try row.value("id")), turn: try row.value("turn"))
      }
      for turn in turns where !kept.contains(turn) {
        try db.execute(
          sql: "UPDATE queue_entry SET state = \(Self.stateOffReceiver) WHERE id = ?",
          arguments: [turn.entry.rawValue])
      }
      return point
    }
  }

  /// Closes the open plays of a device as unobserved, at the time of their last report.
  /// - Returns: whether any were open, and where the newest of those that were closed was.
  func closePlays(
    of device: DeviceID, besides kept: Set<EntryTurn> = [], _ ending: PlayEnding, _ db: GRDB.Database
  ) throws -> (isAnyOpen: Bool, ResumePoint?) {
    let open = try Row.fetchCursor(
      db,
      sql: """
        SELECT id, entry_id, turn, coalesce(end_position_s, start_position_s, 0) AS position FROM play
        WHERE device_id = ? AND ended_at IS NULL ORDER BY id
        """, arguments: [device.rawValue])
    let plays = try open.readable(noting: database.notes) { row in
      let row = StoredRow(row, of: "play")
      let turn = EntryTurn(entry: EntryID(try row.value("entry_id")), turn: try row.value("turn"))
      return (
        id: try row.value("id", as: Int64.self), turn: turn,
        position: try row.value("position", as: MediaTime.self)
      )
    }
    var point: ResumePoint?
    for play in plays where !kept.contains(play.turn) {
      point = ResumePoint(entry: play.turn.entry, position: play.position)
      try db.execute(
        sql: """
          UPDATE play SET ended_at = coalesce(observed_at, started_at), outcome = 'interrupted', evidence = 'unobserved',
            note = ?, cause = ?
          WHERE id = ?
          """, arguments: [ending.note, ending.cause.rawValue, play.id])
      try database.seal.close(play: play.id, db)
    }
    return (!plays.isEmpty, point)
  }

  /// Where a guest or the loss of the device interrupted a play, if its entry has been due since.
  /// - Parameters:
  ///   - play: SQL that gives the play's number.
  ///   - states: SQL: those of an entry that is due.
  func cut(
    of play: String, _ argument: Int64, while states: String, _ db: GRDB.Database
  ) throws -> ResumePoint? {
    try Row.fetchCursor(
      db,
      sql: """
        SELECT play.id, play.entry_id, play.end_position_s FROM play
        JOIN queue_entry ON queue_entry.id = play.entry_id
        WHERE play.id = (\(play)) AND queue_entry.state IN (\(states))
          AND play.outcome IN ('interrupted', 'cancelled') AND play.end_position_s > 0
        """, arguments: [argument]
    ).readable(noting: database.notes) { row in
      let row = StoredRow(row, of: "play")
      return ResumePoint(
        entry: EntryID(try row.value("entry_id")),
        position: try row.value("end_position_s", as: MediaTime.self))
    }.first
  }

  /// The rows of turns that a receiver holds, of whichever queue of the device, without ended turns and removed entries. Several
  /// turns of one entry belong to successive rounds of a list that repeats.
  /// - Parameter turns: in the receiver's order: another attempt has a later turn than what is ahead for the next round.
  package func held(
    _ turns: [EntryTurn], on device: DeviceID, looping: Bool = false
  ) throws(StoreError) -> [HeldTurn] {
    try database.read { db in
      var orders: [QueueID: PlayOrder] = [:]
      var rounds: [EntryID: Int] = [:]
      return try turns.compactMap { turn in
        let rows = try Row.fetchCursor(
          db,
          sql: """
            SELECT e.queue_id, e.round, p.* FROM queue_entry e LEFT JOIN play p ON p.entry_id = e.id AND p.turn = :turn
            WHERE e.id = :entry AND e.device_id = :device AND e.state <> 'cancelled' AND e.turn >= :turn
              AND p.ended_at IS NULL
            """, arguments: ["entry": turn.entry.rawValue, "turn": turn.turn, "device": device.rawValue])
        let known = try rows.readable(noting: database.notes) { row in
          let stored = StoredRow(row, of: "queue_entry", id: "entry_id")
          return (
            queue: QueueID(try stored.value("queue_id", as: Int64.self)),
            round: try stored.value("round", as: Int.self), play: try PlayRows.unfinished(row)
          )
        }.first
        guard let known else { return nil }
        let order =
          try orders[known.queue]
          ?? self.order(known.queue, at: nil, looping: looping, db)
        orders[known.queue] = order
        let round = rounds[turn.entry] ?? known.round
        rounds[turn.entry] = order.settings.repeatMode == .all ? round + 1 : round
        guard let place = try order.place(of: turn.entry, round: round) else { return nil }
        return HeldTurn(turn: turn, place: place, play: known.play)
      }
    }
  }
}
