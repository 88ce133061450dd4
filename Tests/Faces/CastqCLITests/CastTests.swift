import Foundation
import Testing

@Suite("castq cast", .timeLimit(.minutes(20)))
struct CastTests {
  @Test("it returns when the first item plays, and the rest is fed and recorded in the background")
  func background() async throws {
    try await Stage.with { stage in
      // At its own speed: a position that is told late looks like a seek where it moves faster.
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      let list = try stage.playlist(tones: 3, seconds: 4)
      expectSilence(try await stage.castq("cast", list))
      #expect(try await stage.history().first?["started_at"]?.string != nil, "the first play has begun")
      #expect(await FeederEnd.of(stage))
      let plays = try await stage.history()
      #expect(plays.map { $0["outcome"]?.string } == ["finished", "finished", "finished"])
      #expect(plays.allSatisfy { $0["evidence"] == .string("reported") }, "\(plays)")
      #expect(plays.allSatisfy { abs(($0["played_s"]?.number ?? 0) - 4) < 2 }, "\(plays)")
    }
  }

  @Test("it loops and shuffles as run does, and starts the first item at a position")
  func options() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("long.wav", seconds: Stage.outlasting)
      expectSilence(try await stage.castq("cast", "--loop", "--start", "1:00", "long.wav"))
      let status = try await stage.status()
      #expect((60..<120).contains(status["position_s"]?.number ?? 0), "\(status)")
      #expect(status["queue"]?["repeat"] == .string("all") && status["queue"]?["shuffle"] == .bool(false))
      let list = try stage.playlist(tones: 3, seconds: 500)
      expectSilence(try await stage.castq("cast", "--shuffle", "--start", "30", list))
      let shuffled = try await stage.status()
      #expect((30..<90).contains(shuffled["position_s"]?.number ?? 0), "\(shuffled)")
      #expect(shuffled["queue"]?["repeat"] == .string("off") && shuffled["queue"]?["shuffle"] == .bool(true))
      expectSilence(try await stage.castq("stop"))
      expectOneLine(
        try await stage.castq("cast", "--loop", "--wait", "long.wav"), exit: 64, saying: "never drains")
    }
  }

  @Test("what cannot be cast is named before anything is sent, without a line and a column")
  func unusable() async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: try QuietPort.closed())
      try stage.file("empty.mp4", "")
      try stage.file("notes.txt", "notes")
      for (name, exit, words) in [
        ("empty.mp4", 65, "castq: empty.mp4 is empty"), ("notes.txt", 65, "--type video/mp4"),
        ("gone.mp4", 66, "castq: no such file: gone.mp4"),
        ("https://youtu.be/x", 65, "resolvers: [{match: [youtube.com, youtu.be], run: yt-dlp}]"),
      ] {
        expectOneLine(try await stage.castq("cast", name), exit: Int32(exit), saying: words)
      }
    }
  }

  @Test("a picture that is shown is not paused for a plan, which has what comes after it")
  func picture() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      let bytes = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 64)
      try Data(bytes).write(to: URL(filePath: "\(stage.folder)/sign.png"))
      try await stage.castq("cast", "-d", receiver.address, "sign.png")
      let plan = try await stage.castq("plan", "-d", receiver.address, "--to", "+10m")
      #expect(plan.exit == 0 && !plan.stdout.contains("paused"), "\(plan.stdout)\(plan.stderr)")
      // It stays for its time: nothing of it can be paused, and it is there without a play.
      for verb in ["pause", "toggle"] {
        expectOneLine(
          try await stage.castq(verb, "-d", receiver.address), exit: 76,
          saying: "a picture is on the screen: it cannot be paused")
      }
      expectSilence(try await stage.castq("play", "-d", receiver.address))
    }
  }

  @Test("a stop without the feeder, which was killed, leaves no row that says that it plays")
  func stoppedWithoutFeeder() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("long.wav", seconds: Stage.outlasting)
      let feeder = try stage.start(["cast", "--wait", "long.wav"])
      try await stage.awaitPlay { $0["title"]?.string == "long" }
      feeder.signal(SIGKILL)
      _ = await feeder.ended()
      expectSilence(try await stage.castq("stop"))
      #expect(try await stage.queue()["entries"]?.elements.map { $0["state"]?.string } == ["pending"])
      let plays = try await stage.history()
      #expect(plays.map { $0["outcome"]?.string } == ["interrupted"])
      #expect(plays.map { $0["evidence"]?.string } == ["unobserved"])
    }
  }

  @Test(
    "a device that answers no load is said to be silent, and not to refuse it, before it has been tried thrice"
  )
  func silentLoads() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1, "--fault", "hush=all")
      try stage.tone("a.wav", seconds: 1)
      let began = receiver.requests.count
      let ending = try await stage.castq("cast", "-d", receiver.address, "a.wav")
      expectOneLine(ending, exit: 69, saying: "the receiver no longer answers; it is being called again")
      #expect(receiver.requests.dropFirst(began).filter { $0 == "LOAD" || $0 == "QUEUE_LOAD" }.count == 1)
      try await stage.castq("stop", "-d", receiver.address)
    }
  }

  @Test("with --json it says what plays")
  func document() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.tone("long.wav", seconds: 600)
      let ending = try await stage.castq("cast", "-d", receiver.address, "--json", "long.wav")
      #expect(ending.exit == 0)
      let started = try Document(ending.stdout)
      #expect(started["title"] == .string("long"))
      #expect(started["entry"]?.int != nil)
    }
  }

  @Test(
    "the receiver's words about a first item that fails come back; the rest plays", arguments: [false, true])
  func firstFails(asJSON: Bool) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("good.wav", seconds: 1)
      let list = try stage.file(
        "list.m3u", "#EXTM3U\n#EXTINF:-1,Gone\n\(try QuietPort.closedURL())\n#EXTINF:1,Good\ngood.wav\n")
      let ending = try await stage.castq(["cast", list] + (asJSON ? ["--json"] : []))
      if asJSON {
        #expect(ending.exit == 76)
        let error = try Document(ending.stdout)["error"]
        #expect(error?["code"] == .string("load_failed"))
        #expect(error?["exit"] == .number(76))
        #expect(error?["receiver"]?.keys.isEmpty == false)
      } else {
        expectOneLine(ending, exit: 76, saying: "Gone")
        #expect(ending.stderr.contains("ERROR"), "the receiver's word")
      }
      #expect(await FeederEnd.of(stage))
      let finished = try await stage.history().filter { $0["outcome"] == .string("finished") }
      #expect(finished.map { $0["title"]?.string } == ["Good"])
    }
  }

  @Test("--wait returns when the queue is drained")
  func wait() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      let list = try stage.playlist(tones: 2, seconds: 1)
      expectSilence(try await stage.castq("cast", "--wait", "--device", receiver.address, list))
      #expect(try await stage.history().map { $0["outcome"]?.string } == ["finished", "finished"])
    }
  }

  @Test("--wait on a device that another run feeds waits for its own list, and says what became of it")
  func waitsForOther() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("long.wav", seconds: Stage.outlasting)
      let run = try stage.start(["run", "long.wav"])
      #expect(await receiver.playing() != nil)
      let list = try stage.playlist(tones: 2, seconds: 1)
      let ending = try await stage.castq("cast", "--wait", "--json", list)
      #expect(ending.exit == 0)
      let summary = try Document(ending.stdout)
      #expect(summary["finished"]?.int == 2 && summary["ended"]?.string == "drained", "\(ending.stdout)")
      #expect(await run.ended().exit == 75, "its list was replaced")
    }
  }

  @Test("a run whose list is replaced says so, whatever its time limit; the other list plays on")
  func replacedRun() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("long.wav", seconds: Stage.outlasting)
      // The limit comes while the other list plays, which is there long before.
      let list = try stage.playlist(tones: 2, seconds: 500)
      let run = try stage.start(["run", "--for", "40s", "long.wav"])
      #expect(await receiver.playing() != nil)
      try await stage.awaitPlay { $0["title"]?.string == "long" }
      expectSilence(try await stage.castq("cast", list))
      #expect(await run.ended().exit == 75)
      #expect(
        try await stage.history().map { $0["outcome"]?.string } == ["interrupted", "finished", "finished"])
    }
  }

  @Test("an application is chosen for each cast, and a database may have any name")
  func applicationAgain() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      let database = "--db=-castq.db"
      try await stage.castq(database, "device", "add", "lobby", receiver.address)
      try stage.tone("long.wav", seconds: Stage.outlasting)
      for _ in 1...2 {
        expectSilence(try await stage.castq(database, "cast", "--app", "CC1AD845", "long.wav"))
      }
      expectSilence(try await stage.castq(database, "stop"))
    }
  }

  @Test("the feeder in the background ends in order when it is told to")
  func terminated() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("long.wav", seconds: Stage.outlasting)
      expectSilence(try await stage.castq("cast", "long.wav"))
      kill(try stage.holder(of: "castq.db.feeder-1.lock"), SIGTERM)
      #expect(await FeederEnd.of(stage))
      #expect(await receiver.request("STOP") != nil)
      #expect(try await stage.history().map { $0["outcome"]?.string } == ["interrupted"])
      #expect(
        try await stage.queue()["entries"]?.elements.map { $0["state"]?.string } == ["pending"])
    }
  }

  @Test("the feeder in the background outlives the terminal and the job: it keeps nothing of theirs")
  func outlivesJob() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("long.wav", seconds: Stage.outlasting)
      let many = "for i in {10..90}; do eval \"exec $i</dev/null\"; done"
      let job = try stage.shell("\(many); exec 99>job.lock; flock -n 99 || exit 3; castq cast long.wav")
      expectSilence(await job.ended())  // its pipes have ended as well
      let lock = open("\(stage.folder)/job.lock", O_RDONLY | O_CLOEXEC)
      #expect(flock(lock, LOCK_EX | LOCK_NB) == 0, "the next job may begin")
      flock(lock, LOCK_UN)
      close(lock)
      let feeder = try stage.holder(of: "castq.db.feeder-1.lock")
      #expect(getsid(feeder) == feeder, "a session of its own")
      kill(feeder, SIGHUP)
      #expect(try await stage.status()["player_state"] == .string("PLAYING"))
      expectSilence(try await stage.castq("stop"))
      #expect(await FeederEnd.of(stage))
    }
  }

  @Test(
    "the feeder in the background works, whatever standard streams are closed",
    arguments: ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
  func closedStreams(closing: String) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("long.wav", seconds: Stage.outlasting)
      #expect(try await stage.shell("castq cast missing.wav \(closing)").ended().exit == 66)
      #expect(
        try await stage.shell("castq --timeout 120s -d lobby cast long.wav \(closing)").ended().exit == 0)
      #expect(try await stage.status()["player_state"] == .string("PLAYING"))
      kill(try stage.holder(of: "castq.db.feeder-1.lock"), SIGTERM)
      #expect(await FeederEnd.of(stage))
      #expect(try await stage.status()["player_state"] == .string("IDLE"))
    }
  }

  @Test("a command whose output cannot be written fails, and what it started is fed to the end")
  func fullOutput() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let list = try stage.playlist(tones: 2, seconds: 1)
      #expect(try await stage.shell("castq cast --json \(list) >/dev/full").ended().exit == 74)
      #expect(await FeederEnd.of(stage))
      #expect(try await stage.history().map { $0["outcome"]?.string } == ["finished", "finished"])
    }
  }

  @Test("a caller that ignores its children hears of failures")
  func ignoredChildren() async throws {
    try await Stage.with { stage in
      let job = try stage.shell("trap '' CHLD; exec castq cast")
      #expect(await job.ended().exit == 64)
    }
  }

  @Test("enqueue --play starts a feeder, and leaves a running one alone")
  func enqueueAndPlay() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("first.wav", seconds: Stage.outlasting)
      try stage.tone("second.wav", seconds: 1)
      expectSilence(try await stage.castq("enqueue", "--play", "first.wav"))
      expectSilence(try await stage.castq("enqueue", "--play", "second.wav"))
      expectSilence(try await stage.castq("next"))
      #expect(await FeederEnd.of(stage))
      let plays = try await stage.history()
      #expect(plays.map { $0["url"]?.string?.hasSuffix("/first.wav") } == [true, false])
      #expect(plays.count == 2)
      #expect(plays.map { $0["outcome"]?.string } == ["skipped", "finished"])
    }
  }
}
