import CastProtocol
import CastSender
import CastqCore
import CastqDaemon
import CastqStore

/// A daemon for one device in this process, while no other process feeds the device: that of `castq run`, with a progress line, and the
/// one that `castq cast` leaves behind.
final class HostedDaemon: Sendable {
  private let service: DaemonService
  private let progress: ProgressLine
  private let task: Task<Void, Never>
  /// Why live commands are unavailable, once that is known.
  private let problem: Task<Failure?, Never>

  /// Acquires the device's lock and serves commands; nothing is fed before a request.
  /// - Throws: `busy` if another process feeds the device.
  init(
    _ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions, showsProgress: Bool = true
  ) throws(Failure) {
    OpenFiles.raiseLimit()
    Logging.beginFeeding()
    let progress = ProgressLine(
      isShown: showsProgress && Console.talksToTerminal && !global.quiet, clock: workspace.configured.clock)
    self.progress = progress
    let service = try DaemonService.feeding(device, awaitsRequest: true, workspace, global) { report in
      progress.show(report)
      Self.printStoreError(report)
    }
    self.service = service
    let (readiness, ready) = AsyncStream.makeStream(of: Failure?.self)
    problem = Task { await readiness.first { _ in true } ?? nil }
    task = Task {
      let drawing = Task { await progress.run() }
      await service.run {
        ready.yield($0)
        ready.finish()
      }
      drawing.cancel()
    }
  }

  /// Hosts it in a command that leaves it behind, and returns when others can command it.
  /// - Throws: `busy` if another process feeds the device; `socket` if nobody could command it.
  static func leftBehind(
    _ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions
  ) async throws(Failure) -> HostedDaemon {
    let signals = await LeftFeeder.signals()
    // A stopped command starts no other feeder.
    if LeftFeeder.wasStopped {
      throw Failure("stopped", "\(device.label): castq was stopped by a signal", exit: .terminated)
    }
    let host = try HostedDaemon(workspace, device, global, showsProgress: false)
    LeftFeeder.keep(host, until: signals)
    if let problem = await host.problem.value { throw Failure(problem, device: device, global) }
    return host
  }

  /// - Parameter limit: how long to wait; nil waits for as long as it takes. The command is performed all the same.
  func reply(to request: ControlRequest, within limit: Duration? = nil) async -> ControlReply {
    guard let limit else { return await service.reply(to: request) }
    let (replies, send) = AsyncStream.makeStream(of: ControlReply.self)
    Task { [service] in send.yield(await service.reply(to: request)) }
    let clock = Task {
      try await TimeSource.continuous.sleep(limit)
      send.yield(.failed(.late(limit)))
    }
    defer { clock.cancel() }
    return await replies.first { _ in true } ?? .failed(.late(limit))
  }

  /// Stops the media, and ends.
  func stop(_ reason: String) { service.terminate(because: reason) }

  /// Waits for the end. A list that replaced the awaited one is fed to its end.
  func finish(after result: Result<JSONValue, Failure>) async {
    switch result {
    case .failure(let failure) where failure.code != Failure.replaced.code:
      service.terminate(because: failure.message)
    // The rows may be gone before they were fed at all.
    case .failure, .success: service.endIfIdle()
    }
    await over()
    progress.clear()
  }

  /// Ends it, unless it feeds.
  func endIfIdle() { service.endIfIdle() }

  /// Returns when it has ended and the device is free.
  func over() async { await task.value }

  /// Prints database errors, even with `--quiet`.
  private static func printStoreError(_ report: RunnerReport) {
    switch report {
    case .storeFailed(let error): Console.say("castq: \(error.message); \(StoreCatchUp.failure)")
    case .storeCaughtUp(let catchUp): Console.say("castq: \(catchUp)")
    case .connecting, .retrying, .connected, .waiting, .replaced, .sentTo, .decided, .measured,
      .scheduleNoted, .started,
      .status,
      .ended:
      break
    }
  }
}

extension DaemonService {
  /// A daemon for one device, which ends with its run. Of a device's rules it uses the applications, the subtitles, the model and the address for local files: guests and quiet hours concern
  /// those who feed for ever.
  /// - Parameter awaitsRequest: whether nothing is fed before a request.
  /// - Throws: `busy` if another process feeds the device.
  static func feeding(
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
    settings.runnerLogger = CastLogger.shared.logger(for: "QueueRunner")
    settings.mediaLogger = CastLogger.shared.logger(for: "MediaServer")
    do throws(StoreError) {
      let feeder = try DeviceFeeder(
        device: device, database: workspace.database, logger: settings.runnerLogger)
      return try DaemonService(
        database: workspace.database, scope: .device(feeder, awaitsRequest: awaitsRequest),
        configuration: configuration, settings: settings,
        logger: CastLogger.shared.logger(for: "DaemonService"))
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
