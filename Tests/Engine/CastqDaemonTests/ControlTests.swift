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
  /// Live commands to a feeder at work, over its socket.
  @Suite struct ControlTests {
    private static func films(_ count: Int) -> [EntryDraft] {
      (1...count).map { Stage.draft(Stage.sample("welcome.mp4"), title: "film \($0)") }
    }

    private func ask(_ command: ControlCommand, _ stage: Stage) async throws -> JSONValue {
      try #require(
        await ControlClient.ask(
          command, device: stage.device.id, database: stage.database, timeout: .seconds(240)))
    }

    private func outcomes(_ stage: Stage) throws -> [String] {
      try stage.plays().map {
        "\($0.title) \($0.outcome.map { "\($0)" } ?? "?") \($0.evidence.map { "\($0)" } ?? "?")"
      }
    }

    @Test("a track that the receiver does not show is not said to be shown")
    func tracksOfFilmsWithAds() async throws {
      let stage = try await Stage(speed: 0.2)
      var film = Stage.draft(Stage.sample("welcome.mp4"), title: "film")
      film.media.mediaTracks = [
        MediaTrack(
          identifier: 1, kind: .text, textSubtype: .subtitles, contentIdentifier: "http://media/de.vtt",
          contentType: "text/vtt", languageCode: "de")
      ]
      film.media.adBreaks = [AdBreakInfo(identifier: "b", clipIdentifiers: ["c"], position: .postroll)]
      film.media.adBreakClips = [
        AdBreakClipInfo(identifier: "c", contentURL: "http://media/ad.mp4", contentType: "video/mp4")
      ]
      try stage.enqueue([film])
      let running = try await stage.serve()
      #expect(await running.started("film"))
      await #expect { _ = try await ask(.perform(.tracks(TrackChoice(on: [1]))), stage) } throws: {
        ($0 as? Failure)?.code == "tracks_unchanged"
      }
      await running.stop()
      await stage.server.stop()
    }

    @Test("next, previous and an entry by number: history tells who wanted it and that the receiver said so")
    func moving() async throws {
      let stage = try await Stage(speed: 0.2)
      let ids = try stage.enqueue(Self.films(5))
      let running = try await stage.serve()
      #expect(await running.started("film 1"))
      _ = try await ask(.perform(.next), stage)
      #expect(await running.started("film 2"))
      #expect(try await ask(.perform(.play(ids[3])), stage)["entry"] == .integer(ids[3].rawValue))
      #expect(await running.started("film 4"))
      #expect(
        try await ask(.perform(.previous), stage)["title"] == "film 3",
        "the one before, though it was passed over")
      #expect(
        try outcomes(stage).prefix(3) == [
          "film 1 skipped reported", "film 2 skipped reported", "film 4 skipped reported",
        ])
      await #expect { _ = try await ask(.perform(.play(EntryID(99))), stage) } throws: {
        ($0 as? Failure)?.exit == .badData
      }
      #expect(try stage.states() == [.skipped, .skipped, .playing, .queued, .queued])
      await running.stop()
      await stage.server.stop()
    }

    @Test(
      "a stop waits for the receiver's word, keeps the queue, and ends the run", arguments: [false, true])
    func stop(quits: Bool) async throws {
      let stage = try await Stage(speed: 0.2)
      try stage.enqueue(Self.films(2))
      let running = try await stage.serve()
      #expect(await running.started("film 1"))
      #expect(try await ask(.perform(.stop(quits: quits)), stage) == [:])
      // The answer comes when nothing is left of the feeder: the next one may start.
      _ = try DatabaseLock(.feeder(stage.device.id), of: stage.database)
      #expect(DatabaseLock.holder(.feeder(stage.device.id), of: stage.database) == nil)
      await running.end()
      #expect(try stage.queue.stoppedAt(stage.device.id) != nil)
      #expect(try outcomes(stage) == ["film 1 cancelled reported"])
      #expect(try stage.states() == [.pending, .pending])
      let visitor = Session(
        device: Device(endpoint: stage.device.endpoint, friendlyName: "Lobby"),
        options: SessionOptions(purpose: .device))
      try await visitor.start()
      #expect((visitor.receiverStatus?.application == nil) == quits)
      await visitor.end(.leave)
      await stage.server.stop()
    }

    @Test("the start of an entry without autoplay is told as a pause")
    func startsPaused() async throws {
      let stage = try await Stage(speed: 0.2)
      var film = Stage.draft(Stage.sample("welcome.mp4"), title: "film")
      film.autoplay = false
      try stage.enqueue([film])
      let running = try await stage.serve()
      let start = await running.next { $0.startedTitle == "film" }
      if case .started(_, _, let isPaused)? = start { #expect(isPaused) } else { Issue.record("no start") }
      await running.stop()
      await stage.server.stop()
    }

    @Test("pausing is no playing, and what is asked of the session is answered by it")
    func passing() async throws {
      let stage = try await Stage(speed: 0.2)
      try stage.enqueue(Self.films(1))
      let running = try await stage.serve()
      #expect(await running.started("film 1"))
      #expect(try await ask(.perform(.pause), stage) == [:])
      #expect(
        await running.next {
          if case .status(let status) = $0 { status.playerState == .paused } else { false }
        } != nil)
      _ = try await ask(.perform(.toggle), stage)
      #expect(
        await running.next {
          if case .status(let status) = $0 { status.playerState == .playing } else { false }
        } != nil)
      #expect(try await ask(.perform(.volume(.level(0.4))), stage)["volume"]?["level"] == 40)
      #expect(try await ask(.perform(.volume(.change(-0.05))), stage)["volume"]?["level"] == 35)
      #expect(try await ask(.perform(.mute(true)), stage)["volume"]?["muted"] == true)
      #expect(try await ask(.readVolume, stage)["volume"] == ["level": 35, "muted": true])
      #expect(try await ask(.readTracks, stage)["tracks"] == [])
      let status = try await ask(.status, stage)
      #expect(status["media"]?["playerState"] == "PLAYING")
      #expect(status["media"]?["items"]?.array?.count == 1)
      #expect(status["receiver"]?["volume"]?["muted"] == true)
      #expect(status["application"]?["appId"] == "CC1AD845")
      await #expect { _ = try await ask(.perform(.skipAd), stage) } throws: { ($0 as? Failure)?.exit == .no }
      let other = DeviceID(stage.device.id.rawValue + 1)
      let socket = try #require(DatabaseLock.holder(.feeder(stage.device.id), of: stage.database)?.socket)
      await #expect {
        _ = try await ControlClient(socket: socket, device: other).ask(.perform(.pause), timeout: nil)
      } throws: {
        ($0 as? Failure)?.exit == .deviceUnknown
      }
      await running.stop()
      await stage.server.stop()
    }

    @Test(
      "a queue that was replaced starts over, and whoever replaced it hears what became of its first entry")
    func restart() async throws {
      let stage = try await Stage(speed: 0.2)
      try stage.enqueue(Self.films(2))
      let running = try await stage.serve()
      #expect(await running.started("film 1"))
      func replace(_ drafts: [EntryDraft]) throws {
        _ = try stage.queue.enqueue(drafts, for: stage.device.id, placement: .replacing, at: .today)
      }
      try replace([Stage.draft(Stage.sample("welcome.mp4"), title: "other")])
      #expect(try await ask(.feed(FeedRequest(isNewQueue: true)), stage)["title"] == "other")
      try replace([Stage.draft("/nowhere/gone.mp4", title: "gone"), Self.films(1)[0]])
      await #expect { _ = try await ask(.feed(FeedRequest(isNewQueue: true)), stage) } throws: { error in
        (error as? Failure)?.code == "load_failed"
      }
      #expect(try outcomes(stage).prefix(2) == ["film 1 interrupted reported", "other interrupted reported"])
      await running.stop()
      await stage.server.stop()
    }

    @Test("a hundred commands at once are all answered, and the feeder feeds on")
    func crowd() async throws {
      let stage = try await Stage(speed: 0.2)
      try stage.enqueue(Self.films(2))
      let running = try await stage.serve()
      #expect(await running.started("film 1"))
      let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<100 {
          group.addTask {
            let command: ControlCommand =
              number.isMultiple(of: 2) ? .readVolume : .perform(.volume(.level(Double(number) / 100)))
            return try await ask(command, stage)["volume"] != nil
          }
        }
        return try await group.reduce(into: 0) { if $1 { $0 += 1 } }
      }
      #expect(answers == 100)
      #expect(try await ask(.perform(.next), stage) == [:])
      #expect(await running.started("film 2"))
      await running.stop()
      #expect(
        try await ControlClient.ask(
          .perform(.next), device: stage.device.id, database: stage.database, timeout: nil)
          == nil)
      await stage.server.stop()
    }
  }
}

