import Foundation
import Testing

/// Live commands, with and without somebody who feeds the device.
@Suite("Playback", .timeLimit(.minutes(20)))
struct PlaybackTests {
  /// A device that plays a list of long tones: fed from the database that the commands see, or from another one, so that
  /// for them nobody feeds it.
  private func playing(
    isFed: Bool = true, tones: Int = 4, _ options: String..., body: (Stage, Receiver) async throws -> Void
  ) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1, options)
      try stage.add(device: "lobby", at: receiver.address)
      try await cast(try stage.playlist(tones: tones, seconds: 600), on: receiver, isFed: isFed, stage)
      try await body(stage, receiver)
    }
  }

  private func cast(_ source: String, on receiver: Receiver, isFed: Bool, _ stage: Stage) async throws {
    let variables = isFed ? [:] : ["CASTQ_DB": "\(stage.folder)/other.db"]
    expectSilence(try await stage.castq("cast", "-d", receiver.address, source, variables: variables))
  }

  private func status(_ stage: Stage) async throws -> Document { try await stage.status() }

  private func outcomes(_ stage: Stage) async throws -> [String] {
    try await stage.history().map {
      "\($0["title"]?.string ?? "?") \($0["outcome"]?.string ?? "?") \($0["evidence"]?.string ?? "?")"
    }
  }

  @Test("each verb does what it says, without a word")
  func verbs() async throws {
    try await playing { stage, receiver in
      try stage.tone("film.wav", seconds: 600)
      try stage.file("en.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n")
      let list = try stage.file(
        "film.m3u", "#EXTM3U\n#CASTQ: tracks=en.vtt:en:\"English\"\nfilm.wav\nfilm.wav\n")
      try await cast(list, on: receiver, isFed: true, stage)
      for (words, message) in [
        ("pause", "PAUSE"), ("toggle", "PLAY"), ("seek 1:30", "SEEK"), ("rate 1.5", "SET_PLAYBACK_RATE"),
        ("volume 40", "SET_VOLUME"), ("volume +5", "SET_VOLUME"), ("mute", "SET_VOLUME"),
        ("unmute", "SET_VOLUME"), ("tracks --on 1", "EDIT_TRACKS_INFO"),
        ("style edge=outline", "EDIT_TRACKS_INFO"), ("next", "QUEUE_UPDATE"), ("prev", "QUEUE_LOAD"),
        ("play p1", "QUEUE_LOAD"), ("stop --quit", "STOP"),
      ] {
        let seen = receiver.log.lines.count
        expectSilence(try await stage.castq(words.split(separator: " ").map(String.init)))
        let sent = receiver.log.lines.dropFirst(seen).filter { $0.contains(#""dir":"in""#) }
        #expect(sent.contains { $0.contains("\"\(message)\"") }, "\(words): \(sent)")
        switch words {
        case "volume +5":
          #expect(try await stage.castq("volume").stdout == "45\n")
          #expect(try await stage.json("volume")["volume"]?["level"]?.int == 45)
        case "tracks --on 1":
          let table = try await stage.castq("tracks").outLines
          #expect(table.count == 2 && table.last?.contains("English") == true, "\(table)")
          #expect(try await stage.json("tracks")["tracks"]?.elements.first?["active"] == .bool(true))
        default: break
        }
      }
      expectOneLine(
        try await stage.castq("pause"), exit: 1, saying: "castq: nothing that plays media is running on ")
      expectOneLine(try await stage.castq("play", "99"), exit: 65, saying: "no entry 99")
    }
  }

  @Test("while the queue is paused, plan and why know no end of it")
  func paused() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try await stage.castq("device", "add", "lobby", receiver.address)
      try stage.tone("long.wav", seconds: Stage.outlasting)
      try stage.file("list.m3u", "#EXTM3U\n#EXTINF:\(Int(Stage.outlasting)),Long\nlong.wav\n")
      expectSilence(try await stage.castq("cast", "list.m3u"))
      func kinds() async throws -> [String] {
        try await stage.json("plan")["segments"]?.elements.map {
          "\($0["kind"]?.string ?? "?") \($0["note"]?.string ?? "")"
        } ?? []
      }
      #expect(try await kinds() == ["base ", "dark "])
      #expect(try await stage.json("why", "+12h")["winner"]?["kind"]?.string == "dark")
      expectSilence(try await stage.castq("pause"))
      #expect(try await kinds() == ["base paused"])
      #expect(try await stage.json("why", "+12h")["winner"]?["kind"]?.string == "base")
      let check = try await stage.castq("plan", "--check", "-d", "lobby")
      #expect(
        check.exit == 0 && check.stdout.hasSuffix(": paused until somebody plays it\n"), "\(check.stdout)")
      // Without the daemon the plan does not know of the pause.
      let rows = try Document(try await stage.castq("--no-daemon", "plan", "--json").stdout)
      #expect(rows["segments"]?.elements.count == 2)
      expectSilence(try await stage.castq("play"))
      #expect(try await kinds() == ["base ", "dark "])
    }
  }

  @Test("a run in the foreground says that it was stopped, and exits 0")
  func stopRun() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      let run = try stage.start(["run", try stage.playlist(tones: 2, seconds: 600)])
      #expect(await receiver.playing() != nil)
      expectSilence(try await stage.castq("stop"))
      let ending = await run.ended()
      #expect(ending.exit == 0)
      #expect(ending.errorLines.count == 1)
      #expect(ending.stderr.contains("stopped by 'castq stop'"))
    }
  }

  @Test("cast takes over from whoever feeds the device, and tells how its first item fares")
  func castWhileFed() async throws {
    try await playing { stage, _ in
      try stage.tone("other.wav", seconds: 600)
      let holder = try stage.holder(of: "castq.db.feeder-1.lock")
      let ending = try await stage.castq("cast", "other.wav", "--json")
      #expect(ending.exit == 0)
      #expect(try Document(ending.stdout)["title"]?.string == "other")
      #expect(try stage.holder(of: "castq.db.feeder-1.lock") == holder, "the same feeder")
      #expect(try await outcomes(stage).first == "Tone 1 interrupted reported")
      try stage.tone("short.wav", seconds: 1)
      expectSilence(try await stage.castq("cast", "--wait", "short.wav"))
      #expect(await FeederEnd.of(stage))
      #expect(try await outcomes(stage).last == "short finished reported")
    }
  }

  @Test(
    "a device that cannot be reached, and one that is silent",
    arguments: [["volume"], ["play"]])
  func unreachable(command: [String]) async throws {
    try await Stage.with { stage in
      let closed = try QuietPort.closed()
      expectOneLine(try await stage.castq(["-d", closed] + command), exit: 69)
      let mute = try QuietPort()
      expectOneLine(
        try await stage.castq(["-d", mute.address, "--timeout", "300ms"] + command), exit: 124)
    }
  }

  @Test(
    "mistakes in live commands are told before anybody is talked to",
    arguments: [
      ["seek"], ["seek", "soon"], ["seek", "101%"], ["seek", "-"], ["rate"], ["rate", "3"], ["rate", "fast"],
      ["volume", "101"], ["volume", "1.1"], ["volume", "loud"], ["style"], ["style", "colour=#FFFFFF"],
      ["style", "edge=glow"], ["tracks", "--on", "x"], ["play", "first"], ["pause", "now"],
      ["send", "urn:x-cast:a"], ["send", "urn:other:a", "x"],
      ["send", "urn:x-cast:com.google.cast.media", "{}"],
    ])
  func mistakes(arguments: [String]) async throws {
    try await Stage.with { stage in
      expectOneLine(try await stage.castq(["-d", "192.0.2.1"] + arguments), exit: 64)
    }
  }

  @Test("an application that echoes is launched when that is wanted, and its answer is printed")
  func echo() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let send = ["send", "urn:x-cast:org.castq.echo"]
      expectOneLine(try await stage.castq(send + ["x"]), exit: 1, saying: "no application is running")
      expectOneLine(try await stage.castq(send + ["x", "--launch"]), exit: 64, saying: "--app")
      let application = ["--app", "ECEC0001"]
      let answer = try await stage.castq(send + ["hello", "--wait", "--launch"] + application)
      #expect(answer.exit == 0 && answer.stdout == "hello\n")
      // It runs now; what a terminal must not be told stays away from it.
      let hostile = try await stage.castq(send + ["a\u{1B}[2Jb", "--wait"] + application)
      #expect(hostile.exit == 0 && !hostile.stdout.contains("\u{1B}"))
      let document = try Document(
        try await stage.castq(send + [#"{"requestId":7}"#, "--wait", "--json"]).stdout)
      #expect(document["answer"]?.string?.contains("ECHO") == true)
      expectOneLine(
        try await stage.castq(send + [#"{"type":"LISTEN"}"#, "--app", "CC1AD845"]), exit: 1,
        saying: "CC1AD845 is not running")
    }
  }

  @Test("twenty commands at once leave a feeder that feeds on")
  func crowd() async throws {
    try await playing { stage, _ in
      try await withThrowingTaskGroup(of: Int32.self) { group in
        for number in 0..<20 {
          group.addTask { try await stage.castq("volume", "\(number * 5)").exit }
        }
        for try await exit in group { #expect(exit == 0) }
      }
      expectSilence(try await stage.castq("next"))
      #expect(try await status(stage)["title"]?.string == "Tone 2")
    }
  }
}
