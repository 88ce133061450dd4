import GRDB
import Glibc

/// Checks, backups and compaction of a file.
extension Database {
  /// Checks the file before the first write after a killed process or a crash.
  ///
  /// Disables writing if the file is damaged; its readable rows are still shown. Rows with invalid values do not count, because
  /// queries skip them.
  func checkAfterUncleanEnd() {
    guard beginCheck() else { return }
    let problems: [String]
    do throws(StoreError) { problems = try lines(of: "PRAGMA quick_check(20)") } catch {
      return refuseWrites("it cannot be checked")
    }
    guard let first = problems.first(where: { !Self.isOfOneRow($0) }) else { return }
    refuseWrites(first)
  }

  /// The first problems that a check without reading the indexes finds, one per line; empty if there is none. Reads the whole file.
  package func quickCheck() throws(StoreError) -> [String] {
    try lines(of: "PRAGMA quick_check(5)").filter { !Self.isOfOneRow($0) }
  }

  /// Takes the file's lock for writing for a moment.
  /// - Throws: `busy` while another program holds it; `readOnly` if this user may only read.
  package func checkWriting() throws(StoreError) { try write { _ in } }

  /// Bytes of the file; nil when it cannot be told.
  package var size: Int64? {
    var information = stat()
    return stat(path, &information) == 0 ? Int64(information.st_size) : nil
  }

  /// What a check finds.
  package struct Findings: Sendable, Hashable {
    /// One per line; empty if the file is intact. First what is damaged, then how SQLite words it.
    package let problems: [String]
    /// Whether what is wrong is in single rows, which castq leaves out.
    package let isUsable: Bool
  }

  /// The problems of the file, one per line; empty if it is intact.
  package func check() throws(StoreError) -> [String] { try findings().problems }

  /// What is wrong with the file. Reads all of it, and its indexes.
  package func findings() throws(StoreError) -> Findings {
    let problems = try lines(of: "PRAGMA integrity_check(100)")
    // References cannot be checked in a damaged file.
    guard problems.isEmpty else {
      let words = try damagedTables() + problems.map { "SQLite says: \($0)" }
      return Findings(problems: words, isUsable: problems.allSatisfy(Self.isOfOneRow))
    }
    return Findings(problems: try missingReferences(), isUsable: true)
  }

  /// Rows that name others which are not there, one per line.
  private func missingReferences() throws(StoreError) -> [String] {
    try outsideTransaction { db in
      try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").prefix(100).map { row in
        let row = StoredRow(row, of: "foreign_key_check", id: "rowid")
        let id: Int64? = try row.optional("rowid")
        return "table \(try row.value("table", as: String.self)), row \(id.map(String.init) ?? "-"): "
          + "its row in \(try row.value("parent", as: String.self)) is missing"
      }
    }
  }

  /// What is damaged, a line for each table that SQLite does not get through; empty where it blames none.
  private func damagedTables() throws(StoreError) -> [String] {
    var damaged: [String] = []
    for table in try lines(
      of: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
    where Schema.isName(table) {
      let problems = try lines(of: "PRAGMA integrity_check(\(table))")
      if problems.contains(where: { !Self.isOfOneRow($0) }) {
        damaged.append("\(Schema.contents(of: table)) cannot be read in full: table \(table) is damaged")
      }
    }
    return damaged
  }

  /// Copies the whole database to a new file, accessible to the owner only.
  package func backUp(to file: String) throws(StoreError) {
    do throws(StoreError) { try DatabaseFile.prepareNew(file) } catch {
      guard case .cannotCreate(_, let words) = error else { throw error }
      throw .cannotCopy(path: file, words: words)
    }
    do throws(StoreError) {
      try outsideTransaction { db in
        do {
          try db.execute(sql: "VACUUM INTO ?", arguments: [file])
        } catch let error as DatabaseError where Self.isOfWriting(error) {
          // The database is only read: what has no room is the copy.
          throw StoreError(error, path: file)
        }
      }
    } catch {
      DatabaseFile.remove(file)
      throw error
    }
  }

  /// The command of a shell that puts a backup, which it calls BACKUP, in the place of a database.
  package static func restoring(_ path: String) -> String {
    SchemaCopy.command(putting: "BACKUP", over: path)
  }

  /// Returns the space of removed rows to the file system.
  package func vacuum() throws(StoreError) {
    if isReadOnly { throw .readOnly(path: path) }
    try outsideTransaction { db in try db.execute(sql: "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)") }
  }

  /// Whether an error is of a file that was to be made longer.
  private static func isOfWriting(_ error: DatabaseError) -> Bool {
    let codes: [ResultCode] = [
      .SQLITE_IOERR_WRITE, .SQLITE_IOERR_TRUNCATE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC,
    ]
    return error.resultCode == .SQLITE_FULL || codes.contains { $0 ~= error.extendedResultCode }
  }

  /// The output lines of a check. SQLite may abort the check of a badly damaged file: what it said before stays, and its error is the
  /// result where it said nothing.
  private func lines(of question: String) throws(StoreError) -> [String] {
    let said = try outsideTransaction { db in
      var values: [String] = []
      do {
        let rows = try Row.fetchCursor(db, sql: question)
        while let row = try rows.next() {
          if let value: String = StoredRow(row, of: "integrity_check").value(at: 0) { values.append(value) }
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        if values.isEmpty { values = [error.message ?? "the file is malformed"] }
      }
      return values
    }
    let lines = said.flatMap { $0.split(separator: "\n") }.map { String($0) }
    return lines.filter { $0 != "ok" && !$0.hasPrefix("***") }
  }

  /// Whether SQLite's message is about a value that does not fit its column.
  private static func isOfOneRow(_ problem: String) -> Bool {
    ["non-", "NULL value in", "CHECK constraint failed in", "TEXT value in", "NUMERIC value in"].contains {
      problem.hasPrefix($0)
    }
  }
}
