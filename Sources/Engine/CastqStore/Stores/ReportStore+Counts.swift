package import CastqText
import CastProtocol
import GRDB

/// How often something was played: the numbers of `castq report plays`, for pages that show one beside each of many things.
extension ReportStore {
  /// Plays that began at or after a moment, or failed then, of each of some addresses. What was never played is not in it.
  package func plays(of addresses: Set<String>, since: WallTime) throws(StoreError) -> [String: Int] {
    guard !addresses.isEmpty else { return [:] }
    return try counts(
      """
      SELECT url AS what, count(*) AS plays FROM play
      WHERE coalesce(started_at, ended_at) >= ? AND url IN (SELECT value FROM json_each(?)) GROUP BY url
      """, [since.milliseconds, JSONValue.array(addresses.map { .string($0) }).text])
  }

  /// The same of each programme.
  package func playsOfProgrammes(since: WallTime) throws(StoreError) -> [String: Int] {
    try counts(
      """
      SELECT d.programme AS what, count(*) AS plays FROM play JOIN decision d ON d.id = play.decision_id
      WHERE coalesce(play.started_at, play.ended_at) >= ? AND d.programme IS NOT NULL GROUP BY d.programme
      """, [since.milliseconds])
  }

  private func counts(_ sql: String, _ arguments: StatementArguments) throws(StoreError) -> [String: Int] {
    try database.read { db in
      let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
      let counts = try rows.readable(noting: database.notes) { row in
        let row = StoredRow(row, of: "play")
        return (try row.value("what", as: String.self), try row.value("plays", as: Int.self))
      }
      return Dictionary(counts) { $0 + $1 }
    }
  }
}
