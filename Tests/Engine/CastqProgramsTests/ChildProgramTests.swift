import CastSender
import CastqPrograms
import Glibc
import Testing

/// Programs that castq asks, with `sh` of the system in their part.
struct ChildProgramTests {
  private let shell = ChildProgram(path: "/bin/sh", environment: ["ASKED": "yes"])

  private func say(_ script: String, _ limits: ProgramLimits = ProgramLimits(time: .seconds(180)))
    async throws
    -> String
  {
    String(decoding: try await shell.run(["-c", script], limits: limits), as: UTF8.self)
  }

  @Test("the answer is what the program wrote")
  func output() async throws {
    #expect(try await say("printf 'a b'; echo noise >&2") == "a b")
  }

  @Test("an argument reaches the program as it is, and no shell reads it")
  func arguments() async throws {
    let program = ChildProgram(path: "/usr/bin/printf")
    let answer = try await program.run(
      ["%s|", "$(id)", "a;b", "'", "ü\n"], limits: ProgramLimits(time: .seconds(180)))
    #expect(String(decoding: answer, as: UTF8.self) == "$(id)|a;b|'|ü\n|")
  }

  @Test(
    "the program sees a search path, a character set and what was asked for, and nothing of castq's environment"
  )
  func environment() async throws {
    let names = try await say("/usr/bin/env").split(separator: "\n").map { $0.prefix { $0 != "=" } }
    #expect(Set(names).subtracting(["PWD", "SHLVL", "_", "OLDPWD"]) == ["PATH", "LC_ALL", "ASKED"])
  }

  @Test(
    "a program reads what it is given, and one that does not want to is as good",
    arguments: [
      ("cat | tail -c 4", "end\n"), ("exec <&-; sleep 0.1; echo closed", "closed\n"),
      ("echo over", "over\n"), ("head -c 1", "x"),
    ])
  func input(_ script: String, _ expected: String) async throws {
    // As the programs of castq do.
    signal(SIGPIPE, SIG_IGN)
    // More than a pipe holds.
    let words = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000) + Array("end\n".utf8)
    let answer = try await shell.run(
      ["-c", script], reading: words, limits: ProgramLimits(time: .seconds(180)))
    #expect(String(decoding: answer, as: UTF8.self) == expected)
  }

  @Test("a program that is given nothing reads the end at once")
  func noInput() async throws {
    #expect(try await say("cat; echo end") == "end\n")
  }

  @Test("a failure carries the code and the last words")
  func failure() async throws {
    let expected = ProgramError.failed(
      program: "sh", code: 3, words: "no such; film", output: Array("half".utf8))
    await #expect(throws: expected) {
      try await say("printf half; printf 'no such\nfilm\n' >&2; exit 3")
    }
  }

  @Test("standard error without end neither blocks the program nor grows without bound")
  func manyWords() async throws {
    let error = await #expect(throws: ProgramError.self) {
      try await say("head -c 3000000 /dev/zero | tr '\\0' x >&2; exit 1")
    }
    guard case .failed(_, 1, let words, _) = error else { return }
    #expect(words.utf8.count == 2000)
  }

  @Test("a program that writes more than is taken is ended")
  func tooMuch() async throws {
    await #expect(throws: ProgramError.tooMuch(program: "sh", limit: 1000)) {
      try await say("exec /bin/cat /dev/zero", ProgramLimits(time: .seconds(180), outputBytes: 1000))
    }
  }

  @Test("a program that takes too long is ended, and what it started with it")
  func tooSlow() async throws {
    let limit = Duration.milliseconds(300)
    await #expect(throws: ProgramError.tooSlow(program: "sh", limit: limit)) {
      // It ignores the request to end; only the second signal ends it. The inner one holds the pipe open.
      try await say("trap '' TERM; sh -c 'trap \"\" TERM; sleep 600'; sleep 600", ProgramLimits(time: limit))
    }
  }

  @Test("how long is too long is asked of the clock that is given")
  func clock() async throws {
    let limit = Duration.seconds(3600)
    let hurried = TimeSource(now: { .zero }, sleep: { _ in }, wallMilliseconds: { 0 })
    await #expect(throws: ProgramError.tooSlow(program: "sh", limit: limit)) {
      try await shell.run(["-c", "exec sleep 600"], limits: ProgramLimits(time: limit), time: hurried)
    }
  }

  @Test("a program that is not there is said to be so")
  func absent() async throws {
    await #expect(throws: ProgramError.unavailable(program: "nothing", reason: "No such file or directory")) {
      try await ChildProgram(path: "/nonexistent/nothing").run([], limits: ProgramLimits(time: .seconds(180)))
    }
  }

  @Test("a file that the program writes stays within its limit")
  func fileSize() async throws {
    // The limit comes the moment after the start; the program waits for it.
    await #expect(throws: ProgramError.self) {
      try await say(
        "until [ \"$(ulimit -f)\" = 2 ]; do :; done; head -c 100000 /dev/zero > /tmp/castq-$$ || { rm /tmp/castq-$$; exit 1; }",
        ProgramLimits(time: .seconds(180), fileBytes: 1024))
    }
  }

  @Test("memory is limited")
  func memory() async throws {
    let wanted = 400 << 20
    #expect(
      try await say(
        "until [ \"$(ulimit -v)\" = \(wanted >> 10) ]; do :; done; echo limited",
        ProgramLimits(time: .seconds(180), memoryBytes: wanted)) == "limited\n")
  }

  @Test("folders of a search path are taken in order, and none that depends on where castq was started")
  func search() {
    #expect(ProgramSearch.find("sh", path: ".:bin::/nonexistent:/bin") == "/bin/sh")
    #expect(ProgramSearch.find("sh", path: "bin:.") == nil)
    #expect(ProgramSearch.find("/etc/passwd", path: "/bin") == nil)
    #expect(ProgramSearch.find("", path: "/bin") == nil)
  }
}
