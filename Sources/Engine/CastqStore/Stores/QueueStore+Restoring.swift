import CastProtocol
package import CastqFeeding
package import CastqPlaylists
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
  ///
  /// What the list of the configuration has given the queue again in their place meanwhile goes, so that each
  /// is there once. Only what the device shows by now stays, where its predecessor stood, and that one stays
  /// removed.
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
      let successors = try Self.successors(of: back, since: order, on: queue, db, noting: database.notes)
      var (restored, moved, left): ([EntryID], Set<EntryID>, Set<EntryID>) = ([], [], [])
      var places: [EntryID?: [EntryID]] = [:]
      // The nearest entry before each that is still in the list.
      var anchor: EntryID?
      for entry in order {
        if there.contains(entry) {
          anchor = entry
        } else if let successor = successors[entry], successor.state == .playing {
          moved.insert(successor.id)
          places[anchor, default: []].append(successor.id)
        } else if gone.contains(entry), try Self.revive(entry, on: queue, db) {
          restored.append(entry)
          places[anchor, default: []].append(entry)
          if let successor = successors[entry] { left.insert(successor.id) }
        }
      }
      guard !places.isEmpty else { return [] }
      var merged = places[nil] ?? []
      for entry in present where !moved.contains(entry) && !left.contains(entry) {
        merged += [entry] + (places[entry] ?? [])
      }
      for entry in left {
        try db.cachedStatement(sql: "UPDATE queue_entry SET state = 'cancelled' WHERE id = ?")
          .execute(arguments: [entry.rawValue])
      }
      try Self.renumber(merged.map(\.rawValue), queue, db)
      if !left.isEmpty { try Self.forgetRemoved(queue, db) }
      return restored
    }
  }

  /// Entries that the list of the configuration has given the queue again in place of removed ones: a queue
  /// that a person has emptied takes its list up anew.
  /// - Parameters:
  ///   - removed: the entries, in the order of the list.
  ///   - order: the list as it was before they were removed; what has come since has greater numbers.
  private static func successors(
    of removed: [EntryID], since order: [EntryID], on queue: some QueueReference, _ db: GRDB.Database,
    noting notes: DamageNotes
  ) throws -> [EntryID: QueueEntry] {
    guard !removed.isEmpty, let newest = order.max(),
      let list = try configuredLists(db, noting: notes)[DeviceID(queue.number)]
    else { return [:] }
    let added = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EntryColumn.list) FROM \(EntryRows.source)
        WHERE e.queue_id = ? AND e.role = 'main' AND e.state <> 'cancelled' AND e.id > ? ORDER BY e.position
        """, arguments: [queue.number, newest.rawValue])
    let new = try added.readable(noting: notes) { row in try EntryRows.entry(row, position: 0, db) }
      .filter { list.owns($0.draft.source) }
    guard !new.isEmpty else { return [:] }
    let numbers = JSONValue.array(removed.map { .integer($0.rawValue) }).text
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EntryColumn.list) FROM \(EntryRows.source) WHERE e.id IN (SELECT value FROM json_each(?))
        """, arguments: [numbers])
    let old = try rows.readable(noting: notes) { row in try EntryRows.entry(row, position: 0, db) }
    let drafts = Dictionary(old.map { ($0.id, $0.draft) }) { $1 }
    var candidates = SuccessorIndex(new)
    var successors: [EntryID: QueueEntry] = [:]
    for entry in removed {
      guard let draft = drafts[entry], list.owns(draft.source) else { continue }
      if let successor = candidates.remove(sameAs: draft) { successors[entry] = successor }
    }
    return successors
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

/// Entries by what they are, wherever they are written: a moved line is the same entry.
private struct SuccessorIndex {
  private let entries: [QueueEntry]
  /// Indices of equal entries, the first one last.
  private var equal: [EntryDraft: [Int]] = [:]
  /// Indices of entries without a content type, by address, of which a page may have said more since.
  private var untyped: [String: [Int]] = [:]
  private var removed: Set<Int> = []

  init(_ entries: [QueueEntry]) {
    self.entries = entries
    for index in entries.indices.reversed() {
      let draft = entries[index].draft
      equal[draft.withoutSource, default: []].append(index)
      if draft.media.contentType == nil { untyped[draft.media.url, default: []].append(index) }
    }
  }

  /// Removes the first entry that is equal to a draft, or else is the same page; nil when there is none.
  mutating func remove(sameAs draft: EntryDraft) -> QueueEntry? {
    let draft = draft.withoutSource
    while let index = equal[draft]?.popLast() {
      if removed.insert(index).inserted { return entries[index] }
    }
    guard draft.media.contentType == nil else { return nil }
    let page = untyped[draft.media.url]?.last { index in
      !removed.contains(index) && entries[index].draft.withoutSource.isSamePage(as: draft)
    }
    guard let page else { return nil }
    removed.insert(page)
    return entries[page]
  }
}

extension EntryDraft {
  fileprivate var withoutSource: EntryDraft {
    var draft = self
    draft.source = nil
    return draft
  }
}
