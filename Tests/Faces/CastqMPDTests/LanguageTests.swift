import Testing

@testable import CastqMPD

@Suite("The language of the Music Player Daemon")
struct LanguageTests {
  @Test(
    "a line is a command and its arguments, blanks between quotes belong to one",
    arguments: [
      ("status", ["status"]), ("play  3", ["play", "3"]), ("add \"a b\"", ["add", "a b"]),
      ("add \"a\\\"b\\\\c\" \t\"\"", ["add", "a\"b\\c", ""]), ("find (title)", ["find", "(title)"]),
      ("add \u{E4}/\u{1F600}", ["add", "\u{E4}/\u{1F600}"]),
    ])
  func words(line: String, words: [String]) throws {
    let read = try MPDWords(Array(line.utf8))
    #expect([read.command] + read.arguments == words)
  }

  @Test(
    "what is no command and arguments is refused with words",
    arguments: [
      ("add \"a", "Missing closing '\"'"), ("add \"a\"b", "Space expected after closing '\"'"),
      ("add a\"b", "Invalid unquoted character"), ("add \"a\\", "Missing closing '\"'"),
      ("1play", "Invalid command name"), (" play", "No command given"),
      ("a" + String(repeating: " b", count: 65), "Too many arguments"),
    ])
  func badWords(line: String, message: String) {
    let error = #expect(throws: MPDFailure.self) { try MPDWords(Array(line.utf8)) }
    #expect(error?.message == message)
  }

  @Test("bytes that are not UTF-8, and the zero byte, are refused")
  func badBytes() {
    #expect(throws: MPDFailure.self) { try MPDWords([0x70, 0x20, 0xFF]) }
    #expect(throws: MPDFailure.self) { try MPDWords([0x70, 0x20, 0x00]) }
  }

  @Test("lines are cut wherever the pieces are, and a line without end is refused")
  func lines() throws {
    var reader = LineReader()
    func read(_ bytes: some Sequence<UInt8>) throws(LineReader.Problem) -> [[UInt8]] {
      try reader.read(bytes)
    }
    #expect(try read("pi".utf8).isEmpty)
    #expect(try read("ng\r\nstatus\n\nst".utf8) == [Array("ping".utf8), Array("status".utf8), []])
    #expect(try read("op\n".utf8) == [Array("stop".utf8)])
    #expect(try read(repeatElement(0x61, count: LineReader.limit)).isEmpty)
    #expect(throws: LineReader.Problem.lineTooLong) { try read([0x61]) }
  }

  private func request(_ line: String, _ permissions: MPDPermissions = .all) throws -> MPDRequest {
    try MPDCommand.request(MPDWords(Array(line.utf8)), permissions: permissions)
  }

  @Test(
    "a command is what it asks for",
    arguments: [
      ("play", MPDRequest.play(position: nil)), ("play -1", .play(position: nil)),
      ("play 4", .play(position: 4)), ("pause 1", .pause(true)), ("pause", .pause(nil)),
      ("seekcur -3.5", .seekCurrent(.step(-3.5))), ("seekcur 3.5", .seekCurrent(.position(3.5))),
      ("delete 3:", .delete(MPDRange(start: 3, end: nil))), ("delete 3", .delete(MPDRange(start: 3, end: 4))),
      ("move 1:3 +0", .move(MPDRange(start: 1, end: 3), .afterCurrent(0))),
      ("addid x 7", .addID("x", .position(7))), ("add x", .add(["x"], nil)),
      ("single oneshot", .single(.oneshot)),
      ("rangeid 4 1.5:", .section(4, MPDSection(start: 1.5, end: nil))),
      ("load x 0:2", .load("x", MPDRange(start: 0, end: 2), nil)), ("save x replace", .save("x", .replace)),
      ("plchanges 7 1:2", .changes(version: 7, MPDRange(start: 1, end: 2), isBrief: false)),
      ("volume -5", .changeVolume(-5)), ("lsinfo", .folder("")),
      ("tagtypes disable Title x", .limitTags([.title], isAdded: false)),
    ])
  func requests(line: String, request: MPDRequest) throws { #expect(try self.request(line) == request) }

  @Test(
    "a mistake is answered in the words of the Music Player Daemon",
    arguments: [
      ("foo", 5, "unknown command \"foo\""), ("seek 1", 2, "wrong number of arguments for \"seek\""),
      ("plchanges", 2, "too few arguments for \"plchanges\""),
      ("play 1 2", 2, "too many arguments for \"play\""), ("play x", 2, "Integer expected: x"),
      ("setvol 101", 2, "Number too large: 101"), ("repeat 2", 2, "Boolean (0/1) expected: 2"),
      ("delete 4:3", 2, "Malformed range: 4:3"), ("seekcur nan", 2, "Float expected: nan"),
      ("seekcur inf", 2, "Float expected: inf"), ("seekcur 1e99", 2, "Float expected: 1e99"),
      ("play 99999999999999999999", 2, "Integer expected: 99999999999999999999"),
      ("play -2", 2, "Bad song index"),
    ])
  func mistakes(line: String, code: Int, message: String) {
    let error = #expect(throws: MPDFailure.self) { try request(line) }
    #expect(error?.code.rawValue == code)
    #expect(error?.message == message)
  }

  @Test("a role looks, controls or adds, and the commands it has not are those that are refused")
  func permissions() throws {
    #expect(throws: MPDFailure.self) { try request("play", .read) }
    #expect(throws: MPDFailure.self) { try request("add x", [.read, .control]) }
    #expect(throws: MPDFailure.self) { try request("status", []) }
    #expect(try request("ping", []) == .ping)
    for permissions: MPDPermissions in [[], .read, [.read, .control], .all] {
      let (has, lacks) = (
        Set(MPDCommand.names(permissions, areAllowed: true)),
        Set(MPDCommand.names(permissions, areAllowed: false))
      )
      #expect(has.isDisjoint(with: lacks) && has.union(lacks) == Set(MPDCommand.table.keys))
    }
    #expect(MPDCommand.names(.all, areAllowed: false).isEmpty)
  }
}
