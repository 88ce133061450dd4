import CastqFeeding
package import CastqText
import GRDB

/// What a hook has to deliver: a row of `hook_delivery`.
package struct HookDelivery: Sendable, Hashable {
  package let id: Int64
  /// The digest of what is to be done; the configuration has what it is.
  package let target: String
  /// A JSON object.
  package let body: String
  package let createdAt: WallTime
  /// How often it was tried.
  package let attempts: Int
}

/// Something that hooks wait for has happened: a delivery to each of the targets.
package struct HookPosting: Sendable, Hashable {
  /// A JSON object.
  package let body: String
  /// Digests of what is to be done.
  package let targets: [String]
  package let at: WallTime

  package init(_ body: String, to targets: [String], at: WallTime) {
    (self.body, self.targets, self.at) = (body, targets, at)
  }
}

/// What hooks have to deliver, kept until it was.
package struct HookStore: Sendable {
  private let database: Database
  /// Rows of one target that are read at a time.
  private static let mostOfTarget = 10

  package init(_ database: Database) { self.database = database }

  /// Adds a delivery to each target of each posting, in one transaction; beyond the limit the oldest ones go.
  /// - Returns: how many went.
  package func add(_ postings: [HookPosting], limit: Int = HookRetry.most) throws(StoreError) -> Int {
    try database.write { db in
      for posting in postings {
        for target in posting.targets {
          try db.execute(
            sql: "INSERT INTO hook_delivery (target, body, created_at, next_at) VALUES (?1, ?2, ?3, ?3)",
            arguments: [target, posting.body, posting.at.milliseconds])
        }
      }
      try db.execute(
        sql: """
          DELETE FROM hook_delivery WHERE id <= (SELECT id FROM hook_delivery ORDER BY id DESC LIMIT 1 OFFSET ?)
          """, arguments: [limit])
      return db.changesCount
    }
  }

  /// Those that are due, the one that has waited longest first, and a few of each target at most: one that does not answer must not hide
  /// the others behind all that it has not accepted. Damaged rows are noted and left out.
  package func due(at now: WallTime, limit: Int = 100) throws(StoreError) -> [HookDelivery] {
    try database.read { db in
      // No pause is an hour long: a clock that was set back must not hold them back.
      try Row.fetchCursor(
        db,
        sql: """
          SELECT id, target, body, created_at, attempts FROM (
            SELECT *, row_number() OVER (PARTITION BY target ORDER BY next_at, id) AS place FROM hook_delivery
            WHERE next_at <= ?1 OR next_at > ?1 + 3600000)
          WHERE place <= ?3 ORDER BY next_at, id LIMIT ?2
          """,
        arguments: [now.milliseconds, limit, Self.mostOfTarget]
      ).readable(noting: database.notes) { row in
        let row = StoredRow(row, of: "hook_delivery")
        return HookDelivery(
          id: try row.value("id"), target: try row.value("target"), body: try row.value("body"),
          createdAt: try row.value("created_at"), attempts: try row.value("attempts"))
      }
    }
  }

  /// When the next one is due; nil when none waits.
  package func nextDue() throws(StoreError) -> WallTime? {
    try database.read { db in
      try db.scalar(Int64.self, of: "hook_delivery", sql: "SELECT min(next_at) FROM hook_delivery")
        .map { WallTime(milliseconds: $0) }
    }
  }

  /// How many wait.
  package func count() throws(StoreError) -> Int {
    try database.read { db in
      try db.scalar(Int.self, of: "hook_delivery", sql: "SELECT count(*) FROM hook_delivery") ?? 0
    }
  }

  /// A delivery was accepted, or is given up.
  package func remove(_ id: Int64) throws(StoreError) {
    try database.write { db in
      try db.execute(sql: "DELETE FROM hook_delivery WHERE id = ?", arguments: [id])
    }
  }

  /// A delivery was not accepted.
  /// - Parameters:
  ///   - attempts: how often it was tried.
  ///   - next: when it is tried again.
  ///   - problem: why, in words.
  package func postpone(
    _ id: Int64, after attempts: Int, to next: WallTime, because problem: String
  ) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql: "UPDATE hook_delivery SET attempts = ?, next_at = ?, problem = ? WHERE id = ?",
        arguments: [attempts, next.milliseconds, problem.isEmpty ? nil : problem, id])
    }
  }
}
