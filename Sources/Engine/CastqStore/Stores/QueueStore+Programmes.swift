import CastProtocol
package import CastqFeeding
package import CastqPlaylists
import CastqSchedule
package import CastqText
import GRDB

/// The queues of programmes: one for each programme that a device has shown, and another one for rules that start at moments of their
/// own.
extension QueueStore {
  private static func queue(
    of programme: Int64, _ device: DeviceID, forStarts: Bool, _ db: GRDB.Database
  ) throws -> QueueID? {
    try db.scalar(
      Int64.self, of: "queue",
      sql: "SELECT id FROM queue WHERE device_id = ? AND programme_id = ? AND for_starts = ?",
      arguments: [device.rawValue, programme, forStarts]
    ).map(QueueID.init)
  }

  /// Milliseconds of the next item of each of these programmes that has one on a device.
  func nextLengths(
    of programmes: [RuleID: String], on device: DeviceID, at now: WallTime
  ) throws(StoreError) -> [RuleID: Int64] {
    var lengths: [RuleID: Int64] = [:]
    let history = try HistoryStore(database).lengths(of: device)
    for (rule, name) in programmes {
      guard let queue = try queue(ofProgramme: name, on: device),
        let next = try look(into: queue, limit: 1, besides: nil, at: now, looping: true).first
      else { continue }
      let url = next.draft.media.contentURL ?? next.draft.media.contentID
      lengths[rule] = next.draft.expectedLength(history: history[url])
    }
    return lengths
  }

  /// Seconds of one pass through each of these programmes, as far as their lists and history say; those whose source has not been
  /// read yet are left out.
  package func lengths(ofProgrammes names: Set<String>) throws(StoreError) -> [String: Int] {
    var lengths: [String: Int] = [:]
    var histories: [DeviceID: [String: MediaTime]] = [:]
    for name in names {
      guard let (queue, device) = try anyQueue(ofProgramme: name) else { continue }
      if histories[device] == nil { histories[device] = try HistoryStore(database).lengths(of: device) }
      var seconds = 0.0
      for entry in try entries(for: queue) {
        let url = entry.draft.media.contentURL ?? entry.draft.media.contentID
        seconds += Double(entry.draft.expectedLength(history: histories[device]?[url])) / 1000
      }
      lengths[name] = Int(bounded: seconds.rounded())
    }
    return lengths
  }

  /// What a screen has got of a programme last; nil where none has.
  package func entries(ofProgramme name: String) throws(StoreError) -> [QueueEntry]? {
    guard let (queue, _) = try anyQueue(ofProgramme: name) else { return nil }
    return try entries(for: queue)
  }

  /// The devices that have something of a programme's list, however long ago it was read.
  package func devices(withListOf programme: String) throws(StoreError) -> Set<DeviceID> {
    try database.read { db in
      let ids = try db.scalars(
        Int64.self, of: "queue",
        sql: """
          SELECT DISTINCT q.device_id FROM queue q JOIN programme p ON p.id = q.programme_id
          WHERE p.name = ?
            AND EXISTS (SELECT 1 FROM queue_entry WHERE queue_id = q.id AND state <> 'cancelled')
          """, arguments: [programme])
      return Set(ids.map(DeviceID.init))
    }
  }

