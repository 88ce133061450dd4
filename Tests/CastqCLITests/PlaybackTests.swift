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

  @Test("pause, toggle, play, seek and rate do what they say, without a word", arguments: [true, false])
  func transport(isFed: Bool) async throws {
    try await playing(isFed: isFed) { stage, receiver in
      func expect(_ command: String..., state: String, in range: ClosedRange<Double>? = nil) async throws {
        expectSilence(try await stage.castq(command))
        let status = try await self.status(stage)
        #expect(status["player_state"] == .string(state), "\(command)")
        if let range { #expect(range.contains(status["position_s"]?.number ?? -1), "\(command): \(status)") }
      }
      try await expect("pause", state: "PAUSED")
      try await expect("toggle", state: "PLAYING")
      try await expect("toggle", state: "PAUSED")
      try await expect("seek", "1:30", state: "PAUSED", in: 89.9...90.1)
      try await expect("seek", "+10s", state: "PAUSED", in: 99.9...100.1)
      try await expect("seek", "-1m", state: "PAUSED", in: 39.9...40.1)
      try await expect("seek", "50%", state: "PAUSED", in: 299.9...300.1)
      try await expect("play", state: "PLAYING", in: 299...330)
      try await expect("rate", "1.5", state: "PLAYING")
      #expect(try await status(stage)["rate"]?.number == 1.5)
      #expect(receiver.requests.contains("SET_PLAYBACK_RATE"))
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

  @Test("next and prev walk the list; history says who wanted it")
  func walking() async throws {
    try await playing { stage, _ in
      expectSilence(try await stage.castq("next"))
      expectSilence(try await stage.castq("next"))
      expectSilence(try await stage.castq("prev"))
      #expect(try await status(stage)["title"]?.string == "Tone 2")
      #expect(
        try await outcomes(stage).prefix(3) == [
          "Tone 1 skipped reported", "Tone 2 skipped reported", "Tone 3 skipped reported",
        ])
      expectSilence(try await stage.castq("play", "4"))
      #expect(try await status(stage)["entry"]?.int == 4)
      let states = try await stage.queue()["entries"]?.elements.map { $0["state"]?.string }
      #expect(states == ["skipped", "skipped", "skipped", "playing"])
      expectOneLine(try await stage.castq("play", "99"), exit: 65, saying: "no entry 99")
      expectSilence(try await stage.castq("play", "1"))
      #expect(try await status(stage)["entry"]?.int == 1)
    }
  }

  @Test("without a feeder, next and prev are the receiver's own")
  func walkingAlone() async throws {
    try await playing(isFed: false) { stage, receiver in
      expectSilence(try await stage.castq("next"))
      #expect(try await status(stage)["title"]?.string == "Tone 2")
      expectSilence(try await stage.castq("prev"))
      #expect(try await status(stage)["title"]?.string == "Tone 1")
      expectSilence(try await stage.castq("stop"))
      #expect(try await stage.castq("status").exit == 1)
      expectOneLine(try await stage.castq("pause"), exit: 1, saying: "nothing is playing")
      expectSilence(try await stage.castq("stop", "--quit"))
      #expect(try await status(stage)["application"] == .null)
      expectSilence(try await stage.castq("stop", "--quit"))
      expectOneLine(try await stage.castq("next"), exit: 1, saying: "lobby")
    }
  }

  @Test("stop ends the feeder in the background and keeps the queue; play goes on with it")
  func stopAndPlay() async throws {
    try await playing { stage, receiver in
      expectSilence(try await stage.castq("stop"))
      // Nothing of the feeder is left when the command returns: run may start at once.
      let queue = try await stage.queue()["entries"]?.elements.map { $0["state"]?.string }
      #expect(queue == ["pending", "pending", "pending", "pending"])
      #expect(try await outcomes(stage) == ["Tone 1 cancelled reported"])
      expectSilence(try await stage.castq("play"))
      #expect(try await status(stage)["title"]?.string == "Tone 1")
      expectSilence(try await stage.castq("stop", "--quit"))
      #expect(try await status(stage)["application"] == .null)
      expectSilence(try await stage.castq("play", "3"))
      #expect(try await status(stage)["title"]?.string == "Tone 3")
      #expect(
        try await stage.queue()["entries"]?.elements.map { $0["state"]?.string } == [
          "skipped", "skipped", "playing", "queued",
        ])
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

  @Test("next on the last entry drains the queue, and nothing plays then")
  func nextAtTheEnd() async throws {
    try await playing(tones: 1) { stage, _ in
      expectSilence(try await stage.castq("next"))
      #expect(await FeederEnd.of(stage))
      #expect(try await outcomes(stage) == ["Tone 1 skipped reported"])
      expectOneLine(try await stage.castq("play"), exit: 1, saying: "nothing is left in the queue")
      expectOneLine(try await stage.castq("prev"), exit: 1)
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
      let gone = try stage.file(
        "gone.m3u", "#EXTM3U\n#EXTINF:-1,Gone\n\(try QuietPort.closedURL())\nother.wav\n")
      expectOneLine(try await stage.castq("cast", gone), exit: 76, saying: "Gone")
      try stage.tone("short.wav", seconds: 1)
      expectSilence(try await stage.castq("cast", "--wait", "short.wav"))
      #expect(await FeederEnd.of(stage))
      #expect(try await outcomes(stage).last == "short finished reported")
    }
  }

  @Test("steps of the volume that come at once all count", arguments: [true, false])
  func steps(isFed: Bool) async throws {
    try await playing(isFed: isFed) { stage, receiver in
      expectSilence(try await stage.castq("volume", "50"))
      try await withThrowingTaskGroup(of: Ending.self) { group in
        for _ in 0..<10 { group.addTask { try await stage.castq("volume", "+1") } }
        for try await ending in group { expectSilence(ending) }
      }
      #expect(try await stage.castq("volume").stdout == "60\n")
    }
  }

  @Test("the volume is printed, set and stepped", arguments: [true, false])
  func volume(isFed: Bool) async throws {
    try await playing(isFed: isFed) { stage, _ in
      func expect(_ command: String..., level: String) async throws {
        expectSilence(try await stage.castq(command))
        #expect(try await stage.castq("volume").stdout == "\(level)\n", "\(command)")
      }
      #expect(try await stage.castq("volume").stdout == "100\n")
      try await expect("volume", "40", level: "40")
      try await expect("volume", "0.55", level: "55")
      try await expect("volume", "+5", level: "60")
      try await expect("volume", "-15", level: "45")
      try await expect("volume", "-0.4", level: "5")
      try await expect("volume", "-50", level: "0")
      try await expect("mute", level: "0")
      let muted = try await stage.json("volume")
      #expect(muted["device"]?.string == "lobby")
      #expect(muted["volume"] == .object(["level": .number(0), "muted": .bool(true)]))
      try await expect("unmute", level: "0")
      #expect(try await stage.json("volume", "30")["volume"]?["muted"] == .bool(false))
      #expect(try await stage.castq("volume", "--no-daemon").stdout == "30\n")
    }
  }

  @Test("a volume that is fixed is no secret", arguments: ["volume 50", "volume +5", "mute"])
  func fixedVolume(command: String) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, "--volume-control", "fixed")
      try stage.add(device: "lobby", at: receiver.address)
      expectOneLine(
        try await stage.castq(command.split(separator: " ").map(String.init)), exit: 76, saying: "lobby")
      #expect(try await stage.castq("volume").stdout == "100\n")
    }
  }

  @Test("tracks are listed and chosen, and the sound stays", arguments: [true, false])
  func tracks(isFed: Bool) async throws {
    try await playing(isFed: isFed) { stage, receiver in
      try stage.tone("film.wav", seconds: 600)
      for name in ["en", "de"] { try stage.file("\(name).vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n") }
      let list = try stage.file(
        "film.m3u", "#EXTM3U\n#CASTQ: tracks=en.vtt:en:\"English\",de.vtt:de\nfilm.wav\n")
      try await cast(list, on: receiver, isFed: isFed, stage)
      func active() async throws -> [Int] {
        try await stage.json("tracks")["tracks"]?.elements.filter { $0["active"] == .bool(true) }
          .compactMap { $0["id"]?.int } ?? []
      }
      let table = try await stage.castq("tracks").outLines
      #expect(table.count == 3)
      #expect(table.dropFirst().first?.contains("English") == true)
      expectSilence(try await stage.castq("tracks", "--on", "2"))
      #expect(try await active() == [2])
      expectSilence(try await stage.castq("tracks", "--on", "1"))
      #expect(try await active() == [1], "one text at a time")
      expectSilence(try await stage.castq("tracks", "--off"))
      #expect(try await active() == [])
      #expect(try await stage.json("tracks")["tracks"] == status(stage)["tracks"])
      expectOneLine(try await stage.castq("tracks", "--on", "9"), exit: 65, saying: "1, 2")
      expectSilence(try await stage.castq("style", "foreground=#FFFF00FF", "font-scale=1.2"))
      expectSilence(try await stage.castq("style", "edge=outline"))
      let last = receiver.log.lines.last { $0.contains("textTrackStyle") && $0.contains("EDIT_TRACKS_INFO") }
      #expect(last?.contains("#FFFF00FF") == true, "what was not named stays")
      expectOneLine(try await stage.castq("skip-ad"), exit: 1, saying: "no ad")
    }
  }

  @Test("what cannot be sought in is said, not tried")
  func noSeeking() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("live.wav", seconds: 600)
      let list = try stage.file("list.m3u", "#EXTM3U\n#CASTQ: live=yes\nlive.wav\n")
      expectSilence(try await stage.castq("cast", list))
      expectOneLine(try await stage.castq("seek", "50%"), exit: 76, saying: "live")
      let ending = try await stage.castq("seek", "10", "--json")
      #expect(try Document(ending.stdout)["error"]?["code"]?.string == "not_seekable")
      #expect(!receiver.requests.contains("SEEK"))
    }
  }

  @Test("the receiver's own words come with its refusal", arguments: [true, false])
  func refusal(isFed: Bool) async throws {
    try await playing(isFed: isFed, tones: 1) { stage, receiver in
      try stage.file("menu.png", "no picture at all, but the simulator does not look")
      let picture = try stage.file("picture.m3u", "#EXTM3U\n#CASTQ: duration=600\nmenu.png\n")
      try await cast(picture, on: receiver, isFed: isFed, stage)
      let ending = try await stage.castq("pause", "--json")
      #expect(ending.exit == 76)
      let error = try Document(ending.stdout)["error"]
      #expect(error?["receiver"]?["reason"]?.string == "NOT_SUPPORTED")
      expectOneLine(try await stage.castq("pause"), exit: 76, saying: "NOT_SUPPORTED")
    }
  }

  @Test(
    "a device that cannot be reached, and one that is silent",
    arguments: [["pause"], ["volume"], ["next"], ["stop", "--quit"], ["play"]])
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

  @Test("a message for a namespace nobody listens to is not sent", arguments: [true, false])
  func send(isFed: Bool) async throws {
    try await playing(isFed: isFed, tones: 1) { stage, receiver in
      let namespace = "urn:x-cast:com.example.nobody"
      expectOneLine(try await stage.castq("send", namespace, "{}"), exit: 76, saying: namespace)
      expectOneLine(
        try await stage.castq("send", namespace, "{}", "--app", "0F5096E8"), exit: 1, saying: "0F5096E8")
      #expect(!receiver.log.lines.contains { $0.contains(namespace) })
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
