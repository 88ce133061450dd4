import CastProtocol
import CastReceiverSim
import CastTLS
import FoundationEssentials
import NIOCore
import NIOPosix
import Testing

/// What the world does to a receiver, over real sockets on loopback (protocol 14, 19).
@Suite(.timeLimit(.minutes(5)))
struct OutsideControlTests {
  private static func start(
    speed: Double = 1, _ change: (inout ReceiverConfiguration) -> Void = { _ in }
  ) async throws -> SimServer {
    var configuration = ReceiverConfiguration()
    configuration.launchDelay = .milliseconds(1)
    configuration.namespaceDelay = .milliseconds(1)
    configuration.media.transfersSessions = true
    change(&configuration)
    var options = SimServer.Options()
    options.speed = speed
    return try await SimServer.start(
      configuration, options, identity: try SimServerTests.identity.get(),
      on: MultiThreadedEventLoopGroup.singleton)
  }

  /// What runs, as a new sender sees it.
  private static func running(_ port: Int) async throws -> String? {
    let client = try await SenderClient.connect(port: port)
    try await client.send(["type": "CONNECT"], .connection)
    let status = try await client.status()
    try await client.close()
    return status?["applications"]?.array?.first?["sessionId"]?.string
  }

  private static func isRefused(_ port: Int) async -> Bool {
    do {
      _ = try await SenderClient.connect(port: port)
      return false
    } catch let error as NIOConnectionError {
      return error.connectionErrors.contains { ($0.error as? IOError)?.errnoCode == 111 }
    } catch {
      return false
    }
  }

  @Test("reset resets every connection; the next one finds the same application")
  func reset() async throws {
    let server = try await Self.start()
    let client = try await SenderClient.connect(port: server.port)
    let app = try #require(try await client.launch())
    try await server.control(.resetConnections)
    #expect(await client.wasReset())
    #expect(try await Self.running(server.port) == app.rawValue)
    await server.stop()
  }

  @Test(
    "reboot resets every connection, refuses new ones, and comes up on the same port without the application")
  func reboot() async throws {
    let server = try await Self.start()
    let client = try await SenderClient.connect(port: server.port)
    let app = try #require(try await client.launch())
    try await server.control(.reboot(downFor: .seconds(10)))
    #expect(await client.wasReset())
    #expect(await Self.isRefused(server.port))
    try await server.waitUntilUp()
    #expect(try await Self.running(server.port) != app.rawValue)
    await server.stop()
  }

