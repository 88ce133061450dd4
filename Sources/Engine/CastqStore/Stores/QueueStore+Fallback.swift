import CastqFeeding
package import CastqPlaylists
import CastqText
import GRDB

/// The fallback list, which a device plays while no entry of its main list can be shown. It repeats in its order, is not part of
/// any view or count of the queue, and is replaced together with its playlist.
extension QueueStore {
  /// Brings the rows of the fallback list to its present round, and reads its next places, without the current one. The list repeats for
  /// ever. Empty if there is no fallback list. Time windows do not apply.
  /// - Parameters:
  ///   - looping: whether the main list repeats even if its rows do not say so.
  ///   - memory: see `advance`.
  func advanceFallback(
    _ queue: some QueueReference, limit: Int, besides: UpcomingPlace?, looping: Bool = false,
    remembering memory: Int? = nil
  ) throws(StoreError) -> (places: [UpcomingEntry], copies: QueueSnapshots?) {
    try database.write { db in
      let settings = try Self.fallbackSettings(queue, db)
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
            AND state IN (\(Self.ended))
          """, arguments: [queue.number, settings.round])
      var order = PlayOrder(QueueID(queue), role: .fallback, settings, db, noting: database.notes)
      let places = try order.rounds(from: settings.round, besides: besides, limit: limit)
      try Self.fail(order.unreadable, round: settings.round, db)
      return (places, try memory.map { try remembered(queue, limit: $0, at: nil, looping: looping, db) })
    }
  }

  /// The fallback list in its order.
  package func fallback(for queue: some QueueReference) throws(StoreError) -> [EntryDraft] {
    try database.read { db in try Self.entries(.fallback, queue, db).map(\.draft) }
  }

  /// The settings of the fallback list, which repeats in its order. Its current round is the lowest one of its entries.
  static func fallbackSettings(_ queue: some QueueReference, _ db: GRDB.Database) throws -> QueueSettings {
    var settings = try settings(queue, looping: true, db)
    settings.isShuffled = false
    let round = try db.scalar(
      Int.self, of: "queue_entry",
      sql: """
        SELECT min(round) FROM queue_entry WHERE queue_id = ? AND role = 'fallback' AND state <> 'cancelled'
        """, arguments: [queue.number])
    settings.round = round ?? 0
    return settings
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
