import CastProtocol
import CastqSchedule
import CastqText
import GRDB

// A rule is as much as what it names: a change of its programme, day part, calendar or group makes another revision of it.

extension ScheduleStore {
  /// Changes something that rules name. Where it is different afterwards, each rule that uses it gets another revision.
  static func changing(
    _ table: ScheduleTable, _ id: Int64, at now: WallTime, _ db: GRDB.Database, _ body: () throws -> Void
  ) throws {
    if try NamedHistory.keep(table, try name(of: table, id, db), at: now, db, body) {
      try noteChange(of: table, id, at: now, db)
    }
  }

  /// Gives each rule that uses a row of another table another revision.
  static func noteChange(
    of table: ScheduleTable, _ id: Int64, at now: WallTime, _ db: GRDB.Database
  ) throws {
    let cause = try cause(of: table, id, db)
    for rule in try users(of: table, id, db) {
      try noteChange(of: rule, from: try Self.rule(rule, db), because: cause, at: now, db)
    }
  }

  /// What `rule_history` names as the reason of a revision: `calendar holidays`.
  static func cause(of table: ScheduleTable, _ id: Int64, _ db: GRDB.Database) throws -> String {
    "\(table.noun) \(try name(of: table, id, db))"
  }

  /// Empty for a row that is gone.
  static func name(of table: ScheduleTable, _ id: Int64, _ db: GRDB.Database) throws -> String {
    try db.scalar(
      String.self, of: table.rawValue, sql: "SELECT name FROM \(table.rawValue) WHERE id = ?", arguments: [id]
    ) ?? ""
  }

  /// The rules that use a row, by their numbers.
  static func users(of table: ScheduleTable, _ id: Int64, _ db: GRDB.Database) throws -> [RuleID] {
    let condition =
      switch table {
      case .programme:
        // Itself, and where it stands in for another one.
        """
        programme_id IN (SELECT id FROM programme WHERE id = :id OR filler_id = :id) OR id IN (
          SELECT rule_id FROM rule_exception
          WHERE programme_id IN (SELECT id FROM programme WHERE id = :id OR filler_id = :id))
        """
      case .group: "group_id = :id"
      case .calendar:
        """
        only_on = :id OR not_on = :id
          OR daypart_id IN (SELECT daypart_id FROM daypart_exception WHERE calendar_id = :id)
        """
      case .daypart: "daypart_id = :id"
      case .rule: "id = :id"
      }
    return try db.scalars(
      Int64.self, of: "rule", sql: "SELECT id FROM rule WHERE \(condition) ORDER BY id", arguments: ["id": id]
    ).map(RuleID.init)
  }
}

extension JSONValue {
  /// The document of a rule as `rule_history` has it: with the reason of its revision, and with the number of its device, which stays
  /// when the device gets another name.
  func kept(of rule: ScheduleRule, because cause: String?) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members["cause"] = cause.map { .string($0) }
    if case .device(let id) = rule.target { members["device_id"] = .string(id) }
    return .object(members)
  }
}
