import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqSchedule
import CastqStore
import Testing

extension DaemonTests {
  @Suite("The programmes that a daemon follows")
  struct ProgrammeFollowingTests {
    /// Sources, which are asked for by the daemon and read when a test says so.
    private final class Sources: Sendable {
      private let (asked, ask) = AsyncStream.makeStream(of: String.self)
      private let (lists, list) = AsyncStream.makeStream(of: ProgrammeList.self)

      func read(_ list: ProgrammeList) { self.list.yield(list) }

      /// The next source that is asked for.
      func next() async -> String? {
        for await source in asked { return source }
        return nil
      }

      @Sendable func follow(_ source: String, _: Duration?) -> AsyncStream<ProgrammeList> {
        ask.yield(source)
        return source == "/first.m3u" ? lists : AsyncStream { $0.finish() }
      }
    }

    @Test("the list of an announcement is read at the word of who made it, not at the next look at the rows")
    func atOnce() async throws {
      let stage = try await Stage()
      var standing = TimeSource.continuous
      standing.sleep = { _ in
        let (forever, end) = AsyncStream.makeStream(of: Never.self)
        for await _ in forever {}
        withExtendedLifetime(end) {}
        try Task.checkCancellation()
      }
      let sources = Sources()
      let daemon = try await Daemon(
        stage.database, time: standing, lists: sources.follow)
      let rule = ScheduleRule(id: RuleID(0), name: "now", programme: "", form: .always)
      _ = try ScheduleStore(try Database(path: stage.database.path))
        .add(rule, playing: .source("/now.m3u"), at: .today)
      try await daemon.ask(.poke, stage.device.id)
      #expect(await sources.next() == "/now.m3u")
      await daemon.end()
      await stage.server.stop()
    }

    @Test("the programme of a rule that is added while another programme is read is followed, too")
    func meanwhile() async throws {
      let stage = try await Stage()
      // As another program does it.
      let store = ScheduleStore(try Database(path: stage.database.path))
      func add(_ name: String) throws {
        let rule = ScheduleRule(id: RuleID(0), name: name, programme: "", form: .always)
        _ = try store.add(rule, playing: .source("/\(name).m3u"), at: .today)
      }
      try add("first")
      let sources = Sources()
      let daemon = try await Daemon(stage.database, lists: sources.follow)
      #expect(await sources.next() == "/first.m3u")
      // It is heard of before the daemon looks at the rows.
      try add("second")
      sources.read(.problem("nothing to play"))
      #expect(await sources.next() == "/second.m3u")
      await daemon.end()
      await stage.server.stop()
    }
  }
}
