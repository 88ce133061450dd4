import GRDB
import Glibc
import Synchronization

/// The SQLite file: opened, brought to the present schema, and safe to share with other processes.
///
/// One connection, used by one caller at a time; calls block the calling thread for milliseconds, and for seconds while another
/// process holds the file: what must not wait so long calls from `executor`. WAL lets others read meanwhile, and every write is
/// one `BEGIN IMMEDIATE` transaction that reaches the disk before it returns.
package final class Database: Sendable {
  /// The schema this program knows.
  package static let version = 5

  /// The file.
  package let path: String
  /// Whether this process may only read the file.
  package let isReadOnly: Bool
  /// The thread for callers that must not block others.
  package let executor = StoreExecutor()
  private let connection: DatabaseQueue
  /// Unreadable rows that queries have skipped.
  let notes = DamageNotes()
  /// Whether the last write timed out because another process held the file. The next ones wait for a short time only, until one
  /// has succeeded: a daemon with many devices would stall for each of them in turn.
  private let isHeld = Mutex(false)
  /// Damage of the file as a whole. It disables writing, which could only make it worse.
  private let damage = Mutex<String?>(nil)
  private let isChecked = Mutex(false)

  /// Opens the file, and makes it when it is not there: folders for the owner alone, file for the owner alone.
  package init(path: String) throws(StoreError) {
    self.path = path
    isReadOnly = false
    do {
      try DatabaseFile.prepare(path)
      connection = try DatabaseQueue(path: path, configuration: Self.configuration())
      try connection.writeWithoutTransaction { db in
        // GRDB's own way to WAL writes to the file each time it is opened, which costs a reader four waits for the disk, and
        // sets NORMAL, which may lose the last commits with the power; a queue must not.
        try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        try Schema.bringUpToDate(db, path: path)
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Opens the file for a command that only reads: for writing where permissions allow it, else read-only.
  package static func reading(path: String) throws(StoreError) -> Database {
    do throws(StoreError) { return try Database(path: path) } catch {
      guard error.isOfPermissions, DatabaseFile.isReadable(path) else { throw error }
      return try Database(readOnly: path)
    }
  }

  private init(readOnly path: String) throws(StoreError) {
    self.path = path
    isReadOnly = true
    do {
      connection = try Self.readOnlyConnection(path)
      try connection.read { db in try Schema.check(db, path: path) }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Readers of a WAL database need its shared memory, and cannot create it in a folder that they may not write to. Where it is
  /// missing, no process has the file open, and a copy is read.
  private static func readOnlyConnection(_ path: String) throws -> DatabaseQueue {
    do {
      let connection = try DatabaseQueue(path: path, configuration: configuration(isReadOnly: true))
      _ = try connection.read { db in try Schema.version(db) }
      return connection
    } catch let error as DatabaseError
      where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
    {
      return try snapshot(path)
    }
  }

  /// A copy in memory of a file that no process has open. `immutable` disables SQLite's locks, so the state of the file is compared
  /// before and after.
  private static func snapshot(_ path: String) throws -> DatabaseQueue {
    for _ in 0..<5 {
      guard let before = DatabaseFile.State(path), !before.hasLog else { break }
      var configuration = configuration(isReadOnly: true)
      configuration.label = "castq.snapshot"
      let source = try DatabaseQueue(
        path: DatabaseFile.address(path) + "?immutable=1", configuration: configuration)
      let copy = try DatabaseQueue(configuration: Self.configuration())
      try source.backup(to: copy)
      if DatabaseFile.State(path) == before { return copy }
    }
    throw StoreError.busy(path: path, holder: "whoever may write has not closed it properly")
  }

  private static func configuration(isReadOnly: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = .timeout(Double(Self.patience) / 1000)
    configuration.label = "castq"
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
      db.add(function: ShuffleFunction.function)
    }
    return configuration
  }

  /// Reads; sees one moment of the database throughout.
  func read<Value>(_ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
    do { return try connection.read(body) } catch { throw noting(error) }
  }

  /// What SQLite itself calls malformed is not a single row that can be skipped: the file is damaged as a whole.
  private func noting(_ error: any Error) -> StoreError {
    if let error = error as? DatabaseError, [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
      refuseWrites(error.message ?? "it is malformed")
    }
    return StoreError(error, path: path)
  }

  /// Milliseconds to wait for another process, and while one is known to hold the file.
  private static let (patience, shortPatience) = (5000, 20)

  /// Writes all of it or nothing.
  func write<Value>(_ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
    if isReadOnly { throw .readOnly(path: path) }
    if let words = damage.withLock({ $0 }) { throw .corrupt(path: path, words: words) }
    do {
      return try connection.writeWithoutTransaction { db in
        var value: Value?
        try withPatience(db) {
          try db.inTransaction(.immediate) {
            value = try body(db)
            return .commit
          }
        }
        guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return value
      }
    } catch {
      throw noting(error)
    }
  }

  /// Runs in a write transaction, or in a read where the file may only be read.
  func readWritingIfAllowed<Value>(_ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
    try isReadOnly ? read(body) : write(body)
  }

  private func withPatience(_ db: GRDB.Database, _ body: () throws -> Void) throws {
    let isHeld = self.isHeld.withLock { $0 }
    if isHeld { try db.execute(sql: "PRAGMA busy_timeout = \(Self.shortPatience)") }
    do {
      try body()
      self.isHeld.withLock { $0 = false }
      if isHeld { try db.execute(sql: "PRAGMA busy_timeout = \(Self.patience)") }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      self.isHeld.withLock { $0 = true }
      throw error
    }
  }

  /// Removes and returns the damage that queries have skipped since the last call.
  package func takeDamage() -> [StoreError] { notes.take().map { StoreError($0, path: path) } }

  /// Runs a statement that SQLite refuses within a transaction.
  func outsideTransaction<Value>(_ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
    do { return try connection.writeWithoutTransaction(body) } catch { throw StoreError(error, path: path) }
  }

  /// Disables writing: the file is damaged as a whole.
  func refuseWrites(_ words: String) { damage.withLock { $0 = words } }

  /// True the first time: one check of the file is enough for all the devices of a daemon.
  func beginCheck() -> Bool {
    isChecked.withLock { isChecked in
      defer { isChecked = true }
      return !isChecked
    }
  }

  /// Whether writing is disabled because the file is damaged as a whole.
  var refusesWrites: Bool { damage.withLock { $0 != nil } }

  /// Changes whenever another connection or process has written; our own writes do not count.
  package func changeToken() throws(StoreError) -> Int64 {
    try outsideTransaction { db in
      try db.scalar(Int64.self, of: "data_version", sql: "PRAGMA data_version") ?? 0
    }
  }
}
