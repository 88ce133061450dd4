/// The purpose of a session, which determines whether it launches, and how it connects (protocol 3.1, 14.1).
public enum SessionPurpose: Sendable, Hashable {
  /// Joins the application if it runs, otherwise launches it.
  case play(applicationID: String)
  /// Joins the application that runs and fails if it does not; nil joins any application that plays media.
  case join(applicationID: String?)
  /// Joins exactly this running instance of the application, such as the one that an invitation names, and fails if it does not run;
  /// also after a lost connection. `Session.sessionID` returns the id in the session that invites.
  case joinSession(applicationID: String, sessionID: String)
  /// Like `join`, but the connection is invisible to the application, and starts without error if no application runs.
  case observe(applicationID: String?)
  /// Communicates with the device only: status and volume.
  case device

  /// The required application; nil for any, or none.
  public var applicationID: String? {
    switch self {
    case .play(let id), .joinSession(let id, _): id
    case .join(let id), .observe(let id): id
    case .device: nil
    }
  }
}

/// How a session ends.
public enum SessionEndAction: Sendable, Hashable {
  /// Leaves; playback continues.
  case leave
  /// Stops the application, then leaves.
  case stopApplication
}

/// What a session does when its connection is restored and its application no longer runs (protocol 14.1).
public enum SessionRecoveryPolicy: Sendable, Hashable {
  /// Relaunches the application, unless another one has replaced it.
  case relaunch
  /// Ends the session.
  case end
}

/// Why a session is suspended (protocol 17.4).
public enum SessionSuspendReason: Sendable, Equatable {
  /// The connection was lost with this error.
  case connectionLost(CastError)
  /// By the program, see `Session.suspend()`.
  case byCaller
  /// Playback is being transferred to another device.
  case transfer
}

/// The events of a session, in order.
public enum SessionEvent: Sendable, Equatable {
  /// Connecting to the device.
  case connecting
  /// A launch request was sent to the device.
  case launching
  /// A person at the device must consent to the launch first (protocol 5.4).
  case waitingForConsent
  /// Requests are accepted. Nil when no application is joined: a device session, or an observer without a running application.
  case active(ApplicationMetadata?)
  /// The connection is lost, and the session reconnects. The device's status is unknown meanwhile.
  case suspended(SessionSuspendReason)
  /// An attempt to reconnect failed with this error; the next one follows after the pause.
  case retrying(CastError, after: Duration)
  /// The device is reachable again, and its status is being requested.
  case resuming
  /// Requests are accepted again. Nil without an application, as for `active`. False when the application was relaunched, by this
  /// sender or another: what it played is lost. True after a transfer to the application session that plays the media.
  case resumed(ApplicationMetadata?, isSameApplicationSession: Bool)
  /// Another sender, or a person at the device, changed what this session controls (protocol 14.4).
  case foreignAction(ForeignAction)
  /// The device's platform reported its full status.
  case receiverStatus(ReceiverStatus)
  /// The merged media status; nil when nothing is loaded. Not in place: queues of events have room for the largest one in each place.
  indirect case mediaStatus(MediaStatus?)
  /// The ids of the whole queue, in order; the number is nil when the receiver does not count changes (protocol 7.7).
  case queueItemIDs([MediaQueueItemID], sequenceNumber: Int?)
  /// Items of the queue that were requested.
  case queueItems([MediaQueueItem], sequenceNumber: Int?)
  /// The receiver's queue was changed, by this sender or another.
  case queueChange(MediaQueueChange)
  /// The receiver named an item in an error. This does not prove a failure: the item may still play, or be the film whose ad was
  /// not found (protocol 21.22). `queueItemFailed` and the statuses show whether it failed.
  case queueItemError(MediaQueueItemID, CastError)
  /// An item of the queue could not be played; the receiver continues with the next one (protocol 21.6). Published once, when a
  /// status confirms it: the item is idle with an error, or another one plays in its place. The error is the first one that named
  /// it.
  case queueItemFailed(MediaQueueItemID, CastError)
  /// The application sent a message on a custom namespace (protocol 16).
  case channelMessage(ChannelMessage)
  /// The device's group changed (protocol 5.9).
  case multizone(MultizoneEvent)
  /// The application requests the viewer's credentials again (protocol 6.3).
  case credentialsWanted(CredentialsRefresh)
  /// The last event. Nil when this sender ended the session.
  case ended(CastError?)
}
