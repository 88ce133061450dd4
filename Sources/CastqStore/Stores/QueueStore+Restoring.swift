package import CastqCore
import GRDB

/// Removed entries come back as themselves: their rows stayed.
extension QueueStore {
  /// So many rows of removed entries stay: to be brought back, and for what a receiver still has. A list that a program writes anew each
  /// hour would otherwise fill the disk within months.
  private static let mostRemoved = 25_000

  /// Deletes the oldest rows of removed entries beyond those that stay. What is on the screen stays in any case.
  static func forgetRemoved(_ queue: some QueueReference, _ db: GRDB.Database) throws {
    try db.execute(
      sql: """
        DELETE FROM queue_entry WHERE queue_id = ?1 AND state = 'cancelled'
          AND id <= (SELECT id FROM queue_entry WHERE queue_id = ?1 AND state = 'cancelled' ORDER BY id DESC LIMIT 1 OFFSET ?2)
          AND NOT EXISTS (SELECT 1 FROM play WHERE play.entry_id = queue_entry.id AND play.ended_at IS NULL)
        """, arguments: [queue.number, mostRemoved])
  }

  /// Empties the list so that it can be brought back: unlike with `clear`, the rows stay, as those that are removed one by one.
  /// - Returns: the list as it was.
  @discardableResult
  package func removeAll(from queue: some QueueReference) throws(StoreError) -> QueueOrder {
    try database.write { db in
      let before = try Self.order(queue, db)
      try db.execute(
        sql: "UPDATE queue_entry SET state = 'cancelled' WHERE queue_id = ? AND role = 'main'",
        arguments: [queue.number])
      try Self.clear(.fallback, queue, db)
      try db.execute(
        sql: "UPDATE queue SET name = NULL, foreign_fields = NULL WHERE id = ?", arguments: [queue.number])
      try Self.forgetRemoved(queue, db)
      return before
    }
  }

  /// Brings removed entries back under their numbers, each behind the entry that stood before it, in one transaction. One whose play
  /// had ended comes back as it was; all others wait again.
  /// - Parameters:
  ///   - removed: the entries, and the list as it was before they were removed: where the one before is gone, too, the nearest that is
  ///     left counts.
  /// - Returns: the entries that came back. Those that are in the list, or whose rows are gone, are left out.
  @discardableResult
  package func restore(
    _ removed: Set<EntryID>, to queue: some QueueReference, asIn order: [EntryID]
  ) throws(StoreError) -> [EntryID] {
    try database.write { db in
      let present = try Self.listOrder(of: queue, db)
      let there = Set(present)
      let back = order.filter { removed.contains($0) && !there.contains($0) }
      let gone = Set(back)
      var restored: [EntryID] = []
      var places: [EntryID?: [EntryID]] = [:]
      // The nearest entry before each that is still in the list.
      var anchor: EntryID?
      for entry in order {
        if there.contains(entry) {
          anchor = entry
        } else if gone.contains(entry), try Self.revive(entry, on: queue, db) {
          restored.append(entry)
          places[anchor, default: []].append(entry)
        }
      }
      guard !restored.isEmpty else { return [] }
      var merged = places[nil] ?? []
      for entry in present { merged += [entry] + (places[entry] ?? []) }
      try Self.renumber(merged.map(\.rawValue), queue, db)
      return restored
    }
  }

  /// Gives a removed entry a state again, and a place behind all others until the list is numbered. What has been on the screen ever
  /// since plays: the receiver was not told of the removal.
  /// - Returns: false when it is no removed entry of the list.
  private static func revive(
    _ entry: EntryID, on queue: some QueueReference, _ db: GRDB.Database
  ) throws -> Bool {
    let free = try firstFreePosition(.main, queue, db)
    try db.execute(
      sql: """
        UPDATE queue_entry SET position = :position, state = CASE WHEN EXISTS (
            SELECT 1 FROM play p WHERE p.entry_id = queue_entry.id AND p.turn = queue_entry.turn AND p.ended_at IS NULL)
          THEN 'playing' ELSE \(stateOffReceiver) END
        WHERE id = :entry AND queue_id = :queue AND role = 'main' AND state = 'cancelled'
        """,
      arguments: ["position": free, "entry": entry.rawValue, "queue": queue.number])
    return db.changesCount > 0
  }
}
