import Foundation
import Testing

/// What operators meet when commands act on devices.
@Suite("Commands and devices", .timeLimit(.minutes(20)))
struct OperatorTests {
  /// A stage with a receiver called lobby and, when it is wanted, a daemon.
  private func with(
    daemon isServed: Bool, speed: Double = 20, _ body: (Stage, Receiver) async throws -> Void
  ) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: speed)
      try stage.add(device: "lobby", at: receiver.address)
      if isServed { _ = try await daemon(stage) }
      try await body(stage, receiver)
    }
  }

  private func daemon(_ stage: Stage) async throws -> RunningProgram {
    let program = try stage.start(["daemon"])
    #expect(await program.stderr.line(containing: "ready") != nil, "\(program.stderr.text)")
    return program
  }

  private func gone(_ stage: Stage) throws -> String {
    try stage.file("gone.m3u", "#EXTM3U\n#EXTINF:-1,Gone\n\(try QuietPort.closedURL())\n")
  }

  // MARK: - Loops

  @Test(
    "a loop leaves no trace in the settings, and what waits after it is played", arguments: [false, true])
  func looping(daemon: Bool) async throws {
    try await with(daemon: daemon) { stage, receiver in
      let list = try stage.playlist(tones: 2, seconds: 1)
      let run = try stage.start(["run", "--loop", list])
      var seen = 0
      // Some rounds of two.
      for _ in 1...5 { seen = (await receiver.playing(from: seen) ?? seen) + 1 }
      #expect(try await stage.queue()["repeat"] == .string("off"))
      _ = try await stage.castq("stop")
      #expect(await run.ended().exit == 0)
      let queue = try await stage.queue()
      #expect(queue["repeat"] == .string("off"))
      let states = queue["entries"]?.elements.map { $0["state"]?.string } ?? []
      let ending = try await stage.castq("play")
      if states.contains("pending") {
        expectSilence(ending)
      } else {
        expectOneLine(ending, exit: 1, saying: "nothing is left in the queue")
      }
    }
  }

  // MARK: - Runs

  @Test("a run whose list is replaced says so and is 75", arguments: [false, true])
  func replaced(daemon: Bool) async throws {
    try await with(daemon: daemon) { stage, receiver in
      try stage.tone("long.wav", seconds: Stage.outlasting)
      try stage.tone("short.wav", seconds: 1)
      let run = try stage.start(["run", "long.wav", "--json"])
      #expect(await receiver.playing() != nil)
      try await stage.awaitPlay { $0["title"]?.string == "long" }
      if daemon {
        // What was cut for it is no part of it.
        let other = try Document(try await stage.castq("run", "short.wav", "--json").stdout)
        #expect(other["ended"] == .string("drained"))
        #expect([other["finished"], other["interrupted"]] == [.number(1), .number(0)])
      } else {
        expectSilence(try await stage.castq("cast", "short.wav"))
      }
      let ending = await run.ended()
      #expect(ending.exit == 75, "\(ending.stderr)")
      let summary = try Document(ending.stdout)
      #expect(summary["ended"] == .string("replaced"))
      // What took its place is no part of it, however far that came.
      #expect(summary["finished"] == .number(0))
      #expect([summary["interrupted"], summary["unknown"]] == [.number(1), .number(0)], "\(summary)")
      #expect(
        summary["error"]?["message"]?.string?.contains("another list took its place") == true, "\(summary)")
    }
  }

  @Test("run --json ends with one summary", arguments: [false, true])
  func summary(daemon: Bool) async throws {
    try await with(daemon: daemon) { stage, receiver in
      let list = try stage.playlist(tones: 2, seconds: 1)
      let good = try await stage.castq("run", list, "--json")
      #expect(good.exit == 0)
      #expect(
        try Document(good.stdout)
          == .object([
            "device": .string("lobby"), "finished": .number(2), "failed": .number(0), "skipped": .number(0),
            "interrupted": .number(0), "unknown": .number(0), "ended": .string("drained"),
          ]))
      let bad = try await stage.castq("run", try gone(stage), list, "--json")
      #expect(bad.exit == 76)
      let summary = try Document(bad.stdout)
      #expect(summary["failed"] == .number(1))
      #expect(summary["finished"] == .number(2))
      #expect(summary["ended"] == .string("drained"))
      #expect(summary["error"]?["code"] == .string("entries_failed"))
      try stage.tone("long.wav", seconds: Stage.outlasting)
      let over = try Document(try await stage.castq("run", "--for", "2s", "long.wav", "--json").stdout)
      #expect(over["ended"] == .string("time_over"))
      let seen = receiver.log.lines.count
      let run = try stage.start(["run", "long.wav", "--json"])
      #expect(await receiver.playing(from: seen) != nil)
      try await stage.awaitPlay { $0["title"]?.string == "long" && $0["outcome"] == .null }
      run.signal(SIGTERM)
      #expect(try Document(await run.ended().stdout)["interrupted"] == .number(1))
    }
  }

  @Test("the summary names no secret of an address")
  func secrets() async throws {
    try await with(daemon: false) { stage, _ in
      let list = try stage.file(
        "list.m3u", "#EXTM3U\n#EXTINF:-1,http://u:hunter2@media.example/\n\(try QuietPort.closedURL())\n")
      let ending = try await stage.castq("run", list, "--json")
      #expect(ending.exit == 76)
      #expect(!ending.stdout.contains("hunter2"), "\(ending.stdout)")
      let message = try Document(ending.stdout)["error"]?["message"]?.string
      #expect(message?.contains("http://…@media.example/") == true, "\(ending.stdout)")
    }
  }

  @Test("a device that is off is called for as long as it is to be waited for", arguments: [false, true])
  func waitForDevice(daemon: Bool) async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: try QuietPort.closed())
      try stage.tone("good.wav", seconds: 1)
      if daemon { _ = try await self.daemon(stage) }
      let clock = ContinuousClock.now
      let ending = try await stage.castq("run", "--wait-for-device", "1500ms", "good.wav", "--json")
      #expect(ending.exit == 69)
      #expect(ContinuousClock.now - clock >= .milliseconds(1500), "it was called for that long")
      let summary = try Document(ending.stdout)
      #expect(summary["ended"] == .string("unreachable"))
      #expect(summary["error"]?["message"]?.string?.hasSuffix("the new list waits in its queue") == true)
    }
  }

  // MARK: - Silence

  @Test(
    "a host that accepts and says nothing is 69 by itself, 124 when a given time has passed",
    arguments: [
      "run", "cast", "status",
    ])
  func mute(command: String) async throws {
    try await Stage.with { stage in
      let port = try QuietPort()
      try stage.tone("good.wav", seconds: 1)
      let arguments = [command, "-d", port.address] + (command == "status" ? [] : ["good.wav"])
      let ending = try await stage.castq(arguments)
      #expect(ending.exit == 69, "\(ending.stderr)")
      #expect(try await stage.castq(arguments + ["--timeout", "500ms"]).exit == 124)
    }
  }

  @Test("a receiver whose application says nothing of media is not offline, and its status not late")
  func muteMedia() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1, "--fault", "hush=all")
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("long.wav", seconds: 600)
      let run = try stage.start(["run", "long.wav"])
      // The application runs, was asked something, and did not answer.
      _ = await receiver.log.index(from: 0) { $0.contains(#""dir":"in""#) && $0.contains("cast.media") }
      // Two seconds are its own limit; for the ten of every other request it would be 124.
      let ending = try await stage.castq("status", "--json", "--timeout", "9s")
      #expect(ending.exit != 124)
      let status = try Document(ending.stdout)
      #expect(status["connection"] == .string("connected"))
      #expect(status["application"]?["id"] == .string("CC1AD845"))
      #expect(status["media_answers"] == .bool(false))
      #expect(status["player_state"] == .null)
      run.signal(SIGKILL)
      _ = await run.ended()
    }
  }

  // MARK: - Why the screen is dark

  @Test("status tells what the screen waits for, and the queue also when the device is off")
  func waitingFor() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      #expect(try await stage.status()["waiting_for"] == .string("nothing_due"))
      try stage.tone("a.wav", seconds: 1)
      try stage.file(
        "later.yaml", "entries:\n  - {url: a.wav, not_before: \"2199-01-01T00:00:00Z\"}\n")
      #expect(try await stage.castq("enqueue", "later.yaml").exit == 0)
      let later = try await stage.status()
      #expect(later["waiting_for"] == .string("not_before"))
      #expect(later["until"] == .string("2199-01-01T00:00:00.000Z"))
      _ = try await stage.castq("stop")
      #expect(try await stage.status()["waiting_for"] == .string("stopped"))
      let words = try await stage.castq("status")
      #expect(words.exit == 1)
      #expect(words.stdout.contains("stopped by castq"), "\(words.stdout)")
      let closed = try QuietPort.closed()
      try stage.add(device: "hall", at: closed)
      try await stage.castq("-d", "hall", "enqueue", "a.wav")
      let off = try await stage.castq("-d", "hall", "status")
      #expect(off.exit == 69)
      #expect(off.stdout.contains("1 entry waits"), "\(off.stdout)")
      #expect(try await stage.json("-d", "hall", "status")["waiting_for"] == .string("device"))
      // castq alone: a line each.
      let all = try await stage.castq()
      #expect(all.exit == 0)
      #expect(all.outLines.map { $0.split(separator: ":").first } == ["hall", "lobby"], "\(all.stdout)")
      // One that cannot be asked hides no other.
      _ = try await Receiver(stage, "--write-root", "\(stage.folder)/roots.pem")
      expectSilence(try await stage.castq("device", "pin", "hall", "--roots", "roots.pem"))
      try FileManager.default.removeItem(atPath: "\(stage.folder)/roots.pem")
      let rest = try await stage.castq()
      #expect(rest.outLines.map { $0.split(separator: ":").first } == ["lobby"], "\(rest.stdout)")
      expectOneLine(Ending(exit: rest.exit, stdout: "", stderr: rest.stderr), exit: 78, saying: "roots.pem")
    }
  }

  @Test(
    "a guest on the screen is told with the name of its application, with a daemon and without one",
    arguments: [false, true])
  func guest(daemon isServed: Bool) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(
        stage, speed: 1, "--application", "233637DE:Tube:urn:x-cast:tube")
      try stage.add(device: "lobby", at: receiver.address)
      if isServed { _ = try await daemon(stage) }
      try stage.tone("long.wav", seconds: 600)
      let run = try stage.start(["run", "long.wav"])
      #expect(await receiver.playing() != nil)
      try await receiver.control("takeover 233637DE")
      if isServed {
        let news = try stage.start(["status", "--follow", "--jsonl"])
        #expect(await news.stdout.line(containing: #""waiting_for":"guest""#) != nil)
        // Why says what the status says: whatever is due, the guest's picture is on the screen.
        let why = try await stage.castq("why")
        #expect(why.outLines.first?.hasPrefix("A guest has the screen") == true, "\(why.stdout)")
        let winner = try await stage.json("why")["winner"]
        #expect(winner?["kind"]?.string == "dark" && winner?["cause"]?.string == "guest", "\(winner)")
        // The plan is what castq would show, and says nothing of guests.
        #expect(try await stage.castq("plan").stdout.contains("guest") == false)
        news.signal(SIGTERM)
        run.signal(SIGTERM)
      }
      _ = await run.ended()
      if !isServed {
        let status = try await stage.status()
        #expect(status["waiting_for"] == .string("guest"), "\(status)")
        #expect(status["application"]?["name"] == .string("Tube"))
        let words = try await stage.castq("status")
        #expect(words.exit == 1 && words.stdout.contains("a guest has the screen (Tube)"), "\(words.stdout)")
        #expect(try await stage.castq().stdout.contains("a guest has the screen (Tube)"))
        // Its own application without anything in it is no guest.
        expectSilence(try await stage.castq("cast", "long.wav"))
        #expect(try await stage.status()["waiting_for"] == .null)
        expectSilence(try await stage.castq("stop"))
        #expect(try await stage.status()["waiting_for"] == .string("stopped"))
      }
    }
  }

  @Test("a device that castq is connected to is seen now, and its status is what its application says")
  func seenNow() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.add(device: "bar", at: try QuietPort.closed())
      _ = try await daemon(stage)
      try stage.tone("long.wav", seconds: 600)
      let run = try stage.start(["run", "long.wav", "-d", "lobby"])
      #expect(await receiver.playing() != nil)
      let page = try await OperatorPage(stage)
      let asked = Date.now.formatted(.iso8601).dropLast()
      for document in [try await stage.json("devices"), try await page.get("devices")] {
        let devices = document["devices"]?.elements ?? []
        let lobby = devices.first { $0["name"]?.string == "lobby" }
        #expect(try #require(lobby?["last_seen_at"]?.string) >= asked, "\(document)")
        #expect(lobby?["status"]?.string?.isEmpty == false, "\(document)")
        #expect(devices.first { $0["name"]?.string == "bar" }?["last_seen_at"] == .null)
      }
      // Without asking the daemon the rows answer.
      let rows = try await stage.json("devices", "--no-daemon")["devices"]?.elements.first {
        $0["name"]?.string == "lobby"
      }
      #expect(rows?["status"] == .null, "\(rows)")
      run.signal(SIGTERM)
      _ = await run.ended()
    }
  }

  @Test(
    "a guest is told on a device that waits for a rule, also of one that begins soon", arguments: [3.0, 3000])
  func guestBeforeRule(hours: Double) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("long.wav", seconds: 600)
      let daemon = try await daemon(stage)
      let said = daemon.stderr.lines.count
      let start = Date(timeIntervalSinceNow: hours * 3600).formatted(.iso8601).dropLast(4)
      expectSilence(
        try await stage.castq(
          "schedule", "add", "later", "--play", "long.wav", "-d", "lobby", "--once", "\(start)", "--tz", "UTC"
        ))
      #expect(await daemon.stderr.line(containing: "castq.device=lobby", from: said) != nil)
      try await receiver.control("takeover 84912283")
      // What feeds the device has no session while nothing is due, so that the command looks itself.
      let status = try await stage.status()
      #expect(status["waiting_for"] == .string("guest") && status["until"] == .null, "\(status)")
      #expect(try await stage.castq("status").stdout.contains("a guest has the screen"))
      #expect(try await stage.castq().stdout.contains("a guest has the screen"))
      let news = try stage.start(["status", "--follow", "--jsonl"])
      #expect(await news.stdout.line(containing: #""waiting_for":"guest""#) != nil, "\(news.stdout.text)")
      news.signal(SIGTERM)
      _ = await news.ended()
    }
  }

  @Test("several devices are for commands that can act on many")
  func devices() async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: "192.0.2.1")
      try stage.add(device: "hall", at: "192.0.2.2")
      expectSilence(try await stage.castq("-d", "lobby", "-d", "hall", "repeat", "all"))
      for name in ["lobby", "hall"] {
        #expect(try await stage.json("-d", name, "queue")["repeat"] == .string("all"))
      }
      expectOneLine(
        try await stage.castq("-d", "lobby", "-d", "hall", "queue"), exit: 64, saying: "one device at a time")
    }
  }

  @Test("clear says what plays on, and stops it when asked")
  func clear() async throws {
    try await with(daemon: false, speed: 1) { stage, _ in
      try stage.tone("long.wav", seconds: 600)
      expectSilence(try await stage.castq("cast", "long.wav"))
      let told = try await stage.castq("clear")
      #expect(told.exit == 0)
      #expect(told.stderr.contains("long plays to its end"), "\(told.stderr)")
      expectSilence(try await stage.castq("cast", "long.wav"))
      expectSilence(try await stage.castq("clear", "--stop"))
      #expect(try await stage.castq("status").exit == 1)
    }
  }
}
