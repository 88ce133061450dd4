import CastProtocol
package import CastqFeeding
package import CastqPlaylists
package import CastqText
import GRDB

/// Operations on a whole list.
extension QueueStore {
  /// Replaces the list by a playlist, with its name, fallback list, repeat mode and shuffling, in one transaction.
  /// - Parameter seed: seed of the shuffled order.
  @discardableResult
  package func replace(
    with playlist: Playlist, for queue: some QueueReference, seed: UInt64, at now: WallTime
  ) throws(StoreError) -> [QueueEntry] {
    try database.write { db in
      let entries = try Self.add(playlist.drafts, queue, .replacing, at: now, db)
      try db.execute(
        sql: "UPDATE queue SET name = ? WHERE id = ?", arguments: [playlist.name, queue.number])
      try Self.take(settingsOf: playlist, queue, seed: seed, at: now, db)
      return entries
    }
  }

  /// Adds the entries of a playlist to the list and adopts its repeat mode, shuffling and fallback list, in one transaction.
  /// Settings that the playlist does not specify stay.
  /// - Parameter seed: seed of the shuffled order.
  @discardableResult
  package func enqueue(
    _ playlist: Playlist, for queue: some QueueReference, placement: Placement, seed: UInt64, at now: WallTime
  ) throws(StoreError) -> [QueueEntry] {
    try database.write { db in
      let entries = try Self.add(playlist.drafts, queue, placement, at: now, db)
      try Self.take(settingsOf: playlist, queue, seed: seed, at: now, db)
      return entries
    }
  }

  private static func take(
    settingsOf playlist: Playlist, _ queue: some QueueReference, seed: UInt64, at now: WallTime,
    _ db: GRDB.Database
  ) throws {
    if let mode = playlist.repeatMode {
      try db.execute(
        sql: "UPDATE queue SET repeat_mode = ? WHERE id = ?",
        arguments: [mode.rawValue, queue.number])
    }
    if let isShuffled = playlist.isShuffled {
      try db.execute(
        sql: "UPDATE queue SET is_shuffled = ?, shuffle_seed = ? WHERE id = ?",
        arguments: [isShuffled, Int64(bitPattern: seed), queue.number])
    }
    if let fallback = playlist.fallback { try setFallback(fallback, queue, at: now, db) }
    try add(playlist.foreign, to: queue, db)
  }

  /// Updates the list and the fallback list to an edited playlist: entries in both keep their numbers and states, others are
  /// removed, and new ones are inserted at their positions.
  ///
  /// - Parameter isOwn: whether an entry belongs to the playlist, by its source. Other entries stay, each behind its
  ///   predecessor.
  /// - Returns: whether anything changed.
  @discardableResult
  package func revise(
    to playlist: Playlist, for queue: some QueueReference, at now: WallTime,
    where isOwn: (SourceLocation?) -> Bool = { _ in true }
  ) throws(StoreError) -> Bool {
    try database.write { db in try Self.revise(to: playlist, queue, at: now, where: isOwn, db) }
  }

  /// Gives the queue of a device a list of the configuration, in one transaction. Entries that were in it keep their numbers; what
  /// people have put in stays, each behind its predecessor, and so do the settings that are not the list's.
  package func adopt(
    _ playlist: Playlist, as list: ConfiguredList, for device: DeviceID, at now: WallTime
  ) throws(StoreError) {
    try database.write { db in try adopt(playlist, as: list, for: device, at: now, db) }
  }

  /// The same in place of all that is in the queue.
  package func replace(
    with playlist: Playlist, as list: ConfiguredList, for device: DeviceID, at now: WallTime
  ) throws(StoreError) {
    try database.write { db in
      try Self.clear(device, db)
      try adopt(playlist, as: list, for: device, at: now, db)
    }
  }

  private func adopt(
    _ playlist: Playlist, as list: ConfiguredList, for device: DeviceID, at now: WallTime,
    _ db: GRDB.Database
  ) throws {
    let known = try Self.configuredLists(db, noting: database.notes)[device]
    try Self.revise(
      to: playlist, device, at: now, where: { list.owns($0) || known?.owns($0) ?? false }, db)
    try Self.set(list.settings(after: known), device, db)
    try db.execute(
      sql: "UPDATE queue SET name = ?, configured_list = ? WHERE id = ?",
      arguments: [playlist.name, list.json.text, device.rawValue])
    try Self.set(playlist.foreign, of: device, db)
  }

