import CastProtocol
import CastqCore
import CastqPostgres
import CastqStore

/// An error of the program: a message, a code and an exit status, as castq has them.
struct LinkFailure: Error {
  var code: String
  /// What happened, why, and what to do about it.
  var message: String
  var exit: ExitStatus

  init(_ code: String, _ message: String, exit: ExitStatus) {
    self.code = code
    self.message = message
    self.exit = exit
  }

  /// A failure of the site's database.
  init(_ error: StoreError) {
    let failure = ControlFailure(error)
    self.init(failure.code, failure.message, exit: failure.exit)
  }

  /// A failure of the centre's database.
  init(_ error: PostgresError) {
    if error.isOfSchema {
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

  /// The error document of `--json`.
  var json: JSONValue {
    [
      "error": [
        "code": .string(code), "message": .string(shownMessage), "exit": .integer(Int64(exit.rawValue)),
        "receiver": .null,
      ]
    ]
  }

  /// Prints the message on stderr.
  func report() { LinkOutput.say("castq-link: \(shownMessage)") }

  /// The message without control characters and passwords.
  var shownMessage: String { TerminalText.sanitized(AddressText.withoutSecrets(message)) }
}

/// An exit code whose message has been printed already.
struct SilentEnd: Error {
  let exit: ExitStatus
}