  private func anyQueue(ofProgramme name: String) throws(StoreError) -> (QueueID, DeviceID)? {
    try database.read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT q.id, q.device_id FROM queue q JOIN programme p ON p.id = q.programme_id
          WHERE p.name = ? ORDER BY q.id DESC LIMIT 1
          """, arguments: [name]
      ).map { row in
        let row = StoredRow(row, of: "queue")
        return (QueueID(try row.value("id")), DeviceID(try row.value("device_id")))
      }
    }
  }

  private func queue(ofProgramme name: String, on device: DeviceID) throws(StoreError) -> QueueID? {
    try database.read { db in
      try db.scalar(
        Int64.self, of: "queue",
        sql: """
          SELECT q.id FROM queue q JOIN programme p ON p.id = q.programme_id
          WHERE p.name = ? AND q.device_id = ? AND NOT q.for_starts
          """, arguments: [name, device.rawValue])
    }.map(QueueID.init)
  }

  /// Gives a programme its list on devices, in one transaction: entries that it had keep their numbers and states.
  /// - Parameters:
  ///   - devices: where rules that have a time show it, and shares.
  ///   - starts: where rules show it that start at moments of their own.
  package func take(
    _ list: Playlist, of programme: String, for devices: [DeviceID], starts: [DeviceID] = [], at now: WallTime
  ) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql: "UPDATE programme SET problem = NULL WHERE name = ? AND problem IS NOT NULL",
        arguments: [programme])
      let id = try db.scalar(
        Int64.self, of: "programme", sql: "SELECT id FROM programme WHERE name = ?", arguments: [programme])
      guard let id else { return }
      for (device, forStarts) in devices.map({ ($0, false) }) + starts.map({ ($0, true) }) {
        guard let queue = try Self.addQueue(of: id, device, forStarts: forStarts, db) else { continue }
        try Self.revise(to: list, queue, at: now, db)
      }
    }
  }

  private static func addQueue(
    of programme: Int64, _ device: DeviceID, forStarts: Bool, _ db: GRDB.Database
  ) throws -> QueueID? {
    try db.execute(
      sql: """
        INSERT INTO queue (id, device_id, programme_id, for_starts, identity)
          SELECT min(coalesce(min(id), 0), 0) - 1, ?, ?, ?, ? FROM queue WHERE true ON CONFLICT DO NOTHING
        """, arguments: [device.rawValue, programme, forStarts, RandomText.hex(bytes: 8)])
    return try queue(of: programme, device, forStarts: forStarts, db)
  }

  /// Gives a programme whose source cannot be read what stands in for it, on devices where it has no list of an earlier reading.
  package func take(
    standIns: [EntryDraft], of programme: String, for devices: [DeviceID], at now: WallTime
  ) throws(StoreError) {
    try database.write { db in
      let id = try db.scalar(
        Int64.self, of: "programme", sql: "SELECT id FROM programme WHERE name = ?", arguments: [programme])
      guard let id else { return }
      for device in devices {
        guard let queue = try Self.addQueue(of: id, device, forStarts: false, db),
          try Self.entries(.main, queue, db).isEmpty
        else { continue }
        try Self.revise(to: Playlist(fallback: standIns), queue, at: now, db)
      }
    }
  }

  /// Keeps why a programme has no list.
  package func take(problem: String, of programme: String) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql: "UPDATE programme SET problem = ?1 WHERE name = ?2 AND problem IS NOT ?1",
        arguments: [problem, programme])
    }
  }

  /// Makes a list ready to be read: it begins, or continues where it was.
  func choose(_ choice: ListChoice, for device: DeviceID, at now: WallTime) throws(StoreError) -> ListAnswer {
    try database.write { db in
      let answer = try find(choice, for: device)
      guard case .list(let list) = answer else { return answer }
      if let programme = choice.programme {
        try db.execute(
          sql: """
            UPDATE queue SET repeat_mode = ?, is_shuffled = p.is_shuffled, shuffle_seed = p.seed
            FROM programme p WHERE p.name = ? AND queue.id = ?
            """, arguments: [choice.isOnce ? "off" : "all", programme, list.queue.number])
      }
      if choice.begins { try Self.beginAgain(list.queue, db) }
      return answer
    }
  }

  /// The list that a choice names, which is not made ready: nothing is written.
  func find(_ choice: ListChoice, for device: DeviceID) throws(StoreError) -> ListAnswer {
    try database.read { db in
      guard let programme = choice.programme else { return .list(choice.list(in: QueueID(device))) }
      let row = try Row.fetchOne(
        db, sql: "SELECT id, problem FROM programme WHERE name = ?", arguments: [programme])
      guard let row = row.map({ StoredRow($0, of: "programme") }) else {
        return .nothing("there is no programme \(TerminalText.excerpt(programme))")
      }
      guard let queue = try Self.queue(of: row.value("id"), device, forStarts: choice.isForStarts, db),
        try !Self.isEmpty(queue, db)
      else {
        return .nothing(try row.optional("problem") ?? "its list has not been read yet")
      }
      return .list(choice.list(in: queue))
    }
  }

  private static func isEmpty(_ queue: QueueID, _ db: GRDB.Database) throws -> Bool {
    try db.scalar(
      Bool.self, of: "queue_entry",
      sql: "SELECT 1 FROM queue_entry WHERE queue_id = ? AND state <> 'cancelled' LIMIT 1",
      arguments: [queue.number]) == nil
  }

  /// A round of its own: every entry is due, from the first one on.
  private static func beginAgain(_ queue: QueueID, _ db: GRDB.Database) throws {
    let round = try db.scalar(
      Int.self, of: "queue",
      sql: """
        SELECT min(max(q.round, coalesce(max(e.round), 0)), 4611686018427387903) + 1
        FROM queue q LEFT JOIN queue_entry e ON e.queue_id = q.id AND e.role = 'main' WHERE q.id = ?
        """, arguments: [queue.number])
    try begin(round ?? 0, queue, isWhole: true, db)
  }

  /// Where the newest play of a list was cut; nil when it was not, or its entry is not due any more.
  func cut(of queue: QueueID) throws(StoreError) -> ResumePoint? {
    try database.read { db in
      try cut(
        of: """
          SELECT max(p.id) FROM queue_entry e JOIN play p ON p.entry_id = e.id
          WHERE e.queue_id = ? AND e.role = 'main' AND e.turn > 0
          """, queue.number, while: "'pending', 'offered', 'queued'", db)
    }
  }
}
