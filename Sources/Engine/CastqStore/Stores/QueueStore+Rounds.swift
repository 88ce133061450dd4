import CastqPlaylists
import CastqText
import GRDB

/// Rounds: an entry is due once the list has reached its round.
extension QueueStore {
  /// Starts the next round if every entry has had its turn in this one.
  static func beginDueRound(
    _ queue: some QueueReference, _ round: Int, at now: WallTime?, _ db: GRDB.Database
  ) throws -> Int {
    let due = try dueRound(queue, round, at: now, db)
    if due > round { try begin(due, queue, db) }
    return due
  }

  /// The round that is due: a later one if every entry has had its turn in this one. Without a moment, what was
  /// passed over because its window had closed has had it.
  static func dueRound(
    _ queue: some QueueReference, _ round: Int, at now: WallTime?, _ db: GRDB.Database
  ) throws -> Int {
    let due = try db.scalar(
      Int.self, of: "queue_entry",
      sql: """
        SELECT min(round) FROM queue_entry
        WHERE queue_id = :queue AND role = 'main' AND state <> 'cancelled' AND \(PlayOrder.isOpen)
          AND (:now IS NOT NULL OR state <> 'skipped' OR round > :round)
        """,
      arguments: ["queue": queue.number, "now": now?.milliseconds, "round": round])
    return max(due ?? round, round)
  }

  /// Starts the round of an entry that plays ahead of its round, if all other entries have had their turn.
  static func beginRound(of entry: EntryID, _ db: GRDB.Database) throws {
    let ended = try db.first(
      sql: """
        SELECT q.id, q.round FROM queue_entry e JOIN queue q ON q.id = e.queue_id
        WHERE e.id = ? AND e.role = 'main' AND e.round > q.round
        """, arguments: [entry.rawValue]
    ) { row -> (queue: QueueID, round: Int) in
      let stored = StoredRow(row, of: "queue")
      return (QueueID(try stored.value("id", as: Int64.self)), try stored.value("round"))
    }
    if let ended { _ = try beginDueRound(ended.queue, ended.round, at: nil, db) }
  }

  private static func begin(_ round: Int, _ queue: some QueueReference, _ db: GRDB.Database) throws {
    try db.execute(
      sql: "UPDATE queue SET round = ? WHERE id = ?", arguments: [round, queue.number])
    try db.execute(
      sql: """
        UPDATE queue_entry SET attempts = 0, state = CASE
          WHEN state IN ('finished', 'failed', 'skipped', 'interrupted') THEN 'pending' ELSE state END
        WHERE queue_id = ? AND role = 'main' AND state <> 'cancelled'
        """, arguments: [queue.number])
  }

  /// Continues an interrupted later round of a list that no longer repeats: its waiting entries become due,
  /// the others stay ended. What only the clock passed over keeps its round, as a clock that is set back
  /// makes it due.
  /// - Returns: the new current round; nil if nothing waits in a later one.
  static func beginWaitingRound(
    _ queue: some QueueReference, _ round: Int, at now: WallTime?, _ db: GRDB.Database
  ) throws -> Int? {
    guard let waiting = try waitingRound(queue, round, at: now, db) else { return nil }
    try db.execute(
      sql: "UPDATE queue SET round = ? WHERE id = ?", arguments: [waiting, queue.number])
    try db.execute(
      sql: """
        UPDATE queue_entry SET round = :round + 1
        WHERE queue_id = :queue AND role = 'main' AND round <= :round
          AND state IN ('finished', 'failed', 'skipped', 'interrupted')
          AND NOT (state = 'skipped' AND round <= :left AND not_after IS NOT NULL AND NOT \(PlayOrder.isOpen))
        """,
      arguments: ["queue": queue.number, "round": waiting, "left": round, "now": now?.milliseconds])
    return waiting
  }

  /// The first later round in which an entry waits; nil if none does.
  static func waitingRound(
    _ queue: some QueueReference, _ round: Int, at now: WallTime?, _ db: GRDB.Database
  ) throws -> Int? {
    try db.scalar(
      Int.self, of: "queue_entry",
      sql: """
        SELECT min(round) FROM queue_entry
        WHERE queue_id = :queue AND role = 'main' AND state = 'pending' AND round > :round AND \(PlayOrder.isOpen)
        """,
      arguments: ["queue": queue.number, "round": round, "now": now?.milliseconds])
  }

  /// The state of an entry that the receiver no longer holds: pending, or the outcome of its last turn if it was queued for a
  /// round that has not started.
  static let stateOffReceiver = """
    CASE WHEN role = 'main' AND round > (SELECT q.round FROM queue q WHERE q.id = queue_entry.queue_id)
      THEN coalesce(\(lastEnd(of: "queue_entry.id")), 'pending')
      ELSE 'pending' END
    """

  /// The outcome of the last ended turn of an entry; NULL if there is none. An unobserved end counts as interrupted.
  static func lastEnd(of entry: String) -> String {
    """
    (SELECT CASE p.outcome WHEN 'unknown' THEN 'interrupted' ELSE p.outcome END FROM play p
      WHERE p.entry_id = \(entry) AND p.outcome IN ('finished', 'failed', 'skipped', 'interrupted', 'unknown')
      ORDER BY p.turn DESC LIMIT 1)
    """
  }
}