  @Test("off the network connects meet silence or refusal; a connection that lived through it goes on")
  func drop() async throws {
    let server = try await Self.start()
    let client = try await SenderClient.connect(port: server.port)
    let app = try #require(try await client.launch())
    for absence in SimAbsence.allCases {
      try await server.control(.drop(for: nil, absence))
      try await client.send(["type": "GET_STATUS", "requestId": 5], .receiver)
      if absence == .refuse {
        #expect(await Self.isRefused(server.port))
      } else {
        await #expect(throws: ChannelError.connectTimeout(.milliseconds(200))) {
          try await SenderClient.connect(port: server.port, patience: .milliseconds(200))
        }
      }
      let report = await server.report()
      #expect(report["network"]?.string == absence.rawValue && report["connections"] == 1)
      try await server.control(.returnToNetwork)
      let answer = await client.next { $0["requestId"]?.int == 5 }
      #expect(answer?["status"]?["applications"]?.array?.first?["sessionId"]?.string == app.rawValue)
    }
    await server.stop()
  }

  @Test("a connect that is under way while the device is off the network succeeds when it returns")
  func lateConnect() async throws {
    let server = try await Self.start()
    try await server.control(.drop(for: nil, .silent))
    async let late = SenderClient.connect(port: server.port)
    try await server.control(.returnToNetwork)
    let client = try await late
    #expect(try await client.launch() != nil)
    await server.stop()
  }

  @Test("a receiver that moves hangs up, leaves its port, and goes on at the new one")
  func move() async throws {
    let server = try await Self.start()
    let old = server.port
    let client = try await SenderClient.connect(port: old)
    let app = try #require(try await client.launch())
    #expect(try await client.status() != nil)
    let new = try await server.move()
    #expect(await client.wasReset() == false)
    #expect(new != old && new == server.port)
    #expect(await Self.isRefused(old))
    #expect(try await Self.running(new) == app.rawValue)
    let other = try await Self.start()
    await #expect(throws: SimControlError.self) { try await server.move(toPort: other.port) }
    #expect(try await Self.running(new) == app.rawValue)
    await other.stop()
    await server.stop()
  }

  @Test("standby hangs up in good order, and the next connection wakes the device")
  func standby() async throws {
    let server = try await Self.start()
    let client = try await SenderClient.connect(port: server.port)
    try await client.send(["type": "CONNECT"], .connection)
    #expect(try await client.status()?["isStandBy"] == false)
    try await server.control(.sleep)
    let last = await client.next { $0["status"]?["isStandBy"] == true }
    #expect(last != nil)
    #expect(await client.wasReset() == false)
    #expect(await server.report()["power"] == "asleep")
    _ = try await Self.running(server.port)
    #expect(await server.report()["power"] == "on")
    await server.stop()
  }

  @Test("what plays is carried to another receiver over the wire and goes on there; here it ends")
  func transfer() async throws {
    let files = try await FileServer.start(["/a.wav": ("audio/wav", DurationProbeTests.wave(seconds: 600))])
    let here = try await Self.start()
    let there = try await Self.start { $0.friendlyName = "There" }
    let client = try await SenderClient.connect(port: here.port)
    #expect(try await client.launch() != nil)
    let url = "http://127.0.0.1:\(files.port)/a.wav"
    await #expect(throws: SimControlError.self) {
      try await here.transfer(toHost: "127.0.0.1", port: there.port)
    }
    try await here.control(.foreignLoad(url: url, contentType: "audio/wav"))
    try await here.transfer(toHost: "127.0.0.1", port: there.port)
    let end = await client.next { $0["type"] == "CLOSE" }
    #expect(end != nil)
    let media = await there.report()["application"]?["media"]
    #expect(media?["contentId"]?.string == url && media?["playerState"] == "PLAYING")
    #expect(await here.report()["application"] == nil)
    try await files.channel.close()
    await here.stop()
    await there.stop()
  }

  @Test("a transfer to a device that cannot take it says why, and what plays goes on")
  func failedTransfer() async throws {
    let files = try await FileServer.start(["/a.wav": ("audio/wav", DurationProbeTests.wave(seconds: 600))])
    let here = try await Self.start()
    let there = try await Self.start { $0.media.transfersSessions = false }
    try await here.control(.takeover(appID: "CC1AD845"))
    try await here.control(
      .foreignLoad(url: "http://127.0.0.1:\(files.port)/a.wav", contentType: "audio/wav"))
    let error = await #expect(throws: SimControlError.self) {
      try await here.transfer(toHost: "127.0.0.1", port: there.port)
    }
    #expect(error?.description.contains("NOT_SUPPORTED") == true)
    #expect(await here.report()["application"]?["media"]?["playerState"] == "PLAYING")
    await there.stop()
    let gone = await #expect(throws: SimControlError.self) {
      try await here.transfer(toHost: "127.0.0.1", port: there.port)
    }
    #expect(gone?.description.contains("127.0.0.1:\(there.port)") == true)
    try await files.channel.close()
    await here.stop()
  }

  @Test("a medium that cannot be loaded is told to who loaded it")
  func failedLoad() async throws {
    let files = try await FileServer.start([:])
    let server = try await Self.start()
    try await server.control(.takeover(appID: "CC1AD845"))
    await #expect(throws: SimControlError(description: "it could not be loaded")) {
      try await server.control(.foreignLoad(url: "http://127.0.0.1:\(files.port)/no.mp4", contentType: nil))
    }
    try await files.channel.close()
    await server.stop()
  }
}
