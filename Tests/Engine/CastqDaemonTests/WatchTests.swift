import CastProtocol
import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

extension DaemonTests {
  @Suite struct WatchTests {
    static func documents(of path: String, device: DeviceID = DeviceID(0)) async throws
      -> AsyncThrowingStream<JSONValue, any Error>.Iterator
    {
      try #require(await ControlClient(socket: path, device: device).watch()).makeAsyncIterator()
    }

    static func next(
      _ documents: inout AsyncThrowingStream<JSONValue, any Error>.Iterator, _ fits: (JSONValue) -> Bool
    ) async throws -> JSONValue? {
      while let document = try await documents.next() { if fits(document) { return document } }
      return nil
    }

    @Test(
      "a watch greets, shows every device at once, and then each change: what is loaded, volume, loss, and the end"
    )
    func changes() async throws {
      let stage = try await Stage(speed: 1)
      let idle = try DeviceStore(stage.database).add(
        name: "Attic", endpoint: DeviceEndpoint(host: "127.0.0.1", port: 9), at: .today)
      let daemon = try await Daemon(stage.database)
      let socket = try #require(DatabaseLock.holder(.daemon, of: stage.database)?.socket)
      var documents = try await Self.documents(of: socket)
      let greeting = try #require(await documents.next())
      #expect(greeting["boot"]?.string?.isEmpty == false)
      var seen: Set<Int> = []
      while seen.count < 2, let document = try await documents.next() {
        let text = document.text
        #expect(text.contains("\"feeding\":false") && text.contains("\"media\":null"))
        #expect(text.contains("\"connection\":null"))
        #expect(document["outlook"]?["reason"] == "nothing_due")
        if let device = document["device"]?.int { seen.insert(device) }
      }
      #expect(seen == [Int(stage.device.id.rawValue), Int(idle.id.rawValue)])

      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"), title: "film")])
      try await daemon.ask(.feed(FeedRequest()), stage.device.id)
      let playing = try #require(
        await Self.next(&documents) { $0["media"]?["playerState"] == "PLAYING" })
      #expect(playing["device"]?.int == Int(stage.device.id.rawValue))
      #expect(playing["feeding"] == true && playing["connection"] == "connected")
      #expect(playing["media"]?["media"]?["metadata"]?["title"] == "film")

      let stranger = try await stage.stranger()
      _ = try await stranger.perform(.receiver(.setVolume(.level(0.25))))
      _ = try #require(
        await Self.next(&documents) { $0["receiver"]?["volume"]?["level"]?.double == 0.25 })
      await stranger.end(.leave)

      await stage.server.stop()
      _ = try #require(await Self.next(&documents) { $0["connection"] == "offline" })
      // The daemon has handled the loss before it answers the next question.
      _ = try await daemon.ask(.outlook, stage.device.id)
      let ever = WallTime(milliseconds: 0)..<WallTime.latest
      let outages = try ReportStore(stage.database).outages(in: ever, of: nil)
      #expect(outages.map(\.device) == [stage.device.label] && outages.first?.endedAt == nil)
      await daemon.end()
      await #expect(throws: Failure.self) { _ = try await Self.next(&documents) { _ in false } }
    }

    @Test("who watches one device gets no line of another")
    func oneDevice() async throws {
      let stage = try await Stage(speed: 1)
      let idle = try DeviceStore(stage.database).add(
        name: "Attic", endpoint: DeviceEndpoint(host: "127.0.0.1", port: 9), at: .today)
      let daemon = try await Daemon(stage.database)
      let socket = try #require(DatabaseLock.holder(.daemon, of: stage.database)?.socket)
      var documents = try await Self.documents(of: socket, device: idle.id)
      _ = try await documents.next()
      #expect(try await documents.next()?["device"]?.int == Int(idle.id.rawValue))
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"), title: "film")])
      try await daemon.ask(.feed(FeedRequest()), stage.device.id)
      try await daemon.ask(.perform(.stop(quits: false)), stage.device.id)
      _ = try? await daemon.ask(.perform(.stop(quits: false)), idle.id)
      #expect(try await documents.next()?["device"]?.int == Int(idle.id.rawValue))
      await daemon.end()
      await stage.server.stop()
    }

    @Test("a client that does not read holds one line, delays no other, and is let go with the server")
    func slowReader() async throws {
      let folder = try Stage.makeFolder()
      chmod(folder.path, 0o700)
      let path = folder.appending(path: "s.sock").path
      let (asked, ask) = AsyncStream.makeStream(of: Int.self)
      let server = try await ControlServer.start(path: path) { request in
        guard case .watch = request.command else { return nil }
        let count = Mutex(-1)
        return AsyncStream {
          let number = count.withLock { count in
            count += 1
            return count
          }
          guard number < 10_000 else { return nil }
          ask.yield(number)
          return .done([
            "text": .string(String(repeating: "x", count: 60_000)), "number": .integer(Int64(number)),
          ])
        }
      } handler: { _ in
        .done
      }
      let sleeper = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelOption(ChannelOptions.autoRead, value: false)
        .connect(unixDomainSocketPath: path).get()
      try await sleeper.writeAndFlush(
        ByteBuffer(bytes: ControlRequest(device: DeviceID(0), command: .watch).line()))
      for await number in asked where number == 0 { break }
      // Another client is served; of the sleeper's ten thousand lines only those that the kernel holds were made.
      let other = ControlClient(socket: path, device: DeviceID(1))
      #expect(try await other.ask(.perform(.pause), timeout: .seconds(240)) == [:])
      await server.stop()
      ask.finish()
      let most = await asked.reduce(0) { max($0, $1) }
      #expect(most < 100)
      try? await sleeper.close()
      try FileManager.default.removeItem(at: folder)
    }

    @Test("a watcher that says more, and one that goes with lines unread, end their connections alone")
    func rude() async throws {
      let folder = try Stage.makeFolder()
      chmod(folder.path, 0o700)
      let path = folder.appending(path: "s.sock").path
      let server = try await ControlServer.start(path: path) { request in
        guard case .watch = request.command else { return nil }
        return AsyncStream { .done(["text": .string(String(repeating: "x", count: 10_000))]) }
      } handler: { _ in
        .done
      }
      let line = try ControlRequest(device: DeviceID(0), command: .watch).line()
      for words in ["", "more", "more\n"] {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
          .channelOption(ChannelOptions.autoRead, value: false)
          .connect(unixDomainSocketPath: path).get()
        try await channel.writeAndFlush(ByteBuffer(bytes: line + Array(words.utf8)))
        try? await channel.close()
        #expect(
          try await ControlClient(socket: path, device: DeviceID(1)).ask(
            .perform(.pause), timeout: .seconds(240))
            == [:]
        )
      }
      await server.stop()
      try FileManager.default.removeItem(at: folder)
    }

    @Test("a feeder that does not understand says so instead of a greeting")
    func oldFeeder() async throws {
      let folder = try Stage.makeFolder()
      chmod(folder.path, 0o700)
      let path = folder.appending(path: "s.sock").path
      let server = try await ControlServer.start(path: path) { _ in
        .failed(Failure("bad_request", "unknown command", exit: .usage))
      }
      var documents = try await Self.documents(of: path)
      await #expect { _ = try await documents.next() } throws: {
        ($0 as? Failure)?.code == "bad_request"
      }
      await server.stop()
      try FileManager.default.removeItem(at: folder)
    }
  }
}
