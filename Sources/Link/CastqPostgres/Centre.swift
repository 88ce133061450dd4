package import CastProtocol

/// The database that holds the plays of all sites.
package final class Centre {
  /// The schema version of this program.
  package static let version = CentreSchema.steps.count

  let connection: PostgresConnection
  /// Months whose partitions are known to be there.
  private var months: Set<Int64> = []

  package init(_ connection: PostgresConnection) { self.connection = connection }

  // MARK: - Schema

  /// Makes or upgrades the tables, in one transaction. Two programs that do so at once wait for each other.
  /// - Returns: the version before, 0 for none, and the one now.
  package func migrate() throws(PostgresError) -> (before: Int, now: Int) {
    try connection.run("BEGIN")
    do throws(PostgresError) {
      try connection.run("SELECT pg_advisory_xact_lock(7305214819)")
      try connection.run(
        """
        CREATE TABLE IF NOT EXISTS castq_schema (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())
        """)
      let before = try version()
      guard before <= Self.version else { throw PostgresError(newerTables: before) }
      for (index, step) in CentreSchema.steps.enumerated() where index >= before {
        try connection.runAll(step)
        try connection.run("INSERT INTO castq_schema (version) VALUES ($1)", ["\(index + 1)"])
      }
      try connection.run("COMMIT")
      return (before, Self.version)
    } catch {
      _ = try? connection.run("ROLLBACK")
      throw error
    }
  }

  /// The version of the tables; 0 for an empty list of them.
  package func version() throws(PostgresError) -> Int {
    try connection.run("SELECT coalesce(max(version), 0) FROM castq_schema").first?.first?.flatMap(Int.init)
      ?? 0
  }

  /// Throws for tables that are newer than this program. A role that may not read their version is let pass.
  package func refuseNewerTables() throws(PostgresError) {
    guard let known = try? version(), known > Self.version else { return }
    throw PostgresError(newerTables: known)
  }

  /// Throws for tables that are older or newer than this program.
  package func refuseOtherTables() throws(PostgresError) {
    let known = try version()
    guard known != Self.version else { return }
    throw known > Self.version ? PostgresError(newerTables: known) : PostgresError(olderTables: known)
  }

  // MARK: - Plays of one site

  /// What came of a batch.
  package struct Receipt: Sendable, Hashable {
    /// Numbers under which the centre has other plays of this site.
    package struct Clash: Sendable, Hashable {
      package let first: Int64
      package let count: Int
      /// The highest number of the site.
      package let highest: Int64
    }

    /// How many plays were new.
    package let inserted: Int
    /// Nil where the centre has the whole batch.
    package let clash: Clash?
    /// Numbers of months to come, by the clock of the centre; nothing is written then.
    package var ahead: Ahead?

    /// What a clock that was ahead has numbered.
    package struct Ahead: Sendable, Hashable {
      package let first: Int64
      /// Numbers from the one behind this on are this site's, and of a month that has come.
      package let above: Int64
    }
  }

  /// Writes plays of a site in one transaction; those that are there already stay as they are. Where the centre has another play under
  /// a number, nothing is written from that number on: what follows it must stay behind it.
  ///
  /// A play whose end nobody saw is left out when the centre has the same play under another number: the site's database is a copy
  /// that was made while it was on the screen, and another box has seen its end.
  /// - Parameter plays: an object for each, whose members are columns.
  package func insert(_ plays: [(seq: Int64, columns: JSONValue)], of site: String) throws(PostgresError)
    -> Receipt
  {
    for month in Set(plays.map { $0.seq / Self.numbersOfMonth }).subtracting(months).sorted() {
      do throws(PostgresError) {
        try makeMonth(month)
      } catch {
        guard error.isOfTime, let first = plays.map(\.seq).filter({ $0 / Self.numbersOfMonth >= month }).min()
        else { throw error }
        return Receipt(
          inserted: 0, clash: nil, ahead: Receipt.Ahead(first: first, above: try newest(of: site)))
      }
      months.insert(month)
    }
    let document = JSONValue.array(plays.map(\.columns)).text
    let numbers =
      try connection.run(Self.insertion, [site, document]).first?.map { $0.flatMap(Int64.init) } ?? []
    guard numbers.count == 3, let inserted = numbers[0], let count = numbers[1] else {
      throw PostgresError(words: "the answer to a batch is another one", state: nil)
    }
    guard let first = numbers[2] else { return Receipt(inserted: Int(inserted), clash: nil) }
    let highest = try connection.run("SELECT max(seq) FROM play WHERE site = $1", [site])
    return Receipt(
      inserted: Int(inserted),
      clash: Receipt.Clash(
        first: first, count: Int(count), highest: highest.first?.first?.flatMap(Int64.init) ?? first))
  }

  private static let numbersOfMonth: Int64 = 1_000_000_000

  /// The highest number that the centre has of a site, or the lowest of this month, by its own clock.
  private func newest(of site: String) throws(PostgresError) -> Int64 {
    let rows = try connection.run(
      """
      SELECT greatest(castq_month('0') * $2::bigint,
        (SELECT max(seq) FROM play WHERE site = $1 AND seq < (castq_month('2 months') + 1) * $2::bigint))
      """, [site, "\(Self.numbersOfMonth)"])
    guard let number = rows.first?.first?.flatMap(Int64.init) else {
      throw PostgresError(words: "it does not say what month it has", state: nil)
    }
    return number
  }

  /// How many of some plays the centre has under other numbers of this site: those that an earlier link has sent.
  package func countRepeats(of plays: [(seq: Int64, columns: JSONValue)], of site: String)
    throws(PostgresError)
    -> Int
  {
    let rows = try connection.run(
      """
      SELECT count(*) FROM jsonb_to_recordset($2::jsonb) AS i(seq bigint, play bigint, device text, ended_at timestamptz)
      JOIN play p ON p.site = $1 AND (p.play, p.device, p.ended_at) = (i.play, i.device, i.ended_at) AND p.seq <> i.seq
      """, [site, JSONValue.array(plays.map(\.columns)).text])
    return rows.first?.first?.flatMap(Int.init) ?? 0
  }

  /// The numbers of some plays under which the centre has them.
  package func numbersThatAreThere(among plays: [(seq: Int64, columns: JSONValue)], of site: String)
    throws(PostgresError) -> [Int64]
  {
    let rows = try connection.run(
      """
      SELECT i.seq FROM jsonb_to_recordset($2::jsonb) AS i(seq bigint, play bigint, device text, ended_at timestamptz)
      JOIN play p ON p.site = $1 AND p.seq = i.seq AND (p.play, p.device, p.ended_at) = (i.play, i.device, i.ended_at)
      """, [site, JSONValue.array(plays.map(\.columns)).text])
    return rows.compactMap { $0.first?.flatMap(Int64.init) }
  }

  private func makeMonth(_ month: Int64) throws(PostgresError) {
    do throws(PostgresError) {
      try connection.run("SELECT castq_make_month($1)", ["\(month)"])
    } catch {
      // Another site has made it in the same moment: the function has waited for that one, and still does not see it.
      guard error.isOfDuplicateTable else { throw error }
    }
  }

  /// The columns of a play that a site gives, with their types.
  private static let columns = [
    ("seq", "bigint"), ("play", "bigint"), ("entry", "bigint"), ("turn", "bigint"), ("device", "text"),
    ("title", "text"), ("url", "text"), ("source", "text"), ("line", "bigint"), ("started_at", "timestamptz"),
    ("ended_at", "timestamptz"), ("start_position_s", "float8"), ("end_position_s", "float8"),
    ("played_s", "float8"), ("duration_s", "float8"), ("outcome", "text"), ("evidence", "text"),
    ("idle_reason", "text"), ("error_type", "text"), ("error_reason", "text"), ("detailed_code", "bigint"),
    ("note", "text"), ("gap_before_s", "float8"), ("kind", "text"), ("rule_id", "bigint"),
    ("schedule", "text"),
    ("rule_revision", "bigint"), ("occurrence", "text"), ("planned_at", "timestamptz"),
    ("decision_id", "bigint"),
    ("chain", "bigint"), ("hash", "text"), ("device_key", "text"), ("clock_synchronised", "boolean"),
    ("cause", "text"), ("caused_by", "text"), ("rate", "float8"), ("unobserved_s", "float8"),
    ("attempt", "bigint"),
    ("nonce", "text"), ("proof_format", "bigint"),
  ]

  private static let insertion: String = {
    let names = columns.map(\.0).joined(separator: ", ")
    return """
      WITH incoming AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS
        given(\(columns.map { "\($0.0) \($0.1)" }.joined(separator: ", ")))),
      clash AS (SELECT count(*) AS number, min(i.seq) AS first FROM incoming i
        JOIN play p ON p.site = $1 AND p.seq = i.seq
        WHERE (p.play, p.device, p.ended_at) IS DISTINCT FROM (i.play, i.device, i.ended_at)
          OR p.hash IS DISTINCT FROM i.hash),
      fresh AS (INSERT INTO play (site, \(names)) SELECT $1, \(names) FROM incoming i
        WHERE (SELECT first IS NULL OR seq < first FROM clash) AND NOT (i.evidence = 'unobserved' AND EXISTS (
          SELECT 1 FROM play p WHERE coalesce(p.started_at, p.ended_at) = i.started_at AND p.started_at = i.started_at
            AND (p.site, p.device, p.play, p.entry, p.turn) = ($1, i.device, i.play, i.entry, i.turn)))
        ON CONFLICT (site, seq) DO NOTHING RETURNING seq)
      SELECT (SELECT count(*) FROM fresh), number, first FROM clash
      """
  }()

  /// Notes that a site was heard.
  /// - Parameters:
  ///   - waiting: plays that wait there.
  ///   - refused: plays that the centre has refused.
  package func heard(_ site: String, waiting: Int, refused: Int) throws(PostgresError) {
    try connection.run(
      """
      INSERT INTO site (name, waiting, refused) VALUES ($1, $2::bigint, $3::bigint) ON CONFLICT (name)
      DO UPDATE SET last_seen = now(), waiting = EXCLUDED.waiting, refused = EXCLUDED.refused
      """, [site, "\(waiting)", "\(refused)"])
  }

  /// How a site stands with the centre.
  package struct Site: Sendable, Hashable {
    package let name: String
    /// When it was heard last, in milliseconds since 1970.
    package let seenAt: Int64
    /// Seconds since then by the clock of the centre.
    package let silence: Double
    /// Plays that waited there when it was heard last.
    package let waiting: Int
    /// Plays that the centre has refused, and that are kept there.
    package let refused: Int
  }

  /// All sites, the one that was not heard for longest first.
  package func sites() throws(PostgresError) -> [Site] {
    try connection.run(
      """
      SELECT name, round(extract(epoch FROM last_seen) * 1000)::bigint, extract(epoch FROM now() - last_seen)::float8, waiting, refused
      FROM site ORDER BY last_seen, name
      """
    ).compactMap { row in
      guard row.count == 5, let name = row[0], let at = row[1].flatMap(Int64.init),
        let silence = row[2].flatMap(Double.init), let waiting = row[3].flatMap(Int.init),
        let refused = row[4].flatMap(Int.init)
      else { return nil }
      return Site(name: name, seenAt: at, silence: max(silence, 0), waiting: waiting, refused: refused)
    }
  }

  // MARK: - Standby

  /// What the centre says of the lease of a site.
  package struct Lease: Sendable, Hashable {
    /// Whether this connection has it.
    package let isHeld: Bool
    /// The newest epoch.
    package let epoch: Int
    /// The box that was given it.
    package let box: String
  }

  /// Has the server end this connection when it is silent for so long: that is when another box gets what it holds. From PostgreSQL 14.
  /// - Parameter limit: seconds.
  package func endWhenSilent(for limit: Int) throws(PostgresError) {
    try connection.run("SELECT set_config('idle_session_timeout', $1, false)", ["\(limit)s"])
  }

  /// Asks for the lease of a site. Once given, this connection holds it until the connection ends.
  /// - Parameters:
  ///   - box: the name of this box, unique within the site.
  ///   - known: the epoch that this box was given last; 0 when it never was.
  package func lease(of site: String, for box: String, known: Int) throws(PostgresError) -> Lease {
    let rows = try connection.run(
      "SELECT held, newest, holder FROM castq_lease($1, $2, $3::bigint)", [site, box, "\(known)"])
    guard let row = rows.first, row.count == 3, let held = row[0], let epoch = row[1].flatMap(Int.init),
      let holder = row[2]
    else { throw PostgresError(words: "the answer of castq_lease is another one", state: nil) }
    return Lease(isHeld: held == "t", epoch: epoch, box: holder)
  }

  // MARK: - Reports

  /// A play of some site, as reports need it. Times are milliseconds since 1970.
  package struct Row: Sendable, Hashable {
    package let site: String
    package let play: Int64
    package let device: String
    package let title: String
    package let url: String
    package let startedAt: Int64?
    package let endedAt: Int64
    package let played: Double
    package let outcome: String
    package let evidence: String
    package let gapBefore: Double?
    package let kind: String?
    package let schedule: String?
  }

  /// Plays that lie at least partly in a period, oldest first, from one snapshot.
  /// - Parameters:
  ///   - period: milliseconds since 1970.
  ///   - sites: those that are meant; nil is all.
  package func readPlays(
    in period: Range<Int64>, of sites: [String]?, _ receive: (Row) -> Void
  ) throws(PostgresError) {
    try connection.run("BEGIN READ ONLY")
    try connection.run(
      """
      DECLARE plays NO SCROLL CURSOR FOR SELECT site, play, device, title, url,
        round(extract(epoch FROM started_at) * 1000)::bigint, round(extract(epoch FROM ended_at) * 1000)::bigint,
        played_s, outcome, evidence, gap_before_s, kind, schedule
      FROM play WHERE ($1::text[] IS NULL OR site = ANY ($1::text[]))
        AND coalesce(started_at, ended_at) < to_timestamp($3::float8 / 1000)
        AND greatest(ended_at, started_at) >= to_timestamp($2::float8 / 1000)
      ORDER BY coalesce(started_at, ended_at), site, play
      """,
      [
        sites.map { "{\($0.joined(separator: ","))}" }, "\(max(period.lowerBound, Self.earliest))",
        "\(min(period.upperBound, Self.latest))",
      ])
    while case let rows = try connection.run("FETCH 5000 FROM plays"), !rows.isEmpty {
      for row in rows { if let row = Row(row) { receive(row) } }
    }
    try connection.run("COMMIT")
  }

  /// Those of some names of sites of which the centre has never heard.
  package func strangers(among names: [String]) throws(PostgresError) -> [String] {
    try connection.run(
      """
      SELECT given FROM unnest($1::text[]) AS given WHERE NOT EXISTS (SELECT 1 FROM play WHERE site = given)
        AND NOT EXISTS (SELECT 1 FROM site WHERE name = given)
      """, ["{\(names.joined(separator: ","))}"]
    ).compactMap { $0.first ?? nil }
  }

  /// The years 1 and 9999, in milliseconds since 1970.
  private static let (earliest, latest): (Int64, Int64) = (-62_135_596_800_000, 253_402_300_799_999)

  /// A play before which the clock of a site was set back.
  package struct ClockChange: Sendable, Hashable {
    package let site: String
    package let seq: Int64
    package let device: String
    /// Milliseconds since 1970, by the clock that was set back.
    package let endedAt: Int64
    /// Seconds.
    package let back: Double
  }

  /// Where clocks were set back, at most 1,000.
  package func clockChanges(in period: Range<Int64>, of sites: [String]?) throws(PostgresError)
    -> [ClockChange]
  {
    try connection.run(
      """
      SELECT site, seq, device, round(extract(epoch FROM ended_at) * 1000)::bigint, back_s FROM clock_set_back
      WHERE ($1::text[] IS NULL OR site = ANY ($1::text[]))
        AND ended_at >= to_timestamp($2::float8 / 1000) AND ended_at < to_timestamp($3::float8 / 1000)
      ORDER BY site, seq LIMIT 1000
      """,
      [
        sites.map { "{\($0.joined(separator: ","))}" }, "\(max(period.lowerBound, Self.earliest))",
        "\(min(period.upperBound, Self.latest))",
      ]
    ).compactMap { row in
      guard row.count == 5, let site = row[0], let seq = row[1].flatMap(Int64.init), let device = row[2],
        let at = row[3].flatMap(Int64.init), let back = row[4].flatMap(Double.init)
      else { return nil }
      return ClockChange(site: site, seq: seq, device: device, endedAt: at, back: back)
    }
  }
}

extension Centre.Row {
  fileprivate init?(_ row: [String?]) {
    guard row.count == 13, let site = row[0], let play = row[1].flatMap(Int64.init), let device = row[2],
      let title = row[3], let url = row[4], let ended = row[6].flatMap(Int64.init),
      let played = row[7].flatMap(Double.init), let outcome = row[8], let evidence = row[9]
    else { return nil }
    // An earlier castq-link has sent addresses with their secrets.
    self.init(
      site: site, play: play, device: device, title: AddressText.withoutSecrets(title),
      url: AddressText.withoutSecrets(address: url), startedAt: row[5].flatMap(Int64.init),
      endedAt: ended, played: played, outcome: outcome, evidence: evidence,
      gapBefore: row[10].flatMap(Double.init), kind: row[11], schedule: row[12])
  }
}
