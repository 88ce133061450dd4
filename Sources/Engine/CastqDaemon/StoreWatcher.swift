package import CastSender
package import CastqStore

/// Notices rows written by other processes.
package struct StoreWatcher: Sendable {
  private let database: Database
  private let time: TimeSource
  /// What the file was when the watcher was made: whoever reads the rows only after that misses no write.
  private let first: Int64?

  /// Begins now: writes between this and the first check are noticed by that check. Call on the database's executor.
  package init(database: Database, time: TimeSource) {
    self.database = database
    self.time = time
    first = try? database.changeToken()
  }

  /// Time between checks.
  static let interval: Duration = .seconds(1)

  /// Calls `changed` after each foreign write since the watcher was made, until the task is cancelled.
  package func watch(_ changed: @Sendable () -> Void) async {
    var known = first
    while (try? await time.sleep(Self.interval)) != nil {
      // An unreadable database is checked again a second later; the feeder's own reads report the error.
      guard let token = await token(), token != known else { continue }
      known = token
      changed()
    }
  }

  private func token() async -> Int64? {
    await database.executor.run { [database] in try? database.changeToken() }
  }
}
