import CastProtocol

/// Where a session stands in its life (protocol 17.4).
public enum SessionState: Sendable, Hashable {
  /// Made, and not started.
  case idle
  /// Calling the device, launching or joining the application.
  case starting
  /// Requests are welcome.
  case active
  /// The connection is gone, and the device is called again (protocol 14.6).
  case suspended
  /// We are ending it.
  case ending
  /// Over; make another one.
  case ended
}

/// What a session knows, all of one moment.
struct SessionPicture: Sendable {
  var device: Device
  var state = SessionState.idle
  var receiverStatus: ReceiverStatus?
  var application: ApplicationMetadata?
  var mediaStatus: MediaStatus?
  /// When the newest media status came; positions are counted from there.
  var mediaStatusAt = Tick.zero
  /// How the session ended; nil while it has not.
  var ending: Ending?

  /// The end of a session.
  struct Ending: Sendable { var error: CastError? }

  /// Takes in what an event says.
  mutating func take(_ event: SessionEvent, at now: Tick) {
    switch event {
    case .connecting: state = .starting
    case .receiverStatus(let status):
      receiverStatus = status
      application = application.flatMap { joined in
        status.applications.first { $0.sessionID == joined.sessionID } ?? joined
      }
    case .mediaStatus(let status):
      mediaStatus = status
      mediaStatusAt = now
    case .active(let joined), .resumed(let joined, _):
      application = joined
      state = .active
    case .suspended: state = .suspended
    case .ended(let error):
      ending = Ending(error: error)
      state = .ended
      application = nil
      mediaStatus = nil
    case .launching, .waitingForConsent, .queueItemIDs, .queueItems, .queueChange, .queueItemError,
      .queueItemFailed,
      .channelMessage, .multizone, .credentialsWanted, .retrying, .resuming, .foreignAction:
      break
    }
  }
}
