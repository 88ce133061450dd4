import CastProtocol
import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import Testing

extension DaemonTests {
  /// What goes wrong with devices and networks, over real sockets and into a real database.
  @Suite struct OutageTests {
    enum Outage: String, CaseIterable, Sendable {
      case reboot, loss, refusal, reset, exit, crash, removal, emptyStatus
    }

    private static var impatient: DeviceSettings {
      var settings = DeviceSettings()
      settings.runner.feeder.imageDuration = 1
      settings.runner.feeder.statusInterval = .milliseconds(300)
      settings.runner.reconnect = ReconnectPolicy(waits: [.zero, .milliseconds(100)], jitter: 0)
      settings.session.connectTimeout = .milliseconds(500)
      return settings
    }

    private static func strike(_ outage: Outage, _ server: SimServer) async throws {
      switch outage {
      case .reboot: try await server.control(.reboot(downFor: .milliseconds(400)))
      case .loss: try await server.control(.drop(for: .milliseconds(700), .silent))
      case .refusal:
        try await server.control(.resetConnections)
        try await server.control(.drop(for: .milliseconds(500), .refuse))
      case .reset: try await server.control(.resetConnections)
      case .exit: try await server.control(.exit)
      case .crash: try await server.control(.crash)
      case .removal:
        let media = await server.report()["application"]?["media"]
        let last = media?["items"]?.array?.last ?? 0
        try await server.control(
          .foreignRequest(["type": "QUEUE_REMOVE", "itemIds": [last]]))
      case .emptyStatus: try await server.control(.emptyStatus)
      }
    }

    @Test(
      "whatever happens to the device, every entry is shown once, and rows and history say so",
      arguments: Outage.allCases,
      [["welcome.mp4", "poster.jpg"], ["poster.jpg", "welcome.mp4", "poster.jpg"]])
    func survives(_ outage: Outage, _ files: [String]) async throws {
      let stage = try await Stage(speed: 0.5)
      try stage.enqueue(
        files.map { Stage.draft(Stage.sample($0), type: $0.hasSuffix("jpg") ? "image/jpeg" : "video/mp4") })
      let running = try stage.feed(Self.impatient)
      #expect(await running.next { if case .started = $0 { true } else { false } } != nil)
      try await Self.strike(outage, stage.server)
      #expect(await running.outcome().drainedFailures == 0)
      #expect(try stage.states() == files.map { _ in .finished })
      let plays = try stage.plays()
      for entry in Set(plays.map(\.turn.entry)) {
        let outcomes = plays.filter { $0.turn.entry == entry }.map(\.outcome)
        #expect(outcomes.last == .finished, "\(entry): \(outcomes)")
        #expect(outcomes.dropLast().allSatisfy { $0 == .interrupted }, "\(entry): \(outcomes)")
      }
      #expect(Set(plays.map(\.turn.entry)).count == files.count)
      // What goes on behind a cut connection, or a queue that others edit, is one play.
      if [.loss, .reset, .removal, .refusal].contains(outage) { #expect(plays.count == files.count) }
      await stage.server.stop()
    }

    @Test(
      "a guest gets the screen; who feeds afterwards goes on with what was cut",
      arguments: [
        SimControl.takeover(appID: EchoApplication.plainID), .foreignLoad(url: "", contentType: nil),
      ])
    func guest(_ arrival: SimControl) async throws {
      let stage = try await Stage(speed: 0.5)
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"), title: "film")])
      let running = try stage.feed(Self.impatient)
      #expect(await running.started("film"))
      var control = arrival
      if case .foreignLoad = arrival {
        let url = try #require(await stage.server.report()["application"]?["media"]?["contentId"]?.string)
        control = .foreignLoad(url: url, contentType: "video/mp4")
      }
      try await stage.server.control(control)
      guard case .takenOver = await running.outcome() else {
        Issue.record("not told as a takeover")
        return
      }
      #expect(try stage.states() == [.pending])
      #expect(try stage.plays().map(\.outcome) == [.interrupted])
      #expect(try await stage.feed(Self.impatient).outcome().drainedFailures == 0)
      #expect(try stage.plays().map(\.outcome) == [.interrupted, .finished])
      #expect(try stage.states() == [.finished])
      await stage.server.stop()
    }
  }
}
