import CastGuard
import CastProtocol
import CastSender
import CastqFeeding
import CastqMediaServer
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
  private let locks: SiteLocks
  private let board: StatusBoard
  private let inbox: SiteInbox
  /// What they share.
  private(set) var host = FeederHost(database: nil)
  /// Converts what comes next while something plays; nil where that is not allowed.
  private var ahead: PreparationAhead?
  /// Devices with a runner.
  private(set) var fed: [DeviceID: FedDevice] = [:]
  /// Devices on which what an earlier castq has left is being ended.
  private var clearing: [DeviceID: DeviceFeeder.Run] = [:]
  /// The black pictures of quiet hours, until something else is shown.
  private var black: [DeviceID: BlackPicture] = [:]

  init(
    _ database: Database, _ scope: DaemonScope, _ settings: DaemonSettings, _ locks: SiteLocks,
    _ board: StatusBoard, _ inbox: SiteInbox
  ) {
    self.database = database
    devices = DeviceStore(database)
    (self.scope, self.settings, logger) = (scope, settings, settings.logger)
    (self.locks, self.board, self.inbox) = (locks, board, inbox)
  }

  /// Makes what they share. Call before anything else.
  mutating func open(_ configuration: DaemonConfiguration, _ server: ControlServer?, _ loops: LoopProbe) {
    let programs = settings.programs(configuration.programs)
    for problem in programs.problems {
      logger.warning("program is unavailable", metadata: ["castq.problem": "\(problem)"])
    }
    host = FeederHost(
      database: database, control: server, endsWithRun: scope.feeder != nil,
      limits: MediaServerLimits(settings.shares), mediaPort: settings.mediaPort ?? configuration.mediaPort,
      accessLog: MediaAccessLog(logger: settings.mediaLogger, time: settings.time), programs: programs,
      pictureFolder: settings.pictureFolder, loops: loops)
    ahead = PreparationAhead(configuration, database, settings)
  }

  func tell(_ id: DeviceID, _ event: RunnerMachine.Event) { (fed[id]?.run ?? clearing[id])?.tell(event) }

  /// Has the runner of a device perform a live command and answer it.
  func perform(_ command: ControlCommand, on id: DeviceID, for ticket: ControlTicket?) {
    if let ticket { fed[id]?.run.perform(command, for: ticket) }
  }

  /// Has the runner of a device go on with another list or entry; its reply becomes an event.
  func steer(_ ask: FeedAsk, in group: inout DiscardingTaskGroup) {
    guard let run = fed[ask.device]?.run else { return }
    group.addTask { [inbox] in inbox.yield(.steered(ask, await run.control(.feed(ask.request)))) }
  }

  /// Answers with what devices fetched.
  /// - Parameter problem: why the device that is asked about is not connected; nil when it is.
  func tellFetches(_ ticket: ControlTicket?, problem: String?, in group: inout DiscardingTaskGroup) {
    guard let ticket else { return }
    group.addTask { [host, shares = settings.shares] in
      ticket.answer(.done(await host.mediaDocument(shares, connectionProblem: problem)))
    }
  }

  /// Forgets the runner whose end an event tells.
  mutating func follow(_ event: SiteMachine.Event) {
    switch event {
    case .ended(let id, _):
      fed[id] = nil
      locks.forget(id)
    case .cleared(let id): clearing[id] = nil
    default: break
    }
  }

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
      var settings = deviceSettings(device, by: site)
      settings.schedule = desk
      settings.runner.start = start
      let mark = ShownMark()
      let run = feeder.start(
        on: host, settings, watchesRows: false, noticed: { [board] in board.note(id) }
      ) { [inbox, board, tell = self.settings.report] report in
        tell(report)
        board.note(id)
        if mark.isNews(report) { inbox.yield(.report(id, report)) }
      }
      fed[id] = FedDevice(device: device, run: run)
      locks.watch(feeder)
      group.addTask { [inbox] in inbox.yield(.ended(id, await run.outcome())) }
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
  ) {
    do throws(StoreError) {
      if let device = try devices.device(id) {
        return try clear(device, manner, because: reason, of: site, in: &group)
      }
    } catch {
      // Another process feeds the device: what is there is its own.
      if case .busy = error {} else { inbox.yield(.rowsFailed("\(error)")) }
    }
    inbox.yield(.cleared(id))
  }

  private mutating func clear(
    _ device: KnownDevice, _ manner: RunnerEnding, because reason: PlayEnding, of site: SiteMachine,
    in group: inout DiscardingTaskGroup
  ) throws(StoreError) {
    let id = device.id
    var settings = deviceSettings(device, by: site)
    let picture = manner == .black ? BlackPicture(device, settings, on: host, logger) : nil
    black.removeValue(forKey: id)?.end()
    black[id] = picture
    var run: DeviceFeeder.Run?
    if let isPage = try QueueStore(database).devicesLeftPlaying()[id] {
      settings.runner.clearing = RunnerConfiguration.Clearing(
        isPage ? .pages : .media, quits: manner == .quit, because: reason)
      run = try feeder(of: device).start(on: host, settings, watchesRows: false) { _ in }
      logger.notice(
        "ending what was left on the screen",
        metadata: ["castq.device": "\(device.label)", "castq.reason": "\(reason.words)"])
    }
    clearing[id] = run
    group.addTask { [inbox, run] in
      let end = await run?.outcome() ?? .stopped
      if case .stopped = end { await picture?.show() }
      inbox.yield(.cleared(id))
    }
  }

  private func deviceSettings(_ device: KnownDevice, by site: SiteMachine) -> DeviceSettings {
    DeviceSettings(
      device, settings.feeding, site.configuration, site.rules(of: device.id),
      settings.times(site.configuration), isForEver: !scope.isUntilIdle, database,
      ahead: ahead)
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
