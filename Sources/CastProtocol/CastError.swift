/// Everything that can go wrong between a sender and a receiver.
///
/// Two errors are equal when their codes are: the words are for people and may be improved at any time.
public struct CastError: Error, Sendable {
  /// What kind of failure it is.
  public var code: Code
  /// One sentence for a person: what happened, to what, and what to do.
  public var message: String
  /// What was asked for, such as `PLAY #12`; nil when no request was concerned.
  public var request: String?
  /// The type of the receiver's message, such as `LOAD_FAILED`; nil when the receiver did not say anything.
  public var receiverType: String?
  /// The receiver's own reason, such as `INVALID_MEDIA_SESSION_ID`; nil when it gave none.
  public var receiverReason: String?
  /// The receiver's media error number (protocol 6.6); nil when it gave none.
  public var detailedErrorCode: Int?
  /// The item of the receiver's queue that is concerned; nil when none is named.
  public var itemID: MediaQueueItemID?
  /// The application that has taken our place on the device, by the name it shows; nil when none has.
  public var takenOverBy: String?
  /// What a lower layer said, such as the operating system's words; nil when there is nothing to add.
  public var underlying: String?

  package init(
    _ code: Code, _ message: String, request: String? = nil, receiverType: String? = nil,
    receiverReason: String? = nil, detailedErrorCode: Int? = nil, itemID: MediaQueueItemID? = nil,
    takenOverBy: String? = nil, underlying: String? = nil
  ) {
    self.code = code
    self.message = message
    self.request = request
    self.receiverType = receiverType
    self.receiverReason = receiverReason
    self.detailedErrorCode = detailedErrorCode
    self.itemID = itemID
    self.takenOverBy = takenOverBy
    self.underlying = underlying
  }

  /// This error with the request it belongs to.
  package func during(_ request: String) -> CastError {
    var error = self
    error.request = request
    return error
  }
}

extension CastError: Equatable {
  /// Equal when the codes are.
  public static func == (left: CastError, right: CastError) -> Bool { left.code == right.code }
}

extension CastError: CustomStringConvertible {
  /// The message, followed by the receiver's own words where there are any.
  public var description: String {
    var words = [receiverType, receiverReason, detailedErrorCode.map { "error \($0)" }].compactMap { $0 }
    if let itemID { words.append("item \(itemID)") }
    if let underlying { words.append(underlying) }
    return words.isEmpty ? message : "\(message) (\(words.joined(separator: ", ")))"
  }
}

extension CastError {
  /// What kind of failure it is. More codes may come: compare with the ones you handle, and pass on the rest.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String {
      case networkError = "network_error"
      case timeout
      case invalidRequest = "invalid_request"
      case cancelled
      case notAllowed = "not_allowed"
      case invalidState = "invalid_state"
      case sendBufferFull = "send_buffer_full"
      case messageTooBig = "message_too_big"
      case deviceNotConnected = "device_not_connected"
      case networkNotReachable = "network_not_reachable"
      case protocolError = "protocol_error"
      case applicationNotFound = "application_not_found"
      case applicationNotRunning = "application_not_running"
      case applicationReplaced = "application_replaced"
      case invalidApplicationSessionID = "invalid_application_session_id"
      case secureTransportError = "secure_transport_error"
      case hostUnknown = "host_unknown"
      case connectionRefused = "connection_refused"
      case sessionIsNotActive = "session_is_not_active"
      case mediaLoadFailed = "load_failed"
      case invalidMediaPlayerState = "invalid_player_state"
      case noMediaSession = "no_media_session"
      case mediaError = "media_error"
      case disconnected
      case unsupportedFeature = "unsupported_feature"
      case launchRequestCancelled = "launch_cancelled"
      case launchFailed = "launch_failed"
      case replaced
      case channelNotConnected = "channel_not_connected"
      case alreadyInitialized = "already_initialized"
      case notInitialized = "not_initialized"
      case invalidResponse = "invalid_response"
    }

    private let value: Value
    private init(_ value: Value) { self.value = value }

    /// A stable word for programs, such as `load_failed`.
    public var description: String { value.rawValue }

    /// The network failed under a connection that had stood.
    public static let networkError = Code(.networkError)
    /// Nothing came back in time.
    public static let timeout = Code(.timeout)
    /// The receiver calls the request malformed or unsupported; `receiverReason` says why.
    public static let invalidRequest = Code(.invalidRequest)
    /// A newer request of the same kind took its place.
    public static let replaced = Code(.replaced)
    /// Nobody would hear what was to be sent over a custom channel.
    public static let channelNotConnected = Code(.channelNotConnected)
    /// The shared context was made before.
    public static let alreadyInitialized = Code(.alreadyInitialized)
    /// The shared context has not been made yet.
    public static let notInitialized = Code(.notInitialized)
    /// The receiver answered with something else than what was asked for.
    public static let invalidResponse = Code(.invalidResponse)
    /// Given up by the caller, or because another load took its place.
    public static let cancelled = Code(.cancelled)
    /// The device's policy or the person in front of it refused.
    public static let notAllowed = Code(.notAllowed)
    /// Not possible now, such as starting a session twice.
    public static let invalidState = Code(.invalidState)
    /// Too many requests are waiting for an answer.
    public static let sendBufferFull = Code(.sendBufferFull)
    /// The message would be larger than a receiver accepts (protocol 1.2).
    public static let messageTooBig = Code(.messageTooBig)
    /// No connection to the device stands.
    public static let deviceNotConnected = Code(.deviceNotConnected)
    /// No route leads to the device.
    public static let networkNotReachable = Code(.networkNotReachable)
    /// The peer does not speak this protocol.
    public static let protocolError = Code(.protocolError)
    /// The device does not know the application.
    public static let applicationNotFound = Code(.applicationNotFound)
    /// The application does not run, or no longer.
    public static let applicationNotRunning = Code(.applicationNotRunning)
    /// Another application took its place; `takenOverBy` names it.
    public static let applicationReplaced = Code(.applicationReplaced)
    /// The device does not know the application's session.
    public static let invalidApplicationSessionID = Code(.invalidApplicationSessionID)
    /// TLS failed: no handshake, or a broken record.
    public static let secureTransportError = Code(.secureTransportError)
    /// The host name has no address.
    public static let hostUnknown = Code(.hostUnknown)
    /// The port is closed.
    public static let connectionRefused = Code(.connectionRefused)
    /// The session has not reached its application yet, or has ended.
    public static let sessionIsNotActive = Code(.sessionIsNotActive)
    /// The receiver could not load the media.
    public static let mediaLoadFailed = Code(.mediaLoadFailed)
    /// Not possible in the player's state.
    public static let invalidMediaPlayerState = Code(.invalidMediaPlayerState)
    /// Nothing is loaded.
    public static let noMediaSession = Code(.noMediaSession)
    /// The receiver's generic media error.
    public static let mediaError = Code(.mediaError)
    /// The device ended the connection.
    public static let disconnected = Code(.disconnected)
    /// The receiver does not have the command.
    public static let unsupportedFeature = Code(.unsupportedFeature)
    /// Another launch pre-empted ours, twice.
    public static let launchRequestCancelled = Code(.launchRequestCancelled)
    /// The device could not start the application.
    public static let launchFailed = Code(.launchFailed)
  }
}
