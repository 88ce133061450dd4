import CastqCore
import CastqPostgres

extension ControlFailure {
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
    } else {
      self.init("centre", "the centre: \(error)", exit: error.state == nil ? .unreachable : .refused)
    }
  }
}