  /// The lists that the queues of devices have got of the configuration. A damaged one is noted, and is as one that the queue never got.
  package func configuredLists() throws(StoreError) -> [DeviceID: ConfiguredList] {
    try database.read { db in try Self.configuredLists(db, noting: database.notes) }
  }

  /// The devices whose queues hold the list that the configuration has given them. A queue that a person has
  /// emptied, entry by entry or at once, holds none any more.
  package func devicesWithConfiguredLists() throws(StoreError) -> Set<DeviceID> {
    try database.read { db in
      let filled = try db.scalars(
        Int64.self, of: "queue",
        sql: """
          SELECT id FROM queue WHERE configured_list IS NOT NULL AND EXISTS (
            SELECT 1 FROM queue_entry AS e WHERE e.queue_id = queue.id AND e.role = 'main' AND e.state <> 'cancelled')
          """)
      let lists = try Self.configuredLists(db, noting: database.notes)
      return Set(filled.map(DeviceID.init)).intersection(lists.keys)
    }
  }

  static func configuredLists(
    _ db: GRDB.Database, noting notes: DamageNotes
  ) throws -> [DeviceID: ConfiguredList] {
    let lists = try Row.fetchCursor(
      db, sql: "SELECT id, configured_list FROM queue WHERE configured_list IS NOT NULL"
    ).readable(noting: notes) { row in
      let row = StoredRow(row, of: "queue")
      guard let list = try row.json("configured_list").flatMap(ConfiguredList.init(json:)) else {
        throw row.damage("configured_list")
      }
      return (DeviceID(try row.value("id")), list)
    }
    return Dictionary(lists) { $1 }
  }

  /// Takes over what an earlier version kept in a file of its own, by the identities of queues.
  package func adopt(_ lists: [String: ConfiguredList]) throws(StoreError) {
    try database.write { db in
      for (identity, list) in lists {
        try db.execute(
          sql: """
            UPDATE queue SET configured_list = ? WHERE identity = ? AND programme_id IS NULL AND configured_list IS NULL
            """, arguments: [list.json.text, identity])
      }
    }
  }

  /// Takes a list that has left the configuration out of the queue of a device, in one transaction: its entries, and the settings that
  /// it gave the queue.
  package func remove(_ list: ConfiguredList, from device: DeviceID, at now: WallTime) throws(StoreError) {
    try database.write { db in
      try Self.revise(to: Playlist(), device, at: now, where: list.owns, db)
      try Self.set(list.settings(leaving: try Self.settings(device, db)), device, db)
      try db.execute(
        sql: "UPDATE queue SET name = NULL, foreign_fields = NULL, configured_list = NULL WHERE id = ?",
        arguments: [device.rawValue])
    }
  }

  private static func set(
    _ settings: (repeatMode: QueueRepeat?, isShuffled: Bool?), _ device: DeviceID, _ db: GRDB.Database
  ) throws {
    try db.execute(
      sql: """
        UPDATE queue SET repeat_mode = coalesce(?2, repeat_mode), is_shuffled = coalesce(?3, is_shuffled),
          shuffle_seed = CASE WHEN is_shuffled = coalesce(?3, is_shuffled) THEN shuffle_seed ELSE ?4 END WHERE id = ?1
        """,
      arguments: [
        device.rawValue, settings.repeatMode?.rawValue, settings.isShuffled, Int64.random(in: 0...(.max)),
      ])
  }

  @discardableResult
  static func revise(
    to playlist: Playlist, _ queue: some QueueReference, at now: WallTime,
    where isOwn: (SourceLocation?) -> Bool = { _ in true }, _ db: GRDB.Database
  ) throws -> Bool {
    let isMainChanged = try revise(.main, to: playlist.drafts, queue, at: now, where: isOwn, db)
    let isFallbackChanged = try revise(
      .fallback, to: playlist.fallback ?? [], queue, at: now, where: { _ in true }, db)
    return isMainChanged || isFallbackChanged
  }

