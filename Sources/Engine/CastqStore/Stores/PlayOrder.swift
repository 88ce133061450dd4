import CastqFeeding
import CastqPlaylists
import CastqText
import GRDB

/// The play order of a list.
struct PlayOrder {
  let queue: QueueID
  var role = EntryRole.main
  var settings: QueueSettings
  /// The time for time windows; nil ignores them.
  var now: WallTime?
  let db: GRDB.Database
  /// Receives unreadable entries; nil makes them an error.
  var notes: DamageNotes?
  /// Whether unreadable entries are marked as failed; whoever only looks leaves them as they are.
  var mayWrite = true

  /// SQL condition: the entry's time window is open.
  static let isOpen =
    "(:now IS NULL OR (coalesce(not_before, :now) <= :now AND coalesce(not_after, :now + 1) > :now))"

  /// SQL sort key of the current round.
  var key: String {
    isShuffled
      ? "castq_shuffle(\(Int64(bitPattern: settings.shuffleSeed)), \(settings.round), id)" : "position"
  }

  /// A fallback list is never shuffled.
  private var isShuffled: Bool { settings.isShuffled && role == .main }

  /// The places from a round on, round by round; in a round that is still to come nothing has failed.
  func rounds(from first: Int, besides: UpcomingPlace?, limit: Int) throws -> [UpcomingEntry] {
    var round = first
    var places: [UpcomingEntry] = []
    // A list of one entry fills the result with it; an empty list ends the search.
    var isEmpty = false
    while places.count < limit, !isEmpty {
      let more = try self.places(round: round, besides: besides, limit: limit - places.count)
      isEmpty = more.isEmpty && (besides?.round ?? Int.min) < round
      places += round == first ? more : more.map(\.unfailed)
      round += 1
    }
    return places
  }

  /// Entries due in a round, in its order.
  func places(round: Int, besides: UpcomingPlace?, limit: Int) throws -> [UpcomingEntry] {
    let statement = try db.cachedStatement(
      sql: """
        WITH due AS (\(isShuffled ? shuffled(round) : Self.inOrder))
        SELECT \(EntryColumn.list) FROM due CROSS JOIN \(EntryRows.source) WHERE e.id = due.id ORDER BY due.place
        """)
    let excluded = besides.flatMap { $0.round == round ? $0.entry.rawValue : nil } ?? -1
    let rows = try Row.fetchCursor(
      statement,
      arguments: [
        "queue": queue.number, "role": role.rawValue, "round": round, "excluded": excluded,
        "limit": limit, "now": now?.milliseconds,
      ])
    var damaged: [Int64] = []
    let places = try rows.readable(noting: notes) { row in
      do {
        return try EntryRows.place(row, round: round, db)
      } catch let damage as RowDamage {
        if let id: Int64 = try? EntryRows.stored(row).value(.id) { damaged.append(id) }
        throw damage
      }
    }
    if !mayWrite, places.count < limit, damaged.count == limit - places.count, limit < DamageNotes.limit {
      return Array(
        try self.places(round: round, besides: besides, limit: DamageNotes.limit).prefix(limit))
    }
    guard mayWrite else { return places }
    // Read again, as entries behind the failed ones move up.
    return try damaged.isEmpty || !markFailed(damaged, round: round)
      ? places : self.places(round: round, besides: besides, limit: limit)
  }

  /// The first entry that waits for a later round, in that round's order; nil if none does.
  func waiting(round: Int) throws -> UpcomingEntry? {
    var later = self
    later.settings.round = round
    // The text has the seed and the round in it: there is one for each shuffling.
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT id FROM queue_entry
        WHERE queue_id = :queue AND role = 'main' AND state = 'pending' AND round = :round AND \(Self.isOpen)
        ORDER BY \(later.key) LIMIT 1
        """, arguments: ["queue": queue.number, "round": round, "now": now?.milliseconds])
    let entry: Int64? = try row.map { try StoredRow($0, of: "queue_entry").value("id") }
    return try entry.flatMap { try place(of: EntryID($0), round: round) }
  }

  /// Marks unreadable entries as failed, so that the list can continue and end.
  /// - Returns: whether any row was changed.
  private func markFailed(_ entries: [Int64], round: Int) throws -> Bool {
    var isChanged = false
    for id in entries {
      do {
        try db.execute(
          sql: "UPDATE queue_entry SET state = 'failed', round = ? WHERE id = ? AND state = 'pending'",
          arguments: [round + 1, id])
        isChanged = isChanged || db.changesCount > 0
      } catch let error as DatabaseError
        where [.SQLITE_CONSTRAINT, .SQLITE_READONLY].contains(error.resultCode)
      {
        // A row with a column of the wrong type can be removed but not updated; read-only databases update none.
        continue
      }
    }
    return isChanged
  }

  /// The next entries in list order. The index delivers those of the round one by one; those of earlier
  /// rounds, where entries stay whose time was over, are all read.
  private static let inOrder = """
    SELECT id, place FROM (
      SELECT id, position AS place FROM queue_entry
      WHERE queue_id = :queue AND role = :role AND state <> 'cancelled' AND round = :round AND id <> :excluded
        AND \(isOpen)
      ORDER BY position LIMIT :limit)
    UNION ALL
    SELECT id, position FROM queue_entry
    WHERE queue_id = :queue AND role = :role AND state <> 'cancelled' AND round < :round AND id <> :excluded
      AND \(isOpen)
    ORDER BY place LIMIT :limit
    """

  private func shuffled(_ round: Int) -> String {
    """
    SELECT id, castq_shuffle(\(Int64(bitPattern: settings.shuffleSeed)), \(round), id) AS place FROM queue_entry
    WHERE queue_id = :queue AND role = :role AND state <> 'cancelled' AND round <= :round AND id <> :excluded
      AND \(Self.isOpen)
    ORDER BY place LIMIT :limit
    """
  }

  /// One entry as a place in a round; nil if it was removed or is unreadable.
  func place(of entry: EntryID, round: Int) throws -> UpcomingEntry? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(EntryColumn.list) FROM \(EntryRows.source)
        WHERE e.id = :entry AND e.state <> 'cancelled' AND \(Self.isOpen)
        """)
    return try Row.fetchCursor(statement, arguments: ["entry": entry.rawValue, "now": now?.milliseconds])
      .readable(noting: notes) { try EntryRows.place($0, round: round, db) }.first
  }
}
