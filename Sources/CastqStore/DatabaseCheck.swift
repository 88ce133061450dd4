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
    refuseWrites("\(first); 'castq db check' lists all problems")
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

  /// The problems of the file, one per line; empty if it is intact.
  package func check() throws(StoreError) -> [String] {
    let problems = try lines(of: "PRAGMA integrity_check(100)")
    // References cannot be checked in a damaged file.
    guard problems.isEmpty else { return problems }
    return try outsideTransaction { db in
      try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").prefix(100).map { row in
        let row = StoredRow(row, of: "foreign_key_check", id: "rowid")
        let id: Int64? = try row.optional("rowid")
        return "table \(try row.value("table", as: String.self)), row \(id.map(String.init) ?? "-"): "
          + "its row in \(try row.value("parent", as: String.self)) is missing"
      }
    }
  }

  /// Copies the whole database to a new file, accessible to the owner only.
  package func backUp(to file: String) throws(StoreError) {
    do throws(StoreError) { try DatabaseFile.prepareNew(file) } catch {
      guard case .cannotCreate(_, let words) = error else { throw error }
      throw .cannotCopy(path: file, words: words)
    }
    do throws(StoreError) {
      try outsideTransaction { db in try db.execute(sql: "VACUUM INTO ?", arguments: [file]) }
    } catch {
      DatabaseFile.remove(file)
      throw error
    }
  }

  /// Returns the space of removed rows to the file system.
  package func vacuum() throws(StoreError) {
    if isReadOnly { throw .readOnly(path: path) }
    try outsideTransaction { db in try db.execute(sql: "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)") }
  }

  /// The output lines of a check. If SQLite aborts the check of a badly damaged file, its error is the result.
  private func lines(of question: String) throws(StoreError) -> [String] {
    try outsideTransaction { db in
      do {
        return try db.scalars(String.self, of: "integrity_check", sql: question)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        return [error.message ?? "the file is malformed"]
      }
    }
    .flatMap { $0.split(separator: "\n").map(String.init) }.filter { $0 != "ok" && !$0.hasPrefix("***") }
  }

  /// Whether SQLite's message is about a value that does not fit its column.
  private static func isOfOneRow(_ problem: String) -> Bool {
    ["non-", "NULL value in", "CHECK constraint failed in", "TEXT value in", "NUMERIC value in"].contains {
      problem.hasPrefix($0)
    }
  }
}
