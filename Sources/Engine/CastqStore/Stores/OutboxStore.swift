package import CastqFeeding
package import CastqText
import GRDB

/// Plays that wait for a centre. Triggers of the schema put each into the outbox in the transaction that ends it, once this site is
/// linked; without a link nothing is written.
package struct OutboxStore: Sendable {
  /// The centre of this site.
  package struct Link: Sendable, Hashable {
    /// The name of this site there.
    package let site: String
    /// Everything up to this number is there; 0 is nothing.
    package let cursor: Int64
    /// How many plays wait, those that were refused not counted.
    package let waiting: Int
    /// How many plays the centre has refused.
    package let refused: Int
  }

  private let database: Database

  package init(_ database: Database) { self.database = database }

  /// The link; nil for a site without a centre.
  package func link() throws(StoreError) -> Link? {
    try database.read { db in
      guard let row = try Row.fetchOne(db, sql: "SELECT * FROM link") else { return nil }
      let stored = StoredRow(row, of: "link")
      func count(_ kind: String) throws -> Int {
        try db.scalar(
          Int.self, of: "outbox", sql: "SELECT count(*) FROM outbox WHERE kind = ?", arguments: [kind]) ?? 0
      }
      return Link(
        site: try stored.value("site"), cursor: try stored.value("cursor"), waiting: try count("play"),
        refused: try count("refused"))
    }
  }

  /// Links this site, and puts every play that has ended so far into the outbox, in the order of the ends; after a link that was ended,
  /// what that one has not sent. Nothing happens when it is linked already.
  /// - Parameter site: its name at the centre.
  package func open(site: String, at now: WallTime) throws(StoreError) {
    guard try link() == nil else { return }
    try database.write { db in
      try db.execute(
        sql: "INSERT INTO link (id, site, linked_at) VALUES (1, ?, ?) ON CONFLICT DO NOTHING",
        arguments: [site, now.milliseconds])
      guard db.changesCount > 0 else { return }
      // Each play has its month, or that of a play before it; what an earlier link has numbered stays below.
      try db.execute(
        sql: """
          WITH last AS (SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0) AS seq),
          ended AS (SELECT id, row_number() OVER (ORDER BY chain IS NOT NULL, chain, id) AS place,
            coalesce(CAST(strftime('%Y%m', ended_at / 1000, 'unixepoch') AS INTEGER), 0) AS month
            FROM play WHERE ended_at IS NOT NULL
              AND id > coalesce((SELECT seq FROM sqlite_sequence WHERE name = '\(Self.sent)'), 0)),
          placed AS (SELECT id, place, max((SELECT seq / 1000000000 FROM last),
            max(month) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING)) AS month FROM ended)
          INSERT INTO outbox (seq, kind, body)
          SELECT max(1000000000 * month, (SELECT seq FROM last)) + row_number() OVER (PARTITION BY month ORDER BY place), 'play',
            '{"play":' || id || '}' FROM placed ORDER BY place;
          DELETE FROM outbox WHERE kind = 'play' AND CAST(substr(body, 9, length(body) - 9) AS INTEGER)
            IN (SELECT id FROM play WHERE ended_at IS NULL);
          DELETE FROM sqlite_sequence WHERE name = '\(Self.sent)';
          """)
    }
  }

  /// The name of the row of `sqlite_sequence` that has the newest play of a link that was ended.
  private static let sent = "link"

  /// Ends the link: nothing is put into the outbox any more. What waits keeps its number, so that a next link sends that, what plays now
  /// and what comes, and no play twice.
  /// - Parameter isForgetting: whether a next link sends every play, under new numbers.
  package func close(isForgetting: Bool = false) throws(StoreError) {
    try database.write { db in
      try db.execute(sql: "DELETE FROM link")
      let wasLinked = db.changesCount > 0
      if isForgetting {
        try db.execute(sql: "DELETE FROM outbox; DELETE FROM sqlite_sequence WHERE name = '\(Self.sent)'")
      } else if wasLinked {
        try db.execute(
          sql: """
            INSERT INTO outbox (kind, body) SELECT 'play', '{"play":' || id || '}' FROM play WHERE ended_at IS NULL ORDER BY id;
            INSERT INTO sqlite_sequence (name, seq) SELECT '\(Self.sent)', coalesce(max(id), 0) FROM play;
            """)
      }
    }
  }

  /// Plays that wait.
  package struct Batch: Sendable {
    /// The oldest, in their order.
    package let plays: [OutboxPlay]
    /// Numbers among them whose rows are damaged or gone: they are to be set aside.
    package let damaged: [Int64]
  }

  /// The plays that wait longest.
  /// - Parameter limit: how many at most, the damaged ones included.
  package func read(limit: Int) throws(StoreError) -> Batch {
    try database.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(PlayColumn.list), o.seq FROM outbox o
          LEFT JOIN play ON play.id = CAST(substr(o.body, 9, length(o.body) - 9) AS INTEGER)
          WHERE o.kind = 'play' ORDER BY o.seq LIMIT ?
          """, arguments: [limit])
      var plays: [OutboxPlay] = []
      var damaged: [Int64] = []
      while let row = try rows.next() {
        let stored = PlayRow(row)
        guard let seq: Int64 = try stored.optional(.appended) else { continue }
        do {
          let words = try PlayWords(stored, chain: stored.optional(.chain) ?? 0, previous: nil)
          plays.append(
            OutboxPlay(
              seq: seq, words: words, hash: try stored.optional(.hash), note: try stored.optional(.note)))
        } catch let damage as RowDamage {
          database.notes.add(damage)
          damaged.append(seq)
        }
      }
      return Batch(plays: plays, damaged: damaged)
    }
  }

  /// Removes what the centre has committed, and moves the cursor. Lower numbers than these may wait by then: those that were set aside go
  /// again under their own.
  /// - Parameter numbers: those that are there.
  package func remove(_ numbers: [Int64]) throws(StoreError) {
    guard let last = numbers.max() else { return }
    let list = "[" + numbers.map { "\($0)" }.joined(separator: ",") + "]"
    try database.write { db in
      try db.execute(
        sql: "DELETE FROM outbox WHERE kind = 'play' AND seq IN (SELECT value FROM json_each(?))",
        arguments: [list])
      try db.execute(sql: "UPDATE link SET cursor = max(cursor, ?)", arguments: [last])
    }
  }

  /// Keeps plays that the centre refuses, so that those behind them can go.
  /// - Parameter problem: why, in the words of whoever refuses.
  package func setAside(_ numbers: [Int64], _ problem: String) throws(StoreError) {
    try database.write { db in
      for seq in numbers {
        try db.execute(
          sql: "UPDATE outbox SET kind = 'refused', problem = ? WHERE seq = ?",
          arguments: [problem.isEmpty ? nil : problem, seq])
      }
    }
  }

  /// A play that is kept because it was refused.
  package struct Refused: Sendable, Hashable {
    package let seq: Int64
    /// What its row says, where it can still be read.
    package let device: String?
    package let title: String?
    package let endedAt: WallTime?
    /// Why; nil for what was refused before version 15.
    package let problem: String?
  }

  /// The plays that are kept because they were refused, the oldest first.
  package func refused() throws(StoreError) -> [Refused] {
    try database.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT o.seq, o.problem, p.device_name, p.title, p.ended_at FROM outbox o
          LEFT JOIN play p ON p.id = CAST(substr(o.body, 9, length(o.body) - 9) AS INTEGER)
          WHERE o.kind = 'refused' ORDER BY o.seq
          """)
      return rows.compactMap { row in
        let stored = StoredRow(row, of: "outbox")
        guard let seq: Int64 = try? stored.value("seq") else { return nil }
        return Refused(
          seq: seq, device: try? stored.optional("device_name"), title: try? stored.optional("title"),
          endedAt: try? stored.optional("ended_at"), problem: try? stored.optional("problem"))
      }
    }
  }

  /// Lets every play that was set aside go again, in its place: the centre has nothing under its number.
  /// - Returns: how many plays.
  package func resend() throws(StoreError) -> Int {
    try database.write { db in
      try db.execute(sql: "UPDATE outbox SET kind = 'play', problem = NULL WHERE kind = 'refused'")
      return db.changesCount
    }
  }

  /// Gives the plays from a number on new ones behind all others, in their order: the centre has another play of this site under that
  /// number, because this database is an older copy.
  /// - Parameter highest: the highest number that the centre has of this site.
  package func renumber(from first: Int64, above highest: Int64) throws(StoreError) {
    try database.write { db in
      let last =
        try db.scalar(
          Int64.self, of: "outbox",
          sql: """
            SELECT max(coalesce((SELECT max(seq) FROM outbox), 0),
              coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0))
            """) ?? 0
      // A row that is inserted moves the sequence; one that is changed does not.
      try db.execute(
        sql: """
          INSERT INTO outbox (seq, kind, body)
          SELECT max(?, ?) + row_number() OVER (ORDER BY seq), kind, body FROM outbox
          WHERE kind = 'play' AND seq >= ? ORDER BY seq
          """, arguments: [last, highest, first])
      try db.execute(
        sql: "DELETE FROM outbox WHERE kind = 'play' AND seq BETWEEN ? AND ?", arguments: [first, last])
    }
  }

  /// Gives the plays from a number on lower ones, in their order, behind those before it: they have months that have not come yet.
  /// - Parameter lowest: behind this number they are free at the centre.
  package func renumberBack(from first: Int64, above lowest: Int64) throws(StoreError) {
    try database.write { db in
      let before =
        try db.scalar(
          Int64.self, of: "outbox", sql: "SELECT coalesce(max(seq), 0) FROM outbox WHERE seq < ?",
          arguments: [first]) ?? 0
      let last = max(before, lowest)
      try db.execute(
        sql: """
          INSERT INTO outbox (seq, kind, body, problem)
          SELECT ? + row_number() OVER (ORDER BY seq), kind, body, problem FROM outbox WHERE seq >= ? ORDER BY seq
          """, arguments: [last, first])
      try db.execute(sql: "DELETE FROM outbox WHERE seq >= ?", arguments: [first])
      // What comes next is behind these, and not behind the month that has not come.
      try db.execute(
        sql: """
          UPDATE sqlite_sequence SET seq = max(?, (SELECT coalesce(max(seq), 0) FROM outbox)) WHERE name = 'outbox'
          """, arguments: [last])
    }
  }
}
