package import CastqPlaylists
import CastqText

/// An exclusive lock between the processes that use a database.
package final class DatabaseLock: Sendable {
  package typealias Holder = ProcessLock.Holder

  package enum Purpose: Sendable, Hashable {
    /// To feed a device.
    case feeder(DeviceID)
    /// To be the daemon.
    case daemon
    /// To link the site with its centre and its broker.
    case link
    /// To read the volume of a device and set another one; nothing of the database is changed.
    case volume(DeviceID)
  }

  private let lock: ProcessLock
  private let database: Database
  private let path: String

  /// Acquires the lock, and checks the file if the last holder was killed. Throws `busy`, with the holder's process, if it is held.
  package init(_ purpose: Purpose, of database: Database) throws(StoreError) {
    let path = Self.path(purpose, database)
    self.database = database
    self.path = path
    do throws(ProcessLock.Refusal) { lock = try ProcessLock(path: path) } catch {
      switch error {
      case .failed(let words): throw .failed(path: path, words: words)
      case .taken(let holder): throw Self.busy(purpose, database, holder)
      }
    }
    if case .volume = purpose { return }
    if lock.wasLeftBehind { database.checkAfterUncleanEnd() }
  }

  /// Publishes the control socket of the holder.
  /// - Parameter socket: an absolute path without a line end.
  package func announce(socket: String) { lock.announce(socket: socket) }

  /// Releases the lock before the process ends; a second call does nothing.
  package func release() { lock.release(isClean: !database.refusesWrites) }

  /// Whether the lock is held, and nobody has removed its file.
  package var isHeld: Bool { lock.isHeld(path: path) }

  /// The process that holds the lock, or that was killed while holding it; nil if there is none. Does not touch the lock, so that
  /// a query never blocks a holder.
  package static func holder(_ purpose: Purpose, of database: Database) -> Holder? {
    ProcessLock.holder(path: path(purpose, database))
  }

  private static func busy(_ purpose: Purpose, _ database: Database, _ holder: Holder?) -> StoreError {
    let process = holder.map { " (process \($0.process))" } ?? ""
    switch purpose {
    case .feeder:
      return .busy(
        path: "the device", holder: "another castq feeds it\(process)", hint: .stopFeeder)
    case .daemon:
      return .busy(path: database.path, holder: "another castq daemon feeds from it\(process)")
    case .link:
      return .busy(path: database.path, holder: "another castq-link run links it\(process)")
    case .volume: return .busy(path: "the volume", holder: "another castq changes it\(process)")
    }
  }

  private static func path(_ purpose: Purpose, _ database: Database) -> String {
    switch purpose {
    case .feeder(let device): "\(database.path).feeder-\(device.rawValue).lock"
    case .daemon: "\(database.path).daemon.lock"
    case .link: "\(database.path).link.lock"
    case .volume(let device): "\(database.path).volume-\(device.rawValue).lock"
    }
  }
}
