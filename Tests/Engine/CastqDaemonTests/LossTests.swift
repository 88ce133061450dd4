import CastProtocol
import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Testing

extension DaemonTests {
  /// Devices that go away, and devices that were never there.
  @Suite struct LossTests {
    @Test("after a device was restarted the entry goes on where it was, and history has both plays")
    func resumes() async throws {
      let wire = try await Wire()
      // A port that the system gives to nobody by itself: it must still be free after the restart.
      let stage = try await Stage([], speed: 1, port: Int.random(in: 20_000..<32_000), wire: wire)
      // It must not end before the device does.
      try stage.enqueue([
        Stage.draft(try stage.tone("film.wav", seconds: 12), title: "film", type: "audio/wav")
      ])
      let running = try stage.feed(Self.impatient)
      for await report in running.reports {
        if case .status(let status) = report, (status.streamPosition?.seconds ?? 0) > 0.5 { break }
      }
      await stage.server.stop()
      // Hardly faster: a position that is far ahead of the clock is taken for a seek.
      let server = try await Stage.serve(speed: 1.4, port: stage.server.port, wire: wire)
      #expect(await running.outcome().drainedFailures == 0)
      let first = try #require(await wire.received("QUEUE_LOAD"))
      #expect(first["currentTime"] == nil)
      let second = try #require(await wire.received("QUEUE_LOAD"))
      #expect((0.5...11.5).contains(second["currentTime"]?.double ?? 0))
      let plays = try stage.plays()
      #expect(plays.map(\.outcome) == [.interrupted, .finished])
      #expect(plays.map(\.evidence) == [.inferred, .reported])
      #expect(plays.map(\.turn.turn) == [1, 2])
      #expect(abs(plays.map(\.playedSeconds).reduce(0, +) - 12) < 3)
      #expect(try stage.states() == [.finished])
      await server.stop()
    }

    @Test("what plays on behind a lost connection is taken up, and is one play")
    func adopts() async throws {
      let wire = try await Wire()
      // The fourth GET_STATUS is the second one that asks for the position.
      let stage = try await Stage(["drop-connection=GET_STATUS#4"], speed: 1, wire: wire)
      try stage.enqueue([
        Stage.draft(try stage.tone("film.wav", seconds: 10), title: "film", type: "audio/wav")
      ])
      let running = try stage.feed(Self.impatient)
      #expect(await running.outcome().drainedFailures == 0)
      #expect(await wire.received("QUEUE_LOAD") != nil)
      #expect(await wire.received("QUEUE_GET_ITEM_IDS") != nil)
      let plays = try stage.plays()
      #expect(plays.map(\.outcome) == [.finished] && plays.map(\.evidence) == [.reported])
      #expect(abs((plays.first?.playedSeconds ?? 0) - 10) < 3)
      #expect(try stage.states() == [.finished])
      await stage.server.stop()
    }

    @Test("a device that plays on is healthy, however long ago its connection was lost first")
    func losesOften() async throws {
      let stage = try await Stage(
        ["drop-connection=GET_STATUS#4", "drop-connection=GET_STATUS#24"], speed: 1)
      try stage.enqueue([
        Stage.draft(try stage.tone("film.wav", seconds: 15), title: "film", type: "audio/wav")
      ])
      var settings = Self.impatient
      // The second loss comes later than this after the first.
      settings.runner.reconnect = ReconnectPolicy(
        waits: [.milliseconds(50)], jitter: 0, giveUpAfter: .seconds(5))
      let running = try stage.feed(settings)
      #expect(await running.outcome().drainedFailures == 0)
      #expect(try stage.plays().map(\.outcome) == [.finished])
      await stage.server.stop()
    }

    private static var impatient: DeviceSettings {
      var settings = DeviceSettings()
      settings.runner.feeder.statusInterval = .milliseconds(400)
      settings.runner.reconnect = ReconnectPolicy(waits: [.milliseconds(100)], jitter: 0)
      return settings
    }

    @Test("an application that crashes is launched again, and its entry goes on")
    func killedApplication() async throws {
      let stage = try await Stage(["kill-app=PAUSE"], speed: 0.3)
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"), title: "film")])
      var settings = DeviceSettings()
      settings.runner.reconnect = ReconnectPolicy(waits: [.zero], jitter: 0)
      let running = try stage.feed(settings)
      #expect(await running.started("film"))
      let stranger = try await stage.stranger()
      await #expect(throws: CastError.self) { try await stranger.remoteMediaClient.pause().value }
      await stranger.leave()
      #expect(await running.outcome().drainedFailures == 0)
      #expect(try stage.plays().map(\.outcome) == [.interrupted, .finished])
      await stage.server.stop()
    }

    @Test("an application that crashes again and again is given up, not launched for ever")
    func crashingApplication() async throws {
      let stage = try await Stage(["kill-app=QUEUE_LOAD"])
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"))])
      var settings = DeviceSettings()
      settings.runner.reconnect = ReconnectPolicy(
        waits: [.zero, .milliseconds(20), .milliseconds(400)], jitter: 0, giveUpAfter: .milliseconds(600))
      let running = try stage.feed(settings)
      let outcome = await running.outcome()
      #expect(outcome.unreachable?.code == "\(CastError.Code.applicationNotRunning)", "\(outcome)")
      #expect(try stage.states() == [.pending])
      await stage.server.stop()
    }

    @Test(
      "a device that was never reached is told at once, and in what way",
      arguments: [
        (["launch-error=NOT_ALLOWED"], .notAllowed, "not allowed"),
        (["launch-error=NOT_FOUND"], .applicationNotFound, "does not know"),
        (["silent"], .timeout, "does not answer"),
        (["swallow-reply=LAUNCH", "slow"], .timeout, "did not start"),
        (["refused port"], .connectionRefused, "Lobby"),
        (["mute port"], .secureTransportError, "sends nothing"),
      ] as [([String], CastError.Code, String)])
    func unreachable(_ faults: [String], _ code: CastError.Code, _ words: String) async throws {
      let mute = try await MuteServer.start()
      let stage = try await Stage(faults.filter { !$0.contains("port") && $0 != "slow" }) {
        if faults.contains("slow") { $0.launchDelay = .seconds(3600) }
      }
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"))])
      if faults == ["refused port"] { await stage.server.stop() }
      var device = stage.device
      if faults == ["mute port"] { device.endpoint = DeviceEndpoint(host: "127.0.0.1", port: mute.port) }
      var settings = DeviceSettings()
      // What answers has the time to do so, on a busy computer, too.
      settings.session.connectTimeout = faults == ["mute port"] ? .milliseconds(300) : .seconds(60)
      settings.session.requestTimeout = faults == ["silent"] ? .milliseconds(300) : .seconds(60)
      settings.session.launchTimeout = faults.contains("slow") ? .milliseconds(300) : .seconds(60)
      let running = Running(
        feeder: try DeviceFeeder(device: device, database: stage.database, logger: Session.silentLogger),
        settings)
      let error = try #require(await running.outcome().unreachable)
      #expect(error.code == "\(code)", "\(error)")
      #expect(error.message.contains(words), "\(error)")
      #expect(try stage.states() == [.pending])
      #expect(try stage.plays().isEmpty)
      await stage.server.stop()
      try await mute.stop()
    }

    @Test("a slow launch is waited for")
    func slowLaunch() async throws {
      let stage = try await Stage(speed: 40) { $0.launchDelay = .seconds(40) }
      try stage.enqueue([Stage.draft(Stage.sample("promos/chime.wav"), type: "audio/wav")])
      #expect(try await stage.feed().outcome().drainedFailures == 0)
      await stage.server.stop()
    }
  }
}
