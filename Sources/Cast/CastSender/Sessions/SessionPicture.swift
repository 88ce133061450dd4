import CastProtocol

/// The state of a session (protocol 17.4).
public enum SessionState: Sendable, Hashable {
  /// Created, and not started.
  case idle
  /// Connecting to the device, launching or joining the application.
  case starting
  /// Accepts requests.
  case active
  /// The connection is lost, and the session reconnects (protocol 14.6).
  case suspended
  /// Being ended by the caller.
  case ending
  /// Ended; create another one.
  case ended
}

/// A connection of a session.
package struct SessionConnection: Sendable, Hashable {
  /// The IP address of the device.
  package let host: String
  /// Each connection of a session has another number.
  let number: Int
}

/// A consistent snapshot of a session.
struct SessionPicture: Sendable {
  var device: Device
  /// Where it was connected to last; nil before that.
  var connection: SessionConnection?
  var state = SessionState.idle
  var receiverStatus: ReceiverStatus?
  var application: ApplicationMetadata?
  var mediaStatus: MediaStatus?
  /// When the newest media status arrived; positions are computed from there.
  var mediaStatusAt = Tick.zero
  /// How the session ended; nil while it has not.
  var ending: Ending?

  /// The end of a session.
  struct Ending: Sendable { var error: CastError? }

  /// Applies an event.
  mutating func apply(_ event: SessionEvent, at now: Tick) {
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
