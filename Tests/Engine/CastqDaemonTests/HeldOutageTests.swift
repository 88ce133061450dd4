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
  /// Devices that go away and come back while the database cannot be written.
  @Suite struct HeldOutageTests {
    private typealias Documents = AsyncThrowingStream<JSONValue, any Error>.Iterator

    private static func outages(_ stage: Stage) throws -> [Outage] {
      try ReportStore(stage.database).outages(in: WallTime(milliseconds: 0)..<WallTime.latest, of: nil)
    }

    /// The daemon feeds the device of the stage, and another process holds the database.
    private static func playing(_ daemon: Daemon, _ stage: Stage) async throws -> (Documents, HeldDatabase) {
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"), title: "film")])
      try stage.queue.setRepeat(.all, for: stage.device.id)
      let socket = try #require(DatabaseLock.holder(.daemon, of: stage.database)?.socket)
      var documents = try await WatchTests.documents(of: socket)
      try await daemon.ask(.feed(FeedRequest()), stage.device.id)
      let film = try await WatchTests.next(&documents) { $0["media"]?["playerState"] == "PLAYING" }
      #expect(film != nil)
      return (documents, try HeldDatabase(stage.database.path))
    }

    @Test(
      "a stop of a device that nothing is fed to holds while the database is held, and is written afterwards")
    func stop() async throws {
      let stage = try await Stage()
      let daemon = try await Daemon(stage.database)
      let holder = try HeldDatabase(stage.database.path)
      let refusal = try await daemon.refusal(.perform(.stop(quits: false)), stage.device.id)
      #expect(refusal?.code == Failure.notFeeding, "\(String(describing: refusal))")
      #expect(holder.release())
      await daemon.end()
      #expect(try stage.queue.stoppedAt(stage.device.id) != nil)
      await stage.server.stop()
    }

    @Test(
      "the report has an outage that began and ended while the database was held, and the device its last sighting",
      arguments: [true, false])
    func held(isReleased: Bool) async throws {
      let port = Int.random(in: 20_000..<32_000)
      let stage = try await Stage(port: port)
      let daemon = try await Daemon(stage.database)
      var (documents, holder) = try await Self.playing(daemon, stage)
      await stage.server.stop()
      #expect(try await WatchTests.next(&documents) { $0["connection"] == "offline" } != nil)
      let server = try await Stage.serve(port: port)
      #expect(try await WatchTests.next(&documents) { $0["connection"] == "connected" } != nil)
      #expect(try Self.outages(stage).isEmpty)
      if isReleased { #expect(holder.release()) }
      await daemon.end()
      if !isReleased {
        #expect(holder.release())
        #expect(try Self.outages(stage).isEmpty)
        // The next process makes up for what the one before could not write.
        try await Daemon(stage.database).end()
      }
      let outages = try Self.outages(stage)
      #expect(outages.count == 1)
      let end = try #require(outages.first?.endedAt)
      #expect(outages.allSatisfy { $0.beganAt <= end && !$0.cause.contains("stopped calling") })
      let seen = try #require(try DeviceStore(stage.database).device(stage.device.id)?.lastSeenAt)
      #expect(seen >= end.adding(seconds: -1), "the sighting that ended it")
      await server.stop()
    }
  }
}
