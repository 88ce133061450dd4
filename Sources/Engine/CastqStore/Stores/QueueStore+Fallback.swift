import CastqFeeding
package import CastqPlaylists
import CastqText
import GRDB

/// The fallback list, which a device plays while no entry of its main list can be shown. It repeats in its order, is not part of
/// any view or count of the queue, and is replaced together with its playlist.
extension QueueStore {
  /// The next places of the fallback list, without the current one. The list repeats for ever. Empty if there is no fallback list.
  /// Time windows do not apply.
  func upcomingFallback(
    _ queue: some QueueReference, limit: Int, besides: UpcomingPlace?, _ db: GRDB.Database
  ) throws -> [UpcomingEntry] {
    let settings = try Self.settings(queue, db)
    let round = try Self.presentFallbackRound(queue, db)
    // The rounds of the main list do not apply to the fallback list.
    let besides = try besides.flatMap { place in
      try db.scalar(
        Bool.self, of: "queue_entry",
        sql: "SELECT 1 FROM queue_entry WHERE id = ? AND role = 'fallback' AND state <> 'cancelled'",
        arguments: [place.entry.rawValue]) == true ? place : nil
    }
    // Entries that ended in an earlier round are due again, with all their attempts.
    try db.execute(
      sql: """
        UPDATE queue_entry SET attempts = 0, state = 'pending'
        WHERE queue_id = ? AND role = 'fallback' AND round <= ?
          AND state IN ('finished', 'failed', 'skipped', 'interrupted')
        """, arguments: [queue.number, round])
    return try PlayOrder(
      queue: QueueID(queue), role: .fallback, settings: settings, db: db, notes: database.notes
    )
    .rounds(from: round, besides: besides, limit: limit)
  }

  /// The fallback list in its order.
  package func fallback(for queue: some QueueReference) throws(StoreError) -> [EntryDraft] {
    try database.read { db in try Self.entries(.fallback, queue, db).map(\.draft) }
  }

  /// The current round of the fallback list: the lowest round of its entries.
  static func presentFallbackRound(_ queue: some QueueReference, _ db: GRDB.Database) throws -> Int {
    try db.scalar(
      Int.self, of: "queue_entry",
      sql: """
        SELECT min(round) FROM queue_entry WHERE queue_id = ? AND role = 'fallback' AND state <> 'cancelled'
        """, arguments: [queue.number]) ?? 0
  }

  /// Replaces the fallback list.
  static func setFallback(
    _ drafts: [EntryDraft], _ queue: some QueueReference, at now: WallTime, _ db: GRDB.Database
  ) throws {
    try clear(.fallback, queue, db)
    for (offset, draft) in drafts.enumerated() {
      _ = try EntryRows.insert(
        draft, queue: queue, role: .fallback, position: Int64(offset) + 1, round: 0, at: now, db)
    }
  }
}
