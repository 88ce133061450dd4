import CastqDaemon
package import CastqFeeding
package import CastqStore
package import CastqText

/// Has this process feed a device that no other process feeds: what that needs of a process is the process's own.
package protocol FeederHost: Sendable {
  /// A daemon that ends with what was asked for.
  /// - Throws: `busy` if another process feeds the device.
  func foreground(
    _ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions
  ) async throws(Failure) -> HostedDaemon
  /// A daemon that outlives what was asked for, as soon as others can command it.
  /// - Throws: `busy` if another process feeds the device; `socket` if nobody could command it.
  func leftBehind(
    _ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions
  ) async throws(Failure) -> HostedDaemon
}

/// Shows what a daemon in this process does.
package protocol FeedingProgress: Sendable {
  func show(_ report: RunnerReport)
  /// Shows how time passes, until the task is cancelled.
  func run() async
  func clear()
}
