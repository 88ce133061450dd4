import CastProtocol
import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqMediaServer
import CastqPlaylists
import CastqStore
import Glibc
import Logging
import NIOPosix
import Synchronization
import Testing

/// What castq remembers of who fetched what.
@Suite struct MediaAccessLogTests {
  private func served(_ file: String?, status: Int = 206, offset: Int = 0) -> MediaServed {
    MediaServed(
      file: file, client: "192.0.2.7", method: "GET", status: status, offset: offset, bytesSent: 100,
      isComplete: true,
      took: .milliseconds(250))
  }

  @Test("a row names who, what, when and how much, and no secret link")
  func row() throws {
    let log = MediaAccessLog(logger: Session.silentLogger, time: WallClock().source)
    log.record(served("/srv/caf\u{e9} 1.mp4", offset: 7))
    let document = log.document(port: 8011)
    #expect(document["port"]?.int == 8011)
    let row = try #require(document["fetches"]?.array?.first)
    #expect(
      row["client"]?.string == "192.0.2.7" && row["method"]?.string == "GET" && row["status"]?.int == 206)
    #expect(row["url"]?.string == "file:///srv/caf%C3%A9%201.mp4")
    #expect(row["offset"]?.int == 7 && row["bytes"]?.int == 100 && row["complete"]?.bool == true)
    #expect(row["took_s"]?.double == 0.25)
    #expect(row["started_at"]?.string?.hasSuffix("Z") == true)
  }

  @Test("the newest rows stay, strangers' requests displace no device's, and a reply always fits into a line")
  func bounded() throws {
    let log = MediaAccessLog(logger: Session.silentLogger)
    for number in 0..<(MediaAccessLog.limit + 50) { log.record(served("/a", offset: number)) }
    for number in 0..<1000 { log.record(served(nil, status: 404, offset: number)) }
    let document = log.document(port: nil)
    #expect(
      document["fetches"]?.array?.compactMap { $0["offset"]?.int } == Array(50..<(MediaAccessLog.limit + 50)))
    #expect(document["refused"]?.array?.count == MediaAccessLog.refusedLimit)
    #expect(document["refused"]?.array?.last?["offset"]?.int == 999)
    for number in 0..<MediaAccessLog.limit {
      log.record(served("/" + String(repeating: "\u{1}", count: 4000), offset: number))
    }
    let reply = ControlReply.done(log.document(port: nil))
    #expect(reply.line.count < ControlRequest.lineLimit)
    let rows = try #require(ControlReply(parsing: Array(reply.line.dropLast())).get()["fetches"]?.array)
    #expect(!rows.isEmpty && rows.last?["offset"]?.int == MediaAccessLog.limit - 1)
  }

  @Test("the log has a line for each response at level debug, and none above")
  func lines() {
    let lines = Mutex<[(Logger.Level, String)]>([])
    var logger = Logger(label: "test") { _ in
      ListHandler { level, text in lines.withLock { $0.append((level, text)) } }
    }
    logger.logLevel = .trace
    let log = MediaAccessLog(logger: logger)
    log.record(served("/srv/a\u{1B}[2J.mp4"))
    log.record(served(nil, status: 404))
    let seen = lines.withLock { $0 }
    #expect(seen.map(\.0) == [.debug, .debug])
    #expect(seen[0].1.contains("206") && seen[0].1.contains("/srv/a") && !seen[0].1.contains("\u{1B}"))
  }

  /// Hands on every record as one text.
  private struct ListHandler: LogHandler {
    let write: @Sendable (Logger.Level, String) -> Void
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(_ write: @escaping @Sendable (Logger.Level, String) -> Void) { self.write = write }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      write(event.level, "\(event.message) \(event.metadata ?? [:])")
    }
  }
}

extension DaemonTests {
  /// Local files of a running daemon.
  @Suite(.serialized) struct ServedFiles {
    @Test(
      "the receiver is told the advertised address, fetches there at the fixed port, and the daemon tells of it"
    )
    func advertised() async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 1, wire: wire)
      let free = MediaServer(group: MultiThreadedEventLoopGroup.singleton)
      try await free.start()
      let port = free.port
      await free.stop()
      var configuration = DaemonConfiguration()
      configuration.mediaPort = port
      configuration.standard.advertised = try AdvertisedAddress("127.0.0.2")
      let daemon = try await Daemon(stage.database, configuration)
      try stage.enqueue([Stage.draft(Stage.sample("promos/chime.wav"), type: "audio/wav")])
      try await daemon.ask(.feed(FeedRequest()), stage.device.id)
      let load = try #require(await wire.received("QUEUE_LOAD"))
      let url = try #require(load["items"]?.array?.first?["media"]?["contentId"]?.string)
      #expect(url.hasPrefix("http://127.0.0.2:\(port)/m/"))
      #expect(try await httpStatus(url) == 200)
      #expect(try await httpStatus("http://127.0.0.2:\(port)/m/0") == 404)
      if hasIPv6 { #expect(try await httpStatus(url.replacing("127.0.0.2", with: "[::1]")) == 200) }
      let document = try await daemon.ask(.fetches, stage.device.id)
      #expect(document["port"]?.int == port)
      let rows = try #require(document["fetches"]?.array)
      #expect(
        rows.contains { $0["status"]?.int == 200 && $0["client"]?.string?.hasPrefix("127.0.0.") == true })
      #expect(rows.contains { $0["client"]?.string == "::1" } == hasIPv6)
      #expect(rows.allSatisfy { $0["url"]?.string?.hasSuffix("/chime.wav") == true })
      #expect(document["refused"]?.array?.count == 1)
      #expect(!document.text.contains("/m/"))
      await daemon.end()
      await stage.server.stop()
    }

    /// Whether this machine has the loopback address of IPv6.
    private var hasIPv6: Bool {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_addr = in6addr_loopback
      let handle = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
      guard handle >= 0 else { return false }
      defer { close(handle) }
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(handle, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
        }
      }
    }

    @Test("a fixed port that is taken is replaced by no other one, and the entry says which it is")
    func portTaken() async throws {
      let stage = try await Stage()
      let holder = MediaServer(group: MultiThreadedEventLoopGroup.singleton)
      try await holder.start()
      let host = FeederHost(database: stage.database, mediaPort: holder.port)
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"))])
      let feeder = try DeviceFeeder(
        device: stage.device, database: stage.database, logger: Session.silentLogger)
      let running = Running(feeder: feeder, DeviceSettings(), on: host)
      #expect(await running.outcome().drainedFailures == 1)
      let note = try #require(try stage.plays().first?.reason?.note)
      #expect(note.contains("port \(holder.port)"))
      await holder.stop()
      await host.shutDown(Session.silentLogger)
      await stage.server.stop()
    }

    @Test("when the port is free again, a list that repeats plays its files")
    func portFree() async throws {
      let stage = try await Stage()
      let holder = MediaServer(group: MultiThreadedEventLoopGroup.singleton)
      try await holder.start()
      let host = FeederHost(database: stage.database, mediaPort: holder.port)
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"), title: "film")])
      try stage.queue.setRepeat(.all, for: stage.device.id)
      let feeder = try DeviceFeeder(
        device: stage.device, database: stage.database, logger: Session.silentLogger)
      let running = Running(feeder: feeder, DeviceSettings(), on: host)
      let failed = await running.next {
        if case .ended(_, _, let play, _) = $0 { play.outcome == .failed } else { false }
      }
      #expect(failed != nil)
      await holder.stop()
      #expect(await running.started("film"))
      #expect(await running.stop().outcome.isStopped)
      await host.shutDown(Session.silentLogger)
      await stage.server.stop()
    }
  }
}
