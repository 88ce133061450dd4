import CastSender
import CastqCore
import CastqStore

/// Converts ahead of time, in quiet hours, what the queues play next.
extension DaemonService {
  /// Applies the configuration: what is being converted by an earlier one ends.
  func renewPreparation(in group: inout DiscardingTaskGroup) {
    if let preparation { group.addTask { await preparation.stop() } }
    guard scope.feeder == nil, configuration.preparation.allow != .off else { return preparation = nil }
    let programs = settings.programs(configuration.programs)
    guard programs.ffmpeg != nil else { return preparation = nil }
    let probes = ProbeMemory(programs.ffprobe.map { MediaProber($0) }, database)
    preparation = QueuePreparation(
      database, probes: probes, configuration: configuration, programs: programs, logger: logger
    ) { [time = settings.time] in WallTime(milliseconds: time.wallMilliseconds()) }
  }

  /// Converts while something plays what the configuration allows; nil where it allows nothing, or nothing can.
  var preparationAhead: PreparationAhead? {
    let rules = configuration.preparation
    guard rules.onDemand != .off else { return nil }
    let programs = settings.programs(configuration.programs)
    guard let ffmpeg = programs.ffmpeg else { return nil }
    let probes = ProbeMemory(programs.ffprobe.map { MediaProber($0) }, database)
    let preparer = MediaPreparer(rules, program: ffmpeg, allowance: rules.onDemand, database: database)
    return PreparationAhead(
      preparer, needs: PreparedNeeds(database, probes: probes, configuration: configuration),
      canRead: programs.ffprobe != nil
    ) { [time = settings.time] in WallTime(milliseconds: time.wallMilliseconds()) }
  }

  /// Prepares for the devices that may be prepared for now, and stops when there is none. Called every minute.
  func prepareIfQuiet(in group: inout DiscardingTaskGroup) {
    guard let preparation else { return }
    let quiet = devicesToPrepare
    group.addTask {
      if quiet.isEmpty { await preparation.stop() } else { await preparation.run(quiet) }
    }
  }

  /// The devices that are quiet by their own rules, or all of them in the hours that are given for it.
  private var devicesToPrepare: [KnownDevice] {
    let hours = configuration.preparation.hours
    let isTime = hours.contains { $0.contains(clock(of: configuration.standard)) }
    do throws(StoreError) {
      return try devices.all().filter { device in
        guard hours.isEmpty else { return isTime }
        return rules[device.id].map { $0.isQuiet(at: clock(of: $0)) } ?? false
      }
    } catch {
      return []
    }
  }
}
