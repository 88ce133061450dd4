import CastProtocol
import CastqCore
import CastqDaemon
import CastqStore

/// An error of the program: a message, a code and an exit status.
struct Failure: Error {
  /// A stable code for programs, such as `load_failed`.
  var code: String
  /// What happened, why, and what to do about it.
  var message: String
  var exit: ExitStatus
  /// The receiver's own error; nil if there is none.
  var receiver: JSONValue?

  init(_ code: String, _ message: String, exit: ExitStatus, receiver: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.exit = exit
    self.receiver = receiver
  }

  /// The error document of `--json`.
  var json: JSONValue { ["error": shown.json] }

  /// Prints the message on stderr.
  func report() { Console.say("castq: \(shownMessage)") }

  /// As people and other programs read it.
  var shown: ControlFailure { ControlFailure(code, message, exit: exit, receiver: receiver).shown }

  var shownMessage: String { shown.message }
}

extension Failure {
  /// The code of a lock that another process holds.
  static let busy = "busy"
  /// The code of an entry the receiver could not load.
  static let loadFailed = "load_failed"
  /// The code of a feeder that ended during a request.
  static let feederGone = ControlFailure.feederGone

  /// A failure of a device or its connection.
  init(_ error: CastError) { self.init(ControlFailure(error)) }

  /// A failure of a live command, in this program or in the feeder.
  init(_ failure: ControlFailure) {
    self.init(failure.code, failure.message, exit: failure.exit, receiver: failure.receiver)
  }

  /// A failure of the database.
  init(_ error: StoreError) { self.init(ControlFailure(error)) }
}

extension Failure {
  /// A failure of the database at a path. An unknown device may be in another database: cron and sudo use their own.
  init(_ error: StoreError, database path: String) {
    self.init(error)
    if exit == .deviceUnknown { message += " (the database is \(path))" }
  }
}

/// An exit code whose message has been printed already.
struct Silent: Error {
  var exit: ExitStatus

  init(exit: ExitStatus) { self.exit = exit }
  init(_ failure: Failure) { exit = failure.exit }
}

extension Failure {
  /// A failure of a device or its connection, with the device's name in front.
  init(_ error: CastError, device: KnownDevice, _ global: GlobalOptions) {
    self.init(ControlFailure(error), device: device, global)
  }

  /// A failure of a live command. Exits 124 only if `--timeout` was given; otherwise the device is unreachable.
  init(_ failure: ControlFailure, device: KnownDevice, _ global: GlobalOptions) {
    self.init(failure, device: device)
    if code == "timeout" { exit = global.timeout == nil ? .unreachable : .timeout }
  }

  /// A failure of a live command, with the device's name in front.
  init(_ failure: ControlFailure, device: KnownDevice) {
    self.init(failure)
    if !message.hasPrefix(device.label) { message = "\(device.label): \(message)" }
    if exit == .notPermitted, failure.code != "\(CastError.Code.notAllowed)", device.isPinned {
      message += "; 'castq device unpin \(device.typedLabel)' forgets the pinned key"
    }
  }
}
