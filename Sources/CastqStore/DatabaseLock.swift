package import CastqCore

/// What one process at a time may do with a database.
package final class DatabaseLock: Sendable {
  package typealias Holder = ProcessLock.Holder

  package enum Purpose: Sendable, Hashable {
    /// One feeder a device and database.
    case feeder(DeviceID)
    /// One daemon a database.
    case daemon
  }

  private let lock: ProcessLock
  private let database: Database

  /// Takes the lock, and looks for damage when the last holder did not end well; `busy` names the process that holds it.
  package init(_ purpose: Purpose, of database: Database) throws(StoreError) {
    let path = Self.path(purpose, database)
    self.database = database
    do throws(ProcessLock.Refusal) { lock = try ProcessLock(path: path) } catch {
      switch error {
      case .failed(let words): throw .failed(path: path, words: words)
      case .taken(let holder): throw Self.busy(purpose, database, holder)
      }
    }
    if lock.wasLeftBehind { database.checkAfterUncleanEnd() }
  }

  /// Tells other programs where the holder can be spoken to.
  /// - Parameter socket: an absolute path without a line end.
  package func announce(socket: String) { lock.announce(socket: socket) }

  /// Gives the lock back before the process ends. Giving it back twice is fine.
  package func release() { lock.release(isClean: !database.refusesWrites) }

  /// Who holds the lock, or did last when it could not tidy up; nil when nobody says so. Does not touch the lock, so that asking
  /// never keeps anybody out.
  package static func holder(_ purpose: Purpose, of database: Database) -> Holder? {
    ProcessLock.holder(path: path(purpose, database))
  }

  private static func busy(_ purpose: Purpose, _ database: Database, _ holder: Holder?) -> StoreError {
    let process = holder.map { " (process \($0.process))" } ?? ""
    switch purpose {
    case .feeder:
      return .busy(
        path: "the device",
        holder:
          "another castq feeds it\(process): 'castq stop' ends that one, 'castq cast' gives it another list")
    case .daemon:
      return .busy(path: database.path, holder: "another castq daemon feeds from it\(process)")
    }
  }

  private static func path(_ purpose: Purpose, _ database: Database) -> String {
    switch purpose {
    case .feeder(let device): "\(database.path).feeder-\(device.rawValue).lock"
    case .daemon: "\(database.path).daemon.lock"
    }
  }
}
