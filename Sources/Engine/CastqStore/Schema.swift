import CSchema
import GRDB
import Glibc

/// Creates databases from `schema.sql`, and takes over files of the last schema before the numbers began at 1, with a copy of the file
/// from before.
enum Schema {
  /// The current schema, from `schema.sql`.
  static var text: String {
    String(
      decoding: UnsafeBufferPointer(start: castq_schema(), count: Int(castq_schema_length())), as: UTF8.self)
  }

  static func bringUpToDate(_ db: GRDB.Database, path: String) throws {
    try migrate(db, path: path)
    // Another program may have upgraded the file since this connection read its tables. SQLite notices that when a statement begins to
    // run, and by then GRDB has counted its columns: this one has no others.
    _ = try tables(db)
  }

  private static func migrate(_ db: GRDB.Database, path: String) throws {
    if try SchemaVersion(db) == .current, try missing(db).isEmpty { return }
    // Two processes may do this at once: the second waits for the first and finds nothing to do.
    try db.inTransaction(.immediate) {
      let found = try SchemaVersion(db)
      switch found {
      case .current:
        try addMissing(db)
        return .commit
      case .none: try create(db, path: path)
      case .lastUnmarked:
        try checkTables(db, path: path)
        // Under the lock: nobody else has begun, and nobody writes.
        try SchemaCopy.make(of: path, version: SchemaVersion.lastNumber)
        try db.execute(sql: takingOver)
        try addMissing(db)
      case .marked, .unmarked, .foreign: throw refusal(of: found, path: path)
      }
      try SchemaVersion.current.write(db)
      return .commit
    }
  }

  /// Checks the version of a read-only database, which must be the current one.
  static func check(_ db: GRDB.Database, path: String) throws {
    switch try SchemaVersion(db) {
    case .current: return
    case .none: throw StoreError.corrupt(path: path, words: "it has no tables of castq")
    case .lastUnmarked: throw StoreError.tooOld(path: path)
    case let found: throw refusal(of: found, path: path)
    }
  }

  /// Checks that a file has the tables of castq, of this version or an older one.
  static func checkTables(_ db: GRDB.Database, path: String) throws {
    let found = try SchemaVersion(db)
    if case .marked(let number) = found, number > Database.version { throw refusal(of: found, path: path) }
    let own = try db.scalar(
      Int.self, of: "sqlite_schema",
      sql: """
        SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('device', 'queue', 'queue_entry', 'play')
        """)
    guard found != .none, found != .foreign, own == 4 else {
      throw StoreError.corrupt(path: path, words: "it has no tables of castq")
    }
  }

  /// Why a file of a schema is not worked with.
  private static func refusal(of found: SchemaVersion, path: String) -> StoreError {
    switch found {
    case .marked(let number):
      .tooNew(
        path: path, version: number, known: Database.version,
        copy: SchemaCopy.newest(of: path, upTo: Database.version))
    case .unmarked(let number) where number < SchemaVersion.lastNumber:
      .tooEarly(path: path, version: number)
    case .unmarked, .none, .foreign: .corrupt(path: path, words: "it is a file of another program")
    }
  }

  /// The latest tables that a file has not.
  private static func missing(_ db: GRDB.Database) throws -> [String] {
    try latest.keys.sorted().filter { table in
      try db.scalar(
        Int.self, of: "sqlite_schema",
        sql: "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?", arguments: [table]) == 0
    }
  }

  private static func addMissing(_ db: GRDB.Database) throws {
    for table in try missing(db) { if let sql = latest[table] { try db.execute(sql: sql) } }
  }

  private static func tables(_ db: GRDB.Database) throws -> Int {
    try db.scalar(Int.self, of: "sqlite_schema", sql: "SELECT count(*) FROM sqlite_schema") ?? 0
  }

  private static func create(_ db: GRDB.Database, path: String) throws {
    guard try tables(db) == 0 else { throw StoreError.corrupt(path: path, words: "it has other tables") }
    try db.execute(sql: text)
  }
}

/// Unguessable text.
enum RandomText {
  static func hex(bytes count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in
      let byte = UInt8.random(in: 0...255, using: &generator)
      return String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }
}
