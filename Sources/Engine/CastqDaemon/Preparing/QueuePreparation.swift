package import CastqFeeding
import CastqPlaylists
package import CastqStore
package import CastqText
package import Logging

/// Prepares what queues play next, one file at a time. A conversion that failed is not repeated in this process.
package actor QueuePreparation {
  private let needs: PreparedNeeds
  private let preparer: MediaPreparer
  private let logger: Logger
  private let now: @Sendable () -> WallTime
  private let executor: StoreExecutor
  private var failed: Set<String> = []
  private var work: Task<Void, Never>?

  /// - Parameters:
  ///   - probes: read the files; without `ffprobe` those that are known are prepared.
  ///   - now: the present wall time.
  package init(
    _ database: Database, probes: ProbeMemory, configuration: DaemonConfiguration, programs: MediaPrograms,
    logger: Logger, now: @escaping @Sendable () -> WallTime
  ) {
    needs = PreparedNeeds(database, probes: probes, configuration: configuration)
    preparer = MediaPreparer(configuration.preparation, program: programs.ffmpeg, database: database)
    executor = database.executor
    self.logger = logger
    self.now = now
  }

  /// Prepares for these devices until all is done, or the task is cancelled. Does nothing while an earlier call is at work.
  package func run(_ devices: [KnownDevice]) async {
    guard work == nil else { return }
    let work = Task { await prepare(for: devices) }
    self.work = work
    await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
    self.work = nil
  }

  /// Ends what is being converted.
  package func stop() { work?.cancel() }

  private func prepare(for devices: [KnownDevice]) async {
    for device in devices {
      let media = needs.media(for: device)
      for draft in await drafts(of: device) {
        guard !Task.isCancelled else { return }
        await prepare(draft, media, device)
      }
    }
  }

  private func prepare(_ draft: EntryDraft, _ media: DeviceMedia, _ device: KnownDevice) async {
    guard case .decided(let examined) = await media.examine(draft, now: now),
      let recipe = examined.decision.recipe,
      let name = PreparedFolder.name(of: examined.file, recipe), !failed.contains(name)
    else { return }
    do throws(PreparationError) {
      let made = try await preparer.prepare(
        examined.file, examined.decision, duration: examined.duration, keeping: await needs.storedNames())
      guard !made.wasThere else { return }
      logger.notice(
        "prepared",
        metadata: [
          "castq.device": "\(device.label)", "castq.file": "\(TerminalText.sanitized(examined.file.path))",
          "castq.way": "\(examined.decision.way.rawValue)", "castq.size": "\(ByteSizeText.words(made.size))",
        ])
    } catch {
      switch error {
      case .cancelled, .inProgress, .changed: return
      case .folder, .noProgram, .notAllowed, .impossible, .noRoom, .program, .notKept: break
      }
      if failed.count >= Self.mostFailures { failed = [] }
      failed.insert(name)
      logger.warning(
        "not prepared",
        metadata: [
          "castq.device": "\(device.label)", "castq.file": "\(TerminalText.sanitized(examined.file.path))",
          "castq.error": "\(TerminalText.sanitized("\(error)"))",
        ])
    }
  }

  /// Failures that are remembered.
  private static let mostFailures = 10_000

  /// A database that cannot be read has nothing to prepare.
  private func drafts(of device: KnownDevice) async -> [EntryDraft] {
    do throws(StoreError) {
      return try await executor.run { [needs] () throws(StoreError) in try needs.drafts(of: device) }
    } catch {
      return []
    }
  }
}
