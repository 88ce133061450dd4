import CastqPostgres
import CastqText

extension Failure {
  /// A failure of the centre's database.
  init(_ error: PostgresError) {
    if error.isOfNewerTables {
      self.init("centre", "the centre: \(error)", exit: .configuration)
    } else if error.isOfSchema {
      self.init(
        "centre", "the centre's tables do not fit this castq-link: \(error); run 'castq-link migrate'",
        exit: .refused)
    } else if error.isOfPermissions {
      self.init(
        "centre", "the centre refused: \(error); docs/link.md says what a role needs", exit: .notPermitted)
    } else if error.isOfConnection {
      self.init(
        "centre", "the centre refused the connection: \(error); \(Self.connectionAdvice)",
        exit: .notPermitted)
    } else if error.isOfSilence {
      self.init("centre", "the centre does not answer: \(error)", exit: .unreachable)
    } else {
      self.init("centre", "the centre: \(error)", exit: .refused)
    }
  }

  /// What to do where the centre refuses a connection.
  static let connectionAdvice =
    "check role, password and database of 'postgres' in the configuration, and the server's pg_hba.conf"
}
