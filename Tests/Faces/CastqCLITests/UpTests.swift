import Foundation
import Testing

@Suite("castq up", .timeLimit(.minutes(20)))
struct UpTests {
  /// The programs that another one has started.
  private func children(of process: pid_t) throws -> [pid_t] {
    // Each thread has those that it has started.
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").flatMap { thread in
      try String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)
        .split(separator: " ").compactMap { pid_t($0) }
    }
  }

  private func isPage(_ process: pid_t) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe"))?.hasSuffix(
      "/castq-web") == true
  }

  /// Starts both, and returns what was said of the page.
  private func up(_ stage: Stage) async throws -> (program: RunningProgram, words: String) {
    let program = try stage.start(["up", "--listen", "127.0.0.1:0"], patience: RunningProgram.lifetime)
    let line = await program.stderr.line(containing: "the page is at ")
    return (program, try #require(line, "\(program.stderr.text)"))
  }

  private func port(in words: String) throws -> Int {
    let match = try #require(words.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\//), "\(words)")
    return try #require(Int(match.output.1))
  }

  @Test(
    "the page and the daemon run until a signal ends both, and the address stands on the terminal",
    arguments: [(SIGTERM, Int32(143)), (SIGINT, Int32(130)), (SIGHUP, Int32(143))])
  func both(signal: (number: Int32, exit: Int32)) async throws {
    try await Stage.with { stage in
      let (program, words) = try await up(stage)
      #expect(words.hasSuffix("; Ctrl-C stops both"), "\(words)")
      #expect(await program.stderr.line(containing: "ready") != nil)
      close(try LocalConnection.open(try port(in: words)))
      let started = try children(of: program.process)
      #expect(started.count == 2 && started.filter(isPage).count == 1)
      #expect(started.allSatisfy { getpgid($0) == getpgid(program.process) })
      program.signal(signal.number)
      let ending = await program.ended()
      #expect(ending.exit == signal.exit && ending.stdout.isEmpty)
      #expect(started.allSatisfy { kill($0, 0) != 0 }, "neither is left")
    }
  }

  @Test("where a daemon runs already only the page is started, and the daemon is left alone")
  func daemonRuns() async throws {
    try await Stage.with { stage in
      let daemon = try stage.start(["daemon"], patience: RunningProgram.lifetime)
      #expect(await daemon.stderr.line(containing: "ready") != nil)
      let (program, words) = try await up(stage)
      #expect(
        words.contains("a daemon runs already (process \(daemon.process))")
          && words.hasSuffix("Ctrl-C stops the page"), "\(words)")
      #expect(try children(of: program.process).allSatisfy(isPage))
      program.signal(SIGINT)
      #expect(await program.ended().exit == 130)
      #expect(kill(daemon.process, 0) == 0)
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("a port that is taken is named, and no daemon is started")
  func portTaken() async throws {
    try await Stage.with { stage in
      let page = try await OperatorPage(stage)
      let ending = try await stage.castq("up", "--listen", "127.0.0.1:\(page.port)")
      expectOneLine(ending, exit: 75, saying: "127.0.0.1:\(page.port): Address already in use")
      #expect(!FileManager.default.fileExists(atPath: "\(stage.database).daemon.lock"))
    }
  }

  @Test("when one of both ends the other is ended, and the exit code says so", arguments: [true, false])
  func oneDies(isPage: Bool) async throws {
    try await Stage.with { stage in
      let (program, _) = try await up(stage)
      #expect(await program.stderr.line(containing: "ready") != nil)
      let started = try children(of: program.process)
      let victim = try #require(started.first { self.isPage($0) == isPage })
      kill(victim, SIGKILL)
      let ending = await program.ended()
      let name = isPage ? "the page" : "the daemon"
      #expect(ending.exit == 70)
      #expect(
        ending.errorLines.last == "castq: \(name) has ended with exit code 137, and nothing runs any more",
        "\(ending.stderr)")
      #expect(started.allSatisfy { kill($0, 0) != 0 })
    }
  }

  @Test("who makes a token hears where it is used, and standard output is the token alone")
  func token() async throws {
    try await Stage.with { stage in
      let alone = try await stage.castq("web", "token", "add", "anna", "--role", "look")
      #expect(alone.outLines.count == 1 && alone.outLines[0].utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
      #expect(
        alone.errorLines.count == 1 && alone.stderr.contains("http://127.0.0.1:8010/, which nobody reaches"),
        "\(alone.stderr)")
      let folder = "\(stage.folder)/config/castq"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      func advice(_ web: String) async throws -> String {
        try Data("web: \(web)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/config.yaml"))
        let name = "x\(UInt32.random(in: 0 ... .max))"
        return try await stage.castq("web", "token", "add", name, "--role", "look").stderr.replacing(
          name, with: "NAME")
      }
      #expect(
        try await advice("{listen: 192.0.2.7:80}")
          == "castq: NAME opens http://192.0.2.7:80/ and gives this token\n")
      #expect(try await advice("{listen: 0.0.0.0:9000}").contains("NAME opens port 9000 of this computer"))
      #expect(
        try await advice("{hosts: [castq.example.org]}")
          == "castq: NAME opens castq.example.org and gives this token\n")
      let quiet = try await stage.castq("web", "token", "add", "berta", "--role", "look", "-q")
      #expect(quiet.outLines.count == 1 && quiet.stderr.isEmpty)
    }
  }
}
