import Foundation
import Testing

@Suite("Metrics, health and readiness", .timeLimit(.minutes(20)))
struct MetricsTests {
  private static let promtool = "/usr/bin/promtool"
  private static let hasPromtool = FileManager.default.isExecutableFile(atPath: promtool)

  /// What promtool has to say of a text; nothing when all is well.
  private func verdict(_ text: String, _ arguments: String..., stage: Stage) async throws -> Ending {
    try await RunningProgram(
      Self.promtool, arguments, environment: stage.environment, folder: stage.folder, input: text
    ).ended()
  }

  /// Prints how many bytes the file at an address has. The server counts them before it closes the connection.
  private static let wholeAnswer = """
    import socket, sys, urllib.parse
    url = urllib.parse.urlsplit(sys.argv[1])
    with socket.create_connection((url.hostname, url.port)) as server:
        server.sendall(f"GET {url.path} HTTP/1.1\\r\\nHost: {url.netloc}\\r\\nConnection: close\\r\\n\\r\\n".encode())
        answer = b"".join(iter(lambda: server.recv(1 << 16), b""))
    print(len(answer.split(b"\\r\\n\\r\\n", 1)[1]) if b" 200 " in answer[:20] else answer[:200])
    """

  @Test("what happens is counted where it happens, and promtool has nothing against the text")
  func counting() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let daemon = try await WatchedDaemon(stage)
      let before = try await daemon.samples()
      #expect(before.sum("castq_plays_total") == nil)
      #expect(before.sum("castq_media_bytes_total") == 0)
      #expect(before.sum("castq_build_info", "version=\"") == 1)

      try stage.playlist(tones: 2, seconds: 1)
      let list = try stage.file(
        "mixed.m3u",
        "#EXTM3U\nlist.m3u-1.wav\nlist.m3u-2.wav\n#EXTINF:-1,Gone\n\(try QuietPort.closedURL())\n")
      try await stage.castq("enqueue", list)
      #expect(await daemon.program.stderr.line(containing: "feeding ended") != nil)

