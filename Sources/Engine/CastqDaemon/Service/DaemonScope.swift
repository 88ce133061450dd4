import CastqFeeding
import CastqStore

/// What a daemon feeds, and for how long. Everything that feeds is a daemon: the service, the feeder that `castq cast` leaves behind,
/// and `castq run`.
package enum DaemonScope: Sendable {
  /// Every device of the database, for ever.
  case service
  /// Every device that has something to play, each until its run ends.
  case untilIdle
  /// One device, until its run ends. The feeder holds the device's lock.
  /// - Parameter awaitsRequest: whether it starts at the first request only, because the queue is still being changed.
  case device(DeviceFeeder, awaitsRequest: Bool)

  /// The feeder of the only device; nil for others.
  var feeder: DeviceFeeder? { if case .device(let feeder, _) = self { feeder } else { nil } }

  /// Whether the daemon ends by itself.
  var isUntilIdle: Bool { if case .service = self { false } else { true } }

  /// The same for the machine that decides.
  var site: SiteMachine.Scope {
    switch self {
    case .service: .service
    case .untilIdle: .untilIdle
    case .device(let feeder, let awaitsRequest): .device(feeder.device.id, awaitsRequest: awaitsRequest)
    }
  }
}
