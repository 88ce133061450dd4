import ArgumentParser
import CastGuard
import CastSender
import CastqDaemon
import CastqFeeding
import CastqMetrics
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText
import UnixSignals

/// `castq daemon`
struct DaemonCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "daemon", abstract: "Feed every device that has something to play, for ever.",
    discussion: """
      One daemon feeds all devices of a database; enqueued entries start at once. With --until-idle it feeds what is there and \
      exits, with the exit codes of 'castq run'; with a --device in addition, it feeds that one only, beside another daemon. SIGHUP reloads the configuration. \
      SIGTERM ends the daemon and leaves the screens playing, unless the configuration says otherwise. Under systemd it \
      is a service of Type=notify.
      """)

  @OptionGroup var given: GivenOptions

  @Flag(help: "Feed each device until its queue is drained, and exit when all are.")
  var untilIdle = false

  func run() async throws {
    try Logging.beginService(verbosity: global.verbose, isQuiet: global.quiet)
    await OpenFiles.begin()
    // Before anything that counts exists.
    let metrics = MetricRegistry()
    MetricFactory(metrics).install()
    let file = ConfigurationFile(global)
    let first = try file.read().get()
    let lease = try LeaseWatch.inherited()
    let workspace = try Workspace(global)
    // Trapped before the service starts, so that no early signal is lost.
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
    var settings = try settings(workspace, file, lease?.term)
    settings.metrics = metrics
    settings.version = Version.text
    let service: DaemonService
    if untilIdle, !global.device.isEmpty {
      service = try DaemonService.feeding(
        try await workspace.device(global), awaitsRequest: false, workspace, global)
    } else {
      do throws(StoreError) {
        service = try DaemonService(
          database: workspace.database, scope: untilIdle ? .untilIdle : .service, configuration: first,
          settings: settings)
      } catch {
        throw Failure(error)
      }
    }
    let caught = SignalMemory()
    let handler = Task {
      for await signal in signals {
        if signal == .sighup {
          service.reload()
        } else {
          caught.remember(signal == .sigint ? .interrupted : .terminated)
          service.terminate()
        }
      }
    }
    // Nobody waits for it: it ends with the process.
    if let lease { Task { service.yield(because: await lease.end()) } }
    await service.run()
    handler.cancel()
    await handler.value
    if let failure = await service.yielded { throw failure }
    if untilIdle, caught.status == nil, let failure = await service.outcome.failure { throw failure }
  }

  private func settings(
    _ workspace: Workspace, _ file: ConfigurationFile, _ lease: LeaseTerm?
  ) throws(Failure) -> DaemonSettings {
    let media = try MediaArguments(global)
    // A device that cannot be found so is searched for as any other.
    try? workspace.places.remember(workspace.devices)
    var feeding = FeedOptions(workspace, global, media)
    feeding.lease = lease
    feeding.epoch = try Environment.epoch()
    var settings = DaemonSettings(
      feeding: feeding, configuration: { file.read() }, utcOffset: { Zone.local.utcOffset(at: $0) },
      runtimeFolder: Environment.runtimeFolder,
      notice: ServiceNotice(environment: Environment.value))
    settings.logger = CastLogger.shared.logger(for: "DaemonService")
    settings.runnerLogger = CastLogger.shared.logger(for: "QueueRunner")
    let (rules, allowed, fetch) = (Resolvers.rules(global), LocalPlaces(global), global.deviceTimeout)
    let music = MusicFolders(global)
    settings.lists = {
      ProgrammeSource.lists(
        $0, refresh: $1, resolvers: rules, allowing: allowed, music: music, timeout: fetch)
    }
    let zones = Zone.database
    settings.siteZone = { try? zones.own() }
    settings.zones = { try? zones.rules(of: $0) }
    settings.mediaLogger = CastLogger.shared.logger(for: "MediaServer")
    settings.mediaPort = media.port
    settings.programs = Environment.programs
    settings.pictureFolder = "\(Environment.cacheFolder)/pictures"
    return settings
  }
}