  private static func revise(
    _ role: EntryRole, to drafts: [EntryDraft], _ queue: some QueueReference, at now: WallTime,
    where isOwn: (SourceLocation?) -> Bool, _ db: GRDB.Database
  ) throws -> Bool {
    let old = try entries(role, queue, db).map { (id: $0.id.rawValue, draft: $0.draft) }
    let own = old.indices.filter { isOwn(old[$0].draft.source) }
    // A moved line is the same entry.
    func key(_ draft: EntryDraft) -> EntryDraft {
      var draft = draft
      draft.source = nil
      return draft
    }
    // What a page has said of itself since is no change of the list.
    let changes = drafts.map(key).difference(from: own.map { key(old[$0].draft) }) { $0.isSamePage(as: $1) }
    guard !changes.isEmpty else { return false }
    var removed: Set<Int> = []
    for case .remove(let offset, _, _) in changes.removals {
      try db.cachedStatement(sql: "UPDATE queue_entry SET state = 'cancelled' WHERE id = ?")
        .execute(arguments: [old[own[offset]].id])
      removed.insert(own[offset])
    }
    let inserted = Set(
      changes.insertions.map { change in
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
      })
    let round = try (role == .main ? settings(queue, db) : fallbackSettings(queue, db)).round
    // Free position keys for the reordering.
    var place = try firstFreePosition(role, queue, db)
    var order: [Int64] = []
    let (owned, isOwned) = (own.filter { !removed.contains($0) }, Set(own))
    var kept = owned[...]
    /// Foreign entries behind this one.
    func follow(_ index: Int) {
      var index = index + 1
      while index < old.count, !isOwned.contains(index) || removed.contains(index) {
        if !isOwned.contains(index) { order.append(old[index].id) }
        index += 1
      }
    }
    follow(-1)
    for (offset, draft) in drafts.enumerated() {
      if inserted.contains(offset) {
        order.append(
          try EntryRows.insert(
            draft, queue: queue, role: role, position: place, round: round, at: now, db))
        place += 1
      } else if let next = kept.popFirst() {
        order.append(old[next].id)
        follow(next)
      }
    }
    try renumber(order, of: role, queue, db)
    if !removed.isEmpty { try forgetRemoved(queue, db) }
    return true
  }

  /// Moves a list to another device, with its name, order, rounds, states, entry numbers and fallback list. The target must have
  /// no waiting entries; its played entries are removed. History stays with the device that played it.
  package func move(from source: DeviceID, to target: DeviceID) throws(StoreError) {
    try database.write { db in
      let waiting = try db.scalar(
        Int.self, of: "queue_entry",
        sql: """
          SELECT count(*) FROM queue_entry
            WHERE queue_id = ? AND role = 'main' AND state IN ('pending', 'offered', 'queued', 'playing')
          """, arguments: [target.rawValue])
      guard source != target, waiting == 0 else { throw StoreError.queueInUse(waiting: waiting ?? 0) }
      try Self.clear(target, db)
      try db.execute(
        sql: """
          UPDATE queue SET repeat_mode = old.repeat_mode, is_shuffled = old.is_shuffled,
              shuffle_seed = old.shuffle_seed, round = old.round, name = old.name,
              foreign_fields = old.foreign_fields
            FROM (SELECT * FROM queue WHERE id = ?) AS old WHERE queue.id = ?
          """, arguments: [source.rawValue, target.rawValue])
      try db.execute(
        sql:
          "UPDATE queue_entry SET queue_id = ?1, device_id = ?1 WHERE queue_id = ?2 AND state <> 'cancelled'",
        arguments: [target.rawValue, source.rawValue])
      try db.execute(
        sql: "UPDATE queue SET name = NULL, foreign_fields = NULL WHERE id = ?", arguments: [source.rawValue])
    }
  }

  /// Empties the list and the fallback list. Rows that history or a receiver may still refer to are only marked as cancelled; the
  /// others are deleted.
  static func clear(_ queue: some QueueReference, _ db: GRDB.Database) throws {
    try db.execute(
      sql: "UPDATE queue SET name = NULL, foreign_fields = NULL, configured_list = NULL WHERE id = ?",
      arguments: [queue.number])
    for role in EntryRole.allCases { try clear(role, queue, db) }
  }

  static func clear(_ role: EntryRole, _ queue: some QueueReference, _ db: GRDB.Database) throws {
    try db.execute(
      sql: """
        UPDATE queue_entry SET state = 'cancelled'
        WHERE queue_id = ? AND role = ? AND state IN ('offered', 'queued', 'playing')
        """, arguments: [queue.number, role.rawValue])
    try db.execute(
      sql: "DELETE FROM queue_entry WHERE queue_id = ? AND role = ? AND state <> 'cancelled'",
      arguments: [queue.number, role.rawValue])
  }
}
