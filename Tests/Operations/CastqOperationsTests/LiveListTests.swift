import CastProtocol
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText
import Testing

/// How lists begin and end while people change their minds, with a daemon and with a feeder of their own.
@Suite("Live lists", .timeLimit(.minutes(20)))
struct LiveListTests {
  private func with(daemon isServed: Bool, _ body: (PlayingSite) async throws -> Void) async throws {
    try await PlayingSite.with { site in
      if isServed { try await site.startDaemon() }
      try site.tone("long.wav", seconds: 600)
      try await body(site)
    }
  }

  private func long(_ site: PlayingSite) -> String { "\(site.site.folder)/long.wav" }

  @Test(
    "who casts is told of the first entry of that list, while another list plays", arguments: [false, true])
  func ownEntry(daemon: Bool) async throws {
    try await with(daemon: daemon) { site in
      let good = try site.tone("good.wav", seconds: 600)
      let gone = try site.site.file("gone.m3u", "#EXTM3U\n#EXTINF:-1,Gone\n\(try ClosedPort.url())\n")
      try await site.cast(long(site))
      await expectFailure(.refused, saying: "Gone") { try await site.cast(gone, good) }
      #expect(try await site.cast(good)["title"]?.string == "good")
    }
  }

  @Test("the application that was stopped a moment ago is launched again", arguments: [false, true])
  func afterQuitting(daemon: Bool) async throws {
    try await with(daemon: daemon) { site in
      for _ in 1...2 {
        #expect(try await site.cast(long(site))["player_state"]?.string == "PLAYING")
        try await site.perform(.stop(quits: true))
      }
    }
  }

  @Test("a stop outlives the daemon, until somebody starts the device")
  func durableStop() async throws {
    try await with(daemon: true) { site in
      try await site.cast(long(site))
      try await site.perform(.stop(quits: false))
      await site.endDaemon()
      try await site.startDaemon()
      let status = try await site.status()
      #expect(status["waiting_for"]?.string == "stopped")
      #expect(status["player_state"]?.string != "PLAYING")
      try await site.perform(.play(nil))
      let playing = try await site.status()
      #expect(playing["player_state"]?.string == "PLAYING")
      #expect(playing["waiting_for"] == nil)
    }
  }

  @Test("what a command plays is by no rule, whatever a daemon has decided before it died")
  func oldDecision() async throws {
    try await with(daemon: false) { site in
      let workspace = try Workspace(site.call)
      let occurrence = Occurrence(
        rule: RuleID(1), original: try LocalTime("2026-03-02T08:00"), start: .now, end: nil)
      let gong = ScheduleDecision(
        at: .now, kind: .announcement, onAir: .init(occurrence: occurrence, programme: "gong", revision: 1),
        planned: .now, reason: "gong interrupts", beneath: [])
      try ScheduleStore(workspace.database).record(gong, device: try await workspace.device(site.call))
      try await site.cast(long(site))
      let status = try await site.status()
      #expect(status["player_state"]?.string == "PLAYING" && status["kind"]?.string == "base", "\(status)")
      #expect(status["programme"] == nil, "\(status)")
    }
  }

  @Test("clear says what plays on, and stops it when asked")
  func clear() async throws {
    try await with(daemon: false) { site in
      try await site.cast(long(site))
      #expect(try await site.perform(.clear(stops: false)).plays == "long")
      try await site.cast(long(site))
      #expect(try await site.perform(.clear(stops: true)).plays == nil)
      #expect(try await site.status()["player_state"]?.string != "PLAYING")
    }
  }

  @Test(
    "clear that stops also stops what has left the queue, and is done when nothing plays",
    arguments: [false, true])
  func stoppedAfterwards(daemon: Bool) async throws {
    try await with(daemon: daemon) { site in
      for isRemoved in [true, false] {
        let entry = EntryID(Int64(try #require(try await site.cast(long(site))["entry"]?.int)))
        try await site.awaitPlay { $0.turn.entry == entry }
        if isRemoved {
          try await QueueCall(site.call).remove([.entry(entry)])
        } else {
          try await site.perform(.clear(stops: false))
        }
        for _ in 1...2 {
          try await site.perform(.clear(stops: true))
          #expect(try await site.status()["player_state"]?.string != "PLAYING")
        }
      }
    }
  }

  @Test("what begins by itself later is told by the clocks of the site", arguments: ["play", "enqueue"])
  func notDue(verb: String) async throws {
    try await with(daemon: false) { site in
      site.call.config = try site.site.file("tokyo.yaml", "timezone: Asia/Tokyo\n")
      let list = try site.site.file(
        "later.yaml", "entries:\n  - {url: long.wav, not_before: \"2199-01-01T00:00:00Z\"}\n")
      let queue = try await QueueCall(site.call)
      let read = await queue.read(SourceRequest(sources: [list]), isStrict: false)
      let added = try await queue.add(read, .end, plays: verb == "enqueue", isStrict: false)
      await expectFailure(
        .no,
        saying: "nothing may be shown before 2199-01-01 09:00:00 Asia/Tokyo; it begins then by itself"
      ) {
        if verb == "play" { try await site.perform(.play(nil)) } else { try await queue.start(added) }
      }
    }
  }
}
