import CastSender
package import CastqDaemon
package import CastqFeeding
package import CastqStore
package import CastqText

extension DaemonService {
  /// A daemon for one device, which ends with its run. Of a device's rules it uses the applications, the subtitles, the model and the address for local files: guests and quiet hours concern
  /// those who feed for ever.
  /// - Parameter awaitsRequest: whether nothing is fed before a request.
  /// - Throws: `busy` if another process feeds the device.
  package static func feeding(
    _ device: KnownDevice, awaitsRequest: Bool, _ workspace: Workspace, _ global: CallOptions,
    report: @escaping @Sendable (RunnerReport) -> Void = { _ in }
  ) throws(Failure) -> DaemonService {
    let (file, media) = (try global.configuration(for: device), try MediaArguments(global))
    let rules = file.rules(for: device.names)
    var configuration = DaemonConfiguration()
    // A daemon that was started for one list stops at its end.
    configuration.onExit = awaitsRequest ? .stop : file.onExit
    configuration.siteZone = file.siteZone
    configuration.standard.pageApplication = rules.pageApplication
    configuration.standard.subtitles = rules.subtitles
    configuration.standard.subtitleStyle = rules.subtitleStyle
    configuration.standard.playsAs = rules.playsAs
    configuration.preparation = file.preparation
    configuration.programs = file.programs
    configuration.standard.receiverApplication = global.app?.uppercased() ?? rules.receiverApplication
    configuration.standard.advertised = media.advertised ?? rules.advertised
    configuration.mediaPort = media.port ?? file.mediaPort
    configuration.resolvers = file.resolvers
    configuration.allowedLocal = file.allowedLocal
    var settings = DaemonSettings(
      runner: { device in runnerOptions(device, workspace, global) },
      configuration: { [configuration] in .success(configuration) }, runtimeFolder: Environment.runtimeFolder,
      notice: ServiceNotice(environment: awaitsRequest ? { _ in nil } : Environment.value))
    let zones = Zone.database
    settings.siteZone = { try? zones.own() }
    settings.zones = { try? zones.rules(of: $0) }
    settings.programs = Environment.programs
    settings.pictureFolder = "\(Environment.cacheFolder)/pictures"
    settings.report = report
    settings.logger = CastLogger.shared.logger(for: "DaemonService")
    settings.runnerLogger = CastLogger.shared.logger(for: "QueueRunner")
    settings.mediaLogger = CastLogger.shared.logger(for: "MediaServer")
    do throws(StoreError) {
      let feeder = try DeviceFeeder(
        device: device, database: workspace.database, logger: settings.runnerLogger)
      return try DaemonService(
        database: workspace.database, scope: .device(feeder, awaitsRequest: awaitsRequest),
        configuration: configuration, settings: settings)
    } catch {
      var failure = Failure(error)
      if failure.code == Failure.busy { failure.message = "\(device.label): \(failure.message)" }
      throw failure
    }
  }

  private static func runnerOptions(
    _ device: KnownDevice, _ workspace: Workspace, _ global: CallOptions
  ) -> RunnerOptions {
    var options = RunnerOptions()
    options.links = Resolvers.programs
    options.configuration.preloadTime = workspace.preloadTime(of: device)
    options.trust = DeviceCall.trust(workspace, isFeeder: true)
    options.resolver = DeviceCall.resolver(workspace)
    DeviceCall.limit(&options.sessionOptions, global)
    options.sessionOptions.connectTimeout = DeviceCall.connectTimeout(
      options.sessionOptions.connectTimeout, device)
    // Old devices are slow to start an application, so only a given --timeout limits the start.
    if global.timeout == nil { options.sessionOptions.startTimeout = nil }
    return options
  }
}
