package import CastqPlaylists
package import CastqText
import GRDB

/// What was not taken up of the lists that devices play, so that commands can name it without a daemon.
package struct ListProblemStore: Sendable {
  private let database: Database

  package init(_ database: Database) { self.database = database }

  /// A list of a device, and what is wrong with it.
  package struct Stored: Sendable, Hashable {
    package let device: DeviceID
    package let source: String
    package let problem: ListProblem
    package let since: WallTime
  }

  /// Keeps what is wrong with a list of a device; what was wrong before keeps its time.
  /// - Returns: the problems that are new.
  @discardableResult
  package func keep(
    _ problems: [ListProblem], of source: String, on device: DeviceID, at now: WallTime
  ) throws(StoreError) -> [ListProblem] {
    let known = try stored(for: device).filter { $0.source == source }.map(\.problem)
    guard known != problems else { return [] }
    return try database.write { db in
      for problem in known where !problems.contains(problem) {
        try db.execute(
          sql: "DELETE FROM list_problem WHERE device_id = ? AND source = ? AND line IS ? AND message = ?",
          arguments: [device.rawValue, source, problem.line, problem.message])
      }
      let new = problems.filter { !known.contains($0) }
      for problem in new {
        try db.execute(
          sql: """
            INSERT INTO list_problem (device_id, source, line, message, since)
            SELECT id, ?2, ?3, ?4, ?5 FROM device WHERE id = ?1
            """,
          arguments: [device.rawValue, source, problem.line, problem.message, now.milliseconds])
      }
      return new
    }
  }

  /// Forgets lists that no device plays any more.
  /// - Parameter isPlayed: whether a device plays a list.
  package func forget(besides isPlayed: (DeviceID, String) -> Bool) throws(StoreError) {
    for stored in try stored() where !isPlayed(stored.device, stored.source) {
      try keep([], of: stored.source, on: stored.device, at: stored.since)
    }
  }

  /// What is wrong with the lists of a device, or of all of them, in the order of lines.
  package func stored(for device: DeviceID? = nil) throws(StoreError) -> [Stored] {
    try database.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT device_id, source, line, message, since FROM list_problem
          WHERE ?1 IS NULL OR device_id = ?1 ORDER BY device_id, source, line, id
          """, arguments: [device?.rawValue])
      return try rows.map { row in
        let row = StoredRow(row, of: "list_problem", id: "device_id")
        return Stored(
          device: DeviceID(try row.value("device_id")), source: try row.value("source"),
          problem: ListProblem(line: try row.optional("line"), message: try row.value("message")),
          since: try row.value("since"))
      }
    }
  }
}
