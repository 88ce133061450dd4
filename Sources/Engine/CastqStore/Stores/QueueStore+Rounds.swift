import CastqPlaylists
import CastqText
import GRDB

/// Rounds: an entry is due once the list has reached its round.
extension QueueStore {
  /// SQL: the states of entries that have had their turn.
  static let ended = "'finished', 'failed', 'skipped', 'interrupted'"

  /// SQL: an entry has its turn again, with all its attempts.
  static let again = "attempts = 0, state = CASE WHEN state IN (\(ended)) THEN 'pending' ELSE state END"

  /// The later round that is due, as every entry has had its turn in this one; nil while this one goes on. Without a moment, what was
  /// passed over because its window had closed has had it.
  static func dueRound(
    _ queue: some QueueReference, _ round: Int, at now: WallTime?, _ db: GRDB.Database
  ) throws -> Int? {
    let due = try db.scalar(
      Int.self, of: "queue_entry",
      sql: """
        SELECT min(round) FROM queue_entry
        WHERE queue_id = :queue AND role = 'main' AND state <> 'cancelled' AND \(PlayOrder.isOpen)
          AND (:now IS NOT NULL OR state <> 'skipped' OR round > :round)
        """,
      arguments: ["queue": queue.number, "now": now?.milliseconds, "round": round])
    return due.flatMap { $0 > round ? $0 : nil }
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
    guard let ended, let due = try dueRound(ended.queue, ended.round, at: nil, db) else { return }
    try begin(due, ended.queue, db)
  }

  /// Begins a round: what has had its turn has it again.
  /// - Parameter isWhole: whether every entry is due in it, from the first one on.
  static func begin(
    _ round: Int, _ queue: some QueueReference, isWhole: Bool = false, _ db: GRDB.Database
  ) throws {
    try db.execute(
      sql: "UPDATE queue SET round = ? WHERE id = ?", arguments: [round, queue.number])
    try db.execute(
      sql: """
        UPDATE queue_entry SET round = CASE WHEN ? THEN ? ELSE round END, \(again)
        WHERE queue_id = ? AND role = 'main' AND state <> 'cancelled'
        """, arguments: [isWhole, round, queue.number])
  }

  /// Continues an interrupted later round of a list that no longer repeats: its waiting entries become due,
  /// the others stay ended. What only the clock passed over keeps its round, as a clock that is set back
  /// makes it due.
  /// - Parameter left: the round that the list has come to its end in.
  static func beginWaiting(
    _ round: Int, _ queue: some QueueReference, after left: Int, at now: WallTime?, _ db: GRDB.Database
  ) throws {
    try db.execute(
      sql: "UPDATE queue SET round = ? WHERE id = ?", arguments: [round, queue.number])
    try db.execute(
      sql: """
        UPDATE queue_entry SET round = :round + 1
        WHERE queue_id = :queue AND role = 'main' AND round <= :round AND state IN (\(ended))
          AND NOT (state = 'skipped' AND round <= :left AND not_after IS NOT NULL AND NOT \(PlayOrder.isOpen))
        """,
      arguments: ["queue": queue.number, "round": round, "left": left, "now": now?.milliseconds])
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
