import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Foundation
import Glibc
import Testing

extension DaemonTests {
  /// A database that is spoilt while a list plays.
  @Suite struct StoreTroubleTests {
    enum Spoiling: String, CaseIterable {
      case dropHistory = "DROP TABLE play"
      case removeDevice = "DELETE FROM device"
    }

    @Test("a database that fails ends the run with its own words", arguments: Spoiling.allCases)
    func fails(by spoiling: Spoiling) async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 3, wire: wire)
      try stage.enqueue(
        (1...20).map { Stage.draft(Stage.sample("welcome.mp4"), title: "\($0)") })
      let running = try stage.feed()
      #expect(await running.started("1"))
      try stage.execute("PRAGMA foreign_keys = ON; \(spoiling.rawValue)")
      let failure = try #require(await running.outcome().storeFailure)
      #expect(
        failure.message.contains(spoiling == .dropHistory ? "no such table: play" : "the list was removed"),
        "\(failure)"
      )
      // The session was left, not torn off.
      #expect(await wire.received("QUEUE_LOAD") != nil)
      #expect(await wire.received("CLOSE") != nil)
      #expect(try connections(toPort: stage.server.port) == 0)
      await stage.server.stop()
    }

    @Test(
      "a device with rows that cannot be read keeps no other from playing, and an entry that cannot be read no other entry",
      arguments: ["UPDATE queue SET round = 9223372036854775807 WHERE device_id = 1", nil])
    func damagedRows(damage: String?) async throws {
      let stage = try await Stage()
      let other = try await Stage.serve()
      let hall = try DeviceStore(stage.database).add(
        name: "Hall", endpoint: DeviceEndpoint(host: "127.0.0.1", port: other.port), at: .today)
      let film = Stage.sample("welcome.mp4")
      try stage.enqueue([Stage.draft(film)])
      _ = try stage.queue.enqueue(
        ["spoilt", "whole"].map { Stage.draft(film, title: $0) }, for: hall.id, placement: .end, at: .today)
      try stage.execute(
        damage ?? "UPDATE media_metadata SET members = '{s3cret' || '}' WHERE title = 'spoilt'")
      let daemon = try await Daemon(stage.database)
      _ = try? await daemon.ask(.feed(FeedRequest(waits: true)), hall.id)
      let played = try stage.plays().filter { $0.device == "Hall" }
      #expect(played.last?.title == "whole" && played.last?.outcome == .finished)
      #expect(played.count == (damage == nil ? 1 : 2))
      await daemon.end()
      await other.stop()
      await stage.server.stop()
    }

    @Test("a list that cannot be read launches nothing on a screen that is to stay dark")
    func heldBefore() async throws {
      let stage = try await Stage(speed: 3)
      var later = Stage.draft(Stage.sample("welcome.mp4"), title: "later")
      later.notBefore = WallTime(milliseconds: 4_000_000_000_000)
      // What is read at the beginning is put in order then, which is a write.
      var over = later
      over.notBefore = nil
      over.notAfter = WallTime(milliseconds: 1000)
      try stage.enqueue([over, later])
      let holder = try HeldDatabase(stage.database.path)
      let running = try stage.feed()
      #expect(await running.next { if case .waiting = $0 { true } else { false } } != nil)
      #expect(holder.release())
      #expect(await running.stop().outcome.isStopped)
      #expect(try connections(toPort: stage.server.port) == 0)
      await stage.server.stop()
    }

    @Test("while another process holds the database the screen plays on, and nothing of it is lost")
    func held() async throws {
      let stage = try await Stage(speed: 3)
      try stage.enqueue((1...3).map { Stage.draft(Stage.sample("welcome.mp4"), title: "\($0)") })
      try stage.queue.setRepeat(.all, for: stage.device.id)
      let running = try stage.feed()
      #expect(await running.started("1"))
      let holder = try HeldDatabase(stage.database.path)
      var (started, failed) = (1, 0)
      var reports = running.reports.makeAsyncIterator()
      func follow(until isEnough: (RunnerReport) -> Bool) async {
        while let report = await reports.next() {
          if case .started = report { started += 1 }
          if case .storeFailed(let failure) = report, failure.code == "busy" { failed += 1 }
          if isEnough(report) { return }
        }
      }
      await follow { if case .storeFailed = $0 { true } else { false } }
      let before = started
      await follow { _ in started == before + 3 }
      #expect(try stage.plays().count < started)
      // Whatever signals this thread blocks its children block, too: all but this one.
      #expect(holder.release())
      var catchUp: StoreCatchUp?
      await follow { report in
        if case .storeCaughtUp(let done) = report { catchUp = done }
        return catchUp != nil
      }
      #expect(catchUp?.isWhole == true)
      #expect(failed == 1, "an outage is told once")
      let last = started
      await follow { _ in started == last + 1 }
      _ = await running.stop()
      // Another one may have begun before it was stopped.
      await follow { _ in false }
      let plays = try stage.plays()
      #expect(plays.count == started)
      #expect(plays.map(\.title) == (0..<started).map { "\($0 % 3 + 1)" })
      #expect(plays.dropLast().allSatisfy { $0.outcome == .finished && $0.evidence == .reported })
      #expect(plays.last?.outcome == .interrupted)
      await stage.server.stop()
    }

    @Test("a second feeder of the same device is refused and disturbs nothing")
    func refusesSecondFeeder() async throws {
      let stage = try await Stage(speed: 0.2)
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"), title: "film")])
      let running = try stage.feed()
      #expect(await running.started("film"))
      #expect(throws: StoreError.self) { try stage.feed() }
      #expect(try stage.states() == [.playing])
      #expect(await running.stop().outcome.isStopped)
      // The lock went with the first one.
      #expect(try await stage.feed().stop().outcome.isStopped)
      await stage.server.stop()
    }

    @Test("what a feeder that died left behind is put in order before anything plays")
    func recovers() async throws {
      let stage = try await Stage()
      let ids = try stage.enqueue([Stage.draft(Stage.sample("promos/chime.wav"), type: "audio/wav")])
      let turn = EntryTurn(entry: ids[0], turn: 1)
      try stage.queue.offer([OfferedTurn(turn: turn, round: 0)], for: stage.device.id, at: .today)
      let start = PlaybackFact.started(
        turn, StartedPlay(at: .today, position: 0, duration: 2, gapBefore: nil))
      try stage.history.record(
        [RecordedFact(fact: start, effect: EntryEffect(state: .playing))], device: stage.device)
      #expect(try await stage.feed().outcome().drainedFailures == 0)
      #expect(try stage.plays().map(\.outcome) == [.interrupted, .finished])
      #expect(try stage.plays().map(\.evidence) == [.unobserved, .reported])
      #expect(try stage.plays().map(\.turn.turn) == [1, 2])
      await stage.server.stop()
    }
  }
}
