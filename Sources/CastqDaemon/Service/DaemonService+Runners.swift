import CastGuard
import CastProtocol
import CastSender
import CastqCore
import CastqStore
import Logging

/// The runners: one per device that is fed.
extension DaemonService {
  /// - Returns: whether it has started.
  func start(
    _ id: DeviceID, _ start: RunStart, in group: inout DiscardingTaskGroup
  ) -> SiteMachine.Event {
    do throws(StoreError) {
      guard let device = try rows.devices.device(id) else { return .ended(id, .drained(failed: 0)) }
      let feeder = try feeder(of: device)
      black.removeValue(forKey: id)?.end()
      var options = options(for: device)
      options.schedule = rows.desk
      options.times = settings.times(configuration)
      options.noticed = { [board] in board.note(id) }
      options.loops = start.loops
      options.volume = start.volume
      options.resume = start.resume
      options.startsOver = start.startsOver
      options.devicePatience = start.patience
      counted.name(id, device.label)
      let mark = ShownMark()
      let run = feeder.start(on: host, options: options) { [send, settings, board] report in
        settings.report(report)
        board.note(id)
        if mark.isNews(report) { send.yield(.site(.report(id, report))) }
      }
      fed[id] = FedDevice(device: device, run: run, feeder: feeder)
      group.addTask { [send] in
        send.yield(.site(.ended(id, await run.outcome())))
      }
      return .started(id, label: device.label, start)
    } catch {
      if case .busy = error { return .ended(id, .busy) }
      logger.error("device cannot be fed", metadata: ["castq.device": "\(id)", "error": "\(error)"])
      return .ended(id, .failed(Failure(error)))
    }
  }

  /// The options of a runner by the configuration, without rules and what a start asks for.
  func options(for device: KnownDevice) -> RunnerOptions {
    var options = settings.runner(device)
    options.watchesRows = false
    if !scope.isUntilIdle {
      options.reconnect = RunnerConfiguration.eager
      options.sessionOptions.connectTimeout = min(
        options.sessionOptions.connectTimeout, DaemonSettings.connectTimeout)
    }
    let rules = machine.rules(of: device.id)
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

  func feeder(of device: KnownDevice) throws(StoreError) -> DeviceFeeder {
    if let feeder = scope.feeder { return feeder }
    return try DeviceFeeder(device: device, database: database, logger: settings.runnerLogger)
  }
}
