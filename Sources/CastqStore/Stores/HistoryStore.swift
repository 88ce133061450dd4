import CastProtocol
package import CastqCore
import GRDB

/// What happened: one row a play, each resting on what the receiver said.
package struct HistoryStore: Sendable {
  private let database: Database

  package init(_ database: Database) { self.database = database }

  /// Which plays are wanted; nil and empty mean all.
  package struct Filter: Sendable, Hashable {
    package var device: DeviceID?
    package var since: WallTime?
    package var until: WallTime?
    package var outcome: PlayOutcome?
    /// The newest so many.
    package var limit: Int?
    /// Only rows after this one.
    package var afterPlay: Int64?

    package init() {}
  }

  /// Writes facts and what they mean for their entries, all in one transaction. Telling a fact again changes nothing.
  package func record(_ facts: [RecordedFact], device: KnownDevice) throws(StoreError) {
    try database.write { db in
      for recorded in facts {
        guard try Self.write(recorded.fact, device, db) else { continue }
        if let effect = recorded.effect { try Self.apply(effect, to: recorded.fact.turn, db) }
      }
    }
  }

  /// Plays that match, oldest first.
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
      add("coalesce(started_at, ended_at) >= ?", filter.since?.milliseconds)
      add("coalesce(started_at, ended_at) < ?", filter.until?.milliseconds)
      add("outcome = ?", filter.outcome?.rawValue)
      add("id > ?", filter.afterPlay)
      let limit = filter.limit.map { " LIMIT \($0)" } ?? ""
      // Row by row: copies of rows look for their columns one by one.
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(PlayRows.columns) FROM play WHERE \(conditions.joined(separator: " AND ")) ORDER BY id DESC\(limit)
          """, arguments: arguments)
      return try Array(rows.map { try PlayRows.record($0, db) }).reversed()
    }
  }

  /// How long a device was dark between its last items. Looks no further back than some days of a few hundred devices.
  package func gaps(of device: DeviceID) throws(StoreError) -> GapMeter {
    try database.read { db in
      GapMeter(
        try Double.fetchAll(
          db,
          sql: """
            SELECT gap_before_s FROM play
            WHERE device_id = ? AND gap_before_s IS NOT NULL AND id > (SELECT max(id) FROM play) - 100000
            ORDER BY id DESC LIMIT ?
            """, arguments: [device.rawValue, GapMeter.window]))
    }
  }

  /// True when the fact was new.
  private static func write(_ fact: PlaybackFact, _ device: KnownDevice, _ db: GRDB.Database) throws -> Bool {
    switch fact {
    case .started(let turn, let play): return try PlayRows.start(turn, play, device, db)
    case .progressed(let turn, let play): return try PlayRows.progress(turn, play, db)
    case .ended(let turn, let play): return try PlayRows.end(turn, play, device, db)
    case .adEnded(let turn, let play): return try PlayRows.add(play, to: turn, db)
    }
  }

  /// A later turn of the same entry on the receiver outranks what became of an earlier one.
  private static func apply(_ effect: EntryEffect, to turn: EntryTurn, _ db: GRDB.Database) throws {
    let state =
      effect.state.isEnded || effect.state == .pending
      ? """
      CASE WHEN turn = :turn OR state = 'pending' THEN :state
        WHEN state IN ('offered', 'queued', 'playing') THEN 'queued' ELSE state END
      """ : ":state"
    try db.cachedStatement(
      sql: """
        UPDATE queue_entry SET state = \(state), round = max(round, coalesce(:round, round)), attempts = attempts + :attempts
        WHERE id = :entry AND state <> 'cancelled'
        """
    ).execute(arguments: [
      "turn": turn.turn, "state": effect.state.rawValue, "round": effect.round,
      "attempts": effect.countsAttempt ? 1 : 0, "entry": turn.entry.rawValue,
    ])
  }
}
