import CastProtocol
package import CastqFeeding
package import CastqPlaylists
package import CastqText
import GRDB

/// The queues of all devices.
package struct QueueStore: Sendable {
  let database: Database

  package init(_ database: Database) { self.database = database }

  /// Where new entries go.
  package enum Placement: Sendable, Hashable {
    case end
    /// Right after the current entry, or first if nothing plays.
    case next
    /// Before the entry at this position, from 1; a position past the end means the end.
    case at(Int)
    /// In place of the whole list.
    case replacing
  }

  // MARK: - Settings

  package func settings(for queue: some QueueReference) throws(StoreError) -> QueueSettings {
    try database.read { db in try Self.settings(queue, db) }
  }

  /// - Parameter looping: whether the list repeats whatever its rows say, for the length of a run.
  static func settings(
    _ queue: some QueueReference, looping: Bool = false, _ db: GRDB.Database
  ) throws -> QueueSettings {
    let found = try db.first(
      sql: "SELECT id, identity, repeat_mode, is_shuffled, shuffle_seed, round, name FROM queue WHERE id = ?",
      arguments: [queue.number]
    ) { row in
      let stored = StoredRow(row, of: "queue")
      return QueueSettings(
        queue: try stored.value("identity"), repeatMode: looping ? .all : try stored.choice("repeat_mode"),
        isShuffled: try stored.value("is_shuffled"),
        shuffleSeed: UInt64(bitPattern: try stored.value("shuffle_seed")), round: try stored.value("round"),
        name: try stored.optional("name"))
    }
    guard let found else { throw StoreError.listGone }
    return found
  }

  package func setRepeat(_ mode: QueueRepeat, for queue: some QueueReference) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql: "UPDATE queue SET repeat_mode = ? WHERE id = ?",
        arguments: [mode.rawValue, queue.number])
    }
  }

  /// Switches shuffling; the seed is stored, so that the order survives a restart.
  package func setShuffle(_ isShuffled: Bool, seed: UInt64, for queue: some QueueReference) throws(StoreError)
  {
    try database.write { db in
      try db.execute(
        sql: "UPDATE queue SET is_shuffled = ?, shuffle_seed = ? WHERE id = ?",
        arguments: [isShuffled, Int64(bitPattern: seed), queue.number])
    }
  }

  // MARK: - Editing

  /// Adds entries in one transaction.
  package func enqueue(
    _ drafts: [EntryDraft], for queue: some QueueReference, placement: Placement, at now: WallTime
  ) throws(StoreError) -> [QueueEntry] {
    try database.write { db in try Self.add(drafts, queue, placement, at: now, db) }
  }

  static func add(
    _ drafts: [EntryDraft], _ queue: some QueueReference, _ placement: Placement, at now: WallTime,
    _ db: GRDB.Database
  ) throws -> [QueueEntry] {
    if placement == .replacing { try clear(queue, db) }
    let round = try db.scalar(
      Int.self, of: "queue", sql: "SELECT round FROM queue WHERE id = ?", arguments: [queue.number])
    guard let round else { throw StoreError.listGone }
    let place = try Self.place(placement, queue, db)
    if let following = place.following {
      try Self.makeRoom(for: drafts.count, before: following, queue, db)
    }
    let first = place.following ?? place.end
    var entries: [QueueEntry] = []
    entries.reserveCapacity(drafts.count)
    for (offset, draft) in drafts.enumerated() {
      let id = try EntryRows.insert(
        draft, queue: queue, position: first + Int64(offset), round: round, at: now, db)
      entries.append(
        QueueEntry(
          id: EntryID(id), position: place.number + offset, state: .pending, turn: 0, attempts: 0,
          draft: draft))
    }
    return entries
  }

  /// Removes entries from the list. Their rows stay for history, but are never played. One that is named twice is removed once.
  package func remove(_ entries: [EntryID], from queue: some QueueReference) throws(StoreError) {
    try database.write { db in
      var removed: Set<EntryID> = []
      for entry in entries where removed.insert(entry).inserted {
        try db.execute(
          sql:
            "UPDATE queue_entry SET state = 'cancelled' WHERE id = ? AND queue_id = ? AND role = 'main' AND state <> 'cancelled'",
          arguments: [entry.rawValue, queue.number])
        if db.changesCount == 0 { throw StoreError.unknownEntry("\(entry.rawValue)") }
      }
      try Self.forgetRemoved(queue, db)
    }
  }

  /// Moves an entry to a position, from 1; a position past the end means the end.
  package func move(_ entry: EntryID, toPosition position: Int, on queue: some QueueReference)
    throws(StoreError)
  {
    try database.write { db in
      let present = try Self.listOrder(of: queue, db)
      guard present.contains(entry) else { throw StoreError.unknownEntry("\(entry.rawValue)") }
      var order = present.filter { $0 != entry }
      order.insert(entry, at: min(max(position - 1, 0), order.count))
      try Self.renumber(order.map(\.rawValue), queue, db)
    }
  }

  /// The entries of the list in their order.
  static func listOrder(of queue: some QueueReference, _ db: GRDB.Database) throws -> [EntryID] {
    try db.scalars(
      Int64.self, of: "queue_entry",
      sql:
        "SELECT id FROM queue_entry WHERE queue_id = ? AND role = 'main' AND state <> 'cancelled' ORDER BY position",
      arguments: [queue.number]
    ).map { EntryID($0) }
  }

  /// Empties the list.
  package func clear(for queue: some QueueReference) throws(StoreError) {
    try database.write { db in try Self.clear(queue, db) }
  }

  // MARK: - Reading

  /// The list in its order; damaged rows are noted and skipped.
  package func entries(for queue: some QueueReference) throws(StoreError) -> [QueueEntry] {
    try database.read { db in try Self.entries(.main, queue, db, noting: database.notes) }
  }

  /// - Parameter notes: receives unreadable entries; nil makes them an error.
  static func entries(
    _ role: EntryRole, _ queue: some QueueReference, _ db: GRDB.Database, noting notes: DamageNotes? = nil
  ) throws -> [QueueEntry] {
    // Row by row: copied rows look up their columns by name.
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EntryColumn.list) FROM \(EntryRows.source)
        WHERE e.queue_id = ? AND e.role = ? AND e.state <> 'cancelled' ORDER BY e.position
        """, arguments: [queue.number, role.rawValue])
    var position = 0
    return try rows.readable(noting: notes) { row in
      position += 1
      return try EntryRows.entry(row, position: position, db)
    }
  }

  /// One entry, even a removed one; nil if there is none. Its position is 0, because only the list determines it.
  package func entry(_ id: EntryID) throws(StoreError) -> QueueEntry? {
    try database.read { db in
      try db.first(
        sql: "SELECT \(EntryColumn.list) FROM \(EntryRows.source) WHERE e.id = ?", arguments: [id.rawValue]
      ) { try EntryRows.entry($0, position: 0, db) }
    }
  }

  /// Entries by their numbers, even removed ones, in any order; those that are not there are left out, damaged ones are noted. Their
  /// positions are 0, because only the list determines them.
  package func entries(_ ids: [EntryID]) throws(StoreError) -> [QueueEntry] {
    guard !ids.isEmpty else { return [] }
    let list = JSONValue.array(ids.map { .integer($0.rawValue) }).text
    return try database.read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT \(EntryColumn.list) FROM \(EntryRows.source) WHERE e.id IN (SELECT value FROM json_each(?))
          """)
      let rows = try Row.fetchCursor(statement, arguments: [list])
      return try rows.readable(noting: database.notes) { row in try EntryRows.entry(row, position: 0, db) }
    }
  }

  /// The entry in state playing; nil if there is none. Its position is 0, because only the list determines it.
  package func playing(on queue: some QueueReference) throws(StoreError) -> QueueEntry? {
    try database.read { db in
      try db.first(
        sql: """
          SELECT \(EntryColumn.list) FROM \(EntryRows.source)
          WHERE e.queue_id = ? AND e.role = 'main' AND e.state = 'playing'
          """, arguments: [queue.number]
      ) { try EntryRows.entry($0, position: 0, db) }
    }
  }

  /// The number of entries in each state, without removed ones.
  package func counts(for queue: some QueueReference) throws(StoreError) -> [EntryState: Int] {
    try database.read { db in
      let rows = try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT state, count(*) AS n FROM queue_entry
            WHERE queue_id = ? AND role = 'main' AND state <> 'cancelled' GROUP BY state
            """),
        arguments: [queue.number])
      var counts: [EntryState: Int] = [:]
      for row in rows {
        let stored = StoredRow(row, of: "queue_entry", id: "n")
        if let state = try? stored.choice("state") as EntryState { counts[state] = try stored.value("n") }
      }
      return counts
    }
  }

  // MARK: - Positions

  static func firstFreePosition(
    _ role: EntryRole, _ queue: some QueueReference, _ db: GRDB.Database
  ) throws -> Int64 {
    let last = try db.scalar(
      Int.self, of: "queue_entry",
      sql: """
        SELECT max(position) FROM queue_entry WHERE queue_id = ? AND role = ? AND state <> 'cancelled'
        """, arguments: [queue.number, role.rawValue])
    return Int64(last ?? 0) + 1
  }

  /// Where new rows go: the position key of the row they displace (nil at the end), the first free key, and the visible position.
  private static func place(
    _ placement: Placement, _ queue: some QueueReference, _ db: GRDB.Database
  ) throws -> (following: Int64?, end: Int64, number: Int) {
    let end = try firstFreePosition(.main, queue, db)
    let count =
      try db.scalar(
        Int.self, of: "queue_entry",
        sql:
          "SELECT count(*) FROM queue_entry WHERE queue_id = ? AND role = 'main' AND state <> 'cancelled'",
        arguments: [queue.number]) ?? 0
    let number: Int
    switch placement {
    case .end, .replacing: return (nil, end, count + 1)
    case .at(let position): number = min(max(position, 1), count + 1)
    case .next:
      let current = try db.scalar(
        Int64.self, of: "queue_entry",
        sql: "SELECT position FROM queue_entry WHERE queue_id = ? AND role = 'main' AND state = 'playing'",
        arguments: [queue.number])
      // Nothing plays: insert before the first waiting entry, not before played ones.
      let before =
        try current
        ?? db.scalar(
          Int64.self, of: "queue_entry",
          sql: """
            SELECT max(position) FROM queue_entry
            WHERE queue_id = ? AND role = 'main' AND state IN (\(Self.ended))
            """, arguments: [queue.number])
      number =
        try db.scalar(
          Int.self, of: "queue_entry",
          sql:
            "SELECT count(*) + 1 FROM queue_entry WHERE queue_id = ? AND role = 'main' AND state <> 'cancelled' AND position <= ?",
          arguments: [queue.number, before ?? Int64.min]) ?? 1
    }
    let following = try db.scalar(
      Int.self, of: "queue_entry",
      sql: """
        SELECT position FROM queue_entry WHERE queue_id = ? AND role = 'main' AND state <> 'cancelled'
        ORDER BY position LIMIT 1 OFFSET ?
        """, arguments: [queue.number, number - 1])
    return (following.map(Int64.init), end, number)
  }

  /// Shifts rows. Keys are unique, so rows move through negative keys.
  private static func makeRoom(
    for count: Int, before key: Int64, _ queue: some QueueReference, _ db: GRDB.Database
  )
    throws
  {
    try db.execute(
      sql: """
        UPDATE queue_entry SET position = -(position + ?)
        WHERE queue_id = ? AND role = 'main' AND state <> 'cancelled' AND position >= ?
        """, arguments: [count, queue.number, key])
    try takeBackNegatives(.main, queue, db)
  }

  /// Gives entries the positions 1, 2 … in the order of `ids`.
  static func renumber(
    _ ids: [Int64], of role: EntryRole = .main, _ queue: some QueueReference, _ db: GRDB.Database
  ) throws {
    for (offset, id) in ids.enumerated() {
      try db.cachedStatement(sql: "UPDATE queue_entry SET position = ? WHERE id = ?")
        .execute(arguments: [-Int64(offset) - 1, id])
    }
    try takeBackNegatives(role, queue, db)
  }

  private static func takeBackNegatives(
    _ role: EntryRole, _ queue: some QueueReference, _ db: GRDB.Database
  ) throws {
    try db.execute(
      sql: """
        UPDATE queue_entry SET position = -position
        WHERE queue_id = ? AND role = ? AND state <> 'cancelled' AND position < 0
        """, arguments: [queue.number, role.rawValue])
  }
}
