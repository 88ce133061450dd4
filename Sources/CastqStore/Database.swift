import GRDB
import Glibc
import Synchronization

/// The SQLite file: opened, brought to the present schema, and safe to share with other processes.
///
/// One connection, used by one caller at a time; calls block the calling thread for milliseconds. WAL lets others read
/// meanwhile, and every write is one `BEGIN IMMEDIATE` transaction that reaches the disk before it returns.
package final class Database: Sendable {
  /// The schema this program knows.
  package static let version = 4

  /// The file.
  package let path: String
  private let connection: DatabaseQueue
  /// Whether the last write found another process writing for all the time that was waited. Then the next ones hardly wait
  /// until one has succeeded: whoever feeds many devices would stand still for each of them in turn.
  private let isHeld = Mutex(false)

  /// Opens the file, and makes it when it is not there: folders for the owner alone, file for the owner alone.
  package init(path: String) throws(StoreError) {
    self.path = path
    do {
      try Self.prepareFile(path)
      var configuration = Configuration()
      configuration.busyMode = .timeout(Double(Self.patience) / 1000)
      configuration.label = "castq"
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        db.add(function: ShuffleFunction.function)
      }
      connection = try DatabaseQueue(path: path, configuration: configuration)
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

  /// Reads; sees one moment of the database throughout.
  func read<Value>(_ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
    do { return try connection.read(body) } catch { throw StoreError(error, path: path) }
  }

  /// Milliseconds that are waited for another process, and while one is known to hold the file.
  private static let (patience, shortPatience) = (5000, 20)

  /// Writes all of it or nothing.
  func write<Value>(_ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
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
      throw StoreError(error, path: path)
    }
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

  /// Changes whenever another connection or process has written; our own writes do not count.
  package func changeToken() throws(StoreError) -> Int64 {
    do {
      return try connection.writeWithoutTransaction { db in
        try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// How hard commits are pressed onto the disk; 2 is FULL.
  package func synchronous() throws(StoreError) -> Int {
    do {
      return try connection.writeWithoutTransaction { db in
        try Int.fetchOne(db, sql: "PRAGMA synchronous") ?? -1
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// The path of a file and of its folders, made readable for the owner alone.
  private static func prepareFile(_ path: String) throws(StoreError) {
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    var made = path.hasPrefix("/") ? "/" : ""
    for part in folder.split(separator: "/") {
      made += "\(part)/"
      if mkdir(made, 0o700) != 0, errno != EEXIST {
        let words = String(cString: strerror(errno))
        guard access(made, F_OK) != 0 else { continue }
        throw .cannotCreate(path: path, words: words)
      }
    }
    // Never opened here: closing any descriptor of the file would drop the locks that another connection of this process
    // holds on it, and two writers would then be at it at once.
    guard mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else {
      throw .cannotCreate(path: path, words: String(cString: strerror(errno)))
    }
    if isDirectory(path) { throw .cannotCreate(path: path, words: String(cString: strerror(EISDIR))) }
    guard faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) != 0 else { return }
    // A link to nothing is there, and is not.
    if errno == ENOENT { throw .cannotCreate(path: path, words: String(cString: strerror(errno))) }
    throw .readOnly(path: path)
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
