import CastProtocol
import CastqCore
import CastqDaemon
import CastqStore

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
        "code": .string(code), "message": .string(shownMessage), "exit": .integer(Int64(exit.rawValue)),
        "receiver": receiver ?? .null,
      ]
    ]
  }

  /// Prints it as a line for people.
  func say() { Console.say("castq: \(shownMessage)") }

  /// Messages quote what people, playlists and receivers wrote.
  var shownMessage: String { TerminalText.sanitized(AddressText.withoutSecrets(message)) }
}

extension Failure {
  /// The code of what another process holds.
  static let busy = "busy"
  /// The code of an entry that the receiver could not load.
  static let loadFailed = "load_failed"
  /// The code of a feeder that ended while it was asked something.
  static let feederGone = ControlFailure.feederGone

  /// A failure of talking to a device.
  init(_ error: CastError) { self.init(ControlFailure(error)) }

  /// A failure of a live command, in this program or in the feeder.
  init(_ failure: ControlFailure) {
    self.init(failure.code, failure.message, exit: failure.exit, receiver: failure.receiver)
  }

  /// A failure of the database.
  init(_ error: StoreError) { self.init(ControlFailure(error)) }
}

extension Failure {
  /// A failure of the database at a path. A device that is not known there may be known in another one: cron and sudo read theirs.
  init(_ error: StoreError, database path: String) {
    self.init(error)
    if exit == .deviceUnknown { message += " (the database is \(path))" }
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
  init(_ error: CastError, device: KnownDevice, _ global: GlobalOptions) {
    self.init(ControlFailure(error), device: device, global)
  }

  /// A failure of a live command. Only a time that somebody gave can have passed; without one the device is silent.
  init(_ failure: ControlFailure, device: KnownDevice, _ global: GlobalOptions) {
    self.init(failure, device: device)
    if code == "timeout" { exit = global.timeout == nil ? .unreachable : .timeout }
  }

  /// A failure of a live command, with the device's name in front.
  init(_ failure: ControlFailure, device: KnownDevice) {
    self.init(failure)
    if !message.hasPrefix(device.label) { message = "\(device.label): \(message)" }
    if exit == .notPermitted, failure.code != "\(CastError.Code.notAllowed)", device.isPinned {
      message += "; 'castq device unpin \(device.typedLabel)' forgets the key that is known"
    }
  }
}

extension KnownDevice {
  /// Its label as it is typed in a shell.
  var typedLabel: String {
    let isPlain = label.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte >= 0x80
        || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }
    return isPlain ? label : "\"\(label.replacing("\"", with: "\\\""))\""
  }
}
