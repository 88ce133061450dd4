import Testing

@testable import CastqCommands

@Suite("A command that may leave a feeder behind is known before the first thread")
struct ProgramStartTests {
  @Test(
    "under each of its names, behind any option of all commands",
    arguments: [
      "cast film.mp4", "enqueue --play film.mp4", "add film.mp4", "play", "transfer bar",
      "-d lobby cast film.mp4",
      "-dlobby --db=x.db play", "--timeout 5 -q --json transfer bar",
    ])
  func leaves(_ line: String) {
    #expect(ProgramStart.mayLeaveAFeeder(line.split(separator: " ").map(String.init)))
  }

  @Test(
    "no other command does, whatever its words are",
    arguments: [
      "", "-d cast", "-d play status", "queue", "run cast", "help cast", "--nonsense cast", "--version",
    ])
  func stays(_ line: String) {
    #expect(!ProgramStart.mayLeaveAFeeder(line.split(separator: " ").map(String.init)))
  }
}
