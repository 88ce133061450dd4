import CastProtocol
import CastReceiverSim

/// A virtual receiver with a launched Default Media Receiver and senders connected to it.
struct Stage {
  static let connection = SimConnectionID(1)
  var receiver: VirtualReceiver
  var transport: EndpointID = "none"

  init(
    _ configuration: ReceiverConfiguration = ReceiverConfiguration(), senders: [EndpointID] = ["sender-0"],
    application: String = "CC1AD845", fetching: @escaping VirtualReceiver.Fetching = Stage.recordedMedia
  ) {
    receiver = VirtualReceiver(configuration: configuration, fetching: fetching)
    receiver.handle(.connectionOpened(Self.connection))
    for sender in senders { connect(sender, to: .receiver) }
    receiver.send(
      ["type": "LAUNCH", "requestId": 1, "appId": .string(application)], .receiver,
      from: senders.first ?? "sender-0",
      to: .receiver, over: Self.connection)
    receiver.advance(by: .seconds(1))
    let status = bodies(.receiver).last { $0["status"]?["applications"] != nil }
    if let id = status?["status"]?["applications"]?.array?.first?["transportId"]?.string {
      transport = EndpointID(id)
    }
    for sender in senders { connect(sender, to: transport) }
    _ = receiver.takeOutputs()
  }

  static let recordedMedia: VirtualReceiver.Fetching = { url, _ in
    let result: FetchResult =
      switch Recording.answer(url) {
      case .missing: .failed(.status(404))
      case .image: .loaded(MediaFacts(contentType: "image/jpeg", isImage: true))
      case .video(let seconds): .loaded(MediaFacts(duration: seconds, contentType: "video/mp4"))
      case .flawed(let seconds, let flaw):
        .loaded(MediaFacts(duration: seconds, contentType: "video/mp4", flaw: flaw))
      }
    return (result, .milliseconds(20))
  }

  mutating func connect(_ sender: EndpointID, to endpoint: EndpointID) {
    receiver.send(["type": "CONNECT"], .connection, from: sender, to: endpoint, over: Self.connection)
  }

  /// Sends a media message and returns what the receiver says at once.
  mutating func media(_ body: JSONValue, from sender: EndpointID = "sender-0") -> [JSONValue] {
    receiver.send(body, .media, from: sender, to: transport, over: Self.connection)
    return bodies(.media)
  }

  /// Sends a platform message and returns what the receiver says at once.
  mutating func platform(_ body: JSONValue, _ namespace: Namespace = .receiver) -> [JSONValue] {
    receiver.send(body, namespace, from: "sender-0", to: .receiver, over: Self.connection)
    return bodies(namespace)
  }

  /// Lets time pass and returns what the receiver says meanwhile.
  mutating func wait(_ seconds: Double, _ namespace: Namespace = .media) -> [JSONValue] {
    receiver.advance(by: .seconds(seconds))
    return bodies(namespace)
  }

  /// The bodies of everything said in a namespace since the last look.
  mutating func bodies(_ namespace: Namespace) -> [JSONValue] {
    receiver.takeOutputs().compactMap(\.message).filter { $0.namespace == namespace }.compactMap(\.body)
  }
}

extension CastMessage {
  /// The payload as JSON, whatever kind of payload it is.
  var body: JSONValue? {
    switch payload {
    case .string(let text): try? JSONValue(parsing: text)
    case .binary(let bytes): try? JSONValue(parsing: bytes)
    }
  }
}
