import CastProtocol
import CastqStore

/// The exit codes that scripts may rely on.
enum ExitStatus: Int32 {
  case done = 0
  /// Answered "no": nothing is playing, nothing is queued.
  case no = 1
  case usage = 64
  case badData = 65
  case inputMissing = 66
  case deviceUnknown = 68
  case unreachable = 69
  case bug = 70
  case cannotCreate = 73
  case inputOutput = 74
  case tryAgain = 75
  /// The receiver refused, or entries failed after their retries.
  case refused = 76
  case notPermitted = 77
  case configuration = 78
  case timeout = 124
  case interrupted = 130
  case terminated = 143
}

/// One clear line for a person, a word for programs, and an exit code.
struct Failure: Error {
  /// A stable word for programs, such as `load_failed`.
  var code: String
  /// What happened, why, and what to do.
  var message: String
  var exit: ExitStatus
  /// The receiver's own words.
  var receiver: JSONValue?

  init(_ code: String, _ message: String, exit: ExitStatus, receiver: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.exit = exit
    self.receiver = receiver
  }

  /// The error document of `--json`.
  var json: JSONValue {
    [
      "error": [
        "code": .string(code), "message": .string(message), "exit": .integer(Int64(exit.rawValue)),
        "receiver": receiver ?? .null,
      ]
    ]
  }
}

extension Failure {
  /// The code of what another process holds.
  static let busy = "busy"

  /// A failure of talking to a device.
  init(_ error: CastError) {
    let exit: ExitStatus =
      switch error.code {
      case .timeout: .timeout
      case .hostUnknown, .connectionRefused, .networkError, .networkNotReachable, .secureTransportError,
        .deviceNotConnected, .disconnected, .protocolError:
        .unreachable
      case .applicationNotRunning, .noMediaSession: .no
      case .applicationReplaced: .tryAgain
      case .notAllowed: .notPermitted
      default: .refused
      }
    let words: JSONValue? = error.receiverType.map { type in
      [
        "type": .string(type), "reason": JSONValue(error.receiverReason) ?? .null,
        "detailed_code": JSONValue(error.detailedErrorCode) ?? .null,
      ]
    }
    self.init("\(error.code)", error.description, exit: exit, receiver: words)
  }

  /// A failure of the database.
  init(_ error: StoreError) {
    let (code, exit): (String, ExitStatus) =
      switch error {
      case .cannotCreate: ("cannot_create", .cannotCreate)
      case .busy: (Self.busy, .tryAgain)
      case .tooNew: ("database_too_new", .configuration)
      case .unknownDevice, .ambiguousDevice, .noDevice, .noDefault: ("device_unknown", .deviceUnknown)
      case .unknownEntry: ("entry_unknown", .badData)
      case .taken: ("taken", .badData)
      default: ("database", .inputOutput)
      }
    self.init(code, "\(error)", exit: exit)
  }
}

/// An exit code whose words have been said already.
struct Silent: Error {
  var exit: ExitStatus

  init(exit: ExitStatus) { self.exit = exit }
  init(_ failure: Failure) { exit = failure.exit }
}

extension Failure {
  /// A failure of talking to a device, with its name in front.
  init(_ error: CastError, device: KnownDevice) {
    self.init(error)
    if !message.hasPrefix(device.label) { message = "\(device.label): \(message)" }
  }
}
