import CastProtocol
import CastReceiverSim
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
import Testing

/// What an earlier daemon has left on a screen on which nothing is due.
extension DaemonTests.DaemonServiceTests {
  /// A daemon that has left an entry on the screen, and ended.
  private func leave(
    _ entry: EntryDraft, _ stage: Stage, _ configuration: DaemonConfiguration
  ) async throws {
    let daemon = try await Daemon(stage.database, configuration, clock: WallClock(21, 59))
    try add([entry], stage)
    try await daemon.ask(.feed(FeedRequest()), stage.device.id)
    await daemon.end()
    #expect(try stage.states() == [.playing])
  }

  @Test(
    "a daemon that starts in quiet hours ends what is left, and the application with it unless it stays",
    arguments: QuietShow.allCases)
  func leftInQuietHours(_ show: QuietShow) async throws {
    let wire = try await Wire()
    let stage = try await Stage(speed: 0.2, wire: wire)
    var configuration = DaemonConfiguration()
    configuration.standard.quietHours = [try QuietHours("22:00-07:00")]
    configuration.standard.quietShow = show
    try await leave(Self.film, stage, configuration)
    let daemon = try await Daemon(stage.database, configuration, clock: WallClock(23))
    #expect(await wire.received("STOP")?["mediaSessionId"] != nil, "the media")
    if show == .backdrop { #expect(await wire.received("STOP")?["sessionId"] != nil, "the application") }
    if show == .black {
      #expect(await wire.received("LOAD")?["media"]?["contentType"]?.string == "image/png")
    }
    await daemon.end()
    #expect(try stage.states() == [.pending])
    let play = try #require(try stage.plays().last)
    #expect(play.outcome == .interrupted && play.evidence != .unobserved, "\(play)")
    await stage.server.stop()
  }

  @Test("a web page that was left is ended in quiet hours, whatever they show", arguments: QuietShow.allCases)
  func leftPage(_ show: QuietShow) async throws {
    let wire = try await Wire()
    let stage = try await Stage(speed: 1, wire: wire)
    var configuration = DaemonConfiguration()
    configuration.standard.quietHours = [try QuietHours("22:00-07:00")]
    configuration.standard.quietShow = show
    var page = Stage.draft("https://signage.example/menu", type: "text/html")
    page.playbackDuration = 600
    try await leave(page, stage, configuration)
    let daemon = try await Daemon(stage.database, configuration, clock: WallClock(23))
    #expect(await wire.received("STOP")?["sessionId"] != nil, "the application of the page")
    if show == .black {
      #expect(await wire.received("LOAD")?["media"]?["contentType"]?.string == "image/png")
    }
    await daemon.end()
    #expect(try stage.plays().last?.outcome == .interrupted)
    await stage.server.stop()
  }

  @Test("in black quiet hours a picture of castq's own has the screen, and history has no play of it")
  func blackNight() async throws {
    let wire = try await Wire()
    let stage = try await Stage(speed: 0.2, wire: wire)
    let clock = WallClock(21, 59)
    var configuration = DaemonConfiguration()
    configuration.standard.quietHours = [try QuietHours("22:00-07:00")]
    configuration.standard.quietShow = .black
    let daemon = try await Daemon(stage.database, configuration, clock: clock)
    try add([Self.film], stage)
    try await daemon.ask(.feed(FeedRequest()), stage.device.id)
    clock.set(22)
    await daemon.reload(.success(configuration))
    let load = try #require(await wire.received("LOAD"))
    #expect(load["media"]?["contentType"]?.string == "image/png")
    #expect(load["media"]?["contentId"]?.string?.hasSuffix("/black.png") == true, "\(load)")
    clock.set(7)
    await daemon.reload(.success(configuration))
    #expect(await wire.received("QUEUE_LOAD") != nil, "the film is back")
    await daemon.end()
    #expect(try stage.plays().allSatisfy { $0.title != "black.png" && $0.outcome == .interrupted })
    await stage.server.stop()
  }

  @Test("a daemon that starts while a list is stopped ends what is left of it, and keeps the stop")
  func leftWhenStopped() async throws {
    let wire = try await Wire()
    let stage = try await Stage(speed: 0.2, wire: wire)
    try await leave(Self.film, stage, DaemonConfiguration())
    try stage.queue.stop(stage.device.id, at: .today)
    let daemon = try await Daemon(stage.database)
    #expect(await wire.received("STOP")?["mediaSessionId"] != nil)
    await daemon.end()
    #expect(try stage.queue.stoppedAt(stage.device.id) != nil)
    await stage.server.stop()
  }
}
