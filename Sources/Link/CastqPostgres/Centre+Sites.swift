/// The sites of the centre, for whoever owns its tables.
extension Centre {
  /// What came of `add`.
  package enum Addition: Sendable, Hashable {
    /// The role is new.
    case made
    /// The role was there; its password stays what it is.
    case found
  }

  /// Lets a role act for a site, with the rights of `docs/link.md` and no more; a role that is not there is made.
  /// - Parameter password: for a role that is made. The server gets what SCRAM makes of it.
  package func add(site: String, role: String, password: String) throws(PostgresError) -> Addition {
    try atomically { () throws(PostgresError) in
      let isKnown = try connection.run("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]).first != nil
      if !isKnown {
        try runFormatted(
          "CREATE ROLE %I LOGIN CONNECTION LIMIT 10 PASSWORD %L",
          [role, connection.verifier(of: password, for: role)])
      }
      let rights = [
        "INSERT, SELECT ON play", "INSERT, SELECT, UPDATE ON site", "SELECT ON castq_schema",
        "SELECT ON report_site, report_device, report_media, report_day, clock_set_back",
        "EXECUTE ON FUNCTION castq_sites(), castq_month(interval), castq_make_month(bigint), castq_lease(text, text, bigint)",
      ]
      for right in rights { try runFormatted("GRANT \(right) TO %I", [role]) }
      try connection.run("INSERT INTO site_role VALUES ($1, $2) ON CONFLICT DO NOTHING", [role, site])
      return isKnown ? .found : .made
    }
  }

  /// The sites that were heard, and for which no role may act: they are heard no more.
  package func sitesWithoutRole() throws(PostgresError) -> [String] {
    try connection.run(
      "SELECT name FROM site WHERE NOT EXISTS (SELECT FROM site_role WHERE site = name) ORDER BY name"
    ).compactMap { $0.first ?? nil }
  }

  /// Gives all that the centre has of a site to another name.
  /// - Returns: how many plays; nil, and nothing is changed, where the centre has heard of the other name.
  package func rename(site: String, to name: String) throws(PostgresError) -> Int? {
    try atomically { () throws(PostgresError) in
      guard try !strangers(among: [name]).isEmpty else { return nil }
      let moved = try connection.run(
        "WITH moved AS (UPDATE play SET site = $2 WHERE site = $1 RETURNING 1) SELECT count(*) FROM moved",
        [site, name])
      try connection.run("UPDATE site SET name = $2 WHERE name = $1", [site, name])
      try connection.run("DELETE FROM lease WHERE site = $1", [name])
      try connection.run("UPDATE lease SET site = $2 WHERE site = $1", [site, name])
      try connection.run("UPDATE site_role SET site = $2 WHERE site = $1", [site, name])
      return moved.first?.first?.flatMap(Int.init) ?? 0
    }
  }

  /// A statement with names in it, which takes no parameters.
  private func runFormatted(_ statement: String, _ words: [String]) throws(PostgresError) {
    let places = words.indices.map { ", $\($0 + 2)::text" }.joined()
    let made = try connection.run("SELECT format($1::text\(places))", [statement] + words)
    guard let sql = made.first?.first ?? nil else { return }
    try connection.run(sql)
  }

  private func atomically<Value>(
    _ body: () throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    try connection.run("BEGIN")
    do throws(PostgresError) {
      let value = try body()
      try connection.run("COMMIT")
      return value
    } catch {
      _ = try? connection.run("ROLLBACK")
      throw error
    }
  }
}
