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
    folder = "\(stage.folder)/disk"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    program = try RunningProgram(
      "/usr/bin/unshare",
      Self.options + [
        "sh", "-c", "disk=$1; shift; mount -t tmpfs -o size=8m tmpfs \"$disk\" && exec \"$@\"", "sh", folder,
        Programs.path("castq"), "--db", "\(folder)/q.db",
      ] + arguments, environment: stage.environment.merging(variables) { $1 }, folder: stage.folder)
  }

  /// The disk as this process sees it.
  private func outside(_ name: String) -> String { "/proc/\(program.process)/root\(folder)/\(name)" }

  /// Runs castq beside the program, where the disk is what it is for the program.
  func castq(_ arguments: String..., stage: Stage) async throws -> Ending {
    try await castq(arguments, stage: stage)
  }

  func castq(_ arguments: [String], stage: Stage) async throws -> Ending {
    let spaces = geteuid() == 0 ? ["-m"] : ["-U", "--preserve-credentials", "-m"]
    return try await RunningProgram(
      "/usr/bin/nsenter",
      ["-t", "\(program.process)"] + spaces + [Programs.path("castq"), "--db", "\(folder)/q.db"] + arguments,
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

  func free() { unlink(outside("filler")) }

  /// Ends the program, which nobody finds by a database that is gone with its disk.
  func end() async {
    program.signal(SIGKILL)
    _ = await program.ended()
  }
}

@Suite("A disk that fills up", .timeLimit(.minutes(5)))
struct FullDiskTests {
  @Test(
    "the screen plays on, the error is said once, and history is complete when there is room again",
    .enabled(if: SmallDisk.isPossible, "needs a mount namespace"))
  func fullForAWhile() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 5)
      let list = try stage.playlist(tones: 3, seconds: 3)
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
      #expect(told.dropLast().allSatisfy { (0.0...3).contains($0["played_s"]?.number ?? -1) })
      disk.program.signal(SIGTERM)
      let ending = await disk.program.ended()
      #expect(ending.exit == 143)
      let said = ending.errorLines.filter { $0.hasPrefix("castq:") }
      #expect(said.count == 2, "\(said)")
      #expect(receiver.requests.count { $0 == "QUEUE_LOAD" } == 1, "nothing was loaded anew")
    }
  }

  @Test(
    "a run that ends while the disk is full says what is missing, and the next one shows what it can defend",
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
      #expect(said.contains { $0.contains("writes are missing in queue and history") }, "\(said)")
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
      try await add("first", "+1s", "1s")
      let first = try #require(await errors.index { $0.contains("castq.programme=show") }, "\(errors.text)")
      #expect(await errors.line(containing: "castq.programme=base", from: first) != nil)
      try await add("show", "+4s", "1h")
      #expect(await receiver.playing() != nil)
      try disk.fill()
      let key = try await disk.castq(["report", "key"], stage: stage)
      #expect(key.exit == 73 && key.stderr.contains("No space left on device"), "\(key)")
      let decided = try #require(
        await errors.index(from: first + 1) { $0.contains("castq.programme=show") }, "\(errors.text)")
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
      let socket = "\(stage.folder)/tv.sock"
      let receiver = try await Receiver(stage, speed: 1, "--control", socket)
      let listener = try await HookListener(stage)
      try FileManager.default.createDirectory(
        atPath: "\(stage.folder)/config/castq", withIntermediateDirectories: true)
      try stage.file(
        "config/castq/config.yaml",
        """
        metrics: {listen: "127.0.0.1:0"}
        hooks: [{on: dark>1s, post: "http://127.0.0.1:\(listener.port)/", secret: \(HookListener.secret)}]
        """)
      let disk = try SmallDisk(stage, ["daemon"])
      _ = try await WatchedDaemon(stage, disk.program)
      _ = try await disk.castq("device", "add", "lobby", receiver.address, stage: stage)
      _ = try await disk.castq("enqueue", try stage.playlist(tones: 1, seconds: 300), stage: stage)
      #expect(await receiver.playing() != nil)
      try disk.fill()
      try ReceiverControl.send("power off", to: socket)
      let errors = disk.program.stderr
      #expect(await errors.line(containing: "it is kept in memory") != nil, "\(errors.text)")
      #expect(!listener.log.text.contains(" dark "))
      disk.free()
      #expect(await listener.log.line(containing: "204 dark ") != nil, "\(errors.text)")
      disk.program.signal(SIGTERM)
      _ = await disk.program.ended()
      #expect(listener.log.lines.count { $0.contains(" dark ") } == 1)
      #expect(!errors.text.contains("hooks lost"))
    }
  }
}
