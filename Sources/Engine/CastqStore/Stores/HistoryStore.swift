package import CastProtocol
package import CastqFeeding
package import CastqPlaylists
package import CastqText
import GRDB

/// Play history: one row per play, based on the receiver's reports.
package struct HistoryStore: Sendable {
  private let database: Database

  package init(_ database: Database) { self.database = database }

  /// Selects plays; nil and empty members match all.
  package struct Filter: Sendable, Hashable {
    package var device: DeviceID?
    /// Only plays on one of these devices.
    package var devices: Set<DeviceID> = []
    /// Only plays that lie at least partly at or after this time.
    package var since: WallTime?
    /// Only plays that started before this time.
    package var until: WallTime?
    package var outcome: PlayOutcome?
    /// Only the newest plays, at most this many.
    package var limit: Int?
    /// Only rows after this one.
    package var afterPlay: Int64?
    package var order = Order.begun

    package init() {}
  }

  /// In which order plays come, and so which of them are the newest.
  package enum Order: Sendable, Hashable {
    /// As they began, as people read them. What was never shown stands where it was given up.
    case begun
    /// As their rows were written: a clock that is set back changes nothing, and what is new comes last.
    case written
  }

  /// Writes facts and their effects on entries in one transaction. Repeating a fact changes nothing.
  package func record(_ facts: [RecordedFact], device: KnownDevice) throws(StoreError) {
    try database.write { db in
      for recorded in facts {
        guard try write(recorded.fact, device, db) else { continue }
        if let effect = recorded.effect { try Self.apply(effect, of: recorded.fact, db) }
      }
    }
  }

  /// Plays that match, the oldest first by `Filter.order`; damaged rows are noted and skipped.
  package func plays(matching filter: Filter) throws(StoreError) -> [PlayRecord] {
    try database.read { db in
      var conditions = ["1"]
      var arguments: StatementArguments = []
      func add(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
        guard let value else { return }
        conditions.append(condition)
        arguments += [value]
      }
      add("device_id = ?", filter.device?.rawValue)
      if !filter.devices.isEmpty {
        conditions.append(
          "device_id IN (\(filter.devices.map { "\($0.rawValue)" }.joined(separator: ",")))")
      }
      // A play covers the time from its start to its end, exclusive; a play that failed at once is a point in time.
      add(
        "max(coalesce(ended_at, 9223372036854775807) - 1, coalesce(started_at, ended_at, 0)) >= ?",
        filter.since?.milliseconds)
      add("coalesce(started_at, ended_at) < ?", filter.until?.milliseconds)
      add("outcome = ?", filter.outcome?.rawValue)
      add("id > ?", filter.afterPlay)
      let limit = filter.limit.map { " LIMIT \($0)" } ?? ""
      let order =
        switch filter.order {
        case .begun: "coalesce(started_at, ended_at) DESC, id DESC"
        case .written: "id DESC"
        }
      // Row by row: copied rows look up their columns by name.
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(PlayRows.columns) FROM play WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order)\(limit)
          """, arguments: arguments)
      return try rows.readable(noting: database.notes) { try PlayRows.record($0, db) }.reversed()
    }
  }

  /// The media address of a play, as in the list; nil if the play has no row.
  package func address(of turn: EntryTurn) throws(StoreError) -> String? {
    try database.read { db in
      try db.scalar(
        String.self, of: "play", sql: "SELECT url FROM play WHERE entry_id = ? AND turn = ?",
        arguments: [turn.entry.rawValue, turn.turn])
    }
  }

  /// Where the entry of a play is written; nil for what no list names.
  package func source(of turn: EntryTurn) throws(StoreError) -> SourceLocation? {
    try database.read { db in
      try Row.fetchOne(
        db, sql: "SELECT \(PlayRows.columns) FROM play WHERE entry_id = ? AND turn = ?",
        arguments: [turn.entry.rawValue, turn.turn]
      ).flatMap { try PlayRows.record($0, db).source }
    }
  }

  /// Why entries were given up; those that history does not have are left out.
  /// - Parameter turns: the last turn of each.
  package func failures(of turns: [EntryTurn]) throws(StoreError) -> [EntryID: EntryFailure] {
    try database.read { db in
      var failures: [EntryID: EntryFailure] = [:]
      for turn in turns {
        let row = try Row.fetchOne(
          db, sql: "SELECT \(PlayRows.columns) FROM play WHERE entry_id = ? AND turn = ?",
          arguments: [turn.entry.rawValue, turn.turn])
        failures[turn.entry] = try row.flatMap { EntryFailure(try PlayRows.record($0, db)) }
      }
      return failures
    }
  }

  /// The reason of the end of a play; nil if there is none.
  package func reason(of turn: EntryTurn) throws(StoreError) -> PlayReason? {
    try database.read { db in
      try Row.fetchOne(
        db, sql: "SELECT \(PlayRows.columns) FROM play WHERE entry_id = ? AND turn = ?",
        arguments: [turn.entry.rawValue, turn.turn]
      ).flatMap { try PlayRows.record($0, db).reason }
    }
  }

  /// Appends a note to the reason of a play that has ended.
  package func annotate(_ turn: EntryTurn, _ note: String) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql: """
          UPDATE play SET note = CASE WHEN coalesce(note, '') = '' THEN ?1 ELSE note || '; ' || ?1 END
          WHERE entry_id = ?2 AND turn = ?3
          """, arguments: [note, turn.entry.rawValue, turn.turn])
    }
  }

  /// The lengths of the media in a device's list by address, from the newest plays on any device, because lists seldom give them.
  package func lengths(of device: DeviceID) throws(StoreError) -> [String: MediaTime] {
    try lengths(
      of: """
        SELECT coalesce(m.content_url, m.content_id) FROM queue_entry e
        JOIN media_item m ON m.id = e.media_item_id WHERE e.device_id = ?
        """, [device.rawValue])
  }

  /// The same of some addresses, whatever the list's length.
  package func lengths(of addresses: Set<String>) throws(StoreError) -> [String: MediaTime] {
    guard !addresses.isEmpty else { return [:] }
    let list = JSONValue.array(addresses.map { .string($0) }).text
    return try lengths(of: "SELECT value FROM json_each(?)", [list])
  }

  /// - Parameter addresses: a query of one column.
  private func lengths(
    of addresses: String, _ arguments: StatementArguments
  ) throws(StoreError) -> [String: MediaTime] {
    try database.read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT max(id) AS id, url, duration_s FROM play
          WHERE duration_s > 0 AND id > (SELECT max(id) FROM play) - 10000 AND url IN (\(addresses))
          GROUP BY url
          """)
      let rows = try Row.fetchCursor(statement, arguments: arguments)
      var lengths: [String: MediaTime] = [:]
      for (url, length) in try rows.readable(
        noting: database.notes,
        { row in
          let row = StoredRow(row, of: "play")
          return (try row.value("url", as: String.self), try row.value("duration_s", as: MediaTime.self))
        })
      {
        lengths[url] = length
      }
      return lengths
    }
  }

  /// The gaps between a device's last items. Reads the newest 100 000 rows at most.
  package func gaps(of device: DeviceID) throws(StoreError) -> GapMeter {
    try database.read { db in
      GapMeter(
        try db.scalars(
          Double.self, of: "play",
          sql: """
            SELECT gap_before_s FROM play
            WHERE device_id = ? AND gap_before_s BETWEEN 0 AND 1e12 AND id > (SELECT max(id) FROM play) - 100000
            ORDER BY id DESC LIMIT ?
            """, arguments: [device.rawValue, GapMeter.window]))
    }
  }

  /// The number of the newest play, or of the newest that has ended; 0 before the first.
  package func lastPlay(of device: DeviceID, isOver: Bool) throws(StoreError) -> Int64 {
    try database.read { db in
      try db.scalar(
        Int64.self, of: "play",
        sql: """
          SELECT coalesce(
            (SELECT min(id) - 1 FROM play WHERE :over AND device_id = :device AND ended_at IS NULL),
            (SELECT max(id) FROM play), 0)
          """, arguments: ["device": device.rawValue, "over": isOver]) ?? 0
    }
  }

  /// Counts of plays by outcome. An entry that failed and was shown later does not count as failed.
  package struct Tally: Sendable, Hashable {
    package var finished = 0
    package var failed = 0
    package var skipped = 0
    package var interrupted = 0
    /// Nobody saw how they ended.
    package var unknown = 0
    /// They have begun, and no end of them has been written.
    package var open = 0

    package var isEmpty: Bool { self == Tally() }
  }

  /// Counts of the plays of a list after one play: not of what rules showed meanwhile, nor of a list that has replaced it.
  /// - Parameters:
  ///   - first: the first entry of the list; nil for what was in the queue.
  ///   - isReplaced: whether another list is in the queue now.
  package func tally(
    of device: DeviceID, after play: Int64, from first: EntryID?, isReplaced: Bool
  ) throws(StoreError) -> Tally {
    try database.read { db in
      // A list that replaces another one has removed all of its entries, and its own have higher numbers.
      let end = try db.scalar(
        Int64.self, of: "queue_entry",
        sql: """
          SELECT min(e.id) FROM queue_entry e JOIN queue q ON q.id = e.queue_id
          WHERE ?1 AND q.device_id = ?2 AND q.programme_id IS NULL AND e.role = 'main' AND e.state <> 'cancelled'
          """, arguments: [isReplaced, device.rawValue])
      let plays = """
        FROM play p WHERE p.device_id = :device AND p.id > :play AND coalesce(p.kind, 'base') = 'base'
          AND p.entry_id >= :first AND p.entry_id < :end AND p.outcome
        """
      func count(_ condition: String) throws -> Int {
        try db.scalar(
          Int.self, of: "play", sql: "SELECT count(*) \(plays) \(condition)",
          arguments: [
            "device": device.rawValue, "play": play, "first": first?.rawValue ?? 0, "end": end ?? .max,
          ]) ?? 0
      }
      return Tally(
        finished: try count("= 'finished'"),
        failed: try count(
          "= 'failed' AND NOT EXISTS (SELECT 1 FROM play l WHERE l.entry_id = p.entry_id AND l.turn > p.turn)"
        ),
        skipped: try count("= 'skipped'"), interrupted: try count("IN ('interrupted', 'cancelled')"),
        unknown: try count("= 'unknown'"), open: try count("IS NULL"))
    }
  }

  /// Writes a fact; true if it was new.
  private func write(_ fact: PlaybackFact, _ device: KnownDevice, _ db: GRDB.Database) throws -> Bool {
    switch fact {
    case .started(let turn, let play): return try PlayRows.start(turn, play, device, db)
    case .progressed(let turn, let play): return try PlayRows.progress(turn, play, db)
    case .ended(let turn, let play): return try PlayRows.end(turn, play, device, database.seal, db)
    case .adEnded(let turn, let play): return try PlayRows.add(play, to: turn, db)
    }
  }

  /// A later turn of the same entry on the receiver takes precedence over the outcome of an earlier one.
  /// Of a turn that it does not know, the offer could not be kept.
  private static func apply(_ effect: EntryEffect, of fact: PlaybackFact, _ db: GRDB.Database) throws {
    let turn = fact.turn
    if effect.state == .playing { try endPlaying(before: turn.entry, db) }
    let state =
      effect.state.isEnded || effect.state == .pending
      ? """
      CASE WHEN turn <= :turn OR state = 'pending' THEN :state
        WHEN state IN ('offered', 'queued', 'playing') THEN 'queued' ELSE state END
      """ : ":state"
    try db.cachedStatement(
      sql: """
        UPDATE queue_entry SET state = \(state), turn = max(turn, :turn), offered_at = coalesce(offered_at, :at),
          round = max(round, coalesce(:round, round)), attempts = attempts + :attempts
        WHERE id = :entry AND state <> 'cancelled'
        """
    ).execute(arguments: [
      "turn": turn.turn, "at": fact.at.milliseconds, "state": effect.state.rawValue, "round": effect.round,
      "attempts": effect.countsAttempt ? 1 : 0, "entry": turn.entry.rawValue,
    ])
    if effect.state == .playing { try QueueStore.beginRound(of: turn.entry, db) }
  }

  /// Ends the turn of whatever else plays on the device of an entry that begins: a screen shows one thing. There is such an entry only when
  /// its end could not be kept (`PendingWrites`).
  private static func endPlaying(before entry: EntryID, _ db: GRDB.Database) throws {
    try db.change(
      sql: """
        UPDATE queue_entry SET state = 'finished', round = round + 1
        WHERE state = 'playing' AND id <> ?1 AND device_id = (SELECT device_id FROM queue_entry WHERE id = ?1)
        """, arguments: [entry.rawValue])
  }
}
