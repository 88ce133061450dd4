import Foundation
import Testing

@Suite("castq run", .timeLimit(.minutes(20)))
struct RunTests {
  /// Every key of a line of history.
  static let historyKeys: Set = [
    "play", "entry", "device", "title", "url", "source", "line", "schedule", "started_at", "ended_at",
    "played_s", "duration_s", "outcome", "evidence", "reason", "gap_before_s", "ad_breaks",
  ]

  @Test("a good list plays to its end without a word, and history proves it")
  func goodList() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let list = try stage.playlist(tones: 3, seconds: 1)
      expectSilence(try await stage.castq("run", list))

      let plays = try await stage.history()
      #expect(plays.map { $0["title"]?.string } == ["Tone 1", "Tone 2", "Tone 3"])
      #expect(plays.map { $0["line"]?.int } == [3, 5, 7])
      for play in plays {
        #expect(Self.historyKeys.subtracting(play.keys).isEmpty)
        #expect(play["device"] == .string("lobby"))
        #expect(play["source"] == .string(list))
        #expect(play["outcome"] == .string("finished"))
        #expect(play["evidence"] == .string("reported"))
        #expect(play["played_s"] == .number(1))
        #expect(play["duration_s"] == .number(1))
        #expect(play["reason"] == .null)
        #expect(play["schedule"] == .null)
        #expect(play["ad_breaks"] == .array([]))
        #expect(Self.isTime(play["started_at"]?.string), "\(play)")
        #expect(Self.isTime(play["ended_at"]?.string), "\(play)")
      }
      #expect(plays.first?["gap_before_s"] == .null)
      #expect(plays.dropFirst().allSatisfy { ($0["gap_before_s"]?.number).map { $0 < 60 } == true })
      let queue = try await stage.queue()
      #expect(queue["entries"]?.elements.map { $0["state"]?.string } == ["finished", "finished", "finished"])
      #expect(queue["entries"]?.elements.map { $0["attempts"]?.int } == [1, 1, 1])
    }
  }

  /// RFC 3339 in UTC with milliseconds.
  static func isTime(_ text: String?) -> Bool {
    text?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
  }

  @Test(
    "an entry that cannot play is told with exit 76 while the rest plays",
    arguments: [[], ["--json"], ["--jsonl"]])
  func deadEntry(form: [String]) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.tone("good.wav", seconds: 1)
      let list = try stage.file(
        "list.m3u", "#EXTM3U\n#EXTINF:-1,Gone\n\(try QuietPort.closedURL())\n#EXTINF:1,Good\ngood.wav\n")
      let ending = try await stage.castq(["-d", receiver.address, "run", list] + form)
      if form.isEmpty {
        expectOneLine(ending, exit: 76, saying: "Gone")
      } else {
        #expect(ending.exit == 76)
        #expect(ending.outLines.count == 1)
        let error = try Document(ending.stdout)["error"]
        #expect(error?["code"] == .string("entries_failed"))
        #expect(error?["exit"] == .number(76))
        #expect(error?["message"]?.string?.contains("Gone") == true)
        // A refused load has a type, an item that fails in the queue an idle reason.
        let words = [error?["receiver"]?["type"], error?["receiver"]?["idle_reason"]]
        let known: [Document] = [.string("ERROR"), .string("LOAD_FAILED")]
        #expect(known.contains { words.contains($0) }, "\(ending.stdout)")
      }
      let plays = try await stage.history()
      #expect(
        plays.filter { $0["outcome"] == .string("failed") }.allSatisfy { $0["title"] == .string("Gone") })
      #expect(plays.contains { $0["outcome"] == .string("failed") && $0["reason"]?.string != nil })
      #expect(
        plays.filter { $0["outcome"] == .string("finished") }.map { $0["title"]?.string } == ["Good"])
    }
  }

  @Test("a run that played nothing says why; with an empty queue it is silent")
  func nothingPlayed() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("a.wav", seconds: 1)
      let over = try stage.file(
        "over.yaml", "castq: 1\nentries:\n  - url: a.wav\n    not_after: 2020-01-01T00:00:00Z\n")
      expectOneLine(
        try await stage.castq("run", over), exit: 0,
        saying: "lobby: nothing was played: the time of its entries is over")
      expectSilence(try await stage.castq("run", over, "-q"))
      let later = try stage.file(
        "later.yaml", "castq: 1\nentries:\n  - url: a.wav\n    not_before: 2090-01-01T00:00:00Z\n")
      let running = try stage.start(["run", later])
      try await stage.awaitStatus { $0["waiting_for"]?.string == "not_before" }
      try await stage.castq("clear")
      expectOneLine(
        await running.ended(), exit: 0, saying: "lobby: nothing was played: its queue was emptied")
      expectSilence(try await stage.castq("run"))
    }
  }

  @Test("a device has one feeder: the second is told to try again and changes nothing")
  func secondFeeder() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("long.wav", seconds: Stage.outlasting)
      let first = try stage.start(["run", "long.wav"])
      #expect(await receiver.playing() != nil)
      try stage.tone("other.wav", seconds: 1)
      for command in [["run", "other.wav"], ["cast", "--no-daemon", "other.wav"]] {
        expectOneLine(try await stage.castq(command), exit: 75, saying: "\(first.process)")
      }
      let entries = try await stage.queue()["entries"]?.elements ?? []
      #expect(entries.map { $0["url"]?.string?.hasSuffix("/long.wav") } == [true])
      first.signal(SIGTERM)
      #expect(await first.ended().exit == 143)
    }
  }

  @Test("repeating for ever ends when the time is over, and what was cut waits")
  func loopForAWhile() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.tone("long.wav", seconds: 600)
      expectSilence(
        try await stage.castq("run", "-d", receiver.address, "--loop", "--for", "500ms", "long.wav"))
      let queue = try await stage.queue()
      #expect(queue["repeat"] == .string("off"), "a wish for one run")
      #expect(queue["entries"]?.elements.map { $0["state"]?.string } == ["pending"])
    }
  }

  @Test(
    "a run until a time that has passed is refused, and nothing is changed",
    arguments: [["yesterday"], ["2025-12-31 18:00"], ["now"], ["yesterday", "--json"]])
  func endsBeforeItBegins(end: [String]) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      for name in ["old", "new"] { try stage.tone("\(name).wav", seconds: 600) }
      let daemon = try stage.start(["daemon"])
      #expect(await daemon.stderr.line(containing: "ready") != nil)
      expectSilence(try await stage.castq("cast", "old.wav"))
      let refused = try await stage.castq(["run", "new.wav", "--until"] + end)
      if end.contains("--json") {
        #expect(refused.exit == 64 && refused.stdout.contains("has passed"), "\(refused)")
      } else {
        expectOneLine(refused, exit: 64, saying: "has passed")
        #expect(refused.stderr.contains("--until"), "\(refused.stderr)")
      }
      let status = try await stage.status()
      #expect(status["title"]?.string == "old" && status["player_state"]?.string == "PLAYING", "\(status)")
      let entries = try await stage.queue()["entries"]?.elements ?? []
      #expect(entries.map { $0["title"]?.string } == ["old"])
      // Nor does a device become known by it.
      let other = try await stage.castq("run", "-d", "127.0.0.1:9", "new.wav", "--until", "yesterday")
      #expect(other.exit == 64)
      #expect(try await stage.castq("device", "show", "127.0.0.1:9").exit == 68)
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("entries added while it runs are played, too")
  func addedMeanwhile() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("first.wav", seconds: Stage.outlasting)
      try stage.tone("second.wav", seconds: 1)
      let run = try stage.start(["run", "first.wav"])
      #expect(await receiver.playing() != nil)
      try await stage.awaitPlay { $0["title"]?.string == "first" }
      expectSilence(try await stage.castq("enqueue", "second.wav"))
      expectSilence(try await stage.castq("next"))
      expectSilence(await run.ended())
      let plays = try await stage.history()
      #expect(plays.map { $0["url"]?.string?.hasSuffix("/first.wav") } == [true, false])
      #expect(plays.map { $0["outcome"]?.string } == ["skipped", "finished"])
    }
  }

  @Test("bad lines do not keep the good ones from playing, and are told at the end")
  func partOfAList() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.tone("good.wav", seconds: 1)
      try stage.file("list.m3u", "#EXTM3U\nnot-there.wav\ngood.wav\n")
      let ending = try await stage.castq("run", "-d", receiver.address, "list.m3u")
      #expect(ending.exit == 65)
      #expect(ending.errorLines.count == 1)
      #expect(ending.stderr.hasPrefix("castq: list.m3u:2:1: "))
      #expect(try await stage.history().map { $0["outcome"]?.string } == ["finished"])
    }
  }
}

extension QuietPort {
  /// Media that no device can fetch.
  static func closedURL() throws -> String { "http://\(try closed())/gone.mp4" }
}
