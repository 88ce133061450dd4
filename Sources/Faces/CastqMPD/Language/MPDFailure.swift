import CastProtocol
package import CastqText

/// Why a command is answered with `ACK`.
package struct MPDFailure: Error, Sendable, Hashable {
  /// The numbers of the protocol's errors.
  package enum Code: Int, Sendable, Hashable {
    case notAList = 1
    case argument = 2
    case password = 3
    case permission = 4
    case unknown = 5
    case missing = 50
    case listFull = 51
    case system = 52
    case playerSync = 55
    case exists = 56
  }

  package var code: Code
  /// On one line, without control characters and the secrets of addresses.
  package var message: String
  /// Which of the requests that were performed together failed, from 0.
  package var offset: Int

  package init(_ code: Code, _ message: String, offset: Int = 0) {
    self.code = code
    self.message = TerminalText.sanitized(AddressText.withoutSecrets(message))
    self.offset = offset
  }

  /// A failure of a command of the command line.
  package init(_ failure: Failure) {
    let code: Code =
      switch failure.exit {
      case .no: .playerSync
      case .usage, .badData: .argument
      case .inputMissing, .deviceUnknown: .missing
      case .notPermitted: .permission
      default: .system
      }
    self.init(code, failure.plain.message)
  }

  package static let noSong = MPDFailure(.missing, "No such song")
  package static let badIndex = MPDFailure(.argument, "Bad song index")
  package static let notPlaying = MPDFailure(.playerSync, "Not playing")

  /// The line that ends an answer.
  /// - Parameter index: which request of a command list failed, from 0.
  func line(index: Int, command: String) -> String {
    "ACK [\(code.rawValue)@\(index)] {\(TerminalText.sanitized(command))} \(message)\n"
  }
}
