import CastProtocol

/// The single outgoing path: every JSON message passes here, so that faults and the frame limit see all of them.
extension ReceiverModel {
  /// Sends one message.
  mutating func send(
    _ body: JSONValue, _ namespace: Namespace, from source: EndpointID, to destination: EndpointID,
    over connection: SimConnectionID
  ) {
    // A simulated sender, or a closed connection.
    guard connections.isOpen(connection) else { return }
    guard let body = faults.rewritten(body, namespace: namespace, to: destination, over: connection) else {
      return
    }
    let envelope = CastMessage(
      source: source, destination: destination, namespace: namespace, payload: .binary([])
    ).frameBodySize
    let text = FrameFit.fitting(body, room: Self.frameLimit - envelope - 2).text
    let isBinary = faults.has(.binaryText) && namespace == .media
    let message = CastMessage(
      source: source, destination: destination, namespace: namespace,
      payload: isBinary ? .binary(Array(text.utf8)) : .string(text))
    // A message that still does not fit is lost: a receiver never breaks the frame limit (protocol 1.2).
    guard message.frameBodySize <= Self.frameLimit else { return }
    let copies = faults.has(.duplicateBroadcasts) && destination == .broadcast ? 2 : 1
    for _ in 0..<copies { deliver(message, to: connection) }
    if destination == .broadcast, namespace == .media, body["type"] == "MEDIA_STATUS" {
      sendAgain(body, from: source, over: connection)
    }
  }

  /// Repeats the status later, if a fault asks for that.
  private mutating func sendAgain(
    _ body: JSONValue, from source: EndpointID, over connection: SimConnectionID
  ) {
    guard let delay = faults.first(.repeatStatuses)?.value.flatMap({ Duration(parsing: $0) }),
      case .object(var members) = body
    else { return }
    members["requestId"] = 0
    let message = CastMessage(
      source: source, destination: .broadcast, namespace: .media, json: .object(members))
    guard message.frameBodySize <= Self.frameLimit else { return }
    let number = faults.hold(message, for: connection)
    actions.append(.startTimer(.delayedMessage(number), after: delay))
  }

  /// Delivers a message, later if a fault asks for that.
  mutating func deliver(_ message: CastMessage, to connection: SimConnectionID) {
    if let delay = faults.replyDelay, message.namespace != .connection {
      let number = faults.hold(message, for: connection)
      actions.append(.startTimer(.delayedMessage(number), after: delay))
    } else {
      actions.append(.send(message, to: connection))
    }
  }

  /// Sends a message to every socket that is connected to the endpoint, once each (protocol 3.3).
  mutating func broadcast(_ body: JSONValue, _ namespace: Namespace, from source: EndpointID) {
    let listeners = connections.listeners(to: source)
    for connection in listeners {
      send(body, namespace, from: source, to: .broadcast, over: connection)
    }
    guard listeners.isEmpty, namespace == .media else { return }
    actions.append(
      .unheard(CastMessage(source: source, destination: .broadcast, namespace: namespace, json: body)))
  }
}
