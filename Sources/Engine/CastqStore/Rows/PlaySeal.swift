import CastTLS
import CastqFeeding
import CastqPlaylists
import GRDB

/// Seals plays at their ends: each row gets its place in the order of the ends, and a hash over its words and the hash before.
///
/// A row that is sealed is not written again, but for what is outside of its words (`PlayWords`).
struct PlaySeal: Sendable {
  /// The last place that a proof can name: every reader of JSON has the numbers up to it. A higher one is damage.
  static let lastPlace: Int64 = 1 << 53

  /// Whether the system's clock is synchronised now; nil is unknown.
  let isClockSynchronised: @Sendable () -> Bool?

  /// Seals the play of a turn, if it has ended and is not sealed.
  func close(_ turn: EntryTurn, _ db: GRDB.Database) throws {
    try close("play.entry_id = ? AND play.turn = ?", [turn.entry.rawValue, turn.turn], db)
  }

  /// Seals a play by its number, if it has ended and is not sealed.
  func close(play: Int64, _ db: GRDB.Database) throws { try close("play.id = ?", [play], db) }

  private func close(_ condition: String, _ arguments: StatementArguments, _ db: GRDB.Database) throws {
    let found = try db.first(
      sql: """
        SELECT \(PlayColumn.list), d.pinned_key FROM play LEFT JOIN device d ON d.id = play.device_id
        WHERE \(condition) AND play.ended_at IS NOT NULL AND play.chain IS NULL
        """, arguments: arguments
    ) { row -> PlayWords? in
      let last = try Self.last(db)
      // Beyond this there is no number left, which a damaged row may claim. The play is kept without a seal.
      guard last.chain < Int64.max else { return nil }
      let stored = PlayRow(row)
      // A play is never lost for its seal. A report of proof counts those that have none.
      do throws(RowDamage) {
        var words = try PlayWords(stored, chain: last.chain + 1, previous: last.hash)
        words.deviceKey = try stored.optional(.appended)
        return words
      } catch { return nil }
    }
    guard var words = found else { return }
    words.isClockSynchronised = isClockSynchronised()
    words.nonce = RandomText.hex(bytes: 16)
    guard let hash = words.hash({ try? SHA256.text(of: $0.utf8) }) else { return }
    try db.cachedStatement(
      sql: """
        UPDATE play SET chain = ?, hash = ?, device_key = ?, is_clock_synchronised = ?, nonce = ?, proof_format = 2 WHERE id = ?
        """
    ).execute(arguments: [
      words.chain, hash, words.deviceKey, words.isClockSynchronised, words.nonce, words.play,
    ])
  }

  /// The end of the chain: zeros before the first play.
  /// - Parameter limit: rows with a higher place are passed over; without one they are the end, too.
  static func last(
    _ db: GRDB.Database, upTo limit: Int64 = .max
  ) throws -> (chain: Int64, hash: String) {
    let last = try db.first(
      sql: """
        SELECT id, chain, hash FROM play WHERE chain BETWEEN 1 AND ? ORDER BY chain DESC LIMIT 1
        """, arguments: [limit]
    ) { row -> (chain: Int64, hash: String) in
      let stored = StoredRow(row, of: "play")
      // The column is STRICT text of 64 characters; whatever it holds is what the next row continues.
      return (try stored.value("chain"), try stored.optional("hash") ?? PlayWords.firstHash)
    }
    return last ?? (0, PlayWords.firstHash)
  }
}

extension PlayWords {
  /// The words of a row, with what is stored of its seal.
  init(_ row: PlayRow, chain: Int64, previous: String?) throws(RowDamage) {
    self.init(
      chain: chain, previous: previous, play: try row.value(.id), entry: try row.value(.entryID),
      turn: try row.value(.turn), device: try row.value(.deviceName),
      deviceKey: try row.optional(.deviceKey), title: try row.value(.title), url: try row.value(.url))
    source = try row.optional(.sourceFile)
    line = try row.optional(.sourceLine)
    startedAt = try row.optional(.startedAt)
    endedAt = try row.optional(.endedAt)
    startPosition = try row.optional(.startPosition)
    endPosition = try row.optional(.endPosition)
    played = try row.value(.played)
    duration = try row.optional(.duration)
    outcome = try row.optional(.outcome)
    evidence = try row.optional(.evidence)
    idleReason = try row.optional(.idleReason)
    errorType = try row.optional(.errorType)
    errorReason = try row.optional(.errorReason)
    detailedCode = try row.optional(.detailedCode)
    gapBefore = try row.optional(.gapBefore)
    kind = try row.optional(.kind)
    rule = try row.optional(.ruleID)
    ruleName = try row.optional(.ruleName)
    ruleRevision = try row.optional(.ruleRevision)
    occurrence = try row.optional(.occurrence)
    plannedAt = try row.optional(.plannedAt)
    decision = try row.optional(.decisionID)
    isClockSynchronised = try row.optional(.isClockSynchronised)
    cause = try row.optional(.cause)
    causedBy = try row.optional(.causedBy)
    rate = try row.optional(.rate)
    unobserved = try row.optional(.unobserved)
    attempt = try row.optional(.attempt)
    if try row.optional(.proofFormat, as: Int64.self) == 2 { nonce = try row.optional(.nonce) }
  }
}
