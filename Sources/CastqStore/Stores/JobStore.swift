import CastProtocol
package import CastqCore
import GRDB

/// A command that the daemon runs once at its time: a row of `job`.
package struct StoredJob: Sendable, Hashable {
  package let id: Int64
  package let at: WallTime
  /// The words of the command, without `castq`.
  package let arguments: [String]
  /// The folder in which it was given.
  package let directory: String
}

/// The commands that wait for their time.
package struct JobStore: Sendable {
  private let database: Database

  package init(_ database: Database) { self.database = database }

  /// - Returns: its number.
  package func add(
    _ arguments: [String], in directory: String, at moment: WallTime, now: WallTime
  ) throws(StoreError) -> Int64 {
    try database.write { db in
      try db.execute(
        sql: "INSERT INTO job (at, arguments, directory, created_at) VALUES (?, ?, ?, ?)",
        arguments: [
          moment.milliseconds, JSONValue.array(arguments.map(JSONValue.string)).text, directory,
          now.milliseconds,
        ])
      return db.lastInsertedRowID
    }
  }

  /// Those that have not begun, by their times. Damaged rows are noted and left out.
  package func waiting() throws(StoreError) -> [StoredJob] {
    try database.read { db in
      try Row.fetchCursor(db, sql: "SELECT * FROM job WHERE began_at IS NULL ORDER BY at, id")
        .readable(noting: database.notes) { row in
          let row = StoredRow(row, of: "job")
          guard let words = try row.json("arguments")?.array, !words.isEmpty else {
            throw row.damage("arguments")
          }
          return StoredJob(
            id: try row.value("id"), at: try row.value("at"), arguments: words.compactMap(\.string),
            directory: try row.value("directory"))
        }
    }
  }

  /// Removes a job that has not begun.
  /// - Returns: whether there was one.
  package func remove(_ id: Int64) throws(StoreError) -> Bool {
    try database.write { db in
      try db.execute(sql: "DELETE FROM job WHERE id = ? AND began_at IS NULL", arguments: [id])
      return db.changesCount > 0
    }
  }

  /// A job begins: no other process runs it, and it does not run again after a crash.
  /// - Returns: whether it has not begun before.
  package func begin(_ id: Int64, at now: WallTime) throws(StoreError) -> Bool {
    try database.write { db in
      try db.execute(
        sql: "UPDATE job SET began_at = ? WHERE id = ? AND began_at IS NULL",
        arguments: [now.milliseconds, id])
      return db.changesCount > 0
    }
  }

  /// - Parameter output: the last words that it printed; empty is none.
  package func end(_ id: Int64, at now: WallTime, exit: Int, output: String) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql: "UPDATE job SET ended_at = ?, exit_code = ?, output = ? WHERE id = ?",
        arguments: [now.milliseconds, exit, output.isEmpty ? nil : output, id])
    }
  }
}
