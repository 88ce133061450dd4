/// What a session is for; decides whether it launches, and how it connects (protocol 3.1, 14.1).
public enum SessionPurpose: Sendable, Hashable {
  /// Joins the application when it runs, else launches it.
  case play(applicationID: String)
  /// Joins what runs and fails when it does not; nil joins any application that plays media.
  case join(applicationID: String?)
  /// Like `join`, but unseen: the connection is invisible to the application, and nothing running is an answer, no failure.
  case observe(applicationID: String?)
  /// Talks to the device alone: status and volume.
  case device

  /// The application that is wanted; nil when any will do, or none.
  public var applicationID: String? {
    switch self {
    case .play(let id): id
    case .join(let id), .observe(let id): id
    case .device: nil
    }
  }
}

/// How to end a session.
public enum SessionEndAction: Sendable, Hashable {
  /// Leaves; what plays goes on playing.
  case leave
  /// Stops the application, then leaves.
  case stopApplication
}

/// What a session does when it is back and its application is not (protocol 14.1).
public enum SessionRecoveryPolicy: Sendable, Hashable {
  /// Launches the application anew, unless another one has taken its place meanwhile.
  case relaunch
  /// Ends.
  case end
}

/// Why a session is suspended (protocol 17.4).
public enum SessionSuspendReason: Sendable, Equatable {
  /// The connection was lost; the error says how.
  case connectionLost(CastError)
  /// The program wanted it so, see `Session.suspend()`.
  case byCaller
  /// What plays is being moved to another device.
  case transfer
}

/// What a session tells its subscribers, in the order in which it happened.
public enum SessionEvent: Sendable, Equatable {
  /// The device is being called.
  case connecting
  /// The device was asked to start the application.
  case launching
  /// A person in front of the device has to agree to the launch first (protocol 5.4).
  case waitingForConsent
  /// Requests are welcome. Nil when no application is joined: a device session, or an observer that found nothing running.
  case active(ApplicationMetadata?)
  /// The connection is gone, and the device is called again. Nothing is known of what it does meanwhile.
  case suspended(SessionSuspendReason)
  /// An attempt to get the connection back failed for this reason; the next one follows after the pause.
  case retrying(CastError, after: Duration)
  /// The device is back and is being asked what runs.
  case resuming
  /// Requests are accepted again. Nil without an application, as for `active`. False when the application was relaunched while we
  /// were away, or by us: what it played is gone. True after a transfer to the application session that plays the media.
  case resumed(ApplicationMetadata?, isSameApplicationSession: Bool)
  /// Somebody else did something to what is ours (protocol 14.4).
  case foreignAction(ForeignAction)
  /// The device's platform told its full status.
  case receiverStatus(ReceiverStatus)
  /// The merged picture of the media session; nil when nothing is loaded.
  case mediaStatus(MediaStatus?)
  /// The ids of the whole queue, in order; the number is nil when the receiver does not count changes (protocol 7.7).
  case queueItemIDs([MediaQueueItemID], sequenceNumber: Int?)
  /// Items of the queue that were asked for.
  case queueItems([MediaQueueItem], sequenceNumber: Int?)
  /// The receiver's queue was changed, by us or by others.
  case queueChange(MediaQueueChange)
  /// The receiver named an item in an error. This is no proof: the item may play all the same, or be the film whose ad was not found
  /// (protocol 21.22). `queueItemFailed` and the statuses show whether it failed.
  case queueItemError(MediaQueueItemID, CastError)
  /// An item of the queue could not be played; the receiver continues by itself (protocol 21.6). Published once, when a status proves
  /// it: the item is idle with an error, or another one plays in its place. The error is the first one that named it.
  case queueItemFailed(MediaQueueItemID, CastError)
  /// The application said something under a custom namespace (protocol 16).
  case channelMessage(ChannelMessage)
  /// The device's group changed (protocol 5.9).
  case multizone(MultizoneEvent)
  /// The application wants to be told anew who is watching (protocol 6.3).
  case credentialsWanted(CredentialsRefresh)
  /// The last event. Nil when we ended it ourselves.
  case ended(CastError?)
}
