import CastSender
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Logging

/// Converts ahead of time, in quiet hours, what the queues play next.
struct PreparingHours {
  private let database: Database
  private let settings: DaemonSettings
  private let logger: Logger
  /// Nil where nothing may be converted, or nothing can.
  private var preparation: QueuePreparation?

  init(_ database: Database, _ settings: DaemonSettings) {
    (self.database, self.settings, logger) = (database, settings, settings.logger)
  }

  /// Applies the configuration: what is being converted by an earlier one ends.
  mutating func renew(_ configuration: DaemonConfiguration, in group: inout DiscardingTaskGroup) {
    if let preparation { group.addTask { await preparation.stop() } }
    applyBudget(of: configuration, in: &group)
    guard configuration.preparation.allow != .off else { return preparation = nil }
    let programs = settings.programs(configuration.programs)
    guard programs.ffmpeg != nil else { return preparation = nil }
    let probes = ProbeMemory(programs.ffprobe.map { MediaProber($0) }, database)
    preparation = QueuePreparation(
      database, probes: probes, configuration: configuration, programs: programs, logger: logger
    ) { [time = settings.time] in WallTime(milliseconds: time.wallMilliseconds()) }
  }

  /// Removes what an earlier configuration had more room for.
  private func applyBudget(of configuration: DaemonConfiguration, in group: inout DiscardingTaskGroup) {
    let folder = MediaPreparer(configuration.preparation, program: nil, database: database).folder
    let needs = PreparedNeeds(database, probes: ProbeMemory(nil, database), configuration: configuration)
    group.addTask { [database, logger] in
      let removed = await database.executor.run { () -> Int in
        // Where the queues cannot be read nobody knows what is needed, and all stays.
        do throws(StoreError) { return folder.trim(keeping: try needs.names()) } catch { return 0 }
      }
      guard removed > 0 else { return }
      logger.notice(
        "prepared files beyond the budget removed",
        metadata: [
          "castq.size": "\(ByteSizeText.words(removed))",
          "castq.budget": "\(ByteSizeText.words(folder.budget))",
        ])
    }
  }

  /// Prepares for these devices, and stops when there is none.
  func prepare(_ wanted: Set<DeviceID>, in group: inout DiscardingTaskGroup) {
    guard let preparation else { return }
    let devices = ((try? DeviceStore(database).all()) ?? []).filter { wanted.contains($0.id) }
    group.addTask {
      if devices.isEmpty { await preparation.stop() } else { await preparation.run(devices) }
    }
  }
}
