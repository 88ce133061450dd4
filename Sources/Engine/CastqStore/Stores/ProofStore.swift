package import CastqFeeding
package import CastqPlaylists
package import CastqSchedule
package import CastqText
import GRDB

/// Reads sealed plays in the order of their chain.
package struct ProofStore: Sendable {
  private let database: Database

  package init(_ database: Database) { self.database = database }

  /// What a proof has, in the order in which it is read.
  package enum Part: Sendable, Hashable {
    case extent(Extent)
    /// The hash is the stored one, which may not fit the words.
    case play(PlayWords, hash: String, isMeant: Bool)
  }

  /// Which plays are meant; those of no condition are all.
  package struct Selection: Sendable {
    package var devices: [DeviceID]?
    /// By the names of that day, whatever their case.
    package var rule: String?
    package var programme: String?
    /// Of the title or the address.
    package var media: NamePattern?

    package init() {}

    fileprivate var condition: String {
      """
      (:devices IS NULL OR coalesce(play.device_id IN (SELECT value FROM json_each(:devices)), 0))
        AND (:rule IS NULL OR coalesce(play.rule_name = :rule COLLATE NOCASE, 0))
        AND (:programme IS NULL OR EXISTS (
          SELECT 1 FROM decision WHERE decision.id = play.decision_id AND decision.programme = :programme COLLATE NOCASE))
      """
    }

    fileprivate var arguments: StatementArguments {
      let devices = devices.map { "[" + $0.map { "\($0.rawValue)" }.joined(separator: ",") + "]" }
      return ["devices": devices, "rule": rule, "programme": programme]
    }

    fileprivate func hasMedia(_ title: String, _ url: String) -> Bool {
      media.map { $0.matches(title) || $0.matches(url) } ?? true
    }
  }

  /// What is known of the plays before the first is read.
  package struct Extent: Sendable, Hashable {
    /// The place and the hash before the first play.
    package let previousChain: Int64
    package let previousHash: String
    package let devices: [Device]
    /// Plays that ended in the period and have no seal, as those of very old files.
    package let unsealed: Int
  }

  /// A device of the plays, as it was known at their ends.
  package struct Device: Sendable, Hashable {
    package let name: String
    /// Nil when the device is removed, or had none.
    package let uuid: String?
    /// SHA-256 of the key with which it had proved itself; nil when it had not.
    package let key: String?
  }

  /// Reads the plays that ended in a period, with those between them in the chain, from one snapshot.
  /// - Parameters:
  ///   - since: the first moment; nil is the beginning.
  ///   - until: the first moment that is not meant; nil is now.
  ///   - selection: which of them are meant; the others are between them in the chain.
  ///   - receive: returns whether to continue.
  package func read(
    since: WallTime?, until: WallTime?, _ selection: Selection = Selection(), _ receive: (Part) -> Bool
  ) throws(StoreError) {
    try database.read { db in
      let period: StatementArguments = [
        "since": since?.milliseconds ?? Int64.min, "until": until?.milliseconds ?? Int64.max,
      ]
      let ended = "ended_at >= :since AND ended_at < :until"
      let sealed = "chain BETWEEN 1 AND \(PlaySeal.lastPlace)"
      try noteOutside(of: sealed, ended, period, db)
      let first = try db.scalar(
        Int64.self, of: "play", sql: "SELECT min(chain) FROM play WHERE \(sealed) AND \(ended)",
        arguments: period)
      let last = try db.scalar(
        Int64.self, of: "play", sql: "SELECT max(chain) FROM play WHERE \(sealed) AND \(ended)",
        arguments: period)
      let unsealed = try db.scalar(
        Int.self, of: "play", sql: "SELECT count(*) FROM play WHERE chain IS NULL AND \(ended)",
        arguments: period)
      guard let first, let last else {
        let end = try PlaySeal.last(db, upTo: PlaySeal.lastPlace)
        let extent = Extent(
          previousChain: end.chain, previousHash: end.hash, devices: [], unsealed: unsealed ?? 0)
        _ = receive(.extent(extent))
        return
      }
      var previous = try db.scalar(
        String.self, of: "play", sql: "SELECT hash FROM play WHERE chain = ?", arguments: [first - 1])
      let extent = Extent(
        previousChain: first - 1, previousHash: previous ?? PlayWords.firstHash,
        devices: try devices(first, last, selection, db), unsealed: unsealed ?? 0)
      if first == 1 { previous = PlayWords.firstHash }
      guard receive(.extent(extent)) else { return }
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(PlayColumn.list), \(selection.condition) FROM play
          WHERE chain BETWEEN :first AND :last ORDER BY chain
          """, arguments: selection.arguments + ["first": first, "last": last])
      var expected = first
      while let row = try rows.next() {
        do {
          let stored = PlayRow(row)
          let chain = try stored.value(.chain, as: Int64.self)
          let hash = try stored.value(.hash, as: String.self)
          let words = try PlayWords(stored, chain: chain, previous: chain == expected ? previous : nil)
          (expected, previous) = (chain + 1, hash)
          let isMeant = try stored.value(.appended) && selection.hasMedia(words.title, words.url)
          guard receive(.play(words, hash: hash, isMeant: isMeant)) else { return }
        } catch let damage as RowDamage {
          database.notes.add(damage)
          previous = nil
        }
      }
    }
  }

  /// Notes the rows whose place in the chain is none: there is no place before or behind it, and no reader of a proof has the number.
  private func noteOutside(
    of sealed: String, _ ended: String, _ period: StatementArguments, _ db: GRDB.Database
  ) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT id FROM play WHERE chain IS NOT NULL AND NOT \(sealed) AND \(ended) ORDER BY id
        LIMIT \(DamageNotes.limit)
        """, arguments: period)
    while let row = try rows.next() {
      let id: Int64? = StoredRow(row, of: "play").value(at: 0)
      database.notes.add(RowDamage(table: "play", row: id, column: "chain"))
    }
  }

  /// The devices of the plays that are meant.
  private func devices(
    _ first: Int64, _ last: Int64, _ selection: Selection, _ db: GRDB.Database
  ) throws -> [Device] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT play.device_name, play.device_key, d.uuid, play.title, play.url FROM play LEFT JOIN device d ON d.id = play.device_id
        WHERE play.chain BETWEEN :first AND :last AND \(selection.condition)
        GROUP BY 1, 2, 3, iif(:isOfMedia, play.id, 0) ORDER BY 1, 2, 3
        """,
      arguments: selection.arguments + ["first": first, "last": last, "isOfMedia": selection.media != nil])
    var devices: [Device] = []
    while let row = try rows.next() {
      let row = StoredRow(row, of: "play")
      guard selection.hasMedia(try row.value("title"), try row.value("url")) else { continue }
      let device = Device(
        name: try row.value("device_name"), uuid: try row.optional("uuid"),
        key: try row.optional("device_key"))
      if devices.last != device { devices.append(device) }
    }
    return devices
  }
}
