/// What a session says to a device that has not proved its identity yet: CONNECT, GET_STATUS, and LAUNCH on a screen that shows
/// nothing. A proof and a launch take a device about as long as each other; this does both at once.
///
/// Nothing else follows from what the device says here: the session receives the same messages after the proof, and LOAD is never
/// sent before. Where another application runs, LAUNCH waits for the proof too: it may be somebody else's television.
/// So does a LAUNCH with the viewer's credentials: whoever answers at the address could read them.
package struct EarlyLaunch: Sendable, Hashable {
  /// How much of it was sent.
  package enum Sent: Sendable, Hashable {
    case nothing
    /// CONNECT and GET_STATUS.
    case statusRequest
    /// LAUNCH as well.
    case launch
  }

  package private(set) var sent = Sent.nothing
  private let opening: [CastMessage]
  /// Nil once it was sent, or will not be.
  private var launch: CastMessage?

  /// - Parameters:
  ///   - applicationID: the application to launch.
  ///   - first: the number of GET_STATUS; LAUNCH has the next one.
  init(_ target: SessionTarget, of applicationID: String, first: RequestID) {
    opening = [
      target.message(.connect(.strong, target.identity), to: .receiver),
      target.message(.getStatus, first),
    ]
    guard target.launch.credentials == nil else { return }
    let launch = target.message(target.launchRequest(of: applicationID), RequestID(first.rawValue + 1))
    // The session says that it is too long.
    self.launch = FrameCodec.bodyLength(of: launch) <= FrameCodec.maximumBodyLength ? launch : nil
  }

  /// Begins, once.
  /// - Returns: the messages to send.
  package mutating func begin() -> [CastMessage] {
    guard sent == .nothing else { return [] }
    sent = .statusRequest
    return opening
  }

  /// Receives a message. The first status of the device decides.
  /// - Returns: LAUNCH when it is time to send it.
  package mutating func handle(_ message: CastMessage) -> CastMessage? {
    guard sent == .statusRequest, let launch, let status = ReceiverStatus(in: message) else { return nil }
    self.launch = nil
    guard status.applications.allSatisfy(\.isIdleScreen) else { return nil }
    sent = .launch
    return launch
  }
}

extension ReceiverStatus {
  /// Nil when the message is not a status of the device.
  fileprivate init?(in message: CastMessage) {
    guard message.namespace == .receiver, message.source == .receiver,
      case .success(let json) = RunningSession.read(message.payload),
      case .status(let status) = ReceiverReply.decode(json).content
    else { return nil }
    self = status
  }
}

extension SessionTarget {
  /// A message of the connection namespace.
  func message(_ message: ConnectionMessage, to destination: EndpointID) -> CastMessage {
    CastMessage(source: senderID, destination: destination, namespace: .connection, json: message.json)
  }

  /// A request to the device's platform.
  func message(_ request: ReceiverRequest, _ id: RequestID) -> CastMessage {
    CastMessage(
      source: senderID, destination: .receiver, namespace: .receiver, json: request.json(requestID: id))
  }

  func launchRequest(of applicationID: String) -> ReceiverRequest {
    .launch(
      LaunchRequest(
        applicationID: applicationID, language: launch.language,
        supportedTypes: launch.androidReceiverCompatible ? [.web, .androidTV] : [.web],
        credentials: launch.credentials?.credentials,
        credentialsType: launch.credentials?.credentialsType))
  }
}
