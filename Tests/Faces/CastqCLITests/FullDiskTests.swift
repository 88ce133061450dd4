import Foundation
import Glibc
import Testing

/// A disk of a program's own, small enough to be filled.
private struct SmallDisk {
  /// Who may make one without being asked: the superuser, and others where the kernel lets them have namespaces.
  static let options = geteuid() == 0 ? ["-m"] : ["-r", "-m"]

  static let isPossible: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unshare")
    process.arguments = options + ["mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  let program: RunningProgram
  private let folder: String

  /// Starts castq with a disk of 8 MiB in a folder, and its database there.
  init(_ stage: Stage, _ arguments: [String], variables: [String: String] = [:]) throws {
    let castq = [try Programs.path("castq"), "--db", "\(stage.folder)/disk/q.db"]
    try self.init(stage, program: castq + arguments, size: "8m", variables: variables)
  }

  /// Makes a disk of 4 MiB on which no castq runs.
  init(unused stage: Stage) throws {
    try self.init(stage, program: ["tail", "-f", "/dev/null"], size: "4m", variables: [:])
  }

  private init(
    _ stage: Stage, program arguments: [String], size: String, variables: [String: String]
  ) throws {
    folder = "\(stage.folder)/disk"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    program = try RunningProgram(
      "/usr/bin/unshare",
      Self.options + [
        "sh", "-c",
        "disk=$1; shift; mount -t tmpfs -o size=\(size) tmpfs \"$disk\" && echo mounted >&2 && exec \"$@\"",
        "sh", folder,
      ] + arguments, environment: stage.environment.merging(variables) { $1 }, folder: stage.folder)
  }

  /// Returns when the disk is there.
  func mounted() async -> Bool { await program.stderr.line(containing: "mounted") != nil }

  /// The disk as this process sees it.
  private func outside(_ name: String) -> String { "/proc/\(program.process)/root\(folder)/\(name)" }

  /// Runs castq beside the program, where the disk is what it is for the program.
  func castq(_ arguments: String..., stage: Stage) async throws -> Ending {
    try await castq(arguments, stage: stage)
  }

  func castq(_ arguments: [String], stage: Stage) async throws -> Ending {
    try await run([Programs.path("castq"), "--db", "\(folder)/q.db"] + arguments, stage: stage)
  }

  /// Runs any program there.
  func run(_ arguments: [String], stage: Stage) async throws -> Ending {
    let spaces = geteuid() == 0 ? ["-m"] : ["-U", "--preserve-credentials", "-m"]
    return try await RunningProgram(
      "/usr/bin/nsenter",
      ["-t", "\(program.process)"] + spaces + arguments,
      environment: stage.environment, folder: stage.folder
    ).ended()
  }

  /// Writes until nothing more fits.
  func fill() throws {
    let descriptor = open(outside("filler"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let block = [UInt8](repeating: 1, count: 4096)
    while write(descriptor, block, block.count) > 0 {}
    #expect(errno == ENOSPC)
  }

  /// Renames a file on it.
  func rename(_ name: String, _ other: String) throws {
    try #require(Glibc.rename(outside(name), outside(other)) == 0)
  }

  func remove(_ name: String) throws { try #require(unlink(outside(name)) == 0) }

  func free() { unlink(outside("filler")) }

  /// Ends the program, which nobody finds by a database that is gone with its disk.
  func end() async {
    program.signal(SIGKILL)
    _ = await program.ended()
  }
}

@Suite("A disk that fills up", .timeLimit(.minutes(20)))
struct FullDiskTests {
  @Test(
    "a backup to a full disk names the copy that has no room, and leaves nothing of it",
    .enabled(if: SmallDisk.isPossible, "needs a mount namespace"))
  func backup() async throws {
    try await Stage.with { stage in
      try await stage.castq("enqueue", "-d", "127.0.0.1:9", "http://media.example/a.mp4")
      let disk = try SmallDisk(unused: stage)
      #expect(await disk.mounted())
      try disk.fill()
      let copy = "\(stage.folder)/disk/copy.db"
      let ending = try await disk.run(
        [try Programs.path("castq"), "--db", stage.database, "db", "backup", copy], stage: stage)
      expectOneLine(ending, exit: 74, saying: "no space is left for \(copy)")
      let listing = try await disk.run(["ls", "\(stage.folder)/disk"], stage: stage)
      #expect(listing.outLines == ["filler"], "\(listing)")
      await disk.end()
    }
  }

  @Test(
    "the screen plays on, the error is said once, and history is complete when there is room again",
    .enabled(if: SmallDisk.isPossible, "needs a mount namespace"))
  func fullForAWhile() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 5)
      let list = try stage.playlist(tones: 3, seconds: 8)
      let disk = try SmallDisk(stage, ["-v", "run", "--loop", "-d", receiver.address, list])
      let errors = disk.program.stderr
      /// Waits for the beginning of so many more plays; the index of the line behind the last.
      func plays(_ count: Int, from: Int) async throws -> Int {
        var from = from
        for _ in 0..<count {
          let found = await errors.index(from: from) { $0.contains("play started") }
          from = 1 + (try #require(found, "\(errors.text)"))
        }
        return from
      }
      _ = try await plays(2, from: 0)
      try disk.fill()
      let full = try #require(
        await errors.index { $0.hasPrefix("castq: no space is left") }, "\(errors.text)")
      let later = try await plays(6, from: full)
      disk.free()
      let again = try #require(
        await errors.index(from: later) { $0.hasPrefix("castq: the database works again") }, "\(errors.text)")
      _ = try await plays(2, from: again)

      let history = try await disk.castq("history", "--jsonl", stage: stage)
      let told = try history.outLines.map { try Document($0) }
      #expect(told.count >= 10)
      #expect(told.map { $0["title"]?.string } == told.indices.map { "Tone \($0 % 3 + 1)" })
      #expect(told.dropLast().allSatisfy { $0["outcome"] == .string("finished") })
      // At five times its speed a position that is told late looks like a seek.
      #expect(told.dropLast().allSatisfy { (0.0...8).contains($0["played_s"]?.number ?? -1) })
      disk.program.signal(SIGTERM)
      let ending = await disk.program.ended()
      #expect(ending.exit == 143)
      let said = ending.errorLines.filter { $0.hasPrefix("castq:") }
      #expect(said.count == 2, "\(said)")
      #expect(receiver.requests.count { $0 == "QUEUE_LOAD" } == 1, "nothing was loaded anew")
    }
  }

