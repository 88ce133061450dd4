import CastProtocol
import CastReceiverSim
import CastTestKit
import Testing

/// Every message of the protocol that a sender sends has an answer of the simulator, and every one that a receiver sends is said
/// by it somewhere (protocol 5, 6, 7, 9, 10, 16).
@Suite struct GoldenMessageTests {
  @Test("a request of the protocol is answered as the protocol says", arguments: requests)
  func answers(_ name: String, _ index: Int) throws {
    let message = try #require(try Self.messages().dropFirst(index).first)
    var scene = try GoldenScene(message.given ?? "", message.namespace)
    let said = scene.send(message.json)
    let answer = try #require(message.answer)
    let number = message.json["requestId"] ?? message.json["request_id"]
    let fitting = said.filter { $0.messageType == answer && ($0["requestId"] ?? $0["request_id"]) == number }
    #expect(!fitting.isEmpty, "\(name): \(said.map(\.text))")
    for body in said { #expect(Self.faults(body, message.namespace) == [], "\(name): \(body.text)") }
  }

  /// What a device's message lacks of what the catalogue wants.
  private static func faults(_ body: JSONValue, _ namespace: String) -> [String] {
    guard namespace != "custom" else { return [] }
    guard let type = body.messageType, let entry = MessageCatalogue.entry(namespace, .reply, type) else {
      return ["not in the catalogue"]
    }
    return entry.missing(in: body)
  }

  @Test(
    "the catalogue and the golden files tell of the same messages, and each example has what it must have")
  func catalogue() throws {
    let messages = try Self.messages()
    for message in messages {
      let entry = try #require(
        MessageCatalogue.entry(message.namespace, message.direction, message.type), "\(message.type)")
      #expect(entry.section == message.section, "\(message.namespace) \(message.type)")
      // An example of what is refused may be one because something is missing.
      if message.answer != "INVALID_REQUEST" {
        #expect(
          entry.missing(in: message.json) == [], "\(message.namespace) \(message.type): \(message.note)")
      }
    }
    for entry in MessageCatalogue.entries {
      let isShown = messages.contains {
        $0.namespace == entry.namespace && $0.type == entry.type && $0.direction == entry.direction
      }
      #expect(isShown, "\(entry.namespace) \(entry.type)")
    }
  }

  @Test("what the genuine framework said has what the catalogue wants", arguments: Recording.allCases)
  func recordings(recording: Recording) throws {
    for message in try recording.messages() where !message.isRequest {
      #expect(Self.faults(message.body, "media") == [], "\(message.body.text)")
    }
  }

  @Test("the catalogue notices what is missing")
  func notices() throws {
    let status = try #require(MessageCatalogue.entry("media", .reply, "MEDIA_STATUS"))
    #expect(status.missing(in: ["requestId": 1, "status": []]) == [])
    #expect(status.missing(in: ["status": []]) == ["requestId:int"])
    let broken: JSONValue = ["requestId": 1, "status": [["mediaSessionId": "1", "volume": ["level": 1]]]]
    #expect(status.missing(in: broken).count == 6)
  }

  static let requests: [(String, Int)] = {
    let all = (try? GoldenMessageTests.messages()) ?? []
    return all.enumerated().filter { $0.element.direction == .request }
      .map { ("\($0.element.namespace) \($0.element.type): \($0.element.note)", $0.offset) }
  }()

  private static func messages() throws -> [GoldenMessage] { try GoldenMessages.all() }

  @Test("the simulator says every reply of the protocol")
  func saysEveryReply() throws {
    let messages = try Self.messages()
    var said: Set<String> = []
    for message in messages where message.direction == .request {
      var scene = try GoldenScene(message.given ?? "", message.namespace)
      for body in scene.send(message.json) { said.insert("\(message.namespace) \(body.messageType ?? "")") }
    }
    said.formUnion(try Self.spontaneous())
    let wanted = Set(
      messages.filter { $0.direction == .reply && $0.namespace != "custom" }
        .map { "\($0.namespace) \($0.type)" })
    #expect(wanted.subtracting(said) == [])
  }

  /// What a receiver says unasked.
  private static func spontaneous() throws -> Set<String> {
    var said: Set<String> = []
    var configuration = ReceiverConfiguration()
    configuration.launchStyle = .withConsent
    func note(_ namespace: String, _ bodies: [JSONValue]) {
      for body in bodies { said.insert("\(namespace) \(body.messageType ?? "")") }
    }
    var stage = Stage()
    let member = SimGroupMember(deviceID: "0d1c", name: "Kitchen")
    for control: SimControl in [
      .member(member), .member(member), .memberLeft("0d1c"), .playbackSessionUpdated,
    ] {
      stage.receiver.handle(.control(control))
    }
    note("multizone", stage.bodies(.multizone))
    stage.receiver.handle(.control(.wantCredentials))
    let film: JSONValue = ["contentId": "http://h/v1.mp4", "contentType": "video/mp4"]
    note("media", stage.media(["type": "LOAD", "requestId": 2, "media": film]))
    note("media", stage.media(["type": "LOAD", "requestId": 3, "media": film]))
    note("media", stage.wait(1))
    var documentation = ReceiverConfiguration()
    documentation.media.refusesByPlayerState = true
    var documented = Stage(documentation)
    note("media", documented.media(["type": "PLAY", "requestId": 2, "mediaSessionId": 1]))
    var consent = VirtualReceiver(configuration: configuration, fetching: Stage.recordedMedia)
    consent.handle(.connectionOpened(Stage.connection))
    consent.send(["type": "CONNECT"], .connection, from: "s", to: .receiver, over: Stage.connection)
    consent.send(
      ["type": "LAUNCH", "requestId": 2, "appId": "CC1AD845"], .receiver, from: "s", to: .receiver,
      over: Stage.connection)
    consent.advance(by: .seconds(2))
    note("receiver", consent.takeOutputs().compactMap(\.message).compactMap(\.body))
    return said
  }
}

