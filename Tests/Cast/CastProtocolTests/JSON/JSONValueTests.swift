import CastProtocol
import Testing

@Suite("JSON text")
struct JSONValueTests {
  @Test(
    "a text is read as this value",
    arguments: [
      ("null", .null), ("true", .bool(true)), (" false\r\n\t ", .bool(false)),
      ("0", .integer(0)), ("-0", .integer(0)), ("1", .integer(1)), ("1.0", .number(1)),
      ("-12", .integer(-12)),
      ("0.5", .number(0.5)), ("1e2", .number(100)), ("1E+2", .number(100)), ("25e-1", .number(2.5)),
      ("-0.0", .number(-0.0)), ("0e0", .number(0)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number(9_223_372_036_854_775_808)),
      ("0.30000001192092896", .number(0.30000001192092896)), ("1e-400", .number(0)),
      (#""""#, .string("")), (#""a b""#, .string("a b")), (#""ä漢🛰""#, .string("ä漢🛰")),
      (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{08}\u{0C}\n\r\t")),
      (#""x\u0041\u00e9\u6F22y""#, .string("xAé漢y")), (#""\u0000""#, .string("\u{0}")),
      (#""\ud83d\udef0""#, .string("🛰")), (#""\uD83D\uDEF0!""#, .string("🛰!")),
      (#""\ud83d""#, .string("\u{FFFD}")), (#""\ud83dx""#, .string("\u{FFFD}x")),
      (#""\udef0""#, .string("\u{FFFD}")), (#""\ud83d\n""#, .string("\u{FFFD}\n")),
      (#""\ud83d\u0041""#, .string("\u{FFFD}A")), (#""\ud83d\ud83d\udef0""#, .string("\u{FFFD}🛰")),
      ("[]", .array([])), ("[ ]", .array([])), ("[1, [2],{}]", [1, [2], [:]]),
      ("{}", .object([:])), ("{ }", .object([:])), (#"{ "a" : 1 , "b":null}"#, ["a": 1, "b": nil]),
      (#"{"a":1,"b":2,"a":3}"#, ["a": 3, "b": 2]), (#"{"":0}"#, ["": 0]),
    ] as [(String, JSONValue)])
  func reads(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
  }

  @Test(
    "a text that is not JSON is refused at the offset where it stops being it",
    arguments: [
      ("", 0), ("  ", 2), ("nul", 3), ("nulL", 3), ("True", 0), ("NaN", 0), ("Infinity", 0), ("-Infinity", 1),
      ("+1", 0), ("1.", 2), (".5", 0), ("1e", 2), ("1e+", 3), ("1.e3", 2), ("--1", 1), ("-", 1), ("01", 0),
      ("-01", 1), ("00", 0), ("1 2", 2), ("1,", 1), ("0x10", 1), ("1_000", 1), ("1e400", 0), ("-1e400", 0),
      ("[1e400]", 1), ("[1", 2), ("[1,]", 3), ("[,1]", 1), ("[1 2]", 3), ("]", 0),
      ("{", 1), (#"{"a""#, 4), (#"{"a":"#, 5), (#"{"a":1"#, 6), (#"{"a":1,}"#, 7), ("{a:1}", 1),
      (#"{"a" 1}"#, 5),
      ("{1:2}", 1), (#"{"a":1]"#, 6), (#"""#, 0), (#"["abc"#, 1), (#""abc\"#, 5), (#""\x""#, 2),
      (#""\u12""#, 5),
      (#""\u12g4""#, 5), ("\"a\u{01}b\"", 2), ("\"a\nb\"", 2), ("\"\\n\u{1F}\"", 3), ("'a'", 0), ("/**/1", 0),
      ("\u{FEFF}1", 0), ("1\u{0}", 1), ("\u{A0}1", 0),
    ])
  func refuses(text: String, offset: Int) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.offset == offset)
    #expect(error?.reason.isEmpty == false)
  }

  @Test("bytes that are no UTF-8 inside a string are repaired")
  func repairs() throws {
    #expect(try JSONValue(parsing: [0x22, 0x61, 0xFF, 0x22]) == "a\u{FFFD}")
    #expect(try JSONValue(parsing: [0x22, 0x5C, 0x6E, 0xC3, 0x22]) == "\n\u{FFFD}")
    #expect(throws: JSONError.self) { try JSONValue(parsing: [0xFF]) }
  }

  @Test("nesting is possible to the limit and refused beyond it", arguments: [("[", "]"), (#"{"a":"#, "}")])
  func depth(open: String, close: String) throws {
    func nested(_ depth: Int) -> String {
      String(repeating: open, count: depth) + "0" + String(repeating: close, count: depth)
    }
    _ = try JSONValue(parsing: nested(JSONValue.maximumDepth - 1))
    #expect(throws: JSONError.self) { try JSONValue(parsing: nested(JSONValue.maximumDepth)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: open, count: 100_000)) }
  }

  @Test(
    "a value is written as this text, and reads back as itself",
    arguments: [
      (.null, "null"), (.bool(true), "true"), (.integer(-7), "-7"), (.number(1), "1.0"),
      (.number(0.1), "0.1"),
      (.number(1e20), "1e+20"), (.number(.leastNonzeroMagnitude), "5e-324"),
      (.integer(.min), "-9223372036854775808"),
      (.string("a\"\\\n\u{7F}\u{1F}/é🛰"), #""a\"\\\u000a\u007f\u001f/é🛰""#),
      (["b": 1, "a": [nil, [:]], "A": []], #"{"A":[],"a":[null,{}],"b":1}"#),
    ] as [(JSONValue, String)])
  func writes(value: JSONValue, text: String) throws {
    #expect(value.text == text)
    #expect(try JSONValue(parsing: text) == value)
  }

  @Test("what JSON cannot say is written as null", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(value: Double) {
    #expect(JSONValue.number(value).text == "null")
    #expect(JSONValue(value as Double?) == nil)
  }

  @Test("a whole number is one also when written with a fraction of zero, and only in range")
  func wholeNumbers() {
    #expect(JSONValue.number(1).int == 1)
    #expect(JSONValue.number(1.5).int == nil)
    #expect(JSONValue.number(1e300).int == nil)
    #expect(JSONValue.number(.nan).int == nil)
    #expect(JSONValue.string("1").int == nil)
    #expect(JSONValue(61.0 as Double?) == .integer(61))
    #expect(JSONValue(61.2 as Double?) == .number(61.2))
    #expect(JSONValue(-0.0 as Double?) == .integer(0))
  }

  @Test("a member that is null counts as absent")
  func nullMember() {
    let value: JSONValue = ["a": nil, "b": 1]
    #expect(value["a"] == nil)
    #expect(value["b"] == 1)
    #expect(JSONValue.members(["a": nil, "b": 1]) == ["b": 1])
    #expect(JSONMembers(value)?.rest == ["b": 1])
  }

  @Test(
    "random values survive the way to text and back; damaged texts never trap, and what is read is written alike"
  )
  func mutations() throws {
    var generator = SeededGenerator(seed: 6)
    var refused = 0
    for _ in 0..<3_000 {
      let value = generator.json(depth: 4)
      var bytes = Array(value.text.utf8)
      #expect(try JSONValue(parsing: bytes) == value)
      generator.mutate(&bytes)
      do {
        let read = try JSONValue(parsing: bytes)
        #expect(try JSONValue(parsing: read.text) == read)
      } catch {
        refused += 1
        #expect((0...bytes.count).contains(error.offset))
      }
    }
    #expect((100..<3_000).contains(refused))
  }
}
