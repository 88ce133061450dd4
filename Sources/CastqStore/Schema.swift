import GRDB
import Glibc

/// Makes new databases from `schema.sql` and brings old ones up to it by numbered steps.
enum Schema {
  /// The whole current schema, as the file at the top of the project has it.
  static var text: String { String(decoding: PackageResources.schema_sql, as: UTF8.self) }

  /// One step for each version after the first: the SQL that leads from the version before. Append only; a step that has been
  /// released never changes. Both roads must lead to the same schema, which a test compares.
  static let steps: [(version: Int, sql: String)] = [
    (
      2,
      """
      ALTER TABLE queue_entry ADD COLUMN credentials TEXT;
      ALTER TABLE queue_entry ADD COLUMN credentials_type TEXT;
      ALTER TABLE queue_entry ADD COLUMN on_error TEXT
        CHECK (on_error IN ('skip', 'stop') OR on_error GLOB 'retry [1-9]*');
      ALTER TABLE queue ADD COLUMN name TEXT CHECK (name <> '');
      """
    )
  ]

  static func bringUpToDate(_ db: GRDB.Database, path: String) throws {
    let found = try version(db)
    if found == Database.version { return }
    // Two processes may be here at once: the second waits for the first and finds the work done.
    try db.inTransaction(.immediate) {
      let found = try version(db)
      guard found <= Database.version else {
        throw StoreError.tooNew(path: path, version: found, known: Database.version)
      }
      if found == 0 {
        try create(db, path: path)
      } else {
        for step in steps where step.version > found { try db.execute(sql: step.sql) }
      }
      try db.execute(sql: "PRAGMA user_version = \(Database.version)")
      return .commit
    }
  }

  private static func version(_ db: GRDB.Database) throws -> Int {
    try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
  }

  private static func create(_ db: GRDB.Database, path: String) throws {
    let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
    guard tables == 0 else { throw StoreError.corrupt(path: path, words: "it holds other tables") }
    try db.execute(sql: text)
  }
}

/// Text nobody can guess.
enum RandomText {
  static func hex(bytes count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in
      let byte = UInt8.random(in: 0...255, using: &generator)
      return String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }
}
