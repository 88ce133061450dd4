import CastqOperations
import CastqStore
import CastqText

/// Feeds devices in the process of a command.
struct CommandFeeders: FeederHost {
  func foreground(
    _ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions
  ) async throws(Failure) -> HostedDaemon {
    Logging.beginFeeding()
    return try HostedDaemon(
      workspace, device, global,
      progress: ProgressLine(
        isShown: Console.talksToTerminal && !global.quiet, clock: workspace.configured.clock))
  }

  func leftBehind(
    _ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions
  ) async throws(Failure) -> HostedDaemon {
    let signals = await LeftFeeder.signals()
    // A stopped command starts no other feeder.
    if LeftFeeder.wasStopped {
      throw Failure("stopped", "\(device.label): castq was stopped by a signal", exit: .terminated)
    }
    Logging.beginFeeding()
    let host = try HostedDaemon(workspace, device, global)
    LeftFeeder.keep(host, until: signals)
    if let problem = await host.problem.value { throw Failure(problem, device: device, global) }
    return host
  }
}
