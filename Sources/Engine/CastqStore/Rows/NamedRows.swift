import GRDB

extension ScheduleTable {
  /// The number of the row with a name, without regard to case; nil if there is none.
  func id(of name: String, _ db: GRDB.Database) throws -> Int64? {
    try db.scalar(
      Int64.self, of: rawValue, sql: "SELECT id FROM \(rawValue) WHERE name = ?", arguments: [name])
  }

  /// The same; an error names the rows that there are.
  func required(_ name: String, _ db: GRDB.Database) throws -> Int64 {
    guard let id = try id(of: name, db) else {
      throw ScheduleRefusal.unknown(self, name, known: try names(db))
    }
    return id
  }

  /// The names that people gave.
  private func names(_ db: GRDB.Database) throws -> [String] {
    let condition =
      switch self {
      case .programme, .rule: "WHERE is_named = 1"
      case .group, .calendar, .daypart: ""
      }
    return try db.scalars(
      String.self, of: rawValue,
      sql: "SELECT name FROM \(rawValue) \(condition) ORDER BY name COLLATE NOCASE LIMIT 100")
  }

  /// What names a row, with the words that say what it is, such as `the rule lunch`. Nothing names a rule.
  func users(of id: Int64, _ db: GRDB.Database) throws -> [String] {
    let sql: String
    switch self {
    case .programme:
      sql = """
        SELECT 'the rule ' || name FROM rule WHERE programme_id = :id
          OR id IN (SELECT rule_id FROM rule_exception WHERE programme_id = :id)
        UNION ALL SELECT 'the programme ' || name FROM programme WHERE filler_id = :id ORDER BY 1
        """
    case .group: sql = "SELECT 'the rule ' || name FROM rule WHERE group_id = :id ORDER BY 1"
    case .calendar:
      sql = """
        SELECT 'the rule ' || name FROM rule WHERE only_on = :id OR not_on = :id
        UNION ALL SELECT 'the day part ' || name FROM daypart
          WHERE id IN (SELECT daypart_id FROM daypart_exception WHERE calendar_id = :id) ORDER BY 1
        """
    case .daypart: sql = "SELECT 'the rule ' || name FROM rule WHERE daypart_id = :id ORDER BY 1"
    case .rule: return []
    }
    return try db.scalars(String.self, of: rawValue, sql: sql, arguments: ["id": id])
  }

  /// Removes a row that nothing else names.
  func remove(_ name: String, _ db: GRDB.Database) throws {
    let id = try required(name, db)
    let users = try users(of: id, db)
    guard users.isEmpty else { throw ScheduleRefusal.inUse(self, name, by: users) }
    try db.execute(sql: "DELETE FROM \(rawValue) WHERE id = ?", arguments: [id])
  }
}
