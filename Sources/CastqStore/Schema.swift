import GRDB
import Glibc

/// Creates databases from `schema.sql` and migrates old ones by numbered steps, with a copy of the file from before.
enum Schema {
  /// The current schema, from `schema.sql`.
  static var text: String { String(decoding: PackageResources.schema_sql, as: UTF8.self) }

  /// One migration for each version after the first. Append only: a released step never changes. Creation and migration must give
  /// the same schema, which a test checks.
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
    ),
    (
      3,
      """
      ALTER TABLE device ADD COLUMN static_host TEXT CHECK (static_host <> '');
      ALTER TABLE device ADD COLUMN static_port INTEGER
        CHECK (static_port BETWEEN 1 AND 65535 AND (static_port IS NULL) = (static_host IS NULL));
      ALTER TABLE device ADD COLUMN friendly_name TEXT CHECK (friendly_name <> '');
      ALTER TABLE device ADD COLUMN is_named INTEGER NOT NULL DEFAULT 0 CHECK (is_named IN (0, 1));
      ALTER TABLE device ADD COLUMN is_picked INTEGER NOT NULL DEFAULT 0 CHECK (is_picked IN (0, 1));
      ALTER TABLE device ADD COLUMN seen_by TEXT CHECK (seen_by IN ('mdns', 'connect'));
      ALTER TABLE device ADD COLUMN status_text TEXT;
      ALTER TABLE device ADD COLUMN trust TEXT NOT NULL DEFAULT 'pin' CHECK (trust IN ('off', 'pin', 'roots'));
      ALTER TABLE device ADD COLUMN trust_roots TEXT CHECK ((trust = 'roots') = (trust_roots IS NOT NULL));
      ALTER TABLE device ADD COLUMN pinned_at INTEGER CHECK (pinned_at IS NULL OR pinned_key IS NOT NULL);
      ALTER TABLE device ADD COLUMN can_prove INTEGER CHECK (can_prove IN (0, 1));
      UPDATE device SET static_host = host, static_port = port, is_picked = 1,
        is_named = name <> host || ':' || port AND name <> '[' || host || ']:' || port,
        seen_by = CASE WHEN last_seen_at IS NOT NULL THEN 'connect' END,
        uuid = CASE WHEN length(replace(uuid, '-', '')) = 32 THEN lower(replace(uuid, '-', '')) END;
      """
    ),
    (
      4,
      """
      ALTER TABLE queue_entry ADD COLUMN role TEXT NOT NULL DEFAULT 'main' CHECK (role IN ('main', 'fallback'));
      DROP INDEX queue_entry_order;
      DROP INDEX queue_entry_due;
      CREATE UNIQUE INDEX queue_entry_order ON queue_entry (device_id, role, position) WHERE state <> 'cancelled';
      CREATE INDEX queue_entry_due ON queue_entry (device_id, role, round, position) WHERE state <> 'cancelled';
      """
    ),
    // Unauthenticated packets could mark a pinned device as a group, which accepts any key; reset that. Challenge again all
    // devices that could not prove their identity.
    (
      5,
      """
      ALTER TABLE queue_entry ADD COLUMN origin TEXT NOT NULL DEFAULT 'network' CHECK (origin IN ('local', 'network'));
      UPDATE queue_entry SET origin = 'local'
        WHERE coalesce(source_file, '') NOT LIKE 'http:%' AND coalesce(source_file, '') NOT LIKE 'https:%';
      ALTER TABLE device ADD COLUMN silent_at INTEGER;
      ALTER TABLE device ADD COLUMN announced_name TEXT CHECK (announced_name <> '');
      UPDATE device SET is_group = 0, capabilities = capabilities & ~96 WHERE pinned_key IS NOT NULL;
      UPDATE device SET can_prove = NULL WHERE can_prove = 0;
      ALTER TABLE queue ADD COLUMN stopped_at INTEGER;
      """
    ),
    (6, "ALTER TABLE queue_entry ADD COLUMN foreign_fields TEXT CHECK (foreign_fields GLOB '{*}');"),
    (
      7,
      """
      CREATE TABLE media_probe (
        path        TEXT PRIMARY KEY CHECK (path GLOB '/*'),
        size        INTEGER NOT NULL CHECK (size >= 0),
        modified_at INTEGER NOT NULL,
        probed_at   INTEGER NOT NULL,
        document    TEXT CHECK (document GLOB '{*}'),
        problem     TEXT CHECK (problem <> ''),
        CHECK ((document IS NULL) <> (problem IS NULL))
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX media_probe_age ON media_probe (probed_at);
      """
    ),
    (8, version8),
    (9, version9),
    (10, version10),
    (11, version11),
    (12, version12),
    (13, version13),
    (14, version14),
    (15, version15),
  ]

  static func bringUpToDate(_ db: GRDB.Database, path: String) throws {
    try migrate(db, path: path)
    // Another program may have upgraded the file since this connection read its tables. SQLite notices that when a statement begins to
    // run, and by then GRDB has counted its columns: this one has no others.
    _ = try tables(db)
  }

  private static func migrate(_ db: GRDB.Database, path: String) throws {
    let found = try version(db)
    if found == Database.version { return }
    // Two processes may migrate at once: the second waits for the first and finds nothing to do.
    try db.inTransaction(.immediate) {
      let found = try version(db)
      guard found <= Database.version else { throw tooNew(path, found) }
      if found == 0 {
        try create(db, path: path)
      } else if found < Database.version {
        // Under the lock: nobody else has begun, and nobody writes.
        try SchemaCopy.make(of: path, version: found)
        for step in steps where step.version > found { try db.execute(sql: step.sql) }
      }
      try db.execute(sql: "PRAGMA user_version = \(Database.version)")
      return .commit
    }
  }

  /// Checks the version of a read-only database, which must be the current one.
  static func check(_ db: GRDB.Database, path: String) throws {
    let found = try version(db)
    guard found <= Database.version else { throw tooNew(path, found) }
    guard found == Database.version else {
      throw StoreError.tooOld(path: path, version: found, known: Database.version)
    }
  }

  /// Checks that a file has the tables of castq, of this version or an older one.
  static func checkTables(_ db: GRDB.Database, path: String) throws {
    let found = try version(db)
    guard found <= Database.version else { throw tooNew(path, found) }
    let own = try db.scalar(
      Int.self, of: "sqlite_schema",
      sql: """
        SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('device', 'queue', 'queue_entry', 'play')
        """)
    guard found > 0, own == 4 else {
      throw StoreError.corrupt(path: path, words: "it has no tables of castq")
    }
  }

  private static func tooNew(_ path: String, _ found: Int) -> StoreError {
    .tooNew(
      path: path, version: found, known: Database.version,
      copy: SchemaCopy.newest(of: path, upTo: Database.version))
  }

  static func version(_ db: GRDB.Database) throws -> Int {
    try db.scalar(Int.self, of: "user_version", sql: "PRAGMA user_version") ?? 0
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
