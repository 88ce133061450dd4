import CastProtocol
import CastSender
import CastqText

/// Follows the status of a device: reports it at once and at every change.
///
/// The connection is invisible to the application. It reconnects after a loss and when another application starts.
struct StatusFollower {
  let call: DeviceCall
  let options: SessionOptions

  /// Calls `show` with each status; nil while the device is unreachable. Returns when the task is cancelled.
  func follow(_ show: @Sendable (StatusPicture?) async throws -> Void) async throws {
    var failures = 0
    let look = StatusLook(call: call, options: options)
    while !Task.isCancelled {
      switch await Result.catching({ () async throws(Failure) in try await look.picture() }) {
      case .success((let session, let picture)):
        let events = session.events()
        failures = picture.isMediaSilent ? failures + 1 : 0
        call.succeeded(session)
        // The session also has the changes between that status and the first event here.
        try await show(picture.isMediaSilent ? picture : StatusPicture(of: session))
        if !picture.isMediaSilent { try await watch(session, events, show) }
        await session.end(.leave)
      case .failure:
        failures += 1
        if failures == 1 { try await show(nil) }
      }
      let pause = ReconnectPolicy(giveUpAfter: nil).wait(beforeAttempt: failures, random: 0.5, elapsed: .zero)
      try await TimeSource.continuous.sleep(pause ?? .seconds(1))
    }
  }

  private func watch(
    _ session: Session, _ events: AsyncStream<SessionEvent>,
    _ show: @Sendable (StatusPicture?) async throws -> Void
  ) async throws {
    // An application that started later is joined by another connection. It may have started before there were events.
    if session.lacksApplication { return }
    for await event in events {
      switch event {
      case .active, .resumed, .mediaStatus: break
      case .receiverStatus: if session.lacksApplication { return }
      case .ended, .connecting, .launching, .waitingForConsent, .queueItemIDs, .queueItems, .queueChange,
        .channelMessage, .multizone, .credentialsWanted, .queueItemError, .queueItemFailed, .suspended,
        .retrying, .resuming, .foreignAction:
        continue
      }
      try await show(StatusPicture(of: session))
    }
  }
}

extension Session {
  /// Whether an application shows media that the session has not joined.
  fileprivate nonisolated var lacksApplication: Bool {
    application == nil && receiverStatus?.playsMedia == true
  }
}
