import CastqPrograms
import Glibc
import Testing

/// Programs that run beside castq, with `sh` of the system in their part.
struct ProgramLaunchTests {
  /// What a script that ends writes, and how it ends.
  private func outcome(
    _ script: String, _ arguments: [String] = [], variables: [String: String] = [:],
    standardInput: ProgramLaunch.Descriptor = .nothing, output: Int32 = STDOUT_FILENO
  ) async throws -> (code: Int32, words: String) {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    let program = try ProgramLaunch(
      "/bin/sh", ["-c", script, "sh"] + arguments, variables: variables,
      descriptors: [STDIN_FILENO: standardInput, output: .own(fileno(file))]
    ).start()
    let code = await program.ending()
    rewind(file)
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    return (code, String(decoding: bytes[..<count], as: UTF8.self))
  }

  @Test(
    "a program ends with its exit code, or 128 and the signal that ended it",
    arguments: [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 143), ("kill -KILL $$", 137)])
  func code(_ script: String, _ code: Int32) async throws {
    #expect(try await outcome(script).code == code)
  }

  @Test("an argument reaches the program as the bytes it stands for, and no shell reads it")
  func arguments() async throws {
    let words = try await outcome("printf '%s|' \"$@\" | od -An -c", ["$(id)", "ü", "a\u{10FEFF}"]).words
    #expect(words == "   $   (   i   d   )   | 303 274   |   a 377   |\n")
  }

  @Test("the program sees this one's environment, with what is added and without what is replaced")
  func environment() async throws {
    setenv("CASTQ_TEST_KEPT", "kept", 1)
    setenv("CASTQ_TEST_REPLACED", "old", 1)
    defer { for name in ["CASTQ_TEST_KEPT", "CASTQ_TEST_REPLACED"] { unsetenv(name) } }
    let words = try await outcome(
      "/usr/bin/env | grep ^CASTQ_TEST_ | sort",
      variables: ["CASTQ_TEST_ADDED": "new", "CASTQ_TEST_REPLACED": "new"]
    ).words
    #expect(words == "CASTQ_TEST_ADDED=new\nCASTQ_TEST_KEPT=kept\nCASTQ_TEST_REPLACED=new\n")
  }

  @Test("the program has a descriptor under the number that was given, and reads nothing elsewhere")
  func descriptors() async throws {
    #expect(try await outcome("cat; echo end >&3", output: 3).words == "end\n")
  }

  @Test("a signal that this program ignores ends the other one")
  func ignored() async throws {
    signal(SIGPIPE, SIG_IGN)
    #expect(try await outcome("kill -PIPE $$; exit 3").code == 128 + SIGPIPE)
  }

  @Test("what a program has started ends with its group", arguments: [true, false])
  func group(_ hasOwnGroup: Bool) async throws {
    guard hasOwnGroup else {
      // One in the group of the tests is signalled alone.
      let program = try ProgramLaunch("/bin/sh", ["-c", "exec sleep 600"]).start()
      program.signalGroup(SIGTERM)
      return #expect(await program.ending() == 128 + SIGTERM)
    }
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    // The inner one says that it has begun, and holds the pipe open until it ends.
    let program = try ProgramLaunch(
      "/bin/sh", ["-c", "sh -c 'echo >&3; exec sleep 600' & wait"],
      descriptors: [3: .own(ends[1])], hasOwnGroup: true
    ).start()
    close(ends[1])
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 1)
    program.signalGroup(SIGKILL)
    #expect(await program.ending() == 128 + SIGKILL)
    #expect(read(ends[0], &byte, 1) == 0)
    program.signalGroup(SIGKILL)
    #expect(await program.ending() == 128 + SIGKILL)
  }

  @Test("a program that is not there is said to be so")
  func absent() {
    let expected = ProgramError.unavailable(
      program: "/nonexistent/nothing", reason: "No such file or directory")
    #expect(throws: expected) { try ProgramLaunch("/nonexistent/nothing", []).start() }
  }
}
