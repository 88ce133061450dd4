package import CastqCore
import GRDB

/// Reads sealed plays in the order of their chain.
package struct ProofStore: Sendable {
  private let database: Database

  package init(_ database: Database) { self.database = database }

  /// What a proof has, in the order in which it is read.
  package enum Part: Sendable, Hashable {
    case extent(Extent)
    /// The hash is the stored one, which may not fit the words.
    case play(PlayWords, hash: String)
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
  ///   - receive: returns whether to continue.
  package func read(
    since: WallTime?, until: WallTime?, _ receive: (Part) -> Bool
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
        devices: try devices(first, last, db), unsealed: unsealed ?? 0)
      if first == 1 { previous = PlayWords.firstHash }
      guard receive(.extent(extent)) else { return }
      let rows = try Row.fetchCursor(
        db, sql: "SELECT \(PlayColumn.list) FROM play WHERE chain BETWEEN ? AND ? ORDER BY chain",
        arguments: [first, last])
      var expected = first
      while let row = try rows.next() {
        do {
          let stored = PlayRow(row)
          let chain = try stored.value(.chain, as: Int64.self)
          let hash = try stored.value(.hash, as: String.self)
          let words = try PlayWords(stored, chain: chain, previous: chain == expected ? previous : nil)
          (expected, previous) = (chain + 1, hash)
          guard receive(.play(words, hash: hash)) else { return }
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

  private func devices(_ first: Int64, _ last: Int64, _ db: GRDB.Database) throws -> [Device] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT DISTINCT p.device_name, p.device_key, d.uuid FROM play p LEFT JOIN device d ON d.id = p.device_id
        WHERE p.chain BETWEEN ? AND ? ORDER BY 1, 2, 3
        """, arguments: [first, last]
    ).map {
      let row = StoredRow($0, of: "play")
      return Device(
        name: try row.value("device_name"), uuid: try row.optional("uuid"),
        key: try row.optional("device_key"))
    }
  }
}
