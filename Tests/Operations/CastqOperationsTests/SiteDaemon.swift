import CastGuard
import CastSender
import CastqDaemon
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText

/// The daemon of a site, in this process.
final class SiteDaemon: Sendable {
  private let service: DaemonService
  private let task: Task<Void, Never>

  /// Starts it and waits until it is ready.
  init(_ call: CallOptions) async throws {
    let workspace = try Workspace(call)
    let file = ConfigurationFile(call)
    var feeding = FeedOptions()
    feeding.trust = DeviceCall.trust(workspace, isFeeder: true)
    feeding.resolver = DeviceCall.resolver(workspace)
    var settings = DaemonSettings(feeding: feeding, configuration: { file.read() })
    let zones = Zone.database
    settings.siteZone = { try? zones.own() }
    settings.zones = { try? zones.rules(of: $0) }
    let (rules, allowed, music) = (Resolvers.rules(call), LocalPlaces(call), MusicFolders(call))
    settings.lists = {
      ProgrammeSource.lists(
        $0, refresh: $1, resolvers: rules, allowing: allowed, music: music, timeout: .seconds(10))
    }
    settings.programs = Environment.programs
    settings.logger = CastLogger.shared.logger(for: "DaemonService")
    let service = try DaemonService(
      database: workspace.database, configuration: file.read().get(), settings: settings)
    self.service = service
    let (readiness, ready) = AsyncStream.makeStream(of: Failure?.self)
    task = Task {
      await service.run {
        ready.yield($0)
        ready.finish()
      }
    }
    for await problem in readiness { if let problem { throw problem } }
  }

  func end() async {
    service.terminate()
    await task.value
  }
}
