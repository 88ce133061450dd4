import CastProtocol
import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqMediaServer
import CastqStore
import Foundation
import NIOPosix
import Testing

extension DaemonTests {
  /// Lists that play, with real files over real sockets.
  @Suite struct PlayingTests {
    @Test("a list plays to the end, each local file is served while it plays and not afterwards")
    func wholeList() async throws {
      // So slow that no position which is told late is taken for a seek.
      let stage = try await Stage(speed: 1.4)
      try stage.enqueue([
        Stage.draft(Stage.sample("welcome.mp4")),
        Stage.draft(Stage.sample("Caffè à la crème – été.mp3"), type: "audio/mpeg"),
        Stage.draft(Stage.sample("promos/chime.wav"), type: "audio/wav"),
      ])
      let running = try stage.feed()
      var urls: [String] = []
      var titles: [String] = []
      for await report in running.reports {
        if let url = report.playingURL, !urls.contains(url) { urls.append(url) }
        if let title = report.startedTitle { titles.append(title) }
      }
      #expect(await running.outcome().drainedFailures == 0)
      #expect(titles == ["welcome", "Caffè à la crème – été", "chime"])
      #expect(urls.count == 3 && urls.allSatisfy { $0.hasPrefix("http://127.0.0.1:") })
      #expect(try stage.states() == [.finished, .finished, .finished])
      let plays = try stage.plays()
      #expect(plays.map(\.outcome) == [.finished, .finished, .finished])
      #expect(plays.map(\.evidence) == [.reported, .reported, .reported])
      #expect(plays.allSatisfy { $0.url.hasPrefix("file:///") && $0.device == "Lobby" })
      #expect(zip(plays, [3.0, 2.06, 2.0]).allSatisfy { abs($0.playedSeconds - $1) < 0.5 })
      for url in urls { #expect(try await httpStatus(url) != 200) }
      await stage.server.stop()
    }

    @Test("a file is withdrawn when nothing on the receiver names it any more")
    func withdrawing() async throws {
      let stage = try await Stage()
      let names = ["a", "b", "c", "d", "e", "f"]
      for name in names {
        try FileManager.default.copyItem(
          atPath: Stage.sample("promos/chime.wav"), toPath: stage.folder.appending(path: "\(name).wav").path)
      }
      try stage.enqueue(
        names.map { Stage.draft(stage.folder.appending(path: "\($0).wav").path, type: "audio/wav") })
      var settings = DeviceSettings()
      settings.runner.feeder.itemsAhead = 2
      settings.runner.feeder.lowWater = 2
      settings.runner.feeder.itemsBehind = 1
      let files = MediaServer(group: MultiThreadedEventLoopGroup.singleton)
      try await files.start()
      let (urls, told) = AsyncStream.makeStream(of: String.self)
      let runner = try QueueRunner(
        device: stage.device, database: stage.database,
        media: MediaResolver(server: files, host: "127.0.0.1"),
        host: FeederHost(database: nil), settings: settings, logger: Session.silentLogger,
        inbox: RunnerInbox(time: .continuous, watching: stage.database)
      ) { if let url = $0.playingURL { told.yield(url) } }
      #expect(await runner.run().drainedFailures == 0)
      told.finish()
      var seen: Set<String> = []
      for await url in urls where seen.insert(url).inserted {
        #expect(try await httpStatus(url) == 404)
      }
      #expect(seen.count == 6)
      await files.stop()
      await stage.server.stop()
    }

    @Test("a file that is gone fails with words, and the rest plays")
    func vanishedFile() async throws {
      let stage = try await Stage()
      let path = stage.folder.appending(path: "gone.mp4").path
      try stage.enqueue([
        Stage.draft(Stage.sample("promos/chime.wav"), type: "audio/wav"), Stage.draft(path, title: "Gone"),
        Stage.draft(Stage.sample("welcome.mp4")),
      ])
      let running = try stage.feed()
      var failed: String?
      for await report in running.reports {
        if case .ended(_, let title, let play, .failed) = report, play.outcome == .failed { failed = title }
      }
      #expect(failed == "Gone")
      #expect(await running.outcome().drainedFailures == 1)
      #expect(try stage.states() == [.finished, .failed, .finished])
      let plays = try stage.plays()
      let reason = try #require(plays.first { $0.outcome == .failed }?.reason?.note)
      #expect(reason.contains("gone.mp4"))
      #expect(plays.count { $0.outcome == .finished } == 2)
      await stage.server.stop()
    }

    @Test(
      "what another program appends, removes and moves reaches the receiver, and the current item plays on")
    func editing() async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 0.2, wire: wire)
      let ids = try stage.enqueue(
        ["one", "two", "three"].map { Stage.draft(Stage.sample("welcome.mp4"), title: $0) })
      let running = try stage.feed()
      #expect(await running.started("one"))
      let load = try #require(await wire.received("QUEUE_LOAD"))
      #expect(load["items"]?.array?.count == 3)

      let observer = try await stage.stranger()
      let outside = QueueStore(try Database(path: stage.database.path))
      _ = try outside.enqueue(
        [Stage.draft(Stage.sample("promos/chime.wav"), title: "four", type: "audio/wav")],
        for: stage.device.id,
        placement: .end, at: .today)
      try outside.remove([ids[1]], from: stage.device.id)
      try outside.move(ids[2], toPosition: 9, on: stage.device.id)
      // Whatever the steps, this is what the receiver holds in the end.
      let client = observer.remoteMediaClient
      var order: [String?] = []
      while order != ["one", "four", "three"] {
        #expect(await wire.next { !$0.isIncoming && $0.type == "QUEUE_CHANGE" } != nil)
        let items = try await client.queueFetchItems(withIDs: client.queueFetchItemIDs().value).value
        order = items.map { $0.mediaInformation?.metadata?.title }
      }
      let status = try #require(try await client.requestStatus().value)
      #expect(status.playerState == .playing)
      #expect(status.mediaInformation?.metadata?.title == "one")
      #expect(status.mediaSessionID.rawValue == 1)
      await observer.leave()
      #expect(await running.stop().outcome.isStopped)
      #expect(try stage.plays().map(\.title) == ["one"])
      await stage.server.stop()
    }
  }
}
