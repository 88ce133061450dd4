package import CastqCore

/// One feeder a device and database.
package final class FeederLock: Sendable {
  package typealias Holder = ProcessLock.Holder

  private let lock: ProcessLock
  private let database: Database

  /// Takes the lock of a device, and looks for damage when the last holder did not end well; `busy` names the process that holds it.
  package init(database: Database, device: DeviceID) throws(StoreError) {
    let path = Self.path(database, device)
    self.database = database
    do throws(ProcessLock.Refusal) { lock = try ProcessLock(path: path) } catch {
      switch error {
      case .failed(let words): throw .failed(path: path, words: words)
      case .taken(let holder):
        let process = holder.map { " (process \($0.process))" } ?? ""
        throw .busy(
          path: "the device",
          holder:
            "another castq feeds it\(process): 'castq stop' ends that one, 'castq cast' gives it another list"
        )
      }
    }
    if lock.wasLeftBehind { database.checkAfterUncleanEnd() }
  }

  /// Tells other programs where the feeder can be spoken to.
  /// - Parameter socket: an absolute path without a line end.
  package func announce(socket: String) { lock.announce(socket: socket) }

  /// Gives the lock back before the process ends. Giving it back twice is fine.
  package func release() { lock.release(isClean: !database.refusesWrites) }

  /// Who feeds the device, or did last when it could not tidy up; nil when nobody says so. Does not touch the lock, so that
  /// asking never keeps a feeder out.
  package static func holder(database: Database, device: DeviceID) -> Holder? {
    ProcessLock.holder(path: path(database, device))
  }

  private static func path(_ database: Database, _ device: DeviceID) -> String {
    "\(database.path).feeder-\(device.rawValue).lock"
  }
}

/// One daemon a database.
package final class DaemonLock: Sendable {
  package typealias Holder = ProcessLock.Holder

  private let lock: ProcessLock
  private let database: Database

  /// Takes the lock, and looks for damage when the last holder did not end well; `busy` names the process that holds it.
  package init(database: Database) throws(StoreError) {
    let path = Self.path(database)
    self.database = database
    do throws(ProcessLock.Refusal) { lock = try ProcessLock(path: path) } catch {
      switch error {
      case .failed(let words): throw .failed(path: path, words: words)
      case .taken(let holder):
        let process = holder.map { " (process \($0.process))" } ?? ""
        throw .busy(path: database.path, holder: "another castq daemon feeds from it\(process)")
      }
    }
    if lock.wasLeftBehind { database.checkAfterUncleanEnd() }
  }

  /// Tells other programs where the daemon can be spoken to.
  /// - Parameter socket: an absolute path without a line end.
  package func announce(socket: String) { lock.announce(socket: socket) }

  /// Gives the lock back before the process ends. Giving it back twice is fine.
  package func release() { lock.release(isClean: !database.refusesWrites) }

  /// Which daemon feeds from the database, or did last when it could not tidy up; nil when none says so.
  package static func holder(database: Database) -> Holder? { ProcessLock.holder(path: path(database)) }

  private static func path(_ database: Database) -> String { "\(database.path).daemon.lock" }
}
