import CastGuard
import CastProtocol
import CastSender
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Logging

/// The runners of a daemon: one for each device that is fed, and for each screen that is being cleared.
struct SiteRunners {
  private let database: Database
  private let devices: DeviceStore
  private let scope: DaemonScope
  private let settings: DaemonSettings
  private let logger: Logger
  private let board: StatusBoard
  private let send: AsyncStream<DaemonEvent>.Continuation
  /// What they share.
  let host: FeederHost
  /// Converts what comes next while something plays; nil where that is not allowed.
  let ahead: PreparationAhead?
  /// Devices with a runner.
  private(set) var fed: [DeviceID: FedDevice] = [:]
  /// Devices on which what an earlier castq has left is being ended.
  private var clearing: [DeviceID: DeviceFeeder.Run] = [:]
  /// The black pictures of quiet hours, until something else is shown.
  private var black: [DeviceID: BlackPicture] = [:]

  init(
    _ database: Database, _ scope: DaemonScope, _ settings: DaemonSettings, on host: FeederHost,
    ahead: PreparationAhead?, _ board: StatusBoard, _ logger: Logger,
    _ send: AsyncStream<DaemonEvent>.Continuation
  ) {
    self.database = database
    devices = DeviceStore(database)
    (self.scope, self.settings, self.host, self.ahead) = (scope, settings, host, ahead)
    (self.board, self.logger, self.send) = (board, logger, send)
  }

  func tell(_ id: DeviceID, _ event: RunnerMachine.Event) { (fed[id]?.run ?? clearing[id])?.tell(event) }

  /// A run is over.
  mutating func ended(_ id: DeviceID) { fed[id] = nil }

  /// The screen of a device is cleared.
  mutating func cleared(_ id: DeviceID) { clearing[id] = nil }

  /// Starts a runner.
  /// - Parameter site: has the configuration.
  /// - Returns: whether it has started.
  mutating func start(
    _ id: DeviceID, _ start: RunStart, of site: SiteMachine, _ desk: ScheduleDesk?,
    in group: inout DiscardingTaskGroup
  ) -> SiteMachine.Event {
    do throws(StoreError) {
      guard let device = try devices.device(id) else { return .ended(id, .drained(failed: 0)) }
      let feeder = try feeder(of: device)
      black.removeValue(forKey: id)?.end()
      var options = options(for: device, of: site)
      options.schedule = desk
      options.times = settings.times(site.configuration)
      options.noticed = { [board] in board.note(id) }
      options.loops = start.loops
      options.volume = start.volume
      options.resume = start.resume
      options.startsOver = start.startsOver
      options.devicePatience = start.patience
      let mark = ShownMark()
      let run = feeder.start(on: host, options: options) { [send, settings, board] report in
        settings.report(report)
        board.note(id)
        if mark.isNews(report) { send.yield(.site(.report(id, report))) }
      }
      fed[id] = FedDevice(device: device, run: run, feeder: feeder)
      group.addTask { [send] in send.yield(.site(.ended(id, await run.outcome()))) }
      return .started(id, label: device.label, start)
    } catch {
      if case .busy = error { return .ended(id, .busy) }
      logger.error("device cannot be fed", metadata: ["castq.device": "\(id)", "error": "\(error)"])
      return .ended(id, .failed(Failure(error)))
    }
  }

  /// Ends what castq has left on a screen on which nothing is due, so that a picture does not stay for the night. In quiet hours that are
  /// black, a black picture takes its place.
  mutating func clear(
    _ id: DeviceID, _ manner: RunnerEnding, because reason: PlayEnding, of site: SiteMachine,
    in group: inout DiscardingTaskGroup
  ) throws(StoreError) {
    guard let device = try devices.device(id) else {
      send.yield(.site(.cleared(id)))
      return
    }
    var options = options(for: device, of: site)
    let picture = manner == .black ? BlackPicture(device, options, on: host, logger) : nil
    black.removeValue(forKey: id)?.end()
    black[id] = picture
    var run: DeviceFeeder.Run?
    if let isPage = try QueueStore(database).devicesLeftPlaying()[id] {
      options.clearing = RunnerConfiguration.Clearing(
        isPage ? .pages : .media, quits: manner == .quit, because: reason)
      run = try feeder(of: device).start(on: host, options: options) { _ in }
      logger.notice(
        "ending what was left on the screen",
        metadata: ["castq.device": "\(device.label)", "castq.reason": "\(reason.words)"])
    }
    clearing[id] = run
    group.addTask { [send, run] in
      let end = await run?.outcome() ?? .stopped
      if case .stopped = end { await picture?.show() }
      send.yield(.site(.cleared(id)))
    }
  }

  /// The options of a runner by the configuration, without rules and what a start asks for.
  private func options(for device: KnownDevice, of site: SiteMachine) -> RunnerOptions {
    var options = settings.runner(device)
    options.watchesRows = false
    if !scope.isUntilIdle {
      options.reconnect = RunnerConfiguration.eager
      options.sessionOptions.connectTimeout = min(
        options.sessionOptions.connectTimeout, DaemonSettings.connectTimeout)
    }
    let (rules, configuration) = (site.rules(of: device.id), site.configuration)
    options.configuration.onError = rules.onError
    options.resolvers = configuration.resolvers
    options.allowed = LocalPlaces(configuration.allowedLocal)
    options.subtitles = rules.subtitles
    options.subtitleStyle = rules.subtitleStyle
    options.prepared = PreparedMedia(device, configuration, database, ahead: ahead)
    // The daemon's command line overrides the configuration.
    options.receiverApplicationID = options.receiverApplicationID ?? rules.receiverApplication
    options.pageApplicationID = rules.pageApplication ?? options.pageApplicationID
    options.advertised = options.advertised ?? rules.advertised
    return options
  }

  private func feeder(of device: KnownDevice) throws(StoreError) -> DeviceFeeder {
    if let feeder = scope.feeder { return feeder }
    return try DeviceFeeder(device: device, database: database, logger: settings.runnerLogger)
  }

  /// Releases what they share.
  func shutDown() async {
    await ahead?.end()
    await host.shutDown(logger)
  }
}
