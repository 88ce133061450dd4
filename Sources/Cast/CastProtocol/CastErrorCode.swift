extension CastError {
  /// The kind of a failure. Codes may be added: compare with the ones you handle, and pass on the rest.
  ///
  /// These codes of the iOS SDK (protocol 17.9) are omitted, because nothing here causes them:
  ///
  /// | number | name | why |
  /// |---|---|---|
  /// | 0 | NoError | what went well throws nothing |
  /// | 13 | DeviceAuthorizationFailure | no message tells it; a refusal is `notAllowed` |
  /// | 15 | ProtocolVersionMismatch | receivers accept the version in use; what cannot be read is `protocolError` |
  /// | 16 | MaxUsersConnected | no message tells it; a device closes the connection |
  /// | 24, 26 | SocketAlreadyConnected, SocketInvalidParameter | sockets are never handed out |
  /// | 25 | SocketInvalidAddress | a wrong address is `hostUnknown` or `networkNotReachable` |
  /// | 28 | FailedSessionUpdate | a session that loses its device reconnects, or ends with the reason |
  /// | 33 | NotCastSession | there are no other sessions |
  /// | 50–59 | Broadcast… | encrypted broadcasts are a feature of phones |
  /// | 60 | GuestModeListenFailed | guest mode pairs by sound, over a phone's microphone |
  /// | 80–86 | RemoteDisplay… | there is no remote display |
  /// | 91 | AppDidEnterBackground | a Linux process has no background to be suspended in |
  /// | 99 | Unknown | every failure has a name |
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String, CaseIterable {
      case networkError = "network_error"
      case timeout
      case deviceAuthenticationFailure = "device_authentication_failure"
      case invalidRequest = "invalid_request"
      case cancelled
      case replaced
      case notAllowed = "not_allowed"
      case duplicateRequest = "duplicate_request"
      case invalidState = "invalid_state"
      case sendBufferFull = "send_buffer_full"
      case messageTooBig = "message_too_big"
      case tooManyMessages = "too_many_messages"
      case channelNotConnected = "channel_not_connected"
      case deviceNotConnected = "device_not_connected"
      case networkNotReachable = "network_not_reachable"
      case protocolError = "protocol_error"
      case alreadyInitialized = "already_initialized"
      case notInitialized = "not_initialized"
      case applicationNotFound = "application_not_found"
      case applicationNotRunning = "application_not_running"
      case applicationReplaced = "application_replaced"
      case invalidApplicationSessionID = "invalid_application_session_id"
      case secureTransportError = "secure_transport_error"
      case hostUnknown = "host_unknown"
      case connectionRefused = "connection_refused"
      case invalidResponse = "invalid_response"
      case sessionIsNotActive = "session_is_not_active"
      case mediaLoadFailed = "load_failed"
      case invalidMediaPlayerState = "invalid_player_state"
      case noMediaSession = "no_media_session"
      case mediaError = "media_error"
      case authenticationErrorReceived = "authentication_error_received"
      case malformedClientCertificate = "malformed_client_certificate"
      case notX509Certificate = "not_x509_certificate"
      case deviceCertificateNotTrusted = "device_certificate_not_trusted"
      case sslCertificateNotTrusted = "ssl_certificate_not_trusted"
      case malformedAuthenticationResponse = "malformed_authentication_response"
      case deviceCapabilityNotSupported = "device_capability_not_supported"
      case crlInvalid = "crl_invalid"
      case crlCheckFailed = "crl_check_failed"
      case disconnected
      case unsupportedFeature = "unsupported_feature"
      case deviceAuthenticationMessageParseFailure = "device_authentication_message_parse_failure"
      case deviceAuthenticationChallengeReceivedFailure = "device_authentication_challenge_received_failure"
      case deviceAuthenticationTimeoutFailure = "device_authentication_timeout_failure"
      case launchRequestCancelled = "launch_cancelled"
      case launchFailed = "launch_failed"
      case applicationNotRunningWithNamespaceMismatched = "application_not_running_namespace_mismatched"
      case applicationNotRunningWhenResumed = "application_not_running_when_resumed"
      case applicationNotRunningForJoin = "application_not_running_for_join"
      case applicationNotRunningForJoinWhenReconnecting = "application_not_running_for_join_when_reconnecting"
    }

    private let value: Value
    private init(_ value: Value) { self.value = value }

    /// A stable identifier for programs, such as `load_failed`.
    public var description: String { value.rawValue }

    /// All codes, ordered by their numbers in the SDK if they have one.
    package static let all: [Code] = Value.allCases.map(Code.init)

    /// An established connection failed.
    public static let networkError = Code(.networkError)
    /// No reply arrived in time. The request may still be carried out.
    public static let timeout = Code(.timeout)
    /// The device did not prove that it is a genuine Cast device (protocol 2.7). The codes from `authenticationErrorReceived` to
    /// `crlCheckFailed` are more specific.
    public static let deviceAuthenticationFailure = Code(.deviceAuthenticationFailure)
    /// The receiver calls the request malformed or unsupported; `receiverReason` is its reason (protocol 6.6).
    public static let invalidRequest = Code(.invalidRequest)
    /// Cancelled by the caller, or by another load.
    public static let cancelled = Code(.cancelled)
    /// Replaced by a newer request of the same kind.
    public static let replaced = Code(.replaced)
    /// The device's policy or a person at the device refused.
    public static let notAllowed = Code(.notAllowed)
    /// The receiver has already received a request with this number from this sender (`DUPLICATE_REQUEST_ID`, protocol 6.6).
    public static let duplicateRequest = Code(.duplicateRequest)
    /// The object's state does not allow the call, such as starting a session twice.
    public static let invalidState = Code(.invalidState)
    /// Too many requests are waiting for a reply.
    public static let sendBufferFull = Code(.sendBufferFull)
    /// The message exceeds the limit of a receiver: 65 536 bytes (protocol 1.2).
    public static let messageTooBig = Code(.messageTooBig)
    /// The device sent more than `SessionOptions.messageLimit` messages a second, for 5 seconds.
    public static let tooManyMessages = Code(.tooManyMessages)
    /// No application supports the namespace of a custom channel.
    public static let channelNotConnected = Code(.channelNotConnected)
    /// There is no connection to the device.
    public static let deviceNotConnected = Code(.deviceNotConnected)
    /// No route leads to the device.
    public static let networkNotReachable = Code(.networkNotReachable)
    /// The peer does not speak this protocol.
    public static let protocolError = Code(.protocolError)
    /// The shared context exists already.
    public static let alreadyInitialized = Code(.alreadyInitialized)
    /// The shared context does not exist yet.
    public static let notInitialized = Code(.notInitialized)
    /// The device does not know the application (`NOT_FOUND`, protocol 5.5).
    public static let applicationNotFound = Code(.applicationNotFound)
    /// The application does not run, or has stopped.
    public static let applicationNotRunning = Code(.applicationNotRunning)
    /// Another application replaced it; `takenOverBy` names it.
    public static let applicationReplaced = Code(.applicationReplaced)
    /// The device does not know the application's session (`INVALID_SESSION_ID`, protocol 5.5).
    public static let invalidApplicationSessionID = Code(.invalidApplicationSessionID)
    /// TLS failed: the handshake did not complete, or a record is invalid (protocol 1.1).
    public static let secureTransportError = Code(.secureTransportError)
    /// The host name has no address.
    public static let hostUnknown = Code(.hostUnknown)
    /// The port is closed.
    public static let connectionRefused = Code(.connectionRefused)
    /// The receiver sent another kind of reply than expected.
    public static let invalidResponse = Code(.invalidResponse)
    /// The session has not reached its application yet, or has ended.
    public static let sessionIsNotActive = Code(.sessionIsNotActive)
    /// The receiver could not load the media (`LOAD_FAILED`, protocol 6.6).
    public static let mediaLoadFailed = Code(.mediaLoadFailed)
    /// The player state does not allow it (`INVALID_PLAYER_STATE`, protocol 6.6).
    public static let invalidMediaPlayerState = Code(.invalidMediaPlayerState)
    /// Nothing is loaded.
    public static let noMediaSession = Code(.noMediaSession)
    /// The receiver's generic media error (`ERROR`, protocol 6.6).
    public static let mediaError = Code(.mediaError)
    /// The device answered the challenge with an error (protocol 2.2).
    public static let authenticationErrorReceived = Code(.authenticationErrorReceived)
    /// The device's own certificate cannot be read (protocol 2.4).
    public static let malformedClientCertificate = Code(.malformedClientCertificate)
    /// The device's certificate is not an X.509 certificate (protocol 2.4).
    public static let notX509Certificate = Code(.notX509Certificate)
    /// The device's certificate does not lead to a trusted Cast root (protocol 2.3, check 6).
    public static let deviceCertificateNotTrusted = Code(.deviceCertificateNotTrusted)
    /// The TLS certificate is outside its validity period (protocol 2.3, checks 2 to 4).
    public static let sslCertificateNotTrusted = Code(.sslCertificateNotTrusted)
    /// The answer to the challenge cannot be read, or its signature is wrong (protocol 2.3, checks 1, 5, 8 and 9).
    public static let malformedAuthenticationResponse = Code(.malformedAuthenticationResponse)
    /// The device announces more than its certificate allows, such as video (protocol 2.3, check 10).
    public static let deviceCapabilityNotSupported = Code(.deviceCapabilityNotSupported)
    /// The list of revoked certificates cannot be read, or is out of date (protocol 2.6).
    public static let crlInvalid = Code(.crlInvalid)
    /// A certificate of the device has been revoked (protocol 2.6).
    public static let crlCheckFailed = Code(.crlCheckFailed)
    /// The device ended the connection.
    public static let disconnected = Code(.disconnected)
    /// The receiver does not support the command (`NOT_SUPPORTED`, protocol 6.6).
    public static let unsupportedFeature = Code(.unsupportedFeature)
    /// The device's authentication message cannot be read (protocol 2.3, check 1).
    public static let deviceAuthenticationMessageParseFailure = Code(.deviceAuthenticationMessageParseFailure)
    /// The device sent a challenge instead of a response (protocol 2.1).
    public static let deviceAuthenticationChallengeReceivedFailure = Code(
      .deviceAuthenticationChallengeReceivedFailure)
    /// The device did not answer the challenge in time (protocol 2.1).
    public static let deviceAuthenticationTimeoutFailure = Code(.deviceAuthenticationTimeoutFailure)
    /// Another launch interrupted this sender's, twice (`CANCELLED`, protocol 5.5).
    public static let launchRequestCancelled = Code(.launchRequestCancelled)
    /// The device could not start the application (protocol 5.5).
    public static let launchFailed = Code(.launchFailed)
    /// The application runs, but without the required namespaces.
    public static let applicationNotRunningWithNamespaceMismatched = Code(
      .applicationNotRunningWithNamespaceMismatched)
    /// The application had stopped when an interrupted session was resumed (protocol 14.6).
    public static let applicationNotRunningWhenResumed = Code(.applicationNotRunningWhenResumed)
    /// There was no application to join, or another one than required (protocol 14.1).
    public static let applicationNotRunningForJoin = Code(.applicationNotRunningForJoin)
    /// There was no application to join after a lost connection was restored (protocol 14.6).
    public static let applicationNotRunningForJoinWhenReconnecting = Code(
      .applicationNotRunningForJoinWhenReconnecting)
  }
}
