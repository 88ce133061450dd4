import CastSender
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText

/// Follows one device: by what feeds it, and by a session of its own while nothing does.
struct StatusSource: Sendable {
  let workspace: Workspace
  let device: KnownDevice
  let global: CallOptions
  var time = TimeSource.continuous
  /// Called when what feeds the device is there, and when it is gone.
  var onFeeder: @Sendable (_ isThere: Bool) async -> Void = { _ in }

  /// Calls `show` with each status, the present one first, and with the device as it is called then, until the task is cancelled.
  /// - Throws: `device_unknown` when the device is removed from castq.
  func follow(_ show: @escaping @Sendable (KnownDevice, SeenStatus) async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for await news in StatusReader(workspace, global, only: device).news() {
          switch news {
          case .seen(device.id, let seen): try await show(try present(), seen)
          case .feeder(let boot): await onFeeder(boot != nil)
          // A session is on its way.
          case .seen, .unseen: continue
          }
        }
      }
      group.addTask {
        var label = device.label
        for await _ in workspace.changes() { label = try present(after: label).label }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// The row of the device as it is now.
  /// - Parameter label: what it was called before; nil is as at the start.
  private func present(after label: String? = nil) throws(Failure) -> KnownDevice {
    guard device.id != DeviceID(0) else { return device }
    let row = try workspace.ask { (here) throws(StoreError) in try here.devices.device(device.id) }
    guard let row else {
      throw Failure(
        "device_unknown", "\(label ?? device.label) was removed from castq", exit: .deviceUnknown)
    }
    return row
  }
}