  @Test(
    "a run that ends while the disk is full has room for what it could not write, and says where it is",
    .enabled(if: SmallDisk.isPossible, "needs a mount namespace"))
  func fullToTheEnd() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      let list = try stage.playlist(tones: 3, seconds: 6)
      let disk = try SmallDisk(stage, ["-v", "run", "-d", receiver.address, list])
      let errors = disk.program.stderr
      try #require(await errors.index { $0.contains("play started") } != nil, "\(errors.text)")
      try disk.fill()
      let ending = await disk.program.ended()
      let said = ending.errorLines.filter { $0.hasPrefix("castq:") }
      #expect(said.first?.hasPrefix("castq: no space is left") == true, "\(said)")
      #expect(said.contains { $0.contains("writes are kept until it does") }, "\(said)")
      #expect(ending.stderr.contains("q.db.pending-1; the next castq that feeds"), "\(ending)")
      #expect(!ending.stderr.contains("missing"), "\(ending)")
      #expect(ending.exit == 74, "\(said)")
      #expect(ending.errorLines.count { $0.contains("play started") } == 3, "the list was played to its end")
    }
  }

  @Test(
    "a rule that begins while the disk is full takes the screen, and its decision is written once there is room again",
    .enabled(if: SmallDisk.isPossible, "needs a mount namespace"))
  func decision() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      for name in ["base", "show"] {
        try stage.tone("\(name).wav", seconds: 600)
        try stage.file("\(name).m3u", "\(name).wav\n")
      }
      let disk = try SmallDisk(stage, ["-v", "daemon"])
      let errors = disk.program.stderr
      #expect(await errors.line(containing: "ready") != nil)
      func castq(_ arguments: String...) async throws -> Ending {
        let ending = try await disk.castq(arguments, stage: stage)
        try #require(ending.exit == 0, "\(arguments) \(ending.stderr)")
        return ending
      }
      _ = try await castq("device", "add", "lobby", receiver.address)
      _ = try await castq("enqueue", "\(stage.folder)/base.m3u")
      #expect(await receiver.playing() != nil)
      _ = try await castq("programme", "add", "show", "\(stage.folder)/show.m3u")
      // The list of the programme has been read when the first rule has shown it.
      func add(_ name: String, _ time: String, _ length: String) async throws {
        _ = try await castq(
          "schedule", "add", name, "--play", "show", "-d", "lobby", "--once", time, "--for", length)
      }
      try await add("first", "+1s", "15s")
      let first = try #require(await errors.index { $0.contains("castq.programme=show") }, "\(errors.text)")
      let base = try #require(
        await errors.index(from: first) { $0.contains("castq.programme=base") }, "\(errors.text)")
      // The disk is full long before it begins.
      try await add("show", "+15s", "1h")
      try disk.fill()
      let key = try await disk.castq(["report", "key"], stage: stage)
      #expect(key.exit == 73 && key.stderr.contains("No space left on device"), "\(key)")
      let decided = try #require(
        await errors.index(from: base) { $0.contains("castq.programme=show") }, "\(errors.text)")
      #expect(await errors.line(containing: "play started", from: decided) != nil, "\(errors.text)")
      let status = try Document(try await castq("status", "--json").stdout)
      #expect(status["player_state"]?.string == "PLAYING" && status["title"]?.string == "show", "\(status)")
      #expect(!errors.text.contains("cannot be read"))
      disk.free()
      #expect(await errors.line(containing: "the database works again") != nil, "\(errors.text)")
      let why = try Document(try await castq("why", "--json").stdout)
      #expect(why["decision"]?["rule"]?.string == "show" && why["decision"]?["planned_at"]?.string != nil)
      let plays = try await castq("history", "--jsonl").outLines.map { try Document($0) }
      #expect(plays.last?["schedule"]?.string == "show" && plays.last?["outcome"] == .null, "\(plays)")
      disk.program.signal(SIGTERM)
      _ = await disk.program.ended()
    }
  }

  @Test(
    "a daemon on a full disk is alive and not ready, until there is room again",
    .enabled(if: SmallDisk.isPossible, "needs a mount namespace"))
  func readiness() async throws {
    try await Stage.with { stage in
      try FileManager.default.createDirectory(
        atPath: "\(stage.folder)/config/castq", withIntermediateDirectories: true)
      try stage.file("config/castq/config.yaml", "metrics: {listen: \"127.0.0.1:0\"}\n")
      let disk = try SmallDisk(stage, ["daemon"])
      let daemon = try await WatchedDaemon(stage, disk.program)
      #expect(try await daemon.ask("/readyz").status == 200)
      try disk.fill()
      let refused = try await daemon.ask("/readyz")
      #expect(refused.status == 503 && refused.text.contains("no space"), "\(refused)")
      #expect(try await daemon.ask("/healthz").status == 200)
      disk.free()
      #expect(try await daemon.ask("/readyz").status == 200)
      await disk.end()
    }
  }

  @Test(
    "a full disk is no reason for a restart: the watchdog is reset, until something is wrong that a restart mends",
    .enabled(if: SmallDisk.isPossible, "needs a mount namespace"))
  func watchdog() async throws {
    try await Stage.with { stage in
      let manager = try await ServiceManager(stage)
      let disk = try SmallDisk(stage, ["daemon"], variables: manager.variables)
      let errors = disk.program.stderr
      #expect(await manager.log.line(containing: "WATCHDOG=1") != nil, "\(errors.text)")
      try disk.fill()
      #expect(await errors.line(containing: "a restart would not help") != nil)
      let full = try await manager.moment("full")
      #expect(await manager.log.index(from: full) { $0 == "WATCHDOG=1" } != nil)
      try disk.rename("q.db.daemon.lock", "away")
      #expect(await errors.line(containing: "the watchdog is not reset") != nil)
      let gone = try await manager.moment("gone")
      for _ in 1...3 { _ = try await disk.castq("status", "--all", stage: stage) }
      let later = try await manager.moment("later")
      #expect(manager.log.lines[gone...later].allSatisfy { $0 != "WATCHDOG=1" })
      try disk.rename("away", "q.db.daemon.lock")
      disk.free()
      #expect(await errors.line(containing: "ready again") != nil)
      await disk.end()
      manager.end()
    }
  }

  @Test(
    "a hook that fires while the disk is full is delivered once there is room again, and only once",
    .enabled(if: SmallDisk.isPossible, "needs a mount namespace"))
  func hooks() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      let listener = try await HookListener(stage)
      try FileManager.default.createDirectory(
        atPath: "\(stage.folder)/config/castq", withIntermediateDirectories: true)
      try stage.file(
        "config/castq/config.yaml",
        """
        metrics: {listen: "127.0.0.1:0"}
        hooks: [{on: dark>15s, post: "http://127.0.0.1:\(listener.port)/", secret: \(HookListener.secret)}]
        """)
      let disk = try SmallDisk(stage, ["daemon"])
      _ = try await WatchedDaemon(stage, disk.program)
      _ = try await disk.castq("device", "add", "lobby", receiver.address, stage: stage)
      _ = try await disk.castq("enqueue", try stage.playlist(tones: 1, seconds: 300), stage: stage)
      #expect(await receiver.playing() != nil)
      // On a busy computer it may have been dark for that long before it began.
      let before = listener.log.lines.count
      try disk.fill()
      try await receiver.control("power off")
      let errors = disk.program.stderr
      #expect(await errors.line(containing: "it is kept in memory") != nil, "\(errors.text)")
      #expect(!listener.log.lines.dropFirst(before).contains { $0.contains(" dark ") })
      disk.free()
      #expect(
        await listener.log.index(from: before) { $0.contains("204 dark ") } != nil, "\(errors.text)")
      disk.program.signal(SIGTERM)
      _ = await disk.program.ended()
      #expect(listener.log.lines.dropFirst(before).count { $0.contains(" dark ") } == 1)
      #expect(!errors.text.contains("hooks lost"))
    }
  }

  /// Ends as if the power had failed: what is in the log of the database never gets into the file.
  private static let crash = """
    import os, sqlite3, sys
    db = sqlite3.connect(sys.argv[1], isolation_level=None)
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute("UPDATE queue SET repeat_mode = 'all'")
    os.kill(os.getpid(), 9)
    """

  @Test(
    "without a daemon a full disk can be read, also after a crash, and who writes hears what is wrong",
    .enabled(if: SmallDisk.isPossible, "needs a mount namespace"), arguments: [false, true])
  func reading(isCrashed: Bool) async throws {
    try await Stage.with { stage in
      let disk = try SmallDisk(unused: stage)
      try #require(await disk.mounted())
      func castq(_ arguments: String...) async throws -> Ending {
        try await disk.castq(arguments, stage: stage)
      }
      _ = try await castq("device", "add", "lobby", "127.0.0.1:1")
      #expect(
        try await castq("enqueue", "http://media.example/a.mp4", "http://media.example/b.mp4").exit == 0)
      if isCrashed {
        try stage.file("crash.py", Self.crash)
        let ending = try await disk.run(
          ["python3", "\(stage.folder)/crash.py", "\(stage.folder)/disk/q.db"], stage: stage)
        #expect(ending.exit == 137, "\(ending.stderr)")
        // The next one makes it anew; a crash of the computer leaves it of no use, too.
        try disk.remove("q.db-shm")
      }
      try disk.fill()
      for question in [
        ["queue", "--json"], ["history", "--jsonl"], ["status", "--json"], ["devices", "--json"],
      ] {
        let full = try await disk.castq(question, stage: stage)
        #expect(!full.stderr.contains("I/O"), "\(question): \(full.stderr)")
        if question[0] == "queue" {
          let queue = try Document(full.stdout)
          #expect(queue["entries"]?.elements.count == 2)
          #expect(queue["repeat"]?.string == (isCrashed ? "all" : "off"), "\(full.stdout)")
        }
        if question[0] != "status" { #expect(full.exit == 0, "\(question): \(full.stderr)") }
      }
      expectOneLine(
        try await castq("enqueue", "http://media.example/c.mp4"), exit: 74,
        saying: "no space is left for \(stage.folder)/disk/q.db: free some space and try again")
      disk.free()
      #expect(try await castq("enqueue", "http://media.example/c.mp4").exit == 0)
      #expect(try Document(try await castq("queue", "--json").stdout)["entries"]?.elements.count == 3)
      await disk.end()
    }
  }
}
