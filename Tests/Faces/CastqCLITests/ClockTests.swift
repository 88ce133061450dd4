import Foundation
import Testing

@Suite("A clock that is set", .timeLimit(.minutes(20)))
struct ClockTests {
  private static let source = Programs.clone.appending(path: "Tests/Foreign/Clock/clock.c").path

  /// The clock of a daemon.
  private struct Clock {
    private let path: String
    let variables: [String: String]

    init(_ stage: Stage) async throws {
      path = "\(stage.folder)/clock"
      let library = "\(stage.folder)/clock.so"
      let compiler = try RunningProgram(
        "/usr/bin/cc", ["-shared", "-fPIC", "-O1", "-o", library, ClockTests.source],
        environment: ProcessInfo.processInfo.environment, folder: stage.folder)
      let ending = await compiler.ended()
      try #require(ending.exit == 0, "\(ending.stderr)")
      try #require(mkfifo("\(path).told", 0o600) == 0)
      try Data(repeating: 0, count: 8).write(to: URL(filePath: path))
      variables = ["LD_PRELOAD": library, "CASTQ_CLOCK": path]
    }

    /// Sets it ahead of the computer's, and lets the daemon know as the kernel does.
    func set(ahead seconds: Int64) throws {
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.write(contentsOf: withUnsafeBytes(of: seconds) { Data($0) })
      try file.close()
      let pipe = try #require(FileHandle(forWritingAtPath: "\(path).told"))
      try pipe.write(contentsOf: Data(repeating: 0, count: 8))
      try pipe.close()
    }
  }

  @Test(
    "what is due by the new time is on the screen at once, and leaves it when the clock is set back",
    .enabled(if: access("/usr/bin/cc", X_OK) == 0, "needs cc; Debian has it in the package gcc"))
  func set() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try await stage.castq("device", "add", "lobby", receiver.address)
      for name in ["base", "lunch"] { try stage.tone("\(name).wav", seconds: 600) }
      expectSilence(try await stage.castq("enqueue", "base.wav"))
      let clock = try await Clock(stage)
      let daemon = try stage.start(["daemon"], variables: clock.variables)
      #expect(await receiver.playing() != nil, "\(daemon.stderr.text)")
      let start = Date(timeIntervalSinceNow: 7200).formatted(.iso8601).dropLast()
      try stage.file(
        "site.yaml",
        "rules: {lunch: {play: ./lunch.wav, devices: lobby, once: \"\(start)\", tz: UTC, for: 1h}}\n")
      #expect(try await stage.castq("schedule", "apply", "site.yaml").exit == 0)
      // It is answered when the rules are read.
      expectSilence(try await stage.castq("volume", "20"))

      // Nothing else would wake the daemon in two hours.
      let before = receiver.log.lines.count
      try clock.set(ahead: 7210)
      let lunch = try #require(await Self.shown("lunch", receiver, from: before), "\(daemon.stderr.text)")
      // What the daemon has not heard of when it takes it off the screen was not seen.
      try await stage.awaitPlay { $0["title"]?.string == "lunch" && $0["outcome"] == .null }
      try clock.set(ahead: 0)
      #expect(await Self.shown("base", receiver, from: lunch) != nil, "\(daemon.stderr.text)")
      try await stage.awaitPlay { $0["title"]?.string == "base" && $0["outcome"] == .null }
      daemon.signal(SIGTERM)
      let ending = await daemon.ended()
      #expect(ending.exit == 0)
      #expect(ending.stderr.components(separatedBy: "the system's clock was set").count == 3)
      let titles = try await stage.history().compactMap { $0["title"]?.string }
      #expect(titles.count { $0 == "lunch" } == 1 && titles.count { $0 == "base" } == 2, "\(titles)")
    }
  }

  @Test(
    "a proof names the plays by a clock that was not synchronised, and no others",
    .enabled(if: access("/usr/bin/cc", X_OK) == 0, "needs cc; Debian has it in the package gcc"))
  func unsynchronised() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try await stage.castq("device", "add", "lobby", receiver.address)
      try stage.tone("a.wav", seconds: 1)
      let clock = try await Clock(stage)
      for kept in ["1", "0", "1"] {
        let ending = try await stage.castq(
          ["run", "-d", "lobby", "a.wav"],
          variables: clock.variables.merging(["CASTQ_CLOCK_KEPT": kept]) { $1 })
        expectSilence(ending)
      }
      expectSilence(try await stage.castq("report", "proof", "-o", "proof.jsonl"))
      let verdict = try await stage.castq("report", "verify", "proof.jsonl")
      #expect(verdict.exit == 0 && verdict.outLines.first?.hasPrefix("true: 3 plays") == true)
      #expect(
        verdict.outLines.dropFirst() == [
          "warning: the clock of the computer was not known to be synchronised for 1 play: line 3"
        ], "\(verdict.stdout)")
      let document = try await stage.json("report", "verify", "proof.jsonl")
      #expect(document["clocks"]?.elements.map { $0["line"]?.int } == [3])
      #expect(document["clock_count"]?.int == 1)
    }
  }

  /// The line in which the receiver says that it plays a title.
  private static func shown(_ title: String, _ receiver: Receiver, from line: Int) async -> Int? {
    await receiver.log.index(from: line) { line in
      guard line.contains(#""dir":"out""#), line.contains(#""playerState":"PLAYING""#) else { return false }
      let status = (try? Document(line))?["data"]?["status"]?.elements.first
      return status?["media"]?["metadata"]?["title"]?.string == title
    }
  }
}
