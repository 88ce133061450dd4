import CastProtocol
import CastSender

/// Watches a device for as long as anybody wants to: one picture at once, another with every change.
///
/// The connection is invisible to the application, and is made again when it breaks or when another application comes up.
struct StatusFollower {
  let call: DeviceCall
  let options: SessionOptions

  /// Calls `show` with each picture; nil while the device cannot be reached. Returns when the task is cancelled.
  func follow(_ show: @Sendable (StatusPicture?) async throws -> Void) async throws {
    var failures = 0
    while !Task.isCancelled {
      let session = try call.session(options)
      let events = session.events()
      do throws(CastError) {
        try await session.start()
        failures = 0
        call.succeeded(session)
      } catch {
        failures += 1
        if failures == 1 { try await show(nil) }
      }
      try await watch(session, events, show)
      await session.end(.leave)
      let pause = ReconnectPolicy(giveUpAfter: nil).wait(beforeAttempt: failures, random: 0.5, elapsed: .zero)
      try await TimeSource.continuous.sleep(pause ?? .seconds(1))
    }
  }

  private func watch(
    _ session: Session, _ events: AsyncStream<SessionEvent>,
    _ show: @Sendable (StatusPicture?) async throws -> Void
  ) async throws {
    for await event in events {
      switch event {
      case .active, .resumed, .mediaStatus: break
      case .receiverStatus(let status):
        // An application that came up after we looked is only seen by joining it.
        let isJoined = session.application != nil
        if !isJoined, status.application?.namespaces.contains(Namespace.media.rawValue) == true { return }
      case .ended, .connecting, .launching, .waitingForConsent, .queueItemIDs, .queueItems, .queueChange,
        .channelMessage, .multizone, .credentialsWanted, .queueItemFailed, .suspended, .resuming,
        .foreignAction:
        continue
      }
      try await show(
        StatusPicture(
          receiver: session.receiverStatus, application: session.application,
          media: session.mediaStatus))
    }
  }
}
