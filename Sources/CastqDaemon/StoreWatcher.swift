import CastSender
import CastqStore

/// Notices rows written by other processes.
package struct StoreWatcher: Sendable {
  let database: Database
  let time: TimeSource

  /// A foreign write is noticed within a second (architecture 1.4): often enough for people, too seldom to cost anything.
  static let interval: Duration = .seconds(1)

  /// Calls `changed` after each foreign write until the task is cancelled.
  func watch(_ changed: @Sendable () -> Void) async {
    var known = try? database.changeToken()
    while (try? await time.sleep(Self.interval)) != nil {
      // A database that cannot be read now is looked at again a second later; the feeder's own reads report the trouble.
      guard let token = try? database.changeToken(), token != known else { continue }
      known = token
      changed()
    }
  }
}
