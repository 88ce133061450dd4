/// A request of a caller to the device or the application.
package enum SenderRequest: Sendable, Hashable {
  /// To the device's platform.
  case receiver(ReceiverRequest)
  /// To the joined application; the data is passed to the application, and may be nil.
  case media(MediaRequest, customData: JSONValue? = nil)
  /// To the device, on another namespace than the receiver namespace.
  case platform(PlatformRequest)
  /// On a custom namespace of the application; completes when it is sent, because there is no reply (protocol 16).
  case message(ChannelMessage)

  /// The type on the wire, or the namespace of a message that has none.
  package var name: String {
    switch self {
    case .receiver(let request): request.type
    case .media(let request, _): request.type
    case .platform(let request): request.type
    case .message(let message): message.namespace
    }
  }
}

/// The result of a successful request.
package enum Reply: Sendable, Hashable {
  /// Nil when nothing is loaded any more.
  indirect case mediaStatus(MediaStatus?)
  case receiverStatus(ReceiverStatus)
  case queueItemIDs(MediaQueueIDs)
  case queueItems([MediaQueueItem])
  case multizoneStatus(MultizoneStatus)
  case castingGroups(JSONValue)
  case deviceInformation(DeviceInformation)
  case setupInformation(SetupInformation)
  /// A message of a custom namespace was passed to the connection.
  case sent
  /// The argument of RESUME_SESSION.
  case sessionState(JSONValue)
  case appAvailability([String: ApplicationAvailability])
}

/// The timers of a session; starting a running timer restarts it.
package enum TimerID: Sendable, Hashable, CustomStringConvertible {
  /// Time limit until the session is active.
  case start
  /// Time limit for the launch of the application.
  case launch
  /// Next check of the peer's silence.
  case heartbeat
  /// Next attempt to reconnect.
  case reconnect
  /// Time limit for the reply to this request.
  case request(RequestID)

  /// Whether nothing is lost when it fires a moment later.
  package var isPatient: Bool { self == .heartbeat }

  package var description: String {
    switch self {
    case .start: "start"
    case .launch: "launch"
    case .heartbeat: "heartbeat"
    case .reconnect: "reconnect"
    case .request(let id): "request(\(id.rawValue))"
    }
  }
}

/// Why a connection ended.
package enum TransportCloseReason: Sendable, Equatable {
  /// It could not be opened, or broke.
  case failed(CastError)
  /// The peer closed it properly.
  case closedByPeer
}

/// An observation for the log, never a failure.
package enum ProtocolNote: Sendable, Hashable, CustomStringConvertible {
  /// A reply to a request that has completed already.
  case lateReply(RequestID, String)
  /// A message of a namespace that this sender does not support.
  case unknownNamespace(Namespace)
  /// A message from an unexpected source.
  case unexpectedSource(EndpointID, Namespace)
  /// A message of an unknown type, or one that could not be read.
  case unreadable(Namespace, String)
  /// An event without a meaning in the current state.
  case outOfPlace(String)
  /// The first media status request got no reply; the session is active without a known media status.
  case mediaUnknown(String)
  /// A status of a media session that has ended.
  case staleMediaSession(MediaSessionID)

  package var description: String {
    switch self {
    case .lateReply(let id, let type): "late \(type) \(id)"
    case .unknownNamespace(let namespace): "unknown namespace \(namespace)"
    case .unexpectedSource(let source, let namespace): "\(namespace) from unexpected source \(source)"
    case .unreadable(let namespace, let type): "unreadable \(type) in \(namespace)"
    case .outOfPlace(let event): "out of place: \(event)"
    case .mediaUnknown(let why): "media unknown: \(why)"
    case .staleMediaSession(let id): "status of old media session \(id)"
    }
  }
}
