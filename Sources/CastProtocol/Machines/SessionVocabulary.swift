/// What a caller can ask of a session's device or application.
package enum SenderRequest: Sendable, Hashable {
  /// To the device's platform.
  case receiver(ReceiverRequest)
  /// To the application that is joined; the data is for the application itself, and may be nil.
  case media(MediaRequest, customData: JSONValue? = nil)
  /// To the device, beside the receiver namespace.
  case platform(PlatformRequest)
  /// Over a custom namespace of the application; over with the sending, as nothing answers it (protocol 16).
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

/// What a request yields when the receiver has done it.
package enum Reply: Sendable, Hashable {
  /// Nil when nothing is loaded any more.
  case mediaStatus(MediaStatus?)
  case receiverStatus(ReceiverStatus)
  case queueItemIDs(MediaQueueIDs)
  case queueItems([MediaQueueItem])
  case multizoneStatus(MultizoneStatus)
  case castingGroups(JSONValue)
  case deviceInformation(DeviceInformation)
  case setupInformation(SetupInformation)
  /// A message of a custom namespace was handed to the connection.
  case sent
  /// What RESUME_SESSION takes.
  case sessionState(JSONValue)
  case appAvailability([String: ApplicationAvailability])
}

/// The timers of a session; a timer that is started again starts anew.
package enum TimerID: Sendable, Hashable, CustomStringConvertible {
  /// The bound for everything until the session is active.
  case start
  /// The application has to be up.
  case launch
  /// Time to look how long the peer has been silent.
  case heartbeat
  /// A device that is away is to be called again.
  case reconnect
  /// The answer to this request is due.
  case request(RequestID)

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

/// Why a connection is no more.
package enum TransportCloseReason: Sendable, Equatable {
  /// It could not be opened, or broke.
  case failed(CastError)
  /// The peer closed it in good order.
  case closedByPeer
}

/// Something worth a log line, never a failure.
package enum ProtocolNote: Sendable, Hashable, CustomStringConvertible {
  /// An answer to a request that is over already.
  case lateReply(RequestID, String)
  /// A message of a namespace this sender does not speak.
  case unknownNamespace(Namespace)
  /// A message that does not come from where such messages come from.
  case unexpectedSource(EndpointID, Namespace)
  /// A message of an unknown type, or one that could not be read.
  case unreadable(Namespace, String)
  /// An event that has no meaning in the present state.
  case outOfPlace(String)
  /// The first question about media stayed without an answer; the session is active without knowing what plays.
  case mediaUnknown(String)
  /// A status of a media session that is over already.
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