      let after = try await daemon.samples()
      #expect(after.sum("castq_plays_total", #"device="lobby""#, #"outcome="finished""#) == 2)
      let failed = try await stage.history().count { $0["outcome"]?.string == "failed" }
      #expect(failed > 0)
      #expect(after.sum("castq_plays_total", #"outcome="failed""#, "evidence=") == Double(failed))
      #expect((1.5...3.0).contains(after.sum("castq_play_seconds_total", #"device="lobby""#) ?? 0))
      #expect((after.sum("castq_load_seconds_count") ?? 0) >= 1)
      #expect((after.sum("castq_load_seconds_sum") ?? 0) > 0)
      #expect((after.sum("castq_gap_seconds_count") ?? 0) >= 1)
      #expect((after.sum("castq_media_requests_total", "code=\"20") ?? 0) >= 2)
      #expect(
        (after.sum("castq_store_write_seconds_count") ?? 0)
          > (before.sum("castq_store_write_seconds_count") ?? 0))
      #expect(after.sum("castq_queue_entries", #"state="finished""#) == 2)
      #expect(after.sum("castq_queue_entries", #"state="failed""#) == 1)
      #expect(after.sum("castq_queue_entries", #"state="pending""#) == 0)
      #expect(after.sum("castq_device_up", #"device="lobby""#) == 1)
      #expect((after.sum("castq_dark_seconds_total", #"device="lobby""#, #"cause="loading""#) ?? 0) > 0)
      #expect(after.sum("castq_event_subscribers", #"source="daemon""#) == 0)
      #expect((after.sum("process_resident_memory_bytes") ?? 0) > 1_000_000)
      #expect((after.sum("process_start_time_seconds") ?? 0) > 1_600_000_000)
      let own = after.text.split(separator: "\n").count { $0.contains(#"device="lobby""#) }
      #expect((5...60).contains(own), "series of a device")
      #expect(!after.text.contains("127.0.0.1") && !after.text.contains("Gone"), "no address and no title")
      if Self.hasPromtool {
        let said = try await verdict(after.text, "check", "metrics", stage: stage)
        #expect(said.exit == 0 && said.stdout.isEmpty && said.stderr.isEmpty, "\(said.stdout)\(said.stderr)")
      } else {
        print("promtool is not installed: the text was not checked by it")
      }
    }
  }

  @Test("a connection that is lost makes a screen dark and unreachable, and is counted when it is back")
  func losses() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      let daemon = try await WatchedDaemon(stage)
      try await stage.castq("enqueue", try stage.playlist(tones: 1, seconds: 300))
      #expect(await receiver.playing() != nil)
      // The receiver may hang up behind the header: what is counted for certain is what was read to its end.
      let address = try #require(
        receiver.log.lines.lazy.map { $0.replacingOccurrences(of: "\\/", with: "/") }
          .compactMap { $0.firstMatch(of: /http:[^"]*\.wav/).map { String($0.output) } }.first)
      let read = try await RunningProgram(
        "/usr/bin/python3", ["-c", Self.wholeAnswer, address], environment: stage.environment,
        folder: stage.folder, input: ""
      ).ended()
      let bytes = try #require(
        Double(read.stdout.trimmingCharacters(in: .whitespacesAndNewlines)), "\(read.stderr)")
      #expect(bytes > 100_000)
      #expect((try await daemon.samples().sum("castq_media_bytes_total") ?? 0) >= bytes)
      try await receiver.control("power off")
      #expect(await daemon.program.stderr.line(containing: "device lost") != nil)
      let away = try await daemon.samples()
      #expect(away.sum("castq_device_up", #"device="lobby""#) == 0)
      #expect(away.sum("castq_dark_seconds_total", #"cause="unreachable""#) != nil)
      #expect(away.sum("castq_device_reconnects_total") == nil, "it is not back")
      let later = try await daemon.samples()
      #expect(
        (later.sum("castq_dark_seconds_total", #"cause="unreachable""#) ?? 0)
          > (away.sum("castq_dark_seconds_total", #"cause="unreachable""#) ?? 0),
        "it goes on while it is dark")
      let seen = receiver.log.lines.count
      try await receiver.control("power on")
      #expect(await receiver.playing(from: seen) != nil)
      #expect(await daemon.program.stderr.line(containing: "device is back") != nil)
      let back = try await daemon.samples()
      #expect(back.sum("castq_device_up", #"device="lobby""#) == 1)
      #expect(back.sum("castq_device_reconnects_total", "cause=\"") == 1)
    }
  }

  @Test("a rule that begins is counted with its lateness, and those who watch are counted while they do")
  func schedule() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let daemon = try await WatchedDaemon(stage)
      let tone = try stage.tone("rule.wav", seconds: 200)
      expectSilence(
        try await stage.castq(
          "schedule", "add", "show", "--play", tone, "-d", "lobby", "--once", "+1s", "--for", "1h"))
      #expect(await receiver.playing() != nil)
      try await stage.awaitPlay { $0["schedule"]?.string == "show" }
      #expect((try await daemon.samples().sum("castq_schedule_lateness_seconds_count") ?? 0) >= 1)
      let follower = try stage.start(["status", "--follow", "--jsonl", "-d", "lobby"])
      #expect(await follower.stdout.index { _ in true } != nil)
      #expect(try await daemon.samples().sum("castq_event_subscribers", #"source="daemon""#) == 1)
      follower.signal(SIGINT)
      _ = await follower.ended()
    }
  }

  /// Pauses and resumes a device many times, at the socket of its daemon.
  private static let restless = """
    import json, socket, sys
    with socket.socket(socket.AF_UNIX) as daemon:
        daemon.connect(sys.argv[1])
        lines = daemon.makefile("rb")
        for number in range(int(sys.argv[2])):
            for command in ("pause", "play"):
                daemon.sendall(json.dumps({"castq": 2, "device": 1, "command": {"verb": command}}).encode() + b"\\n")
                lines.readline()
    """

  @Test(
    "changes that a follower who does not read did not get are counted, and stay counted when it has gone")
  func drops() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      let daemon = try await WatchedDaemon(stage)
      try await stage.castq("enqueue", try stage.playlist(tones: 1, seconds: 300))
      #expect(await receiver.playing() != nil)
      #expect(try await daemon.samples().sum("castq_events_dropped_total", #"source="daemon""#) == 0)
      let follower = try stage.start(["status", "--follow", "--jsonl", "-d", "lobby"])
      #expect(await follower.stdout.index { _ in true } != nil)
      follower.signal(SIGSTOP)
      // More than its socket holds.
      let restless = try await RunningProgram(
        "/usr/bin/python3", ["-c", Self.restless, "\(stage.database).daemon.sock", "250"],
        environment: stage.environment, folder: stage.folder
      ).ended()
      #expect(restless.exit == 0, "\(restless.stderr)")
      let late = try await daemon.samples().sum("castq_events_dropped_total", #"source="daemon""#) ?? 0
      #expect(late > 0)
      follower.signal(SIGKILL)
      _ = await follower.ended()
      let after = try await daemon.samples()
      #expect((after.sum("castq_events_dropped_total", #"source="daemon""#) ?? 0) >= late)
      daemon.program.signal(SIGTERM)
      #expect(await daemon.program.ended().exit == 0)
    }
  }

  @Test("the page passes on what the daemon says of itself, and adds its own")
  func page() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let page = try await OperatorPage(stage)
      let place = "127.0.0.1:\(page.port)"
      let daemon = try await WatchedDaemon(stage)
      for path in ["/metrics", "/api/v1/metrics"] {
        let text = try await daemon.ask(path, at: place).text
        let samples = WatchedDaemon.Samples(text: text)
        #expect(samples.sum("castq_build_info") == 1, "once")
        #expect(samples.sum("castq_store_write_seconds_count") != nil)
        #expect(samples.sum("castq_event_subscribers", #"source="page""#) == 0)
        #expect(samples.sum("castq_event_subscribers", #"source="daemon""#) != nil)
        #expect(samples.sum("castq_web_connections") != nil)
        if Self.hasPromtool {
          let said = try await verdict(text, "check", "metrics", stage: stage)
          #expect(
            said.exit == 0 && said.stdout.isEmpty && said.stderr.isEmpty, "\(said.stdout)\(said.stderr)")
        }
      }
      #expect(try await daemon.ask("/readyz", at: place).status == 200)
      try await stage.castq("enqueue", try stage.playlist(tones: 1, seconds: Stage.outlasting))
      #expect(await receiver.playing() != nil)
      let lock = "\(stage.folder)/castq.db.feeder-1.lock"
      rename(lock, "\(lock).away")
      for answer in [try await daemon.ask("/readyz", at: place), try await daemon.ask("/readyz")] {
        #expect(answer.status == 503 && answer.text.contains("lock file of lobby"), "\(answer)")
      }
      rename("\(lock).away", lock)
      #expect(try await daemon.ask("/readyz", at: place).status == 200)
      daemon.program.signal(SIGTERM)
      _ = await daemon.program.ended()
      let alone = WatchedDaemon.Samples(text: try await daemon.ask("/metrics", at: place).text)
      #expect(alone.sum("castq_build_info") == 1)
      #expect(alone.sum("process_start_time_seconds") == nil, "nobody is there whose process it would be")
    }
  }

  @Test("a daemon is healthy, and ready until its lock file is gone, and again when it is back")
  func locks() async throws {
    try await Stage.with { stage in
      let daemon = try await WatchedDaemon(stage)
      #expect(try await daemon.ask("/healthz") == (200, "ok\n"))
      #expect(try await daemon.ask("/readyz") == (200, "ok\n"))
      #expect(try await daemon.ask("/elsewhere").status == 404)
      let lock = "\(stage.folder)/castq.db.daemon.lock"
      rename(lock, "\(lock).away")
      let refused = try await daemon.ask("/readyz")
      #expect(refused.status == 503 && refused.text.contains("lock file"), "\(refused)")
      #expect(try await daemon.ask("/healthz").status == 200, "it lives")
      rename("\(lock).away", lock)
      #expect(try await daemon.ask("/readyz").status == 200)
    }
  }

  @Test("a daemon is not ready while its database is another file or none, and says so")
  func replaced() async throws {
    try await Stage.with { stage in
      let daemon = try await WatchedDaemon(stage)
      #expect(try await daemon.ask("/readyz") == (200, "ok\n"))
      let file = stage.database
      rename(file, "\(file).away")
      for isThere in [false, true] {
        if isThere { try await stage.castq("db", "backup", file, "--db", "\(file).away") }
        let refused = try await daemon.ask("/readyz")
        #expect(refused.status == 503 && refused.text.contains("replaced or removed"), "\(refused)")
      }
      rename("\(file).away", file)
      #expect(try await daemon.ask("/readyz").status == 200)
    }
  }

  @Test("another address in the configuration is listened at after a reload, and none at all when it is gone")
  func reloading() async throws {
    try await Stage.with { stage in
      let daemon = try await WatchedDaemon(stage)
      let path = "\(stage.folder)/config/castq/config.yaml"
      try Data("metrics: {listen: \"localhost:0\"}\n".utf8).write(to: URL(fileURLWithPath: path))
      let seen = daemon.program.stderr.lines.count
      daemon.program.signal(SIGHUP)
      let index = await daemon.program.stderr.index(from: seen) { $0.contains("metrics are served") }
      let line = try #require(index.map { daemon.program.stderr.lines[$0] })
      let place = try #require(line.firstMatch(of: /castq\.address=(\S+)/).map { String($0.output.1) })
      #expect(try await daemon.ask("/healthz", at: place).status == 200)
      try Data("metrics: {listen: nonsense}\n".utf8).write(to: URL(fileURLWithPath: path))
      expectOneLine(try await stage.castq("daemon", "--until-idle"), exit: 78, saying: "nonsense")
    }
  }

  @Test("the watchdog is reset while the daemon is ready, and at no other time")
  func watchdog() async throws {
    try await Stage.with { stage in
      let manager = try await ServiceManager(stage)
      let program = try stage.start(["daemon"], variables: manager.variables)
      #expect(await manager.log.line(containing: "WATCHDOG=1") != nil, "\(program.stderr.text)")
      let lock = "\(stage.folder)/castq.db.daemon.lock"
      rename(lock, "\(lock).away")
      #expect(await program.stderr.line(containing: "the watchdog is not reset") != nil)
      let gone = try await manager.moment("gone")
      // Some of its periods pass.
      for _ in 1...3 { try await stage.castq("status", "--all") }
      let later = try await manager.moment("later")
      #expect(manager.log.lines[gone...later].allSatisfy { $0 != "WATCHDOG=1" })
      rename("\(lock).away", lock)
      #expect(await manager.log.index(from: later) { $0 == "WATCHDOG=1" } != nil)
      program.signal(SIGTERM)
      _ = await program.ended()
      manager.end()
    }
  }

  @Test("the status of a daemon that stands still says so, and is no status of a screen that plays")
  func standstill() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let daemon = try await WatchedDaemon(stage)
      try await stage.castq("enqueue", try stage.playlist(tones: 1, seconds: Stage.outlasting))
      #expect(await receiver.playing() != nil)
      daemon.program.signal(SIGSTOP)
      let stopped = try await stage.castq("status", "-d", "lobby")
      #expect(
        stopped.exit == 69 && stopped.outLines.dropFirst().first?.hasPrefix("the daemon has not") == true)
      let document = try await stage.castq("status", "-d", "lobby", "--json")
      #expect(document.exit == 69)
      #expect((try Document(document.stdout)["daemon_silent_s"]?.number ?? 0) >= 2, "\(document.stdout)")
      daemon.program.signal(SIGCONT)
      let running = try await stage.castq("status", "-d", "lobby", "--json")
      #expect(running.exit == 0)
      #expect(try Document(running.stdout)["daemon_silent_s"] == .null)
    }
  }
}
