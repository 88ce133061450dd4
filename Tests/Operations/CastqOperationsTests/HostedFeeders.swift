import CastqOperations
import CastqStore
import CastqText
import Synchronization

/// Feeds devices in the process of the tests, as commands feed them in theirs.
final class HostedFeeders: FeederHost {
  private let left = Mutex<[HostedDaemon]>([])

  func foreground(
    _ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions
  ) async throws(Failure) -> HostedDaemon {
    let host = try HostedDaemon(workspace, device, global)
    left.withLock { $0.append(host) }
    return host
  }

  func leftBehind(
    _ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions
  ) async throws(Failure) -> HostedDaemon {
    let host = try await foreground(workspace, device, global)
    if let problem = await host.problem.value { throw Failure(problem, device: device, global) }
    return host
  }

  /// What a command does at its end: a feeder stays only while it feeds.
  func endIdle() { for host in left.withLock({ $0 }) { host.endIfIdle() } }

  /// How many were started.
  var count: Int { left.withLock { $0.count } }

  /// Returns when none feeds any more.
  func over() async { for host in left.withLock({ $0 }) { await host.over() } }

  /// Stops them.
  func end() async {
    for host in left.withLock({ $0 }) { host.stop("the test is over") }
    await over()
  }
}
