package import CastProtocol
package import CastqFeeding
package import CastqPlaylists
import GRDB

/// Changes of a list that concern several entries, and looks at some of them.
extension QueueStore {
  /// Entries by their numbers, in the order of the list, without those that are gone. Their positions are 0.
  package func entries(
    _ ids: [EntryID], of queue: some QueueReference
  ) throws(StoreError) -> [QueueEntry] {
    let numbers = "[\(ids.map { "\($0.rawValue)" }.joined(separator: ","))]"
    return try database.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(EntryColumn.list) FROM \(EntryRows.source)
          WHERE e.id IN (SELECT value FROM json_each(?)) AND e.queue_id = ? AND e.role = 'main'
            AND e.state <> 'cancelled' ORDER BY e.position
          """, arguments: [numbers, queue.number])
      return try rows.readable(noting: database.notes) { row in
        try EntryRows.entry(row, position: 0, db)
      }
    }
  }

  /// The first entry that plays one of these addresses; nil when there is none. Its position is 0.
  package func entry(
    playing addresses: [String], of queue: some QueueReference
  ) throws(StoreError) -> QueueEntry? {
    let list = JSONValue.array(addresses.map { .string($0) }).text
    return try database.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(EntryColumn.list) FROM \(EntryRows.source)
          WHERE e.queue_id = ? AND e.role = 'main' AND e.state <> 'cancelled'
            AND coalesce(m.content_url, m.content_id) IN (SELECT value FROM json_each(?)) ORDER BY e.position LIMIT 1
          """, arguments: [queue.number, list])
      return try rows.readable(noting: database.notes) { row in
        try EntryRows.entry(row, position: 0, db)
      }.first
    }
  }

  /// Puts the list into another order, in one transaction.
  /// - Parameter change: the present order to the new one; nil leaves it, and so does one with other entries.
  /// - Returns: whether the list has the new order.
  @discardableResult
  package func arrange(
    _ queue: some QueueReference, _ change: ([EntryID]) -> [EntryID]?
  ) throws(StoreError) -> Bool {
    try database.write { db in
      let present = try Self.listOrder(of: queue, db)
      guard let order = change(present), order.count == present.count, Set(order) == Set(present) else {
        return false
      }
      if order != present { try Self.renumber(order.map(\.rawValue), queue, db) }
      return true
    }
  }

  /// Sets the part of an entry that is played.
  /// - Parameters:
  ///   - start: nil is the beginning.
  ///   - duration: nil is to the end.
  /// - Throws: `StoreError.stale` when the device has the entry already, or it is gone.
  package func setSection(
    from start: MediaTime?, for duration: MediaTime?, of entry: EntryID, on queue: some QueueReference
  ) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql: """
          UPDATE queue_entry SET start_time_s = ?, playback_duration_s = ?
          WHERE id = ? AND queue_id = ? AND role = 'main' AND state NOT IN ('offered', 'queued', 'playing', 'cancelled')
          """,
        arguments: [start?.seconds, duration?.seconds, entry.rawValue, queue.number])
      if db.changesCount == 0 {
        throw StoreError.stale("entry \(entry.rawValue) is gone, or the device has it already")
      }
    }
  }
}
