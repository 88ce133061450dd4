import CastProtocol
import CastSender
import CastqFeeding
import CastqPlaylists
import CastqStore
import Logging

/// Live commands of the daemon: one socket for all devices.
extension DaemonService {
  /// Serves live commands; fails without a usable socket path.
  func serveControl() async throws(ControlSocketError) -> ControlServer {
    let path = try SocketPath.choose(
      database: database.path, device: scope.feeder?.device.id, runtime: settings.runtimeFolder)
    let watch = StatusWatch(
      devices: { [self] in await deviceIDs() }, only: scope.feeder?.device.id, board: board,
      boot: String(UInt64.random(in: 0...(.max)), radix: 16), time: settings.time
    ) { [send] in await Self.reply(to: $0, through: send) }
    var limits = ControlServer.Limits()
    limits.connections = settings.shares.controlClients
    let server = try await ControlServer.start(
      path: path, limits: limits,
      watch: { [unowned self] request in
        if case .metrics = request.command { return metricsReplies() }
        return watch.replies(to: request)
      }
    ) { [send, unowned self] request in
      if case .health = request.command { return .done(await healthDocument()) }
      return await Self.reply(to: request, through: send)
    }
    lock?.announce(socket: path)
    scope.feeder?.announce(socket: path)
    return server
  }

  /// The devices that may be watched; none while the database cannot be read.
  private func deviceIDs() -> [DeviceID] { (try? rows.devices.all().map(\.id)) ?? [] }
}
