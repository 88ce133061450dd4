import CastProtocol

/// An application for custom namespaces (protocol 16): it says back what it is told.
///
/// Text that is a JSON object with `requestId` is answered by `{"type":"ECHO","requestId":…,"echo":…}`; other text and all bytes
/// come back as they are. Three words do something: `{"type":"BROADCAST","text":…}` tells every sender, `LISTEN` and `UNLISTEN`
/// with a `namespace` change what the application listens to.
enum EchoApplication {
  /// Plays no media.
  static let plainID = "ECEC0001"
  /// Plays media, too.
  static let mediaID = "ECEC0002"
  static let textNamespace = "urn:x-cast:org.castq.echo"
  static let binaryNamespace = "urn:x-cast:org.castq.echo.binary"

  static let profiles = [
    ReceiverConfiguration.Application(
      appID: plainID, displayName: "Echo", namespaces: [textNamespace, binaryNamespace]),
    ReceiverConfiguration.Application(
      appID: mediaID, displayName: "Echo player",
      namespaces: [Namespace.media.rawValue, textNamespace, binaryNamespace]),
  ]

  /// What a message leads to.
  enum Outcome: Sendable, Equatable {
    case answer(CastMessage.Payload)
    case broadcast(String)
    case listen(String)
    case unlisten(String)
  }

  static func outcome(of payload: CastMessage.Payload) -> Outcome {
    guard case .string(let text) = payload, let json = try? JSONValue(parsing: text),
      let members = json.object
    else { return .answer(payload) }
    switch (members["type"]?.string, members["namespace"]?.string) {
    case ("LISTEN", let namespace?): return .listen(namespace)
    case ("UNLISTEN", let namespace?): return .unlisten(namespace)
    case ("BROADCAST", _): return .broadcast(members["text"]?.string ?? "")
    default: break
    }
    guard let number = members["requestId"] else { return .answer(payload) }
    let answer: JSONValue = ["type": "ECHO", "requestId": number, "echo": json]
    return .answer(.string(answer.text))
  }
}

extension ReceiverModel {
  /// A message that is none of the protocol's own goes to the application, if that listens.
  mutating func customMessage(_ message: CastMessage, from connection: SimConnectionID) {
    let link = VirtualLink(source: message.source, destination: message.destination)
    guard connections.isConnected(link, over: connection), let application = platform.application,
      application.transport == message.destination, application.isReady
    else { return refuse(link, over: connection) }
    guard application.namespaces.contains(message.namespace.rawValue) else {
      // Devices drop it or hang up (protocol 16).
      if configuration.closesOnUnknownNamespace { refuse(link, over: connection) }
      return
    }
    guard application.isEcho else { return }
    switch EchoApplication.outcome(of: message.payload) {
    case .answer(let payload): say(payload, message.namespace, to: message.source, over: connection)
    case .broadcast(let text): sayToAll(.string(text), message.namespace)
    case .listen(let namespace): setListening(true, to: namespace)
    case .unlisten(let namespace): setListening(false, to: namespace)
    }
  }

  /// The running application listens to a namespace from now on, or no more; every sender is told (protocol 5.8).
  mutating func setListening(_ isListening: Bool, to namespace: String) {
    platform.application?.namespaces.removeAll { $0 == namespace }
    // A hostile peer must not make us grow.
    if isListening, platform.application?.namespaces.count ?? 0 < 32, namespace.utf8.count <= 128 {
      platform.application?.namespaces.append(namespace)
    }
    broadcastStatus()
  }

  /// The running application says something to every sender that is connected to it.
  mutating func sayToAll(_ payload: CastMessage.Payload, _ namespace: Namespace) {
    guard let transport = platform.application?.transport else { return }
    for connection in connections.listeners(to: transport) {
      say(payload, namespace, to: .broadcast, over: connection)
    }
  }

  private mutating func say(
    _ payload: CastMessage.Payload, _ namespace: Namespace, to destination: EndpointID,
    over connection: SimConnectionID
  ) {
    guard let transport = platform.application?.transport else { return }
    let message = CastMessage(
      source: transport, destination: destination, namespace: namespace, payload: payload)
    guard message.frameBodySize <= Self.frameLimit else { return }
    actions.append(.send(message, to: connection))
  }
}
