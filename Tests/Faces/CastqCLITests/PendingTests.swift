import Foundation
import Glibc
import Testing

/// Another program that keeps the database for itself.
private struct Holder {
  private let program: RunningProgram

  /// Returns when it has the database.
  init(_ stage: Stage) async throws {
    let script = """
      import signal, sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
      c.execute("BEGIN EXCLUSIVE")
      print("held", flush=True)
      signal.pause()
      """
    program = try RunningProgram(
      "/usr/bin/env", ["python3", "-c", script, stage.database], environment: stage.environment,
      folder: stage.folder)
    #expect(await program.stdout.line(containing: "held") != nil)
  }

  func release() async {
    program.signal(SIGKILL)
    _ = await program.ended()
  }
}

@Suite("A database that another program holds for long", .timeLimit(.minutes(15)))
struct PendingTests {
  /// Starts a feeder and has the database held while the first tone plays. Returns when a tone of this number has begun.
  private func play(
    _ stage: Stage, _ arguments: [String], until last: Int
  ) async throws -> (feeder: RunningProgram, holder: Holder) {
    let feeder = try stage.start(["-v"] + arguments)
    #expect(await feeder.stderr.line(containing: "play started") != nil, "\(feeder.stderr.text)")
    let holder = try await Holder(stage)
    let line = await feeder.stderr.index { $0.contains("play started") && $0.contains("Tone \(last)") }
    #expect(line != nil, "\(feeder.stderr.text)")
    return (feeder, holder)
  }

  private func begin(_ stage: Stage, tones: Int) async throws -> Receiver {
    let receiver = try await Receiver(stage, speed: 10)
    try stage.add(device: "lobby", at: receiver.address)
    try stage.playlist("list.m3u", tones: tones, seconds: 20)
    return receiver
  }

