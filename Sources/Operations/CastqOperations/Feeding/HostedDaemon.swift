package import CastProtocol
import CastSender
import CastqDaemon
package import CastqFeeding
package import CastqStore
package import CastqText

/// A daemon for one device in this process, while no other process feeds the device: that of `castq run`, with a progress line, and the
/// one that `castq cast` leaves behind.
package final class HostedDaemon: Sendable {
  private let service: DaemonService
  /// Nil shows nothing.
  private let progress: (any FeedingProgress)?
  private let task: Task<Void, Never>
  /// Why live commands are unavailable, once that is known.
  package let problem: Task<Failure?, Never>

  /// Acquires the device's lock and serves commands; nothing is fed before a request.
  /// - Throws: `busy` if another process feeds the device.
  package init(
    _ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions,
    progress: (any FeedingProgress)? = nil
  ) throws(Failure) {
    OpenFiles.raiseLimit()
    self.progress = progress
    let service = try DaemonService.feeding(device, awaitsRequest: true, workspace, global) { report in
      progress?.show(report)
      if let words = Self.storeError(report) { global.say("castq: \(words)") }
    }
    self.service = service
    let (readiness, ready) = AsyncStream.makeStream(of: Failure?.self)
    problem = Task { await readiness.first { _ in true } ?? nil }
    task = Task {
      let drawing = Task { await progress?.run() }
      await service.run {
        ready.yield($0)
        ready.finish()
      }
      drawing.cancel()
    }
  }

  /// - Parameter limit: how long to wait; nil waits for as long as it takes. The command is performed all the same.
  package func reply(to request: ControlRequest, within limit: Duration? = nil) async -> ControlReply {
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
  package func stop(_ reason: String) { service.terminate(because: reason) }

  /// Waits for the end. A list that replaced the awaited one is fed to its end.
  package func finish(after result: Result<JSONValue, Failure>) async {
    switch result {
    case .failure(let failure) where failure.code != Failure.replaced.code:
      service.terminate(because: failure.typed.message)
    // The rows may be gone before they were fed at all.
    case .failure, .success: service.endIfIdle()
    }
    await over()
    progress?.clear()
  }

  /// Ends it, unless it feeds.
  package func endIfIdle() { service.endIfIdle() }

  /// Returns when it has ended and the device is free.
  package func over() async { await task.value }

  /// What is said of the database, even with `--quiet`; nil for everything else.
  private static func storeError(_ report: RunnerReport) -> String? {
    switch report {
    case .storeFailed(let error): "\(error.typed.message); \(StoreCatchUp.failure)"
    case .storeCaughtUp(let catchUp): "\(catchUp)"
    case .connecting, .retrying, .connected, .waiting, .replaced, .sentTo, .decided, .measured,
      .scheduleNoted, .started,
      .status,
      .ended, .fencePassed, .unanswered:
      nil
    }
  }
}
