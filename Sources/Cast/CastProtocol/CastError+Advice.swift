// The meaning of each code in the iOS SDK, and advice for a person.

extension CastError.Code {
  /// The number of this failure in the iOS SDK (protocol 17.9); nil for codes that only this SDK has.
  public var sdkNumber: Int? { Self.meanings[self]?.sdkNumber }

  /// Advice for a person: a clause without a full stop, such as `load media first`.
  public var advice: String { Self.meanings[self]?.advice ?? "" }

  private static let meanings: [CastError.Code: (sdkNumber: Int?, advice: String)] = [
    .networkError: (1, "check the device's power and the network, then connect again"),
    .timeout: (2, "check what the device is doing, then try again; restart it if it stays silent"),
    .deviceAuthenticationFailure: (
      3,
      "check this computer's clock and that the address is the right device's; a simulator needs its own root"
    ),
    .invalidRequest: (4, "check the request against the receiver's reason"),
    .cancelled: (5, "nothing is wrong; send the request again if it is still needed"),
    .replaced: (6, "nothing is wrong; wait for the newer request instead"),
    .notAllowed: (7, "consent on the screen, or check the device's settings"),
    .duplicateRequest: (
      8, "check the status: the first request may have been carried out; send it again if not"
    ),
    .invalidState: (9, "check the order of calls: the object's state does not allow this one now"),
    .sendBufferFull: (10, "wait for some of the open requests first"),
    .messageTooBig: (11, "send less at a time: fewer items, less custom data"),
    .tooManyMessages: (nil, "restart the device, or remove it"),
    .channelNotConnected: (
      12, "wait until the session is active, and check that the application has this namespace"
    ),
    .deviceNotConnected: (14, "wait until the session is active, or restart it"),
    .networkNotReachable: (17, "check that this computer and the device are on the same network"),
    .protocolError: (18, "check that the address and the port belong to a Cast device"),
    .alreadyInitialized: (19, "use the shared context, or create a context of your own"),
    .notInitialized: (nil, "call `CastContext.setSharedInstance(with:)` first"),
    .applicationNotFound: (20, "check the application id, and that it is published for this device"),
    .applicationNotRunning: (21, "start the session again"),
    .applicationReplaced: (nil, "start a session again to take the device back"),
    .invalidApplicationSessionID: (
      22, "request the device's status: the application was relaunched or has stopped"
    ),
    .secureTransportError: (23, "try again; restart the device if it happens again"),
    .hostUnknown: (nil, "check the name, or give the device's address"),
    .connectionRefused: (nil, "check the address and the port; a group's port changes when its leader does"),
    .invalidResponse: (27, "try again; the receiver application may not support the request"),
    .sessionIsNotActive: (29, "wait until the session is active, or start another one"),
    .mediaLoadFailed: (
      30,
      "check that the device can reach the address, that the content type is right and that it plays the format"
    ),
    .invalidMediaPlayerState: (31, "check the player state and `supportedMediaCommands`"),
    .noMediaSession: (32, "load media first"),
    .mediaError: (34, "check the receiver's reason; load again if playback has stopped"),
    .authenticationErrorReceived: (40, "restart the device; it cannot sign the challenge"),
    .malformedClientCertificate: (
      41, "report the certificate; connect without device authentication if you trust the network"
    ),
    .notX509Certificate: (
      42, "report the certificate; connect without device authentication if you trust the network"
    ),
    .deviceCertificateNotTrusted: (43, "update the device; a simulator or an imitation needs its own root"),
    .sslCertificateNotTrusted: (
      44, "check this computer's clock first: the certificate is good for a few days only"
    ),
    .malformedAuthenticationResponse: (45, "connect again; do not trust the device if it happens again"),
    .deviceCapabilityNotSupported: (46, "do not trust what the device announces; check its address"),
    .crlInvalid: (47, "check this computer's clock; update the device"),
    .crlCheckFailed: (48, "do not trust the device; ask its maker"),
    .disconnected: (92, "try again; another sender or the device itself may have ended it"),
    .unsupportedFeature: (93, "check `supportedMediaCommands` before the request"),
    .deviceAuthenticationMessageParseFailure: (100, "connect again; restart the device if it happens again"),
    .deviceAuthenticationChallengeReceivedFailure: (
      101, "check that the address belongs to a receiver and not to a sender"
    ),
    .deviceAuthenticationTimeoutFailure: (102, "connect again; restart the device if it happens again"),
    .launchRequestCancelled: (103, "try again when the other sender is done"),
    .launchFailed: (nil, "try again, or restart the device"),
    .applicationNotRunningWithNamespaceMismatched: (
      104, "check the application id, and the namespaces the application opens"
    ),
    .applicationNotRunningWhenResumed: (105, "start the session anew: what played is over"),
    .applicationNotRunningForJoin: (106, "start a session that launches the application"),
    .applicationNotRunningForJoinWhenReconnecting: (107, "start the session anew: what played is over"),
  ]
}

extension CastError {
  /// The name of `detailedErrorCode`, such as `MEDIA_SRC_NOT_SUPPORTED` (protocol 6.6); nil when there is no number or it has no
  /// name.
  public var detailedErrorName: String? { detailedErrorCode.flatMap(DetailedErrorCode.name(of:)) }

  /// Advice for a person: the code's, or more specific advice if the receiver gave details.
  public var advice: String {
    if receiverReason == "INVALID_MEDIA_SESSION_ID" {
      return "load again; if that does not help, let others control cast media in the device's settings"
    }
    guard code == .mediaLoadFailed || code == .mediaError, let detailedErrorCode else { return code.advice }
    return switch detailedErrorCode {
    case 102: "the file is damaged, or the device does not support its codec: convert it"
    case 103, 300, 905:
      "check that the device itself can reach the address: use an IP address, not a local name"
    case 104:
      "check the content type and the codec; streams and subtitles need CORS headers from their server"
    case 200...203: "the stream is protected: the application has to know its licence server"
    case 301, 311, 312, 321, 331:
      "check that manifest and segments can be reached, and that their server sends CORS headers"
    case 315, 316: "set the HLS segment format: the default is packed transport streams"
    case 400...431: "the manifest cannot be read: check it, and the content type it is sent with"
    case 600: "write subtitles as WebVTT in UTF-8 and serve them with CORS headers"
    case 901: "check the address and the type of the ad clip"
    case 903: "make the picture smaller, or save it as JPEG or PNG"
    case 904: "other media was loaded meanwhile; load again if it is still needed"
    default: code.advice
    }
  }
}
