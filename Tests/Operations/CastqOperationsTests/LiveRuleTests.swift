import CastProtocol
import CastqFeeding
import CastqOperations
import CastqSchedule
import CastqStore
import CastqText
import Testing

/// A person stops and starts a screen that has rules, or nothing to show.
@Suite("Live rules", .timeLimit(.minutes(20)))
struct LiveRuleTests {
  /// A daemon whose device plays a base.
  private func with(_ body: (PlayingSite) async throws -> Void) async throws {
    try await PlayingSite.with { site in
      for (name, seconds) in [("base", 600), ("lunch", 600), ("call", 1)] {
        try site.tone("\(name).wav", seconds: seconds)
      }
      try await site.startDaemon()
      try await site.enqueue(path(site, "base.wav"))
      try await site.awaitPlay { $0.title == "base" }
      try await body(site)
    }
  }

  private func path(_ site: PlayingSite, _ name: String) -> String { "\(site.site.folder)/\(name)" }

  /// A rule for ever that plays a source.
  private func add(_ name: String, _ source: String, _ site: PlayingSite, replaces: Bool = false)
    async throws
  {
    let rule = ScheduleRule(
      id: RuleID(0), name: name, programme: "", target: .all, form: .always, zone: .utc)
    _ = try await ScheduleCall(site.call).add(rule, playing: source, replaces: replaces)
  }

  @Test(
    "a screen that lives by rules is started by play and toggle after a stop",
    arguments: [PlaybackVerb.play(nil), .toggle])
  func startedAgain(_ verb: PlaybackVerb) async throws {
    try await with { site in
      try await site.perform(.clear(stops: false))
      try await add("lunch", path(site, "lunch.wav"), site)
      try await site.awaitPlay { $0.title == "lunch" }
      try await site.perform(.stop(quits: false))
      #expect(try await site.status()["waiting_for"]?.string == "stopped")
      try await site.perform(verb)
      let status = try await site.status()
      #expect(status["rule"]?.string == "lunch" && status["player_state"]?.string == "PLAYING", "\(status)")
      // Without a rule there is nothing, and that is said.
      try await ScheduleCall(site.call).setEnabled(false, "lunch")
      try await site.perform(.stop(quits: false))
      await expectFailure(.no, saying: "nothing is left in the queue") { try await site.perform(verb) }
    }
  }

  @Test("a start that comes with a new rule waits until its list is read")
  func startedWithRule() async throws {
    try await with { site in
      try await site.perform(.clear(stops: false))
      for round in 1...3 {
        try await site.perform(.stop(quits: false))
        try await add("new", site.site.file("new\(round).m3u", "lunch.wav\n"), site, replaces: round > 1)
        try await site.perform(.play(nil))
        #expect(try await site.status()["player_state"]?.string == "PLAYING")
      }
    }
  }

  @Test("what is years away begins nothing tomorrow")
  func nothingInvented() async throws {
    try await with { site in
      let rule = ScheduleRule(
        id: RuleID(0), name: "far", programme: "", target: .all,
        form: .once(try LocalTime("2199-01-01 10:00")), zone: .utc)
      _ = try await ScheduleCall(site.call).add(rule, playing: path(site, "lunch.wav"), replaces: false)
      try await site.perform(.clear(stops: false))
      try await site.perform(.next)
      await expectFailure(.no, saying: "nothing is left in the queue, and no rule begins soon") {
        try await site.perform(.play(nil))
      }
      let status = try await site.status()
      #expect(status["waiting_for"]?.string == "nothing_due" && status["until"] == nil, "\(status)")
    }
  }

  @Test("a stop that finds nothing playing is done, with a daemon and without one")
  func stoppedIdle() async throws {
    try await with { site in
      let call = path(site, "call.wav")
      try await site.cast(call)
      try await site.awaitPlay { $0.title == "call" && $0.outcome == .finished }
      for _ in 1...2 { try await site.perform(.stop(quits: false)) }
      try await site.enqueue(call)
      #expect(try await site.status()["waiting_for"]?.string == "stopped")
      try await site.perform(.play(nil))
      #expect(try site.plays().count { $0.title == "call" } == 2)
      await site.endDaemon()
      for _ in 1...2 { try await site.perform(.stop(quits: false)) }
      try await site.cast(call)
      await site.fed()
      for quits in [false, true, true] {
        try await site.perform(.stop(quits: quits))
        #expect(try await site.status()["waiting_for"]?.string == "stopped")
      }
    }
  }
}