struct UnknownGiven: Error { var name: String }

/// A receiver that is doing what an example needs.
struct GoldenScene {
  private var stage: Stage
  private let namespace: String

  init(_ given: String, _ namespace: String) throws {
    self.namespace = namespace
    var configuration = ReceiverConfiguration()
    configuration.media.transfersSessions = given == "transfer"
    configuration.queue.answersItemRanges = given == "queue with ranges"
    if given.hasPrefix("echo") {
      stage = Stage(configuration, application: "ECEC0001")
    } else {
      stage = Stage(configuration, fetching: given == "live" ? Self.endless : Stage.recordedMedia)
    }
    switch given {
    case "device", "device+", "device+, not ours", "echo": break
    case "loaded", "transfer": load(["v1.mp4"])
    case "queue", "queue with ranges": load(["v1.mp4", "v2.mp4", "v3.mp4"])
    case "middle of a queue":
      load(["v1.mp4", "v2.mp4", "v3.mp4"])
      _ = stage.media(["type": "QUEUE_UPDATE", "requestId": 4, "mediaSessionId": 1, "jump": 1])
      _ = stage.wait(0.5)
    case "live": load(["v1.mp4"], ["streamType": "LIVE"])
    case "tracks": load(["v1.mp4"], ["tracks": Self.tracks])
    case "skippable ad":
      load(["v1.mp4"], Self.ads)
      _ = stage.wait(1)
    default: throw UnknownGiven(name: given)
    }
    _ = stage.receiver.takeOutputs()
  }

  private static let endless: VirtualReceiver.Fetching = { _, _ in
    (.loaded(MediaFacts(contentType: "video/mp4")), .milliseconds(20))
  }

  private static let tracks: JSONValue = [
    ["trackId": 1, "type": "TEXT", "subtype": "SUBTITLES", "language": "en"],
    ["trackId": 2, "type": "TEXT", "subtype": "SUBTITLES", "language": "de"],
    ["trackId": 3, "type": "AUDIO", "language": "en"], ["trackId": 4, "type": "AUDIO", "language": "fr"],
  ]

  private static let ads: [String: JSONValue] = [
    "breaks": [["id": "b0", "breakClipIds": ["c1"], "position": 0, "isWatched": false]],
    "breakClips": [
      ["id": "c1", "contentId": "http://h/v9.mp4", "contentType": "video/mp4", "whenSkippable": 0]
    ],
  ]

  private mutating func load(_ names: [String], _ more: [String: JSONValue] = [:]) {
    let items = names.map { name -> JSONValue in
      let media: [String: JSONValue] = [
        "contentId": .string("http://h/\(name)"), "contentType": "video/mp4",
      ]
      return ["media": .object(media.merging(more) { $1 })]
    }
    _ = stage.media(["type": "QUEUE_LOAD", "requestId": 2, "items": .array(items)])
    _ = stage.wait(0.5)
  }

  /// Sends a message where it belongs, and returns what is said within a second and a half.
  mutating func send(_ json: JSONValue) -> [JSONValue] {
    let name: Namespace =
      switch namespace {
      case "receiver": .receiver
      case "multizone": .multizone
      case "discovery": .discovery
      case "setup": .setup
      case "custom": "urn:x-cast:org.castq.echo"
      default: .media
      }
    if name == .media || namespace == "custom" {
      stage.receiver.send(json, name, from: "sender-0", to: stage.transport, over: Stage.connection)
      return stage.bodies(name) + stage.wait(1.5, name)
    }
    return stage.platform(json, name) + stage.wait(1.5, name)
  }
}
