import CastProtocol
import CastqPlaylists
package import CastqSchedule
package import CastqText
import GRDB

extension ScheduleStore {
  /// Makes a rule. One that is the same already is left as it is.
  /// - Parameters:
  ///   - rule: its number, its revision, its exceptions and its programme are not used.
  ///   - replaces: whether a rule of this name is changed, which keeps its exceptions and whether it is enabled; otherwise it is an
  ///     error.
  ///   - isNamed: whether a person gave the name. Others go when they are over, and get a number when their name is taken.
  /// - Returns: the rule as it is now.
  @discardableResult
  package func add(
    _ rule: ScheduleRule, playing choice: ProgrammeChoice, replaces: Bool = false, isNamed: Bool = true,
    at now: WallTime
  ) throws(StoreError) -> ScheduleRule {
    try database.write { db in
      var rule = rule
      if !isNamed { rule.name = try Self.freeName(rule.name, db) }
      let programme = try Self.programme(choice, trigger: rule.triggerName, at: now, db)
      if case .device(let name) = rule.target, let device = DeviceID(ruleName: name) {
        try Self.pick(device, db)
      }
      guard let known = try ScheduleTable.rule.id(of: rule.name, db).map(RuleID.init) else {
        let id = try RuleWriting.insert(rule, programme: programme, isNamed: isNamed, db)
        return try Self.noteChange(of: id, from: nil, at: now, db)
      }
      let before = try Self.rule(known, db)
      var wanted = rule
      (wanted.id, wanted.name, wanted.revision) = (known, before.name, before.revision)
      (wanted.isEnabled, wanted.exceptions) = (before.isEnabled, before.exceptions)
      guard wanted.kind.word == before.kind.word else {
        throw StoreError.refused(
          ScheduleRefusal(
            "kind",
            "\(before.name) is \(before.kind.noun), which cannot become \(wanted.kind.noun): remove it first, or choose another name"
          ))
      }
      try RuleWriting.update(wanted, programme: programme, db)
      let after = try Self.rule(known, db)
      if after == before {
        return before
      }
      guard replaces else { throw ScheduleRefusal.taken(.rule, before.name) }
      let result = try Self.noteChange(of: known, from: before, at: now, db)
      try Self.removeUnusedProgrammes(db)
      return result
    }
  }

  /// The name, or the first number behind it that makes it one that no rule has.
  private static func freeName(_ name: String, _ db: GRDB.Database) throws -> String {
    var (free, number) = (name, 1)
    while try ScheduleTable.rule.id(of: free, db) != nil {
      number += 1
      free = "\(name) \(number)"
    }
    return free
  }

  /// Removes a rule; history, decisions and what it was stay.
  /// - Parameter isShare: whether anything but a share is an error.
  package func removeRule(_ name: String, isShare: Bool = false, at now: WallTime) throws(StoreError) {
    try database.write { db in
      if isShare, try ScheduleTable.rule.id(of: name, db) == nil { throw try Self.unknownShare(name, db) }
      let before = try Self.rule(RuleID(try ScheduleTable.rule.required(name, db)), db)
      if isShare, before.kind.word != "share" {
        throw StoreError.refused(
          ScheduleRefusal(
            "kind", "\(before.name) is \(before.kind.noun), not a share",
            hint: .remove(ScheduleTable.rule.verb)))
      }
      try Self.noteRemoval(of: before, at: now, db)
      try db.execute(sql: "DELETE FROM rule WHERE id = ?", arguments: [before.id.number])
      try Self.removeUnusedDays(of: before, at: now, db)
      try Self.removeUnusedProgrammes(db)
    }
  }

  private static func unknownShare(_ name: String, _ db: GRDB.Database) throws -> StoreError {
    let known = try db.scalars(
      String.self, of: "rule",
      sql: "SELECT name FROM rule WHERE kind = 'share' ORDER BY name COLLATE NOCASE LIMIT 100")
    let advice = known.isEmpty ? "there is none yet" : "known are: \(StoreError.list(known))"
    return .refused(ScheduleRefusal("unknown", "there is no share \(name); \(advice)"))
  }

  /// Removes the calendar that an import has made for a rule which is gone: the next import of the same events would take it for a person's.
  private static func removeUnusedDays(
    of rule: ScheduleRule, at now: WallTime, _ db: GRDB.Database
  ) throws {
    guard let name = EventImport.daysMade(for: rule) else { return }
    let id = try ScheduleTable.calendar.required(name, db)
    guard try ScheduleTable.calendar.users(of: id, db).isEmpty else { return }
    _ = try NamedHistory.keep(.calendar, name, at: now, db) {
      try db.execute(sql: "DELETE FROM calendar WHERE id = ?", arguments: [id])
    }
  }

  /// Switches a rule on or off.
  package func setEnabled(_ isEnabled: Bool, rule name: String, at now: WallTime) throws(StoreError) {
    try change(name, at: now) { rule, db in
      try db.execute(
        sql: "UPDATE rule SET is_enabled = ? WHERE id = ?", arguments: [isEnabled, rule.id.number])
    }
  }

