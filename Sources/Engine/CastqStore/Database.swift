import CastqPlaylists
import GRDB
import GRDBSQLite
import Glibc
import Synchronization

/// The SQLite database, at the current schema version and shared with other processes.
///
/// One connection serves one caller at a time. A call blocks its thread for milliseconds, or for seconds while another process
/// holds the file; callers that must not block use `executor`. In WAL mode other processes can read meanwhile. Each write is one
/// `BEGIN IMMEDIATE` transaction that is durable when it returns; it takes the progress that waits with it.
package final class Database: Sendable {
  /// The schema version of this program.
  package static let version = 1

  /// The path of the file.
  package let path: String
  /// Whether the file is opened read-only.
  package let isReadOnly: Bool
  /// The executor for callers that must not block.
  package let executor = StoreExecutor()
  private let connection: DatabaseQueue
  /// The file that was opened; nil where it is a copy in memory.
  private let file: DatabaseFile.Identity?
  let progress = WaitingProgress()
  /// What feeders could not write until their end.
  let late = LateWrites()
  /// Unreadable rows that queries have skipped.
  let notes = DamageNotes()
  let orders = OrderCache()
  /// Seals plays at their ends.
  let seal: PlaySeal
  /// How writing goes.
  private let watch = WriteWatch()
  /// Whether the last write timed out because another process held the file. Further writes use a short timeout until one
  /// succeeds, because a daemon would otherwise stall for each of its devices in turn.
  private let isHeld = Mutex(false)
  /// Damage of the whole file, which disables writing; nil if none is known.
  private let damage = Mutex<String?>(nil)
  private let isChecked = Mutex(false)

  /// The file itself where a path is a symbolic link, the path otherwise: locks and whatever else lies beside a database are found by
  /// everybody, whatever he calls it.
  package static func file(at path: String) -> String { DatabaseFile.itself(path) }

  /// Whether there is a file, or something in the way of looking.
  package static func isThere(_ path: String) -> Bool { DatabaseFile.isThere(path) }

  /// Opens the file. Creates it and its folders if missing, accessible to the owner only.
  /// - Parameter clock: whether the system's clock is synchronised, asked when a play ends; nil is unknown, and the default.
  package init(path: String, clock: @escaping @Sendable () -> Bool? = { nil }) throws(StoreError) {
    self.path = path
    isReadOnly = false
    seal = PlaySeal(isClockSynchronised: clock)
    do {
      try DatabaseFile.prepare(path)
      connection = try DatabaseQueue(path: path, configuration: Self.configuration())
      try connection.writeWithoutTransaction { db in
        // GRDB's own WAL setup writes at every opening, which costs readers four disk syncs, and sets synchronous = NORMAL,
        // which may lose the last commits in a power failure.
        try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        try Schema.bringUpToDate(db, path: path)
      }
      file = DatabaseFile.Identity(path)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Opens the file for a command that only reads: writable if permissions and the disk allow it, else read-only.
  package static func reading(path: String) throws(StoreError) -> Database {
    do throws(StoreError) { return try Database(path: path) } catch {
      guard error.isOfPermissions || error.isOfRoom, DatabaseFile.isReadable(path) else { throw error }
      do throws(StoreError) { return try Database(readOnly: path) } catch let other {
        // What is in the way of an upgrade, or of a new file, is the disk.
        if error.isOfRoom, case .tooOld = other { throw error }
        throw other
      }
    }
  }

  private init(readOnly path: String) throws(StoreError) {
    self.path = path
    isReadOnly = true
    file = nil
    seal = PlaySeal { nil }
    do {
      connection = try Self.readOnlyConnection(path)
      try connection.read { db in try Schema.check(db, path: path) }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Opens the file for a check, which changes nothing: the file is neither made nor upgraded, and none is left beside it.
  /// - Throws: `corrupt` for an empty file and for one without the tables of castq; `tooNew`, but not `tooOld`.
  package static func checking(path: String) throws(StoreError) -> Database { try Database(checking: path) }

  private init(checking path: String) throws(StoreError) {
    self.path = path
    isReadOnly = true
    file = nil
    seal = PlaySeal { nil }
    do {
      try DatabaseFile.checkContents(path)
      // A connection that only reads leaves its log behind, where none has been.
      let isOpen = DatabaseFile.isThere(path + "-wal")
      if !isOpen, let copy = try Self.copyOfClosed(path) {
        connection = copy
      } else {
        connection = try Self.readOnlyConnection(path)
      }
      try connection.read { db in try Schema.checkTables(db, path: path) }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Opens the file as it is, for a copy of it: writable if permissions and the disk allow it, else
  /// read-only.
  /// - Throws: as `init(asIs:)` does.
  package static func copying(path: String) throws(StoreError) -> Database {
    do throws(StoreError) { return try Database(asIs: path) } catch {
      guard error.isOfPermissions || error.isOfRoom, DatabaseFile.isReadable(path) else { throw error }
      return try Database(checking: path)
    }
  }

  /// Opens the file as it is, for work that any version may do: it is neither made nor upgraded.
  /// - Throws: `corrupt` for an empty file and for one without the tables of castq; `tooNew`, but not
  ///   `tooOld`.
  package init(asIs path: String) throws(StoreError) {
    self.path = path
    isReadOnly = false
    seal = PlaySeal { nil }
    do {
      try DatabaseFile.checkContents(path)
      // SQLite would open it read-only, and say nothing of it.
      guard DatabaseFile.isWritable(path) else { throw StoreError.readOnly(path: path) }
      connection = try DatabaseQueue(path: path, configuration: Self.configuration())
      try connection.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA synchronous = FULL")
        try Schema.checkTables(db, path: path)
      }
      file = DatabaseFile.Identity(path)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Whether the file has the schema of this program: an older one has it only where it was opened as it is.
  package func isCurrent() throws(StoreError) -> Bool { try read { db in try SchemaVersion(db) == .current } }

  /// Readers of a WAL database need its shared-memory file and cannot create it in a read-only folder, or on a full disk. If it is missing,
  /// no process has the database open, and a snapshot is read.
  private static func readOnlyConnection(_ path: String) throws -> DatabaseQueue {
    do {
      let connection = try DatabaseQueue(path: path, configuration: configuration(isReadOnly: true))
      _ = try connection.read { db in try SchemaVersion(db) }
      return connection
    } catch let error as DatabaseError
      where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
      || StoreError(error, path: path).isOfRoom
    {
      return try snapshot(path)
    }
  }

  private static func snapshot(_ path: String) throws -> DatabaseQueue {
    if let copy = try copyOfClosed(path) { return copy }
    if DatabaseFile.isWritable(path) { return try exclusiveCopy(path) }
    throw StoreError.busy(path: path, holder: "it was not closed properly, and this user may not write it")
  }

  /// An in-memory copy of a file that no process has open; nil when there is a log, or somebody writes again and again. `immutable`
  /// disables SQLite's locks, so the file's state is compared before and after.
  private static func copyOfClosed(_ path: String) throws -> DatabaseQueue? {
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
    return nil
  }

  /// An in-memory copy of a file that was not closed properly, its log included. Whoever locks a file for itself alone, as SQLite's exclusive
  /// mode does, reads the log without shared memory. The lock is held for as long as the copy is made, and refused while any process has the
  /// database open.
  private static func exclusiveCopy(_ path: String) throws -> DatabaseQueue {
    let source = try DatabaseQueue(path: path, configuration: configuration(isExclusive: true))
    let copy = try DatabaseQueue(configuration: Self.configuration())
    try source.backup(to: copy)
    try source.close()
    return copy
  }

  /// - Parameter isExclusive: whether the connection keeps all others out.
  static func configuration(isReadOnly: Bool = false, isExclusive: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = .timeout(Double(Self.patience) / 1000)
    configuration.label = "castq"
    configuration.prepareDatabase { db in
      if isExclusive { try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
      try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
      db.add(function: ShuffleFunction.function)
      // GRDB notes every column that a statement reads, for observers of transactions. castq has none of those, and a statement is
      // compiled in half of the time.
      sqlite3_set_authorizer(db.sqliteConnection, nil, nil)
    }
    return configuration
  }

  /// Reads from a consistent snapshot. What a body writes is undone.
  ///
  /// GRDB's own `read` switches `query_only` on and off, and SQLite then compiles every statement of the connection anew, which takes
  /// several times as long as the reading.
  func read<Value>(_ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try connection.unsafeReentrantWrite { db in
        var value: Value?
        func run() throws -> GRDB.Database.TransactionCompletion {
          value = try body(db)
          return .rollback
        }
        // A part of `together`, too.
        if db.isInsideTransaction { try db.inSavepoint(run) } else { try db.inTransaction(.deferred, run) }
        guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return value
      }
    } catch {
      throw noting(error)
    }
  }

  /// Converts an error. SQLITE_CORRUPT and SQLITE_NOTADB mean damage of the whole file and disable writing.
  private func noting(_ error: any Error) -> StoreError {
    if let error = error as? DatabaseError, [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
      refuseWrites(error.message ?? "it is malformed")
    }
    return StoreError(error, path: path)
  }

  /// Busy timeouts in milliseconds: the usual one, and the one while another process is known to hold the file.
  private static let (patience, shortPatience) = (5000, 20)

  /// Writes in one transaction.
  func write<Value>(_ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
    if isReadOnly { throw .readOnly(path: path) }
    if let words = damage.withLock({ $0 }) { throw .corrupt(path: path, words: words) }
    do {
      return try connection.unsafeReentrantWrite { db in
        if db.isInsideTransaction { return try part(db, body) }
        return try watch.measure {
          var value: Value?
          var written: [EntryTurn: WaitingProgress.Waiting] = [:]
          try withPatience(db) {
            try db.inTransaction(.immediate) {
              written = try progress.write(db)
              value = try body(db)
              return .commit
            }
          }
          progress.remove(written)
          guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
          return value
        }
      }
    } catch {
      throw noting(error)
    }
  }

  /// Writes a part of what `together` writes: what fails of it is undone, and the rest stays.
  private func part<Value>(_ db: GRDB.Database, _ body: (GRDB.Database) throws -> Value) throws -> Value {
    var value: Value?
    try db.inSavepoint {
      // It belongs before what follows it, such as the end of its play.
      _ = try progress.write(db)
      value = try body(db)
      return .commit
    }
    guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
    return value
  }

  /// Runs calls of the stores in one transaction.
  func together<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
    let (value, written) = try write { db in (try body(), try progress.write(db)) }
    progress.remove(written)
    return value
  }

  /// Runs calls of the stores that only read in one snapshot.
  package func reading<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
    try read { _ in try body() }
  }

  /// Checks that rows can be written now, and that others find them at the path. What was written lately is proof; otherwise a transaction
  /// is written that changes nothing.
  /// - Parameter period: for how long a commit is proof. A shorter one wears the disk.
  package func checkWriting(provenWithin period: Duration) throws(StoreError) {
    if isReadOnly { throw .readOnly(path: path) }
    if let words = damage.withLock({ $0 }) { throw .corrupt(path: path, words: words) }
    guard file == DatabaseFile.Identity(path) else { throw .replaced(path: path) }
    if watch.hasWritten(within: period) { return }
    // The page with the number is written even though the number stays.
    // Its own number, not this program's: a newer one may have upgraded the file.
    try write { db in try SchemaVersion(db).write(db) }
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
  package func takeDamage() -> [StoreError] { notes.removeAll().map { StoreError($0, path: path) } }

  /// Runs a statement that SQLite refuses within a transaction.
  func outsideTransaction<Value>(_ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
    do { return try connection.writeWithoutTransaction(body) } catch { throw StoreError(error, path: path) }
  }

  /// Disables writing, because the whole file is damaged.
  func refuseWrites(_ words: String) { damage.withLock { $0 = words } }

  /// True the first time: all devices of a daemon share one check of the file.
  func beginCheck() -> Bool {
    isChecked.withLock { isChecked in
      defer { isChecked = true }
      return !isChecked
    }
  }

  /// Whether writing is disabled because the whole file is damaged.
  var refusesWrites: Bool { damage.withLock { $0 != nil } }

  /// A value that changes when another connection or process writes; own writes do not change it.
  package func changeToken() throws(StoreError) -> Int64 {
    try outsideTransaction { db in
      try db.scalar(Int64.self, of: "data_version", sql: "PRAGMA data_version") ?? 0
    }
  }
}