extension Stage {
  /// The device's feeder as `castq run` and `castq cast` have it: a daemon for one device, with its socket.
  func serve() async throws -> Served { try await Served(self) }
}

/// A daemon for one device and what its runner reports.
struct Served: Sendable {
  /// Ends with the daemon.
  let reports: AsyncStream<RunnerReport>
  private let service: DaemonService
  private let task: Task<Void, Never>

  /// Starts it and waits until it answers.
  fileprivate init(_ stage: Stage) async throws {
    let (reports, told) = AsyncStream.makeStream(of: RunnerReport.self)
    self.reports = reports
    var settings = DaemonSettings()
    settings.report = { told.yield($0) }
    let feeder = try DeviceFeeder(
      device: stage.device, database: stage.database, logger: Session.silentLogger)
    let service = try DaemonService(
      database: stage.database, scope: .device(feeder, awaitsRequest: false),
      configuration: DaemonConfiguration(), settings: settings)
    self.service = service
    let (readies, ready) = AsyncStream.makeStream(of: Void.self)
    task = Task {
      await service.run { _ in ready.finish() }
      told.finish()
    }
    for await _ in readies {}
  }

  /// The next report that fits; nil when the daemon ends without one.
  func next(where fits: (RunnerReport) -> Bool) async -> RunnerReport? {
    for await report in reports where fits(report) { return report }
    return nil
  }

  /// Waits for the beginning of a play.
  func started(_ title: String) async -> Bool { await next { $0.startedTitle == title } != nil }

  /// Ends it and waits for that.
  func stop() async {
    service.terminate()
    await task.value
  }

  /// Waits until it ends by itself.
  func end() async { await task.value }
}
