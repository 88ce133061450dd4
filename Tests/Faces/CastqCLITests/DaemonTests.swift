import Foundation
import Testing

@Suite("castq daemon", .timeLimit(.minutes(20)))
struct DaemonTests {
  /// A daemon that is ready.
  private func daemon(_ stage: Stage, _ arguments: String...) async throws -> RunningProgram {
    let program = try stage.start(["daemon"] + arguments)
    #expect(await program.stderr.line(containing: "ready") != nil, "\(program.stderr.text)")
    return program
  }

  /// A stage with a receiver called lobby and a daemon.
  private func with(
    _ configuration: String? = nil, speed: Double = 20,
    _ body: (Stage, Receiver, RunningProgram) async throws -> Void
  ) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: speed)
      try stage.add(device: "lobby", at: receiver.address)
      if let configuration { try configure(stage, configuration) }
      try await body(stage, receiver, daemon(stage))
    }
  }

  /// Writes the configuration where it is looked for.
  private func configure(_ stage: Stage, _ text: String) throws {
    let folder = "\(stage.folder)/config/castq"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/config.yaml"))
  }

  @Test("what another program enqueues plays at once, and again after the list was drained")
  func enqueuing() async throws {
    try await with { stage, receiver, daemon in
      try stage.tone("a.wav", seconds: 1)
      for _ in 1...2 {
        let seen = receiver.log.lines.count
        let said = daemon.stderr.lines.count
        expectSilence(try await stage.castq("enqueue", "a.wav"))
        #expect(await receiver.playing(from: seen) != nil)
        #expect(await daemon.stderr.line(containing: "nothing is left", from: said) != nil)
      }
      #expect(try await stage.history().map { $0["outcome"]?.string } == ["finished", "finished"])
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
    }
  }

  @Test(
    "while nothing is due nobody has lost the device: it does what it is asked, and times are those of the site"
  )
  func nothingDue() async throws {
    try await with("timezone: Asia/Kathmandu\n") { stage, _, daemon in
      try stage.tone("a.wav", seconds: 1)
      let zone = try #require(TimeZone(identifier: "Asia/Kathmandu"))
      let minute = (Date().timeIntervalSince1970 / 60).rounded(.down) * 60
      let start = Date(timeIntervalSince1970: minute + 20 * 3600)
        .formatted(Date.ISO8601FormatStyle(timeZone: zone)).prefix(16)
      let rule = ["--play", "a.wav", "-d", "lobby", "--once", String(start), "--for", "1h"]
      #expect(try await stage.castq(["schedule", "add", "later"] + rule).exit == 0)
      #expect(await daemon.stderr.line(containing: "on the screen by the schedule") != nil)
      // It is answered when the rules are read.
      expectOneLine(try await stage.castq("play"), exit: 1, saying: "it begins then by itself")
      let words = try await stage.castq("status").stdout
      #expect(words.contains("nothing on until ") && words.contains(" Asia/Kathmandu"), "\(words)")
      expectSilence(try await stage.castq("volume", "20"))
      #expect(try await stage.status()["volume"]?["level"]?.int == 20)
      expectOneLine(
        try await stage.castq("pause"), exit: 1, saying: "castq: nothing that plays media is running on ")
      expectOneLine(
        try await stage.castq("play"), exit: 1, saying: "nothing is left in the queue; the next rule")
      // The rule begins then, and not the list.
      let list = try stage.file(
        "far.yaml", "castq: 1\nentries:\n  - url: a.wav\n    not_before: 2090-01-01T00:00:00Z\n")
      expectOneLine(try await stage.castq("cast", list), exit: 1, saying: "; the next rule is for ")
    }
  }

  @Test("run lets the daemon do the work, waits, and leaves with the code it always had")
  func handingOver() async throws {
    try await with { stage, receiver, daemon in
      let list = try stage.playlist(tones: 2, seconds: 1)
      expectSilence(try await stage.castq("run", list))
      #expect(try await stage.history().map { $0["outcome"]?.string } == ["finished", "finished"])
      #expect(
        await daemon.stderr.line(containing: "feeding castq.device=lobby") != nil, "the daemon did it")
      let dead = try stage.file(
        "dead.m3u", "#EXTM3U\n#EXTINF:-1,Gone\n\(try QuietPort.closedURL())\n#EXTINF:1,Good\nlist.m3u-1.wav\n"
      )
      expectOneLine(try await stage.castq("run", dead), exit: 76, saying: "Gone")
      expectOneLine(try await stage.castq("cast", "--wait", dead), exit: 76, saying: "Gone")
      expectSilence(try await stage.castq("run"))
      try stage.tone("long.wav", seconds: Stage.outlasting)
      let first = try Document(try await stage.castq("cast", "long.wav", "--json").stdout)
      #expect(first["title"]?.string == "long")
      #expect(first["player_state"]?.string == "PLAYING")
      // With the daemon at work, the device is not to be had.
      #expect(try await stage.castq("run", "--no-daemon").exit == 75)
    }
  }

  @Test(
    "a run that is told to end stops the media, as it does without a daemon",
    arguments: [(SIGTERM, Int32(143)), (SIGINT, Int32(130))])
  func interruptedRun(signal: Int32, exit: Int32) async throws {
    try await with { stage, receiver, _ in
      try stage.tone("long.wav", seconds: Stage.outlasting)
      let run = try stage.start(["run", "long.wav"])
      #expect(await receiver.playing() != nil)
      run.signal(signal)
      #expect(await run.ended().exit == exit)
      #expect(await receiver.request("STOP") != nil)
      #expect(try await stage.castq("status").exit == 1)
      expectSilence(try await stage.castq("run", "--for", "400ms"))
      #expect(try await stage.castq("status").exit == 1)
      let entries = try await stage.queue()["entries"]?.elements
      #expect(entries?.map { $0["state"]?.string } == ["pending"])
    }
  }

  @Test("a cast that fails before it asks for the screen leaves the device to the daemon")
  func failedCast() async throws {
    try await with { stage, receiver, _ in
      expectOneLine(try await stage.castq("cast", "nosuch.mp4"), exit: 66)
      // Whoever takes the lock of a device leaves its file.
      #expect(!FileManager.default.fileExists(atPath: "\(stage.database).feeder-1.lock"))
      try stage.tone("long.wav", seconds: Stage.outlasting)
      expectSilence(try await stage.castq("enqueue", "long.wav"))
      expectOneLine(try await stage.castq("cast", "nosuch.mp4"), exit: 66)
      expectSilence(try await stage.castq("play"))
      #expect(await receiver.playing() != nil)
      #expect(try await stage.castq("run", "--no-daemon").exit == 75, "the daemon has it")
    }
  }

  @Test(
    "play and toggle to a device that is off lift its stop, and the daemon plays when it is back",
    arguments: ["play", "toggle"])
  func wishKept(verb: String) async throws {
    try await Stage.with { stage in
      let port = try FreePort.next()
      try stage.add(device: "lobby", at: "127.0.0.1:\(port)")
      try stage.tone("a.wav", seconds: 1)
      let daemon = try await daemon(stage)
      // What the screen shows is not known: that is said, and the stop holds.
      expectOneLine(try await stage.castq("stop"), exit: 69)
      try await stage.castq("enqueue", "a.wav")
      #expect(try await stage.status()["waiting_for"]?.string == "stopped")
      expectOneLine(try await stage.castq(verb), exit: 69, saying: "; the daemon keeps calling it")
      #expect(try await stage.status()["waiting_for"]?.string == "device")
      let receiver = try await Receiver(stage, speed: 20, "--port", "\(port)")
      #expect(await receiver.playing() != nil)
      #expect(await daemon.stderr.line(containing: "nothing is left") != nil)
      // Without a daemon the rows keep the wish.
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
      try await stage.castq("enqueue", "a.wav")
      expectSilence(try await stage.castq("stop"))
      await receiver.end()
      expectOneLine(try await stage.castq(verb), exit: 69)
      #expect(try await stage.status()["waiting_for"] != .string("stopped"))
    }
  }

  @Test(
    "a stop of a device that the daemon calls in vain says so, and holds",
    arguments: [["stop"], ["stop", "--quit"]])
  func stoppedWhileCalled(verb: [String]) async throws {
    try await Stage.with { stage in
      let address = try QuietPort.closed()
      try stage.add(device: "lobby", at: address)
      try stage.tone("a.wav", seconds: 1)
      let daemon = try await daemon(stage)
      try await stage.castq("enqueue", "a.wav")
      try await stage.awaitStatus { $0["waiting_for"]?.string == "device" }
      expectOneLine(try await stage.castq(verb), exit: 69, saying: address)
      let status = try await stage.status()
      #expect(status["waiting_for"]?.string == "stopped")
      #expect(status["queue"]?["pending"]?.int == 1)
      #expect(try await stage.castq("status").stdout.contains("'castq play' resumes"))
      try await stage.castq("clear")
      let words = try await stage.castq("status").stdout
      #expect(words.contains("nothing is left in the queue") && !words.contains("resumes"), "\(words)")
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
    }
  }

  @Test("a stop lasts until somebody starts, and live commands reach what the daemon plays")
  func stopping() async throws {
    try await with { stage, receiver, daemon in
      try stage.tone("long.wav", seconds: Stage.outlasting)
      // A run that has begun it waits for its end; one that came after the stop would begin it again.
      let run = try stage.start(["run", "long.wav"])
      try await stage.awaitPlay { $0["title"]?.string == "long" }
      expectSilence(try await stage.castq("pause"))
      #expect(try await stage.status()["player_state"]?.string == "PAUSED")
      expectSilence(try await stage.castq("toggle"))
      expectSilence(try await stage.castq("seek", "10"))
      expectSilence(try await stage.castq("stop"))
      #expect(await run.ended().exit == 0)
      // The last that it says of the stop; what it says after that would be of the list.
      let waits = await daemon.stderr.index(from: 0) { $0.contains("waiting for a start") }
      let said = try #require(waits) + 1
      expectSilence(try await stage.castq("enqueue", "long.wav"))
      #expect(try await stage.castq("status").exit == 1)
      #expect(daemon.stderr.lines.count == said, "\(daemon.stderr.text)")
      let seen = receiver.log.lines.count
      expectSilence(try await stage.castq("play"))
      #expect(await receiver.playing(from: seen) != nil)
    }
  }

  @Test("one daemon a database: the second is told to try again, and names the first")
  func secondDaemon() async throws {
    try await with { stage, _, daemon in
      let second = try await stage.castq("daemon")
      #expect(second.exit == 75)
      #expect(second.stderr.contains("process \(daemon.process)"))
      daemon.signal(SIGINT)
      #expect(await daemon.ended().exit == 0)
      let third = try await self.daemon(stage)
      third.signal(SIGTERM)
      #expect(await third.ended().exit == 0)
    }
  }

  @Test("until idle, a daemon feeds what every device has, and ends with exit code 0")
  func untilIdle() async throws {
    try await Stage.with { stage in
      let (lobby, hall) = (try await Receiver(stage), try await Receiver(stage))
      try stage.add(device: "lobby", at: lobby.address)
      try stage.add(device: "hall", at: hall.address)
      expectSilence(try await stage.castq("daemon", "--until-idle", "-q"))
      let list = try stage.playlist(tones: 2, seconds: 1)
      for device in ["lobby", "hall"] { expectSilence(try await stage.castq("enqueue", "-d", device, list)) }
      expectSilence(try await stage.castq("daemon", "--until-idle", "-q"))
      let outcomes = try await stage.history().map { $0["outcome"]?.string }
      #expect(outcomes == ["finished", "finished", "finished", "finished"])
    }
  }

  @Test(
    "until idle, a daemon ends with the exit code of a run: 76 for failed entries, 69 for a device that is off"
  )
  func untilIdleFailing() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let dead = try stage.file("dead.m3u", "#EXTM3U\n#EXTINF:-1,Gone\n\(try QuietPort.closedURL())\n")
      expectSilence(try await stage.castq("enqueue", dead))
      let failed = try await stage.castq("daemon", "--until-idle", "-q")
      #expect(failed.exit == 76 && failed.errorLines.last?.contains("1 entry could not be played") == true)
      expectSilence(try await stage.castq("enqueue", dead))
      await receiver.end()
      #expect(try await stage.castq("daemon", "--until-idle", "-q").exit == 69)
    }
  }

  @Test("until idle, a daemon for one device leaves the others to another one, and takes commands")
  func untilIdleOfOne() async throws {
    try await Stage.with { stage in
      let (lobby, hall) = (try await Receiver(stage), try await Receiver(stage))
      try stage.add(device: "lobby", at: lobby.address)
      try stage.add(device: "hall", at: hall.address)
      try stage.tone("long.wav", seconds: Stage.outlasting)
      for device in ["lobby", "hall"] {
        expectSilence(try await stage.castq("enqueue", "-d", device, "long.wav"))
      }
      let one = try stage.start(["daemon", "--until-idle", "-d", "lobby"])
      #expect(await lobby.playing() != nil)
      // The first of the two plays, and one that a stop can end.
      try await stage.awaitPlay { $0["device"]?.string == "lobby" }
      let rest = try await daemon(stage)
      #expect(await hall.playing() != nil)
      #expect(try await stage.castq("daemon", "--until-idle", "-d", "lobby").exit == 75)
      expectSilence(try await stage.castq("stop", "-d", "lobby"))
      #expect(await one.ended().exit == 0)
      // What the receiver says is heard by the daemon a moment later.
      try await stage.awaitPlay { $0["device"]?.string == "hall" }
      rest.signal(SIGTERM)
      #expect(await rest.ended().exit == 0)
      let plays = try await stage.history().map { $0["outcome"]?.string }
      #expect(plays.first == "cancelled" && plays.count == 2, "\(plays)")
    }
  }

  @Test("a daemon that was killed leaves nothing in the way: run feeds by itself, the next daemon begins")
  func killed() async throws {
    try await with { stage, receiver, daemon in
      try stage.tone("a.wav", seconds: 4)
      expectSilence(try await stage.castq("cast", "a.wav"))
      daemon.signal(SIGKILL)
      _ = await daemon.ended()
      expectSilence(try await stage.castq("run"))
      #expect(
        try await stage.history().map { $0["outcome"]?.string }.last == "finished")
      let next = try await self.daemon(stage)
      let seen = receiver.log.lines.count
      expectSilence(try await stage.castq("enqueue", "a.wav"))
      #expect(await receiver.playing(from: seen) != nil)
      next.signal(SIGTERM)
      #expect(await next.ended().exit == 0)
    }
  }

  @Test("a guest has the screen for the lease, then the queue goes on")
  func guest() async throws {
    try await with("devices: {lobby: {guests: lease 5s}}", speed: 1) { stage, receiver, daemon in
      try stage.tone("ours.wav", seconds: 600)
      try stage.tone("theirs.wav", seconds: 600)
      expectSilence(try await stage.castq("cast", "ours.wav"))
      let other = try stage.start(
        ["--db", "\(stage.folder)/other.db", "-d", receiver.address, "run", "theirs.wav"])
      #expect(await daemon.stderr.line(containing: "yielding to a guest") != nil)
      // Ours, theirs, ours again.
      var back = -1
      for _ in 1...3 { back = try #require(await receiver.request("QUEUE_LOAD", from: back + 1)) }
      #expect(await receiver.playing(from: back) != nil)
      #expect(await other.ended().exit == 75, "now it is the guest's turn to yield")
      try await stage.awaitStatus { $0["url"]?.string?.hasSuffix("/ours.wav") == true }
    }
  }

  // MARK: - Configuration

  @Test("SIGHUP reads the configuration again; a broken one is told with its place and changes nothing")
  func reloading() async throws {
    try await with("defaults: {volume: 30}") { stage, receiver, daemon in
      try stage.tone("long.wav", seconds: Stage.outlasting)
      expectSilence(try await stage.castq("cast", "long.wav"))
      #expect(try await stage.json("volume")["volume"]?["level"]?.int == 30)
      try configure(stage, "defaults:\n  volume: loud\n")
      daemon.signal(SIGHUP)
      let complaint = try #require(await daemon.stderr.line(containing: "stays in use"))
      #expect(complaint.contains("config.yaml:2:11: "))
      try configure(stage, "defaults:\n  volume: 20\n")
      daemon.signal(SIGHUP)
      #expect(await daemon.stderr.line(containing: "configuration reloaded") != nil)
      // Another sender's round trip, after what the daemon has sent.
      #expect(await receiver.log.index(from: 0) { $0.contains(#""level":0.2"#) } != nil)
      #expect(daemon.stderr.lines.count { $0.contains("stays in use") } == 1)
      #expect(try await stage.status()["player_state"]?.string == "PLAYING")
    }
  }

  @Test(
    "a configuration that is a pipe, a device or too large is refused at once, by every command",
    arguments: [["daemon"], ["status"], ["queue"], ["enqueue", "http://media.example/a.mp4"]])
  func oddConfiguration(command: [String]) async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: "127.0.0.1:9")
      #expect(mkfifo("\(stage.folder)/pipe", 0o600) == 0)
      expectOneLine(
        try await stage.castq(command + ["--config", "pipe"]), exit: 78,
        saying: "cannot read the configuration pipe: it is a pipe, not a file")
      expectOneLine(
        try await stage.castq(command + ["--config", "/dev/zero"]), exit: 78,
        saying: "cannot read the configuration /dev/zero: it is a device, not a file")
      // The default device of every command is in it, where none is named.
      try stage.file("large.yaml", String(repeating: "# comment\n", count: 120_000))
      expectOneLine(
        try await stage.castq(command + ["--config", "large.yaml"]), exit: 78,
        saying: "the configuration is larger than 1048576 bytes")
      expectSilence(
        try await stage.castq("enqueue", "--config", "/dev/null", "http://media.example/a.mp4"))
    }
  }

  @Test(
    "a configuration that cannot be used is exit 78, and says where",
    arguments: [
      (["--config", "nowhere.yaml"], nil, "cannot read the configuration nowhere.yaml"),
      ([], "daemon:\n  on_exit: fade\n", "config.yaml:2:12: "),
      ([], "defaults: [", "config.yaml:1:"),
      ([], "defaults: {time_zone: ../../etc/passwd}", "config.yaml:1:23: "),
      (["--config", "."], nil, "cannot read the configuration .: it is a directory"),
    ] as [([String], String?, String)])
  func brokenConfiguration(arguments: [String], text: String?, words: String) async throws {
    try await Stage.with { stage in
      if let text { try configure(stage, text) }
      let ending = try await stage.castq(["daemon"] + arguments)
      expectOneLine(ending, exit: 78, saying: words)
    }
  }

  // MARK: - The end

  @Test("SIGTERM leaves the screens playing, and the next daemon goes on with them")
  func leavingScreens() async throws {
    try await with(speed: 1) { stage, receiver, daemon in
      try stage.tone("long.wav", seconds: 600)
      expectSilence(try await stage.castq("cast", "long.wav"))
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
      #expect(try await stage.status()["player_state"]?.string == "PLAYING")
      _ = try await self.daemon(stage)
      expectSilence(try await stage.castq("enqueue", "--play", "long.wav"))
      expectSilence(try await stage.castq("pause"))
      #expect(receiver.requests.count { $0 == "QUEUE_LOAD" } == 1, "\(receiver.requests)")
      #expect(!receiver.requests.contains("STOP"))
      #expect(try await stage.history().map { $0["outcome"] } == [.null], "one play, and it goes on")
    }
  }

  @Test("SIGTERM stops the screens where the configuration wants it")
  func stoppingScreens() async throws {
    try await with("daemon: {on_exit: stop}") { stage, receiver, daemon in
      try stage.tone("long.wav", seconds: Stage.outlasting)
      expectSilence(try await stage.castq("cast", "long.wav"))
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
      #expect(await receiver.request("STOP") != nil)
      #expect(try await stage.castq("status").exit == 1)
    }
  }

  // MARK: - Moving

  @Test("what the daemon plays moves to another device of its own, and goes on where it was")
  func transfer() async throws {
    try await with(speed: 1) { stage, receiver, _ in
      let hall = try await Receiver(stage, speed: 1)
      try stage.add(device: "hall", at: hall.address)
      try stage.tone("long.wav", seconds: 600)
      expectSilence(try await stage.castq("-d", "lobby", "cast", "long.wav"))
      expectSilence(try await stage.castq("-d", "lobby", "seek", "300"))
      expectSilence(try await stage.castq("-d", "lobby", "transfer", "--to", "hall"))
      let status = try await stage.json("-d", "hall", "status")
      #expect(status["player_state"]?.string == "PLAYING")
      #expect((status["position_s"]?.number ?? 0) >= 299)
      #expect(hall.requests.count { $0 == "QUEUE_LOAD" } == 1, "\(hall.requests)")
      #expect(try await stage.castq("-d", "lobby", "status").exit == 1)
    }
  }
}
