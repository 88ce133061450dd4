package import CastqCore
import GRDB

/// What a device shows while nothing of its list can be: a list of its own that goes round and round in its order, and that
/// no view or count of the queue tells of. It comes and goes with the playlist that names it.
extension QueueStore {
  /// The next places of the fallback list, without the one that is on the screen; it starts over at its end for ever. Empty
  /// when there is no such list. Time windows mean nothing here: what is shown instead of nothing is always welcome.
  package func upcomingFallback(
    for device: DeviceID, limit: Int, besides: UpcomingPlace?
  ) throws(StoreError) -> [UpcomingEntry] {
    try database.write { db in try upcomingFallback(device, limit: limit, besides: besides, db) }
  }

  func upcomingFallback(
    _ device: DeviceID, limit: Int, besides: UpcomingPlace?, _ db: GRDB.Database
  ) throws -> [UpcomingEntry] {
    let settings = try Self.settings(device, db)
    let round = try Self.presentFallbackRound(device, db)
    // While an entry of the list itself is on the screen, its rounds mean nothing here.
    let besides = try besides.flatMap { place in
      try db.scalar(
        Bool.self, of: "queue_entry",
        sql: "SELECT 1 FROM queue_entry WHERE id = ? AND role = 'fallback' AND state <> 'cancelled'",
        arguments: [place.entry.rawValue]) == true ? place : nil
    }
    // What ended in an earlier round is due again, and has all its attempts again.
    try db.execute(
      sql: """
        UPDATE queue_entry SET attempts = 0, state = 'pending'
        WHERE device_id = ? AND role = 'fallback' AND round <= ?
          AND state IN ('finished', 'failed', 'skipped', 'interrupted')
        """, arguments: [device.rawValue, round])
    return try PlayOrder(device: device, role: .fallback, settings: settings, db: db, notes: database.notes)
      .rounds(from: round, besides: besides, limit: limit)
  }

  /// What is shown while nothing of the list can be, in its order.
  package func fallback(for device: DeviceID) throws(StoreError) -> [EntryDraft] {
    try database.read { db in try Self.entries(.fallback, device, db).map(\.draft) }
  }

  /// The round its entries are in: it is over when all of them are in the next one.
  static func presentFallbackRound(_ device: DeviceID, _ db: GRDB.Database) throws -> Int {
    try db.scalar(
      Int.self, of: "queue_entry",
      sql: """
        SELECT min(round) FROM queue_entry WHERE device_id = ? AND role = 'fallback' AND state <> 'cancelled'
        """, arguments: [device.rawValue]) ?? 0
  }

  /// Puts these in place of the fallback list.
  static func setFallback(
    _ drafts: [EntryDraft], _ device: DeviceID, at now: WallTime, _ db: GRDB.Database
  ) throws {
    try clear(.fallback, device, db)
    for (offset, draft) in drafts.enumerated() {
      _ = try EntryRows.insert(
        draft, device: device, role: .fallback, position: Int64(offset) + 1, round: 0, at: now, db)
    }
  }
}
