package import CastProtocol
import CastqDaemon
package import CastqStore
package import CastqText

extension Failure {
  /// The code of a lock that another process holds.
  package static let busy = "busy"
  /// The code of an entry the receiver could not load.
  package static let loadFailed = "load_failed"

  /// The error document of `--json`.
  package var document: JSONValue { ["error": typed.shown.json] }

  /// As people at a terminal read it.
  package var shownMessage: String { typed.shown.message }
}

extension Failure {
  /// A failure of the database at a path. An unknown device may be in another database: cron and sudo use their own.
  package init(_ error: StoreError, database path: String) {
    self.init(error)
    if exit == .deviceUnknown { add(" (the database is \(path))") }
  }
}

extension Failure {
  /// A failure of a device or its connection, with the device's name in front.
  package init(_ error: CastError, device: KnownDevice, _ global: CallOptions) {
    self.init(Failure(error), device: device, global)
  }

  /// A failure of a live command. Exits 124 only if `--timeout` was given; otherwise the device is unreachable.
  package init(_ failure: Failure, device: KnownDevice, _ global: CallOptions) {
    self.init(failure, device: device)
    if code == "timeout" { exit = global.timeout == nil ? .unreachable : .timeout }
  }

  /// A failure of a live command, with the device's name in front.
  package init(_ failure: Failure, device: KnownDevice) {
    self = failure.of(Device(label: device.label, name: device.name))
    if exit == .notPermitted, failure.code != "\(CastError.Code.notAllowed)", device.isPinned {
      hint = .unpin(device.label)
    }
  }
}
