import CastProtocol
import CastReceiverSim
import CastTLS
import FoundationEssentials
import NIOCore
import NIOPosix
import Testing

/// The driver over real sockets and real TLS on loopback.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SimServerTests {
  static let identity = Result {
    let now = Int(Date().timeIntervalSince1970)
    return try TLSIdentity.selfSigned(commonName: "test", notBefore: now - 60, notAfter: now + 86_400)
  }

  private func serve(
    _ faults: [String] = [], speed: Double = 1, log: SimLog? = nil,
    _ work: (SimServer, SenderClient) async throws -> Void
  ) async throws {
    var configuration = ReceiverConfiguration()
    configuration.faults = try faults.map { try Fault(parsing: $0) }
    configuration.launchDelay = .milliseconds(1)
    configuration.namespaceDelay = .milliseconds(1)
    var options = SimServer.Options()
    options.speed = speed
    options.log = log
    let server = try await SimServer.start(
      configuration, options, identity: try Self.identity.get(), on: MultiThreadedEventLoopGroup.singleton)
    let client = try await SenderClient.connect(port: server.port)
    try await work(server, client)
    await server.stop()
  }

  @Test("a receiver that was stopped keeps nothing back")
  func keepsNothing() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    weak var kept: SimLog?
    do {
      var options = SimServer.Options()
      let log = try SimLog(path: "/dev/null")
      options.log = log
      kept = log
      let server = try await SimServer.start(
        ReceiverConfiguration(), options, identity: try Self.identity.get(), on: group)
      let client = try await SenderClient.connect(port: server.port)
      #expect(try await client.launch() != nil)
      await server.stop()
    }
    try await group.shutdownGracefully()
    #expect(kept == nil)
  }

  private func load(_ url: String, type: String, _ client: SenderClient, _ app: EndpointID) async throws
    -> JSONValue?
  {
    let media: JSONValue = ["contentId": .string(url), "contentType": .string(type)]
    try await client.send(["type": "LOAD", "requestId": 2, "media": media], .media, to: app)
    return await client.next { $0["requestId"]?.int == 2 }
  }

  @Test(
    "media are fetched, and their length is that of the bytes",
    arguments: [("/a.wav", "audio/wav", 3.0), ("/b.mp4", "video/mp4", 61.2), ("/moved", "audio/wav", 3.0)])
  func fetching(path: String, type: String, duration: Double) async throws {
    let movie =
      DurationProbeTests.box("ftyp", Array("isom0000".utf8))
      + DurationProbeTests.box("mdat", [UInt8](repeating: 1, count: 3_000_000))
      + DurationProbeTests.movie(milliseconds: 61_200)
    let files = try await FileServer.start([
      "/a.wav": ("audio/wav", DurationProbeTests.wave(seconds: 3)), "/b.mp4": ("video/mp4", movie),
    ])
    try await serve { _, client in
      let app = try #require(try await client.launch())
      let reply = try await load("http://127.0.0.1:\(files.port)\(path)", type: type, client, app)
      let entry = reply?["status"]?.array?.first
      #expect(entry?["playerState"]?.string == "PLAYING")
      #expect(entry?["media"]?["duration"]?.double == duration)
    }
    try await files.channel.close()
  }

  @Test("a film that was not copied whole plays up to where its bytes end, then the next one")
  func cutFile() async throws {
    let head =
      DurationProbeTests.box("ftyp", Array("isom0000".utf8)) + DurationProbeTests.movie(milliseconds: 20_000)
    let film = head + DurationProbeTests.box("mdat", [UInt8](repeating: 1, count: 100_000))
    let files = try await FileServer.start([
      "/cut.mp4": ("video/mp4", Array(film.prefix(head.count + 1000))),
      "/a.wav": ("audio/wav", DurationProbeTests.wave(seconds: 3)),
    ])
    try await serve { _, client in
      let app = try #require(try await client.launch())
      let items = [("cut.mp4", "video/mp4"), ("a.wav", "audio/wav")].map { name, type -> JSONValue in
        [
          "media": [
            "contentId": .string("http://127.0.0.1:\(files.port)/\(name)"), "contentType": .string(type),
          ]
        ]
      }
      try await client.send(["type": "QUEUE_LOAD", "requestId": 2, "items": .array(items)], .media, to: app)
      let first = await client.next { $0["type"] == "ERROR" }
      #expect(first?["detailedErrorCode"] == 102 && first?["itemId"] == 1)
      let second = await client.next { $0["type"] == "ERROR" }
      #expect(second?["itemId"] == 2)
      let next = await client.next { $0["status"]?.array?.first?["playerState"] == "PLAYING" }
      #expect(next?["status"]?.array?.first?["currentItemId"] == 2)
    }
    try await files.channel.close()
  }

  @Test("a receiver's UUID follows from its name and its port, unless it has one of its own")
  func ownUUID() async throws {
    func uuid(_ name: String, port: Int = 0, derives: Bool = true) async throws -> (String, Int) {
      var configuration = ReceiverConfiguration()
      configuration.friendlyName = name
      var options = SimServer.Options()
      options.port = port
      options.derivesUUID = derives
      let server = try await SimServer.start(
        configuration, options, identity: try Self.identity.get(), on: MultiThreadedEventLoopGroup.singleton)
      let port = server.port
      await server.stop()
      return (server.configuration.uuid, port)
    }
    let (first, port) = try await uuid("One")
    #expect(try await uuid("One", port: port).0 == first)
    #expect(try await uuid("Two", port: port).0 != first)
    #expect(try await uuid("One", derives: false).0 == ReceiverConfiguration().uuid)
    #expect(first.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil)
  }

  /// A connection below TLS, and the first thing that is heard over it: bytes, or its end.
  private func bare(_ server: SimServer) async throws -> (socket: any Channel, word: EventLoopFuture<String>)
  {
    let heard = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: String.self)
    let socket = try await ClientBootstrap(group: heard.futureResult.eventLoop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(FirstWord(heard))
        }
      }
      .connect(host: "127.0.0.1", port: server.port).get()
    return (socket, heard.futureResult)
  }

  private func bareServer(speaksTLS: Bool) async throws -> SimServer {
    var configuration = ReceiverConfiguration()
    if !speaksTLS { configuration.faults = [Fault(.noTLS)] }
    return try await SimServer.start(
      configuration, .init(), identity: try Self.identity.get(), on: MultiThreadedEventLoopGroup.singleton)
  }

  /// A handshake message that does not exist: whoever speaks TLS answers it with an alert.
  private static let nonsense: [UInt8] = [22, 3, 1, 0, 4, 99, 0, 0, 0]

  @Test(
    "a receiver that stops hangs up on whoever has not got through with TLS, too", arguments: [true, false])
  func stopsEarly(speaksTLS: Bool) async throws {
    let server = try await bareServer(speaksTLS: speaksTLS)
    let silent = try await bare(server)
    if speaksTLS {
      // Connections are taken in order: when this one is answered, the silent one has been taken.
      let other = try await bare(server)
      try await other.socket.writeAndFlush(ByteBuffer(bytes: Self.nonsense))
      _ = try await other.word.get()
    }
    await server.stop()
    #expect(try await silent.word.get() == "end")
  }

  @Test("a receiver that speaks no TLS takes connections and says nothing", arguments: [true, false])
  func noTLS(speaksTLS: Bool) async throws {
    let server = try await bareServer(speaksTLS: speaksTLS)
    let (socket, word) = try await bare(server)
    try await socket.writeAndFlush(ByteBuffer(bytes: Self.nonsense))
    // What is answered comes before the end of the connection, which follows ours.
    if !speaksTLS { try await socket.close(mode: .output) }
    #expect(try await word.get() == (speaksTLS ? "bytes" : "end"))
    await server.stop()
  }

  @Test(
    "a missing file, a closed port and an https address fail the load",
    arguments: ["missing", "closed", "https"])
  func failing(kind: String) async throws {
    let files = try await FileServer.start([:])
    if kind == "closed" { try await files.channel.close() }
    let url = "\(kind == "https" ? "https" : "http")://127.0.0.1:\(files.port)/none.mp4"
    try await serve { _, client in
      let app = try #require(try await client.launch())
      let reply = try await load(url, type: "video/mp4", client, app)
      #expect(reply?["type"]?.string == "LOAD_FAILED")
      #expect(reply?["detailedErrorCode"]?.int == (kind == "missing" ? 104 : 905))
    }
    if kind != "closed" { try await files.channel.close() }
  }

  @Test("time runs faster when it is told to: an item of a minute ends at once")
  func speed() async throws {
    let files = try await FileServer.start(["/a.wav": ("audio/wav", DurationProbeTests.wave(seconds: 60))])
    try await serve(speed: 20) { _, client in
      let app = try #require(try await client.launch())
      _ = try await load("http://127.0.0.1:\(files.port)/a.wav", type: "audio/wav", client, app)
      let end = await client.next { $0["status"]?.array?.first?["idleReason"] != nil }
      #expect(end?["status"]?.array?.first?["idleReason"]?.string == "FINISHED")
    }
    try await files.channel.close()
  }

  @Test(
    "a frame that breaks the rules closes the connection",
    arguments: [[0, 1, 0, 1] as [UInt8], [0, 0, 0, 0], [0, 0, 0, 2, 0xFF, 0xFF]])
  func brokenFrames(bytes: [UInt8]) async throws {
    try await serve { _, client in
      try await client.send(bytes)
      #expect(await client.next { _ in false } == nil)
    }
  }

  @Test("frames in small pieces arrive whole")
  func pieces() async throws {
    try await serve(["half-frames"]) { _, client in
      let app = try await client.launch()
      #expect(app != nil)
    }
  }

  @Test("a dropped connection is closed, and the receiver takes the next one")
  func dropping() async throws {
    try await serve(["drop-connection=GET_STATUS#1"]) { server, client in
      try await client.send(["type": "CONNECT"], .connection)
      try await client.send(["type": "GET_STATUS", "requestId": 1], .receiver)
      #expect(await client.next { _ in false } == nil)
      let second = try await SenderClient.connect(port: server.port)
      let app = try await second.launch()
      #expect(app != nil)
    }
  }

  @Test("the log has every message both ways, with the size of its frame")
  func logging() async throws {
    let path = FileManager.default.temporaryDirectory.path() + "/castq-sim-\(UUID().uuidString).jsonl"
    try await serve(log: SimLog(path: path)) { _, client in
      let app = try await client.launch()
      #expect(app != nil)
    }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map { try JSONValue(parsing: String($0)) }
    let types = lines.map { "\($0["dir"]?.string ?? "") \($0["data"]?["type"]?.string ?? "")" }
    #expect(types.prefix(3) == ["in CONNECT", "in LAUNCH", "out RECEIVER_STATUS"])
    let first = try #require(lines.first)
    let message = CastMessage(
      source: "sender-7", destination: .receiver, namespace: .connection, json: ["type": "CONNECT"])
    #expect(first["bytes"]?.int == FrameCodec.bodyLength(of: message))
    try FileManager.default.removeItem(atPath: path)
  }

  @Test("ads are asked for over http, first the document and then the clip", arguments: [false, true])
  func ads(isMissing: Bool) async throws {
    let files = try await FileServer.start([
      "/a.wav": ("audio/wav", DurationProbeTests.wave(seconds: 3)),
      "/ad.wav": ("audio/wav", DurationProbeTests.wave(seconds: 2)),
    ])
    let root = "http://127.0.0.1:\(files.port)"
    let vast =
      "<VAST><Ad><Linear><MediaFile type=\"audio/wav\">\(root)/ad.wav</MediaFile></Linear></Ad></VAST>"
    let documents = try await FileServer.start(["/vast.xml": ("text/xml", Array(vast.utf8))])
    let tag = "http://127.0.0.1:\(documents.port)/\(isMissing ? "none" : "vast").xml"
    try await serve(speed: 20) { _, client in
      let app = try #require(try await client.launch())
      let media: JSONValue = [
        "contentId": .string("\(root)/a.wav"), "contentType": "audio/wav",
        "breaks": [["id": "b", "breakClipIds": ["c"], "position": 0]],
        "breakClips": [["id": "c", "vastAdsRequest": ["adTagUrl": .string(tag)]]],
      ]
      try await client.send(["type": "LOAD", "requestId": 2, "media": media], .media, to: app)
      var clip: JSONValue?
      let end = await client.next { body in
        let entry = body["status"]?.array?.first
        clip = entry?["media"]?["breakClips"]?.array?.first ?? clip
        return entry?["idleReason"] != nil
      }
      #expect(end?["status"]?.array?.first?["idleReason"] == "FINISHED")
      #expect(clip?["contentUrl"]?.string == (isMissing ? nil : "\(root)/ad.wav"))
    }
    try await files.channel.close()
    try await documents.channel.close()
  }

  @Test("what a person does to the device reaches its senders")
  func controls() async throws {
    try await serve { server, client in
      let app = try await client.launch()
      #expect(app != nil)
      try await server.control(.volume(0.25))
      let status = await client.next { $0["status"]?["volume"]?["level"] == 0.25 }
      #expect(status?["requestId"] == 0)
    }
  }
}

/// What a connection brings first, or that it ends without a word.
private final class FirstWord: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let promise: EventLoopPromise<String>

  init(_ promise: EventLoopPromise<String>) { self.promise = promise }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { promise.succeed("bytes") }
  func errorCaught(context: ChannelHandlerContext, error: any Error) { promise.succeed("end") }
  func channelInactive(context: ChannelHandlerContext) { promise.succeed("end") }
}