  /// Checks that each tone was played to its end once, that nothing else was, and that the chain of proofs holds.
  private func expectWhole(_ stage: Stage, tones: Int, cut: Int = 0) async throws {
    let history = try await stage.history()
    let finished = history.filter { $0["outcome"] == .string("finished") }
    #expect(
      finished.compactMap { $0["title"]?.string } == (1...tones).map { "Tone \($0)" }, "\(history)")
    #expect(history.count <= tones + cut, "\(history)")
    let proof = try await stage.castq("report", "proof")
    try stage.file("proof.jsonl", proof.stdout)
    let verdict = try await stage.castq("report", "verify", "proof.jsonl")
    #expect(verdict.exit == 0, "\(verdict)")
    let entries = try await stage.queue()["entries"]?.elements ?? []
    #expect(entries.map { $0["state"] } == Array(repeating: .string("finished"), count: tones), "\(entries)")
  }

  private func pending(_ stage: Stage, _ name: String = "pending") -> Int {
    let file = try? FileManager.default.attributesOfItem(atPath: "\(stage.database).\(name)")
    return file?[.size] as? Int ?? 0
  }

  @Test(
    "a daemon that ends meanwhile leaves what it could not write to the next one, which goes on where it was")
  func ended() async throws {
    try await Stage.with { stage in
      let receiver = try await begin(stage, tones: 6)
      try await stage.castq("enqueue", "-d", "lobby", "list.m3u")
      let (daemon, holder) = try await play(stage, ["daemon"], until: 4)
      daemon.signal(SIGTERM)
      let ending = await daemon.ended()
      #expect(ending.exit == 0, "\(ending)")
      #expect(ending.stderr.contains("castq.db.pending; the next castq that feeds"), "\(ending)")
      #expect(!ending.stderr.contains("missing"), "\(ending)")
      #expect(pending(stage) > 1000)
      let status = try await stage.castq("status")
      #expect(status.stderr.contains("castq.db.pending; the next castq that feeds"), "\(status)")
      await holder.release()
      let report = try await stage.json("doctor", "--no-launch")
      let disk = report.elements.first { $0["check"] == .string("disk") }
      #expect(disk?["verdict"] == .string("warn"), "\(report)")
      #expect(disk?["words"]?.string?.contains("wait in \(stage.database).pending") == true, "\(report)")
      let next = try stage.start(["-v", "daemon"])
      #expect(await next.stderr.line(containing: "made up for") != nil, "\(next.stderr.text)")
      try await stage.awaitPlay { $0["title"] == .string("Tone 6") && $0["outcome"] == .string("finished") }
      try await expectWhole(stage, tones: 6, cut: 1)
      next.signal(SIGTERM)
      #expect(await next.ended().exit == 0)
      #expect(pending(stage) == 0, "its file is gone")
      withExtendedLifetime(receiver) {}
    }
  }

  @Test("a daemon whose queue ends meanwhile loses nothing, and a person need not start anything")
  func drained() async throws {
    try await Stage.with { stage in
      let receiver = try await begin(stage, tones: 3)
      try await stage.castq("enqueue", "-d", "lobby", "list.m3u")
      let (daemon, holder) = try await play(stage, ["daemon"], until: 3)
      #expect(await daemon.stderr.line(containing: "feeding ended") != nil, "\(daemon.stderr.text)")
      await holder.release()
      try await stage.awaitPlay { $0["title"] == .string("Tone 3") && $0["outcome"] == .string("finished") }
      try await expectWhole(stage, tones: 3)
      daemon.signal(SIGTERM)
      let ending = await daemon.ended()
      #expect(ending.exit == 0 && !ending.stderr.contains("missing"), "\(ending)")
      withExtendedLifetime(receiver) {}
    }
  }

  @Test("a daemon that is killed after its queue has ended meanwhile has left everything to the next one")
  func killed() async throws {
    try await Stage.with { stage in
      let receiver = try await begin(stage, tones: 3)
      try await stage.castq("enqueue", "-d", "lobby", "list.m3u")
      let (daemon, holder) = try await play(stage, ["daemon"], until: 3)
      #expect(await daemon.stderr.line(containing: "feeding ended") != nil, "\(daemon.stderr.text)")
      daemon.signal(SIGKILL)
      _ = await daemon.ended()
      await holder.release()
      let next = try stage.start(["-v", "daemon"])
      #expect(await next.stderr.line(containing: "made up for") != nil, "\(next.stderr.text)")
      try await expectWhole(stage, tones: 3)
      next.signal(SIGTERM)
      #expect(await next.ended().exit == 0)
      withExtendedLifetime(receiver) {}
    }
  }

  @Test("a run without a daemon that ends meanwhile leaves what it could not write to whoever feeds next")
  func run() async throws {
    try await Stage.with { stage in
      let receiver = try await begin(stage, tones: 3)
      let (feeder, holder) = try await play(stage, ["run", "-d", "lobby", "list.m3u"], until: 3)
      let ending = await feeder.ended()
      #expect(ending.exit == 75, "\(ending)")
      #expect(ending.stderr.contains("writes are kept until it does"), "\(ending)")
      #expect(pending(stage, "pending-1") > 1000)
      await holder.release()
      let daemon = try stage.start(["-v", "daemon"])
      #expect(await daemon.stderr.line(containing: "made up for") != nil, "\(daemon.stderr.text)")
      try await expectWhole(stage, tones: 3)
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
      #expect(pending(stage, "pending-1") == 0)
      withExtendedLifetime(receiver) {}
    }
  }

  @Test("a daemon that starts while the database is held goes on where the one before was")
  func startedMeanwhile() async throws {
    try await Stage.with { stage in
      let receiver = try await begin(stage, tones: 8)
      try await stage.castq("enqueue", "-d", "lobby", "list.m3u")
      let (daemon, holder) = try await play(stage, ["daemon"], until: 3)
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
      let next = try stage.start(["-v", "daemon"])
      #expect(await next.stderr.line(containing: "still wait in") != nil, "\(next.stderr.text)")
      let line = await next.stderr.index { $0.contains("play started") }
      #expect(line != nil, "\(next.stderr.text)")
      await holder.release()
      try await stage.awaitPlay { $0["title"] == .string("Tone 8") && $0["outcome"] == .string("finished") }
      try await expectWhole(stage, tones: 8, cut: 1)
      next.signal(SIGTERM)
      #expect(await next.ended().exit == 0)
      withExtendedLifetime(receiver) {}
    }
  }
}