  /// Says what differs at one time of a rule; nil removes what was said of it.
  /// - Parameter original: a local time that the rule itself gives.
  package func setException(
    _ exception: RuleException?, at original: LocalTime, rule name: String, playing choice: ProgrammeChoice?,
    at now: WallTime
  ) throws(StoreError) {
    try change(name, at: now) { rule, db in
      try db.execute(
        sql: "DELETE FROM rule_exception WHERE rule_id = ? AND original_local = ?",
        arguments: [rule.id.number, original.text])
      guard let exception else { return }
      var (action, local, programme): (String, String?, Int64?)
      switch exception {
      case .skip: (action, local, programme) = ("skip", nil, nil)
      case .move(let time): (action, local, programme) = ("move", time.text, nil)
      case .replace(let name):
        (action, local) = ("replace", nil)
        programme = try Self.programme(choice ?? .named(name), at: now, db)
      }
      try db.execute(
        sql: """
          INSERT INTO rule_exception (rule_id, original_local, action, new_local, programme_id) VALUES (?, ?, ?, ?, ?)
          """, arguments: [rule.id.number, original.text, action, local, programme])
    }
  }

  /// A rule by its name.
  package func rule(_ name: String) throws(StoreError) -> ScheduleRule {
    try database.read { db in try Self.rule(RuleID(try ScheduleTable.rule.required(name, db)), db) }
  }

  /// The names of all rules, those of shares among them, in alphabetical order.
  package func ruleNames() throws(StoreError) -> [String] {
    try database.read { db in
      try db.scalars(String.self, of: "rule", sql: "SELECT name FROM rule ORDER BY name COLLATE NOCASE")
    }
  }

  /// The local times of a rule, which do not depend on its zone.
  package func localTimetable(of rule: ScheduleRule) throws(StoreError) -> RuleTimetable {
    try database.read { db in
      let book = ScheduleBook(
        dayparts: try DaypartRows.all(db, noting: database.notes),
        calendars: try CalendarRows.all(db, noting: database.notes))
      do throws(RuleFault) { return try RuleTimetable(rule, zone: .utc, in: book) } catch {
        throw StoreError.refused(
          ScheduleRefusal("broken", "\(rule.name) cannot be evaluated: \(error.message)"))
      }
    }
  }

  private func change(
    _ name: String, at now: WallTime, _ body: (ScheduleRule, GRDB.Database) throws -> Void
  ) throws(StoreError) {
    try database.write { db in
      let before = try Self.rule(RuleID(try ScheduleTable.rule.required(name, db)), db)
      try body(before, db)
      if try Self.rule(before.id, db) != before {
        try Self.noteChange(of: before.id, from: before, at: now, db)
      }
      try Self.removeUnusedProgrammes(db)
    }
  }

  /// The rule of a row, which must be readable.
  static func rule(_ id: RuleID, _ db: GRDB.Database) throws -> ScheduleRule {
    guard let rule = try RuleRows.rule(id, db) else {
      throw ScheduleRefusal.unknown(.rule, "\(id.number)", known: [])
    }
    return rule
  }

  /// Counts a change of a rule, and keeps what it was and what it is.
  /// - Parameter labels: what people call each device, for whoever writes many rules; nil reads it.
  @discardableResult
  static func noteChange(
    of id: RuleID, from before: ScheduleRule?, because cause: String? = nil, at now: WallTime,
    labels: [String: String]? = nil, _ db: GRDB.Database
  ) throws -> ScheduleRule {
    if before != nil {
      try db.change(sql: "UPDATE rule SET revision = revision + 1 WHERE id = ?", arguments: [id.number])
    }
    let after = try rule(id, db)
    try writeHistory(
      id, after.revision, before: before, after: after, because: cause, at: now, labels: labels, db)
    return after
  }

  static func noteRemoval(
    of rule: ScheduleRule, at now: WallTime, labels: [String: String]? = nil, _ db: GRDB.Database
  ) throws {
    try writeHistory(rule.id, rule.revision + 1, before: rule, after: nil, at: now, labels: labels, db)
  }

  private static func writeHistory(
    _ id: RuleID, _ revision: Int, before: ScheduleRule?, after: ScheduleRule?, because cause: String? = nil,
    at now: WallTime, labels: [String: String]?, _ db: GRDB.Database
  ) throws {
    let labels = try labels ?? deviceLabels(db)
    try db.change(
      sql: "INSERT INTO rule_history (rule_id, revision, at, before, after) VALUES (?, ?, ?, ?, ?)",
      arguments: [
        id.number, revision, now.milliseconds, before?.document(devices: labels).text,
        after.map { $0.document(devices: labels).kept(of: $0, because: cause).text },
      ])
  }

  /// What people call each device, by what rules call it.
  package func deviceLabels() throws(StoreError) -> [String: String] {
    try database.read { db in try Self.deviceLabels(db) }
  }

  static func deviceLabels(_ db: GRDB.Database) throws -> [String: String] {
    let rows = try Row.fetchCursor(db, sql: "SELECT id, coalesce(alias, name) AS label FROM device")
    let labels = try rows.readable(noting: DamageNotes()) { row in
      let row = StoredRow(row, of: "device")
      let id = DeviceID(try row.value("id"))
      return (id.ruleName, AnnouncedName.stored(try row.value("label"), of: id))
    }
    return Dictionary(labels) { $1 }
  }
}
