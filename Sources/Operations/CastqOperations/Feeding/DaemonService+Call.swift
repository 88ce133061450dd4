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
    configuration.standard.receiverApplication = rules.receiverApplication
    configuration.standard.advertised = rules.advertised
    configuration.mediaPort = media.port ?? file.mediaPort
    configuration.resolvers = file.resolvers
    configuration.allowedLocal = file.allowedLocal
    var feeding = FeedOptions(workspace, global, media)
    feeding.receiverApplicationID = global.app?.uppercased()
    // A given --timeout expires first; otherwise the connection's own error, which says more, comes first.
    if global.timeout != nil { feeding.session.connectTimeout += .seconds(1) }
    var settings = DaemonSettings(
      feeding: feeding,
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
      let failure = Failure(error)
      throw failure.code == Failure.busy ? Failure(failure, device: device) : failure
    }
  }
}

extension FeedOptions {
  /// What a call says of every device that is fed for it.
  package init(_ workspace: Workspace, _ global: CallOptions, _ media: MediaArguments) {
    self.init()
    links = Resolvers.programs
    trust = DeviceCall.trust(workspace, isFeeder: true)
    resolver = DeviceCall.resolver(workspace)
    receiverApplicationID = global.app
    advertised = media.advertised
    session.connectTimeout = global.deviceTimeout
    session.requestTimeout = global.deviceTimeout
    // Old devices are slow to start an application, so only a given --timeout limits the start.
    session.startTimeout = global.timeout
  }
}
