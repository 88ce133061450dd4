import CastqPlaylists
import CastqStore
import CastqText
import Synchronization

/// The locks of a daemon: its own, or that of the one device it feeds, and those of the devices that have a runner.
final class SiteLocks: Sendable {
  private let own: DatabaseLock?
  private let only: DeviceFeeder?
  private let fed = Mutex<[DeviceID: DeviceFeeder]>([:])

  /// Acquires the lock of the database, unless the scope is one device, whose feeder holds the device's lock already.
  init(_ scope: DaemonScope, of database: Database) throws(StoreError) {
    only = scope.feeder
    own = only == nil ? try DatabaseLock(.daemon, of: database) : nil
  }

  /// Publishes the control socket at which the daemon is asked.
  func announce(socket: String) {
    own?.announce(socket: socket)
    only?.announce(socket: socket)
  }

  /// The device of this feeder has a runner.
  func watch(_ feeder: DeviceFeeder) { fed.withLock { $0[feeder.device.id] = feeder } }

  /// The device has none any more.
  func forget(_ id: DeviceID) { fed.withLock { $0[id] = nil } }

  /// What is wrong: locks whose files somebody has removed hold nobody off.
  var ailments: [Ailment] {
    var words = own?.isHeld == false ? ["the lock file of the daemon was removed; restart it"] : []
    for (_, feeder) in fed.withLock({ $0 }).sorted(by: { $0.key < $1.key }) where !feeder.holdsLock {
      words.append(
        "the lock file of \(TerminalText.sanitized(feeder.device.label)) was removed; restart castq")
    }
    return words.map { Ailment(words: $0, isMendedByRestart: true) }
  }

  /// Releases what the daemon itself holds.
  func release() {
    own?.release()
    only?.release()
  }
}
