import CastProtocol
import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqMediaServer
import CastqStore
import NIOPosix
import Testing

extension DaemonTests {
  /// A run that is told to stop does so at once, leaves nothing behind, and silences what it had begun.
  @Suite struct StoppingTests {
    enum Phase: CaseIterable {
      case beforeConnecting, connecting, launching, loading, playing, betweenItems, waitingToRetry
    }

    @Test("a stop is prompt, ends what plays, and the entry waits again", arguments: Phase.allCases)
    func stops(in phase: Phase) async throws {
      let mute = try await MuteServer.start()
      let wire = try await Wire()
      let stage = try await Stage(speed: phase == .betweenItems ? 40 : 1, wire: wire) {
        if phase == .launching { $0.launchDelay = .seconds(400) }
      }
      let film = Stage.draft(Stage.sample("welcome.mp4"), title: "film")
      let stuck = Stage.draft(mute.slowMedium, title: "stuck")
      switch phase {
      case .loading: try stage.enqueue([stuck])
      case .betweenItems: try stage.enqueue([film, stuck])
      default: try stage.enqueue([film])
      }
      let files = MediaServer(group: MultiThreadedEventLoopGroup.singleton)
      try await files.start()
      let time = CountedTime()
      var device = stage.device
      if phase == .connecting { device.endpoint = DeviceEndpoint(host: "127.0.0.1", port: mute.port) }
      let (reports, told) = AsyncStream.makeStream(of: RunnerReport.self)
      var settings = DeviceSettings()
      settings.runner.reconnect = ReconnectPolicy(waits: [.seconds(400)], jitter: 0)
      // Nothing that it waits for ends by itself.
      settings.session.connectTimeout = .seconds(400)
      settings.session.requestTimeout = .seconds(400)
      settings.session.launchTimeout = .seconds(400)
      settings.session.loadTimeout = .seconds(400)
      let runner = try QueueRunner(
        device: device, database: stage.database, media: MediaResolver(server: files, host: "127.0.0.1"),
        host: FeederHost(database: nil), settings: settings,
        logger: Session.silentLogger, inbox: RunnerInbox(time: time.source, watching: stage.database)
      ) { told.yield($0) }
      if phase == .beforeConnecting { runner.inbox.yield(.stop("too early")) }
      let task = Task { await runner.run() }
      switch phase {
      case .beforeConnecting: break
      case .connecting: for await report in reports where report.isConnecting { break }
      case .launching: _ = await wire.received("LAUNCH")
      case .loading: _ = await wire.received("QUEUE_LOAD")
      case .playing: for await report in reports where report.startedTitle == "film" { break }
      case .betweenItems: _ = await wire.next { $0.status?["idleReason"]?.string == "FINISHED" }
      case .waitingToRetry:
        for await report in reports where report.startedTitle == "film" { break }
        await stage.server.stop()
        for await report in reports where report.isRetrying { break }
      }
      let began = ContinuousClock.now
      runner.inbox.yield(.stop("the test is over"))
      #expect(await task.value.isStopped)
      // Less than a second when the machine is idle.
      #expect(ContinuousClock.now - began < .seconds(120))
      #expect(time.waiting == 0)
      #expect(try connections(toPort: stage.server.port) == 0)
      if [.loading, .playing, .betweenItems].contains(phase) {
        #expect(await wire.lastWord()?["mediaSessionId"]?.int == 1)
      }
      #expect(try stage.states().last == .pending)
      if phase == .playing || phase == .waitingToRetry {
        let play = try #require(try stage.plays().first)
        #expect(play.outcome == .interrupted)
        #expect(play.evidence == .inferred)
      }
      await files.stop()
      await stage.server.stop()
      try await mute.stop()
    }

    @Test("a load whose answer is not there yet is stopped as soon as the receiver names it")
    func stopsUnansweredLoad() async throws {
      let wire = try await Wire()
      let stage = try await Stage(["delay-replies=200ms"], speed: 1, wire: wire)
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"), title: "film")])
      let running = try stage.feed()
      #expect(await wire.received("QUEUE_LOAD") != nil)
      let (outcome, took) = await running.stop()
      #expect(outcome.isStopped)
      #expect(took < .seconds(120))
      #expect(await wire.lastWord()?["mediaSessionId"]?.int == 1)
      await stage.server.stop()
    }

  }
}
