import CastSender
import CastqCore
import CastqStore

/// Follows one device: by what feeds it, and by a session of its own while nothing does.
struct StatusSource: Sendable {
  let workspace: Workspace
  let device: KnownDevice
  let global: GlobalOptions
  var time = TimeSource.continuous

  /// Calls `show` with each status, the present one first, until the task is cancelled.
  func follow(_ show: @escaping @Sendable (SeenStatus) async throws -> Void) async throws {
    for await news in StatusReader(workspace, global, only: device).news() {
      switch news {
      case .seen(device.id, let seen): try await show(seen)
      // A session is on its way.
      case .seen, .unseen, .feeder: continue
      }
    }
  }
}
