package import CastqFeeding
package import CastqPlaylists
import GRDB

extension QueueStore {
  /// The order of a list and the states of its entries, in one read.
  package func order(of queue: some QueueReference) throws(StoreError) -> QueueOrder {
    try database.read { db in try database.orders.order(queue, db) }
  }

  /// Moves an entry behind another one, if both are where the caller has seen them.
  /// - Parameters:
  ///   - after: nil moves it to the top.
  ///   - seen: the list as the caller saw it; nil when that is not known any more.
  /// - Returns: the list as it is now.
  /// - Throws: `StoreError.stale` when one of the two has moved, was played or removed meanwhile.
  @discardableResult
  package func move(
    _ entry: EntryID, after: EntryID?, on queue: some QueueReference,
    seen: (QueueOrder) -> QueueOrder?
  ) throws(StoreError) -> QueueOrder {
    try database.write { db in
      let present = try Self.order(queue, db)
      let named = [entry] + (after.map { [$0] } ?? [])
      for one in named where !present.contains(one) {
        throw StoreError.stale("entry \(one.rawValue) is gone")
      }
      guard let seen = seen(present) else {
        throw StoreError.stale("the list has changed since, and nothing is known of that version")
      }
      for one in named where present.hasChanged(one, since: seen) {
        // Of two neighbours that changed places nothing says which one was moved.
        throw StoreError.stale("entry \(one.rawValue), or one beside it, has moved or was played meanwhile")
      }
      guard after != entry else { return present }
      var ids = present.rows.map(\.entry.rawValue).filter { $0 != entry.rawValue }
      let place = after.flatMap { after in ids.firstIndex(of: after.rawValue).map { $0 + 1 } } ?? 0
      ids.insert(entry.rawValue, at: place)
      try Self.renumber(ids, queue, db)
      return try Self.order(queue, db)
    }
  }

  /// Numbers that change with the lists of all devices, so that those who follow read only what has changed. Each row adds a number of
  /// its own: a sum of its columns would stay the same where an entry is moved past others whose mean it is.
  package func fingerprints() throws(StoreError) -> [DeviceID: Int64] {
    try database.read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT q.id AS id, count(e.id) + 7 * q.round + 3 * q.is_shuffled + q.shuffle_seed % 1000003 + unicode(q.repeat_mode) * 11
              + coalesce(sum(castq_shuffle(e.position, unicode(substr(e.state, 2)), e.id) >> 20), 0)
              + coalesce(q.stopped_at, 0) AS mark
          FROM queue q LEFT JOIN queue_entry e ON e.queue_id = q.id AND e.role = 'main' AND e.state <> 'cancelled'
          WHERE q.programme_id IS NULL GROUP BY q.id
          """)
      let rows = try Row.fetchCursor(statement)
      let marks = try rows.readable(noting: DamageNotes()) { row in
        let row = StoredRow(row, of: "queue")
        return (DeviceID(try row.value("id")), try row.value("mark", as: Int64.self))
      }
      return Dictionary(marks) { $1 }
    }
  }

  /// A part of the list with the order that it is a part of, in one read: the version names these rows, whatever is written meanwhile.
  /// - Parameters:
  ///   - from: how many entries are left out before it, from 0.
  ///   - count: the most entries of it, from 1.
  ///   - since: a version whose rows the caller has; they are not read then.
  package func part(
    of queue: some QueueReference, from: Int, count: Int, since: Int64? = nil
  ) throws(StoreError) -> QueuePart {
    try database.read { db in
      let settings = try Self.settings(queue, db)
      let order = try database.orders.order(queue, db)
      guard order.version != since else { return QueuePart(settings: settings, order: order, entries: nil) }
      let statement = try db.cachedStatement(
        sql: """
          SELECT \(EntryColumn.list) FROM \(EntryRows.source)
          WHERE e.queue_id = ? AND e.role = 'main' AND e.state <> 'cancelled' ORDER BY e.position LIMIT ? OFFSET ?
          """)
      let rows = try Row.fetchCursor(statement, arguments: [queue.number, count, from])
      var position = from
      let entries = try rows.readable(noting: database.notes) { row in
        position += 1
        return try EntryRows.entry(row, position: position, db)
      }
      return QueuePart(settings: settings, order: order, entries: entries)
    }
  }

  static func order(_ queue: some QueueReference, _ db: GRDB.Database) throws -> QueueOrder {
    let settings = try settings(queue, db)
    let cursor = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT id, state FROM queue_entry WHERE queue_id = ? AND role = 'main' AND state <> 'cancelled' ORDER BY position
          """), arguments: [queue.number])
    var rows: [QueueOrder.Row] = []
    // Every row of the list is read: by place, since names of columns are looked up for each row anew. A damaged row is left out.
    while let row = try cursor.next() {
      let stored = StoredRow(row, of: "queue_entry")
      guard let id: Int64 = stored.value(at: 0), let word: String = stored.value(at: 1),
        let state = EntryState(rawValue: word)
      else { continue }
      rows.append(QueueOrder.Row(entry: EntryID(id), state: state))
    }
    return QueueOrder(rows: rows, repeatMode: settings.repeatMode, isShuffled: settings.isShuffled)
  }
}

/// Entries of a list at one moment, with its order and settings at the same one.
package struct QueuePart: Sendable {
  package let settings: QueueSettings
  package let order: QueueOrder
  /// Nil when the caller has the rows of this version.
  package let entries: [QueueEntry]?
}
