import Testing

@testable import CastqPostgres

@Suite("What libpq says of a connection that is not made")
struct PostgresErrorTests {
  private static let server = "connection to server at \"192.0.2.1\", port 5432 failed: "
  private static let names = ["castq", "fleet"]

  @Test(
    "a server that refuses is told from one that does not answer, whatever its language",
    arguments: [
      "FATAL:  password authentication failed for user \"castq\"",
      "FATAL:  role \"castq\" does not exist",
      "FATAL:  database \"fleet\" does not exist",
      "FATAL:  permission denied for database \"fleet\"; DETAIL:  User does not have CONNECT privilege.",
      "FATAL:  no pg_hba.conf entry for host \"192.0.2.7\", user \"castq\", no encryption",
      "KATASTROFALNY:  autoryzacja hasłem nie powiodła się dla użytkownika \"castq\"",
      "FATAL:  Passwort-Authentifizierung für Benutzer »castq« fehlgeschlagen",
      "FATAL:  la base de données « fleet » n'existe pas",
    ])
  func refused(words: String) {
    let error = PostgresError(connecting: Self.server + words, names: Self.names, wantsPassword: false)
    #expect(error.isOfConnection && !error.isOfSilence)
    #expect(error.words == Self.server + words)
  }

  @Test(
    "a server that is not there, or not yet, or has no room, does not answer, whatever its language",
    arguments: [
      "\(server)Connection refused; Is the server running on that host and accepting TCP/IP connections?",
      "could not translate host name \"db.example\" to address: Name or service not known",
      "\(server)root certificate file \"/etc/ca.pem\" does not exist",
      "\(server)FATAL:  the database system is starting up",
      "\(server)FATAL:  the database system is not accepting connections; DETAIL:  Hot standby is off.",
      "\(server)FATAL:  sorry, too many clients already",
      "\(server)FATAL:  too many connections for role \"castq\"",
      "\(server)FATAL:  das Datenbanksystem startet",
      "\(server)KATASTROFALNY:  system bazodanowy jest wyłączany",
      "\(server)FATAL:  canceling authentication due to timeout",
      "\(server)FATAL:  no more connections allowed (max_client_conn)",
      "connection to server at \"castq\", port 5432 failed: FATAL:  das Datenbanksystem startet",
    ])
  func silent(words: String) {
    let error = PostgresError(connecting: words, names: Self.names, wantsPassword: false)
    #expect(error.isOfSilence && !error.isOfConnection)
  }

  @Test("a server that asks for a password, and gets none, refuses the connection")
  func noPassword() {
    let words = Self.server + "fe_sendauth: no password supplied"
    #expect(PostgresError(connecting: words, names: Self.names, wantsPassword: true).isOfConnection)
  }
}
