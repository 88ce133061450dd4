import CastProtocol

extension ReceiverModel {
  /// Routes a message in a custom namespace to the application, if that listens.
  mutating func customMessage(_ message: CastMessage, from connection: SimConnectionID) {
    let link = VirtualLink(source: message.source, destination: message.destination)
    guard connections.isConnected(link, over: connection), let application = platform.application,
      application.transport == message.destination, application.isReady
    else { return refuse(link, over: connection) }
    guard application.namespaces.contains(message.namespace.rawValue) else {
      return unlisted(message, from: connection)
    }
    if application.pages != nil { return pageMessage(message, from: connection) }
    guard application.isEcho else { return }
    switch EchoApplication.outcome(of: message.payload, in: message.namespace) {
    case .nothing: break
    case .exit: endApplication()
    case .launchData(let number):
      let answer: JSONValue = .members([
        "type": "LAUNCH_DATA", "requestId": number, "launchData": application.launchData,
        "credentials": JSONValue(credentials),
      ])
      say(.string(answer.text), message.namespace, to: message.source, over: connection)
    case .answer(let payload): say(payload, message.namespace, to: message.source, over: connection)
    case .broadcast(let text): sayToAll(.string(text), message.namespace)
    case .listen(let namespace): setListening(true, to: namespace)
    case .unlisten(let namespace): setListening(false, to: namespace)
    }
  }

  /// Handles a message in a namespace that the application does not list: devices drop it or close the link (protocol 16).
  mutating func unlisted(_ message: CastMessage, from connection: SimConnectionID) {
    let link = VirtualLink(source: message.source, destination: message.destination)
    switch configuration.channels.unlisted {
    case .close:
      connections.disconnect(link, over: connection)
      refuse(link, over: connection)
    case .drop: break
    case .refuse:
      guard let number = message.json?["requestId"]?.int else { return }
      let answer: JSONValue = [
        "type": "INVALID_REQUEST", "requestId": .integer(Int64(number)), "reason": "INVALID_COMMAND",
      ]
      say(.string(answer.text), message.namespace, to: message.source, over: connection)
    }
  }

  /// Adds or removes a namespace of the running application, and broadcasts the status (protocol 5.8).
  mutating func setListening(_ isListening: Bool, to namespace: String) {
    platform.application?.namespaces.removeAll { $0 == namespace }
    // Bounded: a hostile peer must not exhaust memory.
    if isListening, platform.application?.namespaces.count ?? 0 < 32, namespace.utf8.count <= 128 {
      platform.application?.namespaces.append(namespace)
    }
    broadcastStatus()
  }

  /// Sends a message of the running application to every sender that is connected to it.
  mutating func sayToAll(_ payload: CastMessage.Payload, _ namespace: Namespace) {
    guard let transport = platform.application?.transport else { return }
    for connection in connections.listeners(to: transport) {
      say(payload, namespace, to: .broadcast, over: connection)
    }
  }

  mutating func say(
    _ payload: CastMessage.Payload, _ namespace: Namespace, to destination: EndpointID,
    over connection: SimConnectionID
  ) {
    guard let transport = platform.application?.transport else { return }
    let message = CastMessage(
      source: transport, destination: destination, namespace: namespace, payload: payload)
    guard message.frameBodySize <= Self.frameLimit else { return }
    deliver(message, to: connection)
  }
}
