import CastProtocol
import CastSender

/// A device on which one application runs, as a script for `ScriptedTransport`.
enum ScriptedApplication {
  static let transport: EndpointID = "web-7"
  static let media = SessionOptions.mediaNamespace

  static func status(requestID: Int = 0, namespaces: [String]) -> CastMessage {
    CastMessage(
      source: .receiver, destination: .broadcast, namespace: .receiver,
      json: [
        "type": "RECEIVER_STATUS", "requestId": .integer(Int64(requestID)),
        "status": [
          "applications": [
            [
              "appId": "AAAA0001", "displayName": "Game", "sessionId": "s1", "transportId": "web-7",
              "namespaces": .array(namespaces.map { ["name": .string($0)] }),
            ]
          ],
          "volume": ["level": 0.5, "muted": false],
        ],
      ])
  }

  static func mediaStatus(
    requestID: Int = 0, to destination: EndpointID = .broadcast, session: Int = 1, state: String = "PLAYING",
    title: String = "Film", items: [Int] = [1], current: Int = 1, idleReason: String? = nil
  ) -> CastMessage {
    CastMessage(
      source: transport, destination: destination, namespace: .media,
      json: [
        "type": "MEDIA_STATUS", "requestId": .integer(Int64(requestID)),
        "status": [
          [
            "mediaSessionId": .integer(Int64(session)), "playerState": .string(state), "currentTime": 10,
            "idleReason": idleReason.map { .string($0) } ?? .null,
            "currentItemId": .integer(Int64(current)),
            "items": .array(items.map { ["itemId": .integer(Int64($0))] }),
            "media": [
              "contentId": "http://h/a.mp4", "contentType": "video/mp4", "streamType": "BUFFERED",
              "duration": 60, "metadata": ["metadataType": 0, "title": .string(title)],
            ],
          ]
        ],
      ])
  }

  /// A message of the application to all senders.
  static func broadcast(_ text: String, in namespace: Namespace = .media) -> CastMessage {
    CastMessage(source: transport, destination: .broadcast, namespace: namespace, payload: .string(text))
  }

  /// Answers the platform at once, and the media requests of the types that are listed.
  static func script(namespaces: [String] = [media], answering types: Set<String> = ["GET_STATUS"])
    -> ScriptedTransport.Script
  {
    { message in
      guard case .string(let text) = message.payload, let json = try? JSONValue(parsing: text),
        let type = json["type"]?.string, let id = json["requestId"]?.int
      else { return [] }
      switch message.namespace {
      case .receiver: return [status(requestID: id, namespaces: namespaces)]
      case .media where types.contains(type): return [mediaStatus(requestID: id, to: message.source)]
      default: return []
      }
    }
  }

  static func session(_ transport: ScriptedTransport, needs namespace: String = media) -> Session {
    let options = SessionOptions(
      purpose: .play(applicationID: "AAAA0001"), requiredNamespaces: [namespace], reconnection: nil)
    return Session(
      device: Device(endpoint: DeviceEndpoint(host: "tv")), options: options, transport: transport,
      time: ManualTime().source)
  }
}

extension Session {
  /// Returns when everything that was said before has been heard: a message for nobody is refused in its turn.
  func settle() async {
    let message = ChannelMessage(namespace: "urn:x-cast:nobody.listens", payload: .text(""))
    _ = await submit(.message(message)).outcome
  }
}
