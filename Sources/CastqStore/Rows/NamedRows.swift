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

  /// Removes a row that nothing else names.
  /// - Parameter uses: a query of the names of what names the row whose number is `:id`, with the words that say what they are.
  func remove(_ name: String, unless uses: String, _ db: GRDB.Database) throws {
    let id = try required(name, db)
    let users = try db.scalars(String.self, of: rawValue, sql: uses, arguments: ["id": id])
    guard users.isEmpty else { throw ScheduleRefusal.inUse(self, name, by: users) }
    try db.execute(sql: "DELETE FROM \(rawValue) WHERE id = ?", arguments: [id])
  }
}
