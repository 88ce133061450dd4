import CastqFeeding
import CastqPlaylists
import CastqText
import GRDB

/// The play order of a list, read at a moment. Nothing is written: `QueueStore.advance` writes what a look has found.
struct PlayOrder {
  let queue: QueueID
  var role = EntryRole.main
  let settings: QueueSettings
  /// The time for time windows; nil ignores them.
  var now: WallTime?
  let db: GRDB.Database
  /// Receives unreadable entries; nil makes them an error.
  var notes: DamageNotes?
  /// The later round that the list has come to; nil while its own goes on.
  private(set) var later: Int?
  /// The entries that a look could not read.
  private(set) var unreadable: [Int64] = []

  init(
    _ queue: QueueID, role: EntryRole = .main, _ settings: QueueSettings, at now: WallTime? = nil,
    _ db: GRDB.Database, noting notes: DamageNotes? = nil
  ) {
    (self.queue, self.role, self.settings, self.now, self.db, self.notes) = (
      queue, role, settings, now, db, notes
    )
  }

  /// SQL condition: the entry's time window is open.
  static let isOpen =
    "(:now IS NULL OR (coalesce(not_before, :now) <= :now AND coalesce(not_after, :now + 1) > :now))"

  /// SQL sort key of the current round.
  var key: String { settings.isShuffled ? shuffleKey(settings.round) : "position" }

  private func shuffleKey(_ round: Int) -> String {
    "castq_shuffle(\(Int64(bitPattern: settings.shuffleSeed)), \(round), id)"
  }

  /// The next places, without the current one. With repeat off these are the due entries. With repeat all the list continues into the
  /// next rounds, each reshuffled. With repeat one it is the same entry, repeated.
  mutating func look(limit: Int, besides: UpcomingPlace?) throws -> [UpcomingEntry] {
    if settings.repeatMode == .off {
      let due = try places(round: settings.round, besides: besides, limit: limit)
      guard due.isEmpty else { return due }
      later = try QueueStore.waitingRound(queue, settings.round, at: now, db)
      return try later.map { try places(round: $0, besides: besides, limit: limit, waiting: true) } ?? []
    }
    later = try QueueStore.dueRound(queue, settings.round, at: now, db)
    let round = later ?? settings.round
    if settings.repeatMode == .all { return try rounds(from: round, besides: besides, limit: limit) }
    // Keep the round: an entry ahead of the others would be skipped for as many rounds once the whole list repeats.
    let current = try besides.flatMap { try place(of: $0.entry, round: $0.round) }
    let next = try current ?? places(round: round, besides: nil, limit: 1).first
    return next.map { Array(repeating: later == nil ? $0 : $0.unfailed, count: limit) } ?? []
  }

  /// The places from a round on, round by round; in a round that is still to come nothing has failed.
  mutating func rounds(from first: Int, besides: UpcomingPlace?, limit: Int) throws -> [UpcomingEntry] {
    var round = first
    var places: [UpcomingEntry] = []
    // A list of one entry fills the result with it; an empty list ends the search.
    var isEmpty = false
    while places.count < limit, !isEmpty {
      let more = try self.places(round: round, besides: besides, limit: limit - places.count)
      isEmpty = more.isEmpty && (besides?.round ?? Int.min) < round
      places += round > settings.round ? more.map(\.unfailed) : more
      round += 1
    }
    return places
  }

  /// Entries due in a round, in its order.
  /// - Parameter waiting: whether what has had its turn is left out.
  private mutating func places(
    round: Int, besides: UpcomingPlace?, limit: Int, waiting: Bool = false
  ) throws -> [UpcomingEntry] {
    let statement = try db.cachedStatement(
      sql: """
        WITH due AS (\(settings.isShuffled ? shuffled(round) : Self.inOrder))
        SELECT \(EntryColumn.list) FROM due CROSS JOIN \(EntryRows.source) WHERE e.id = due.id ORDER BY due.place
        """)
    let excluded = besides.flatMap { $0.round == round ? $0.entry.rawValue : nil } ?? -1
    let rows = try Row.fetchCursor(
      statement,
      arguments: [
        "queue": queue.number, "role": role.rawValue, "round": round, "excluded": excluded,
        "limit": limit, "now": now?.milliseconds, "waiting": waiting,
      ])
    var seen = 0
    let places = try rows.readable(noting: notes) { row in
      seen += 1
      do {
        return try EntryRows.place(row, round: round, db)
      } catch let damage as RowDamage {
        if let id: Int64 = try? EntryRows.stored(row).value(.id) { unreadable.append(id) }
        throw damage
      }
    }
    guard places.count < limit, seen == limit else { return places }
    // Entries behind the unreadable ones move up.
    let more = try self.places(round: round, besides: besides, limit: max(limit, 50) * 2, waiting: waiting)
    return Array(more.prefix(limit))
  }

  /// SQL condition: the list has the entry, and it can be shown now.
  private static let isThere = """
    queue_id = :queue AND role = :role AND state <> 'cancelled' AND id <> :excluded AND \(isOpen)
      AND (NOT :waiting OR state NOT IN (\(QueueStore.ended)))
    """

  /// The next entries in list order. The index delivers those of the round one by one; those of earlier
  /// rounds, where entries stay whose time was over, are all read.
  private static let inOrder = """
    SELECT id, place FROM (
      SELECT id, position AS place FROM queue_entry WHERE round = :round AND \(isThere)
      ORDER BY position LIMIT :limit)
    UNION ALL
    SELECT id, position FROM queue_entry WHERE round < :round AND \(isThere)
    ORDER BY place LIMIT :limit
    """

  private func shuffled(_ round: Int) -> String {
    """
    SELECT id, \(shuffleKey(round)) AS place FROM queue_entry WHERE round <= :round AND \(Self.isThere)
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
