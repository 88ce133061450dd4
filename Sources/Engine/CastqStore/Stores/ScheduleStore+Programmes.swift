import CastqSchedule
package import CastqText
import GRDB

/// What a rule plays.
package enum ProgrammeChoice: Sendable, Hashable {
  /// A programme, by its name.
  case named(String)
  /// A list, a folder or an address. A programme without a name of its own is made for it, and goes with its last rule.
  case source(String)
}

extension ScheduleStore {
  /// Programmes that a person made, by name; damaged rows are noted and skipped.
  package func programmes() throws(StoreError) -> [StoredProgramme] {
    try database.read { db in
      try ProgrammeRows.all(db, noting: database.notes).filter(\.isNamed)
    }
  }

  /// A programme with what uses it: rules, and programmes that it is the filler of.
  package func programme(_ name: String) throws(StoreError) -> (programme: StoredProgramme, users: [String]) {
    try database.read { db in
      let id = try ScheduleTable.programme.required(name, db)
      guard let programme = try ProgrammeRows.fetch(db, "WHERE p.id = ?", [id], noting: nil).first else {
        throw ScheduleRefusal.unknown(.programme, name, known: [])
      }
      return (programme, try ScheduleTable.programme.users(of: id, db))
    }
  }

  /// Whether a person made a programme of this name.
  package func hasProgramme(_ name: String) throws(StoreError) -> Bool {
    try database.read { db in
      try db.scalar(
        Int64.self, of: "programme", sql: "SELECT id FROM programme WHERE name = ? AND is_named = 1",
        arguments: [name]) != nil
    }
  }

  /// Makes a programme. One that is the same already is left as it is.
  /// - Parameters:
  ///   - filler: what is shown while nothing of it can be, by its name.
  ///   - seed: of the shuffled order.
  ///   - replaces: whether a programme of this name is changed; otherwise it is an error.
  package func addProgramme(
    _ name: String, source: String, isShuffled: Bool, filler: String?, seed: UInt64, replaces: Bool = false,
    at now: WallTime
  ) throws(StoreError) {
    try database.write { db in
      let fillerID = try filler.map { try ScheduleTable.programme.required($0, db) }
      guard let known = try ProgrammeRows.fetch(db, "WHERE p.name = ?", [name], noting: nil).first else {
        try db.execute(
          sql: """
            INSERT INTO programme (name, source, is_shuffled, seed, filler_id, created_at) VALUES (?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            name, source, isShuffled, Int64(bitPattern: seed), fillerID, now.milliseconds,
          ])
        return
      }
      let isSame =
        known.isNamed && known.source == source && known.isShuffled == isShuffled
        && known.filler?.lowercased() == filler?.lowercased()
      if isSame { return }
      // One that was made for a rule has no owner yet.
      guard replaces || !known.isNamed else { throw ScheduleRefusal.taken(.programme, name) }
      if fillerID == known.id.number {
        throw StoreError.refused(ScheduleRefusal("in_use", "the programme \(name) cannot be its own filler"))
      }
      if known.isNamed { try Self.noteChange(of: .programme, known.id.number, at: now, db) }
      try db.execute(
        sql: """
          UPDATE programme SET source = ?1, source_digest = CASE WHEN source = ?1 THEN source_digest END, problem = NULL,
            is_shuffled = ?2, filler_id = ?3, is_named = 1 WHERE id = ?4
          """, arguments: [source, isShuffled, fillerID, known.id.number])
    }
  }

  /// Removes a programme that nothing uses, with its places on all devices.
  package func removeProgramme(_ name: String) throws(StoreError) {
    try database.write { db in try ScheduleTable.programme.remove(name, db) }
  }

  /// The row of what a rule plays.
  /// - Parameter trigger: the name of the rule if it is a trigger. It has the programme of a source to itself: what interrupts cannot be
  ///   told from what it interrupts when both are one list.
  static func programme(
    _ choice: ProgrammeChoice, trigger: String? = nil, at now: WallTime, _ db: GRDB.Database
  ) throws -> Int64 {
    switch choice {
    case .named(let name): return try ScheduleTable.programme.required(name, db)
    case .source(let source):
      // Names have an index, sources have none: the names of such programmes are the source and blanks, which come before all else.
      let same = try db.scalar(
        Int64.self, of: "programme",
        sql: """
          SELECT id FROM programme p WHERE name >= ?1 AND name < ?1 || '!' AND source = ?1 AND is_named = 0 AND CASE
            WHEN ?2 IS NULL THEN NOT EXISTS (SELECT 1 FROM rule WHERE programme_id = p.id AND kind = 'trigger')
            ELSE EXISTS (SELECT 1 FROM rule WHERE programme_id = p.id AND kind = 'trigger' AND name = ?2) END
          """, arguments: [source, trigger])
      if let same { return same }
      // A named programme may be called as this source is.
      var name = source
      while try ScheduleTable.programme.id(of: name, db) != nil { name += " " }
      try db.change(
        sql: "INSERT INTO programme (name, source, is_named, created_at) VALUES (?, ?, 0, ?)",
        arguments: [name, source, now.milliseconds])
      return db.lastInsertedRowID
    }
  }

  /// Removes programmes that were made for rules and have none any more. One that is on a screen, given to a device, or decided for one a
  /// moment ago, stays until it has left: what plays of it ends in its history. Each table is read once, however many programmes there are.
  static func removeUnusedProgrammes(_ db: GRDB.Database) throws {
    try db.execute(
      sql: """
        DELETE FROM programme WHERE is_named = 0
          AND id NOT IN (SELECT programme_id FROM rule)
          AND id NOT IN (SELECT programme_id FROM rule_exception WHERE programme_id IS NOT NULL)
          AND id NOT IN (SELECT filler_id FROM programme WHERE filler_id IS NOT NULL)
          AND NOT EXISTS (
            SELECT 1 FROM queue q JOIN queue_entry e ON e.queue_id = q.id
            WHERE q.programme_id = programme.id AND e.state IN ('offered', 'queued', 'playing'))
          AND name NOT IN (
            SELECT decided FROM (SELECT (
              SELECT programme FROM decision WHERE device_id = d.id ORDER BY at DESC, id DESC LIMIT 1) AS decided FROM device d)
            WHERE decided IS NOT NULL)
        """)
  }
}

extension ScheduleRule {
  /// The rule's name if it is a trigger.
  var triggerName: String? {
    switch kind {
    case .trigger: name
    case .window, .share: nil
    }
  }
}
