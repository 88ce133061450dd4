import CastProtocol
import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqMediaServer
import CastqPlaylists
import CastqStore
import NIOPosix
import Testing

extension DaemonTests {
  /// Other people's senders on the same receiver.
  @Suite struct StrangerTests {
    enum Deed: CaseIterable { case load, launch, stop }

    @Test("who takes the screen away keeps it, and the entry waits", arguments: Deed.allCases)
    func takesOver(by deed: Deed) async throws {
      let wire = try await Wire()
      let other = ReceiverConfiguration.Application(
        appID: "ABCDEF01", displayName: "Films", namespaces: ["urn:x-cast:example"])
      let stage = try await Stage(speed: 1, wire: wire) { $0.applications = [other] }
      try stage.enqueue([
        Stage.draft(Stage.sample("welcome.mp4"), title: "film"),
        Stage.draft(Stage.sample("promos/chime.wav"), type: "audio/wav"),
      ])
      let files = MediaServer(group: MultiThreadedEventLoopGroup.singleton)
      try await files.start()
      let running = try stage.feed()
      #expect(await running.started("film"))
      let options = SessionOptions(applicationID: deed == .launch ? "ABCDEF01" : "CC1AD845")
      let stranger = Session(device: Device(endpoint: stage.device.endpoint), options: options)
      // Their application speaks no media: it is never ready, but it has the screen.
      let starting = Task { try await stranger.start() }
      switch deed {
      case .load:
        _ = try await starting.value
        let link = try files.publish(path: Stage.sample("welcome.mp4"), contentType: "video/mp4")
        let theirs = Stage.draft(files.url(for: link, host: "127.0.0.1"), title: "Theirs").media
        _ = try await stranger.remoteMediaClient.load(theirs).value
      case .launch: break
      case .stop:
        _ = try await starting.value
        _ = try await stranger.remoteMediaClient.stop().value
      }
      let outcome = await running.outcome()
      switch (deed, outcome) {
      case (.load, .takenOver("Theirs")), (.launch, .takenOver("Films")), (.stop, .stoppedElsewhere): break
      default: Issue.record("\(outcome)")
      }
      #expect(try stage.states() == [.pending, .pending])
      let plays = try stage.plays()
      #expect(plays.map(\.outcome) == [deed == .stop ? .cancelled : .interrupted])
      // Nothing of ours came afterwards: the volume marks the end of what the receiver was told.
      _ = try await stranger.setDeviceVolume(0.3).value
      var told: [String] = []
      while let line = await wire.next(where: { $0.isIncoming }), line.type != "SET_VOLUME" {
        if ["QUEUE_LOAD", "STOP", "LAUNCH"].contains(line.type) { told.append(line.type) }
      }
      let theirs = [Deed.load: [], .launch: ["LAUNCH"], .stop: ["STOP"]]
      #expect(told == ["LAUNCH", "QUEUE_LOAD"] + (theirs[deed] ?? []))
      await stranger.leave()
      _ = await starting.result
      await files.stop()
      await stage.server.stop()
    }

    @Test("somebody's load that fails leaves the screen dark, and the list goes on where it was")
    func failedTakeover() async throws {
      // Slow enough that the film still plays when the stranger comes, on a busy machine, too.
      let stage = try await Stage(speed: 0.5)
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"), title: "film")])
      let running = try stage.feed()
      #expect(await running.started("film"))
      let stranger = try await stage.stranger()
      let dead = Stage.draft("http://127.0.0.1:1/dead.mp4").media
      await #expect(throws: CastError.self) { try await stranger.remoteMediaClient.load(dead).value }
      #expect(await running.outcome().drainedFailures == 0)
      #expect(try stage.plays().map(\.outcome) == [.interrupted, .finished])
      await stranger.leave()
      await stage.server.stop()
    }
  }
}
