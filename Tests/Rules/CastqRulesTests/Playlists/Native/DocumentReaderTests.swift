import CastProtocol
import Testing
@testable import CastqPlaylists
@testable import CastqText

extension DocumentNode {
  /// The tree with its places, on one line: `1:1{a@1:2=1:4(x)}`.
  var outline: String {
    let here = "\(place.line):\(place.column)"
    switch content {
    case .scalar(_, let text): return "\(here)(\(text))"
    case .list(let nodes): return here + "[" + nodes.map(\.outline).joined(separator: " ") + "]"
    case .mapping(let members):
      return here + "{"
        + members.map { "\($0.key)@\($0.place.line):\($0.place.column)=\($0.value.outline)" }
        .joined(separator: " ") + "}"
    }
  }
}

@Suite struct DocumentReaderTests {
  private func read(_ text: String, _ format: PlaylistFormat, limits: DocumentLimits = DocumentLimits())
    -> PositionedDocument
  {
    let bytes = Array(text.utf8)
    return format == .json
      ? JSONDocumentReader.read(bytes, limits: limits) : YAMLReader.read(bytes, limits: limits)
  }

  @Test(
    "everything in a document has the place where it was written, in lines and characters",
    arguments: [
      (
        "a: x\nb:\n  - 1\n  - é: ß\n", PlaylistFormat.yaml,
        "1:1{a@1:1=1:4(x) b@2:1=3:3[3:5(1) 4:5{é@4:5=4:8(ß)}]}"
      ),
      ("\u{FEFF}- 'é' # c\n- [1, {k: v}]\n", .yaml, "1:1[1:3(é) 2:3[2:4(1) 2:7{k@2:8=2:11(v)}]]"),
      ("a: &x [1]\nb: *x\n", .yaml, "1:1{a@1:1=1:4[1:8(1)] b@2:1=1:4[1:8(1)]}"),
      ("a: |\n  one\n  two\n", .yaml, "1:1{a@1:1=1:4(one\ntwo\n)}"),
      ("{\"é\": [\"ß\", 1.5,\r\n true]}", .json, "1:1{é@1:2=1:7[1:8(ß) 1:13(1.5) 2:2(true)]}"),
      (
        "\u{FEFF} [\n\n {}, [], null, \"a\\u00e9\\ud83d\\ude80\\n\"]", .json,
        "1:2[3:2{} 3:6[] 3:10(null) 3:16(aé🚀\n)]"
      ),
      ("-1", .json, "1:1(-1)"), ("", .json, ""), ("", .yaml, ""), ("# only\n", .yaml, ""),
    ])
  func places(text: String, format: PlaylistFormat, outline: String) {
    let read = read(text, format)
    #expect(read.errors.map(\.value.message) == [])
    #expect((read.root?.outline ?? "") == outline)
  }

  @Test(
    "plain words mean what the core schema of YAML 1.2 says",
    arguments: [
      ("yes", JSONValue.string("yes")), ("no", "no"), ("off", "off"), ("on", "on"), ("True", true),
      ("FALSE", false), ("tRUE", "tRUE"), ("~", .null), ("", .null), ("Null", .null), ("nUll", "nUll"),
      ("012", 12), ("-07", -7), ("+3", 3), ("0o14", 12), ("0x1F", 31), ("0o8", "0o8"), ("0x", "0x"),
      ("0x-1", "0x-1"), ("1_000", "1_000"), ("1:30", "1:30"), ("1.", 1.0), (".5", 0.5), ("-.5e1", -5.0),
      ("1e3", 1000.0), ("1e", "1e"), (".", "."), ("-", "-"), ("+", "+"), ("..5", "..5"), ("1.2.3", "1.2.3"),
      ("2014-02-10", "2014-02-10"), (".inf", .number(.infinity)), ("-.INF", .number(-.infinity)),
      ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
      ("1e999", .number(.infinity)), ("0", 0), ("-0", 0), ("00", 0),
    ])
  func coreSchema(text: String, value: JSONValue) {
    #expect(CoreSchema.value(text) == value)
  }

  @Test(
    "a text in quotes and a text by its tag stay texts",
    arguments: ["'1'", "\"1\"", "!!str 1", "! '1'", "|-\n  1"])
  func texts(written: String) {
    #expect(read("- \(written)\n", .yaml).root?.list?.first?.scalar == "1")
  }

  @Test(
    "a mistake has its place, and what is whole before it stays",
    arguments: [
      ("- a\n- [b\n", PlaylistFormat.yaml, "3:1", 1), ("- a\n- b: c: d\n", .yaml, "2:7", 1),
      ("entries:\n- a\n- b\n- \"c\n", .yaml, "5:1", 1), ("- *nope\n", .yaml, "1:3", 0),
      ("- a\n---\n- b\n", .yaml, "2:1", 1), ("a: 1\na: 2\n", .yaml, "2:1", 1),
      ("- !thing x\n", .yaml, "1:3", 1),
      ("- ? [x]\n  : 1\n- b\n", .yaml, "1:5", 2), ("- a\u{0}b\n", .yaml, "1:4", 0),
      ("[1, 2", .json, "1:6", 2), ("[1, {\"a\": 1", .json, "1:12", 1), ("{\"a\":1,\"a\":2}", .json, "1:8", 1),
      ("{\"entries\": [1, 2, {\"é\" 3}]}", .json, "1:25", 1), ("[\"a\u{1}\"]", .json, "1:4", 0),
      ("[01]", .json, "1:2", 0),
      ("[1,]", .json, "1:4", 1),
      ("[\"\\u12\"]", .json, "1:3", 0), ("[\"\\x\"]", .json, "1:3", 0), ("[\"a", .json, "1:2", 0),
      ("[1] 2", .json, "1:5", 1),
      ("{1: 2}", .json, "1:2", 0), ("[yes]", .json, "1:2", 0), ("[NaN]", .json, "1:2", 0),
      ("[.5]", .json, "1:2", 0),
    ])
  func mistakes(text: String, format: PlaylistFormat, place: String, kept: Int) {
    let read = read(text, format)
    #expect(read.errors.map { "\($0.line):\($0.column)" } == [place])
    #expect(read.errors.first.map { !$0.value.message.isEmpty } == true)
    #expect((read.root?.list?.count ?? read.root?.mapping?.count ?? 0) == kept)
  }

  @Test(
    "a mistake in YAML is told in plain words, with a way out",
    arguments: [
      ("a:\n\tb: 1\n", "2:1: not YAML: a tab cannot indent; write blanks"),
      ("- @x\n", "1:3: not YAML: a text cannot begin with `@`; write it in quotes"),
      ("a: [1, ,2]\n", "1:8: not YAML: a value is missing before this"),
      (
        "- a\n- [b\n",
        "3:1: not YAML: a comma or `]` is missing in the list from line 2; write commas between the values"
      ),
      ("a: {b: 1\n", "2:1: not YAML: a comma or `}` is missing in the mapping from line 1"),
      ("- a\nb: 1\n", "2:1: not YAML: this is no value of the list from line 1"),
      ("a: 'it's'\n", "not YAML: this is no member of the mapping from line 1"),
      ("- b: c: d\n", "1:7: not YAML: `: ` cannot stand here; write a text with `: ` in quotes"),
      ("- a\n- \"c\n", "not YAML: the text in quotes from line 2 has no end; write the quote that ends it"),
      ("- \"C:\\media\"\n", #"not YAML: an escape that YAML does not have; write \\ for a backslash"#),
      ("a: 1\nbc\n", "not YAML: the text from line 2 has no `: `; write key: value"),
      ("- * a\n", "not YAML: `&` and `*` begin the name of an anchor"),
      (String(repeating: "[", count: 100_000), "1:41: nested more than 40 deep"),
      (String(repeating: "{a: ", count: 5000), "1:161: nested more than 40 deep"),
      (String(repeating: "- ", count: 5000), "1:81: nested more than 40 deep"),
    ])
  func plainWords(text: String, words: String) throws {
    let error = try #require(read(text, .yaml).errors.first)
    let hint = error.value.hint.map { "; \($0)" } ?? ""
    let whole = "\(error.line):\(error.column): \(error.value.message)\(hint)"
    #expect(whole.contains(words), "\(whole)")
    for debris in ["token", "node", "flow", "scanning", "parsing", "expected"] {
      #expect(!whole.contains(debris), "\(whole)")
    }
  }

  @Test("words of libyaml that nobody knows here stay, without what a terminal would obey")
  func unknownWords() {
    let problem = YAMLProblem("a new\u{1B}[2J problem", while: "while reading", at: nil)
    #expect(problem.error.message == "not YAML: a new problem while reading" && problem.error.hint == nil)
  }

  @Test("what no computer holds costs one member of JSON, and not the document")
  func oddValues() {
    #expect(
      read("[1e400, -1E+999, 2]", .json).root?.list?.map(\.scalar) == [
        .number(.infinity), .number(-.infinity), 2,
      ])
    #expect(
      read(#"["a\ud83d", "\ude00b", "\ud800\u0041", "\ud83d\ude00"]"#, .json).root?.list?.map(\.scalar)
        == ["a\u{FFFD}", "\u{FFFD}b", "\u{FFFD}A", "\u{1F600}"])
  }

  @Test("bytes that are not UTF-8 are found where they are", arguments: [PlaylistFormat.json, .yaml])
  func notUTF8(format: PlaylistFormat) {
    let bytes = Array("[\"é\",\n \"a".utf8) + [0xFF] + Array("\"]".utf8)
    let read =
      format == .json
      ? JSONDocumentReader.read(bytes, limits: DocumentLimits())
      : YAMLReader.read(bytes, limits: DocumentLimits())
    #expect(read.errors.map(\.line) == [2])
    #expect(read.errors.first?.value.message == "not UTF-8")
  }

  @Test(
    "documents that are made to hurt are refused with words, soon",
    arguments: HostileDocument.all.map(\.name))
  func hostile(name: String) throws {
    let document = try #require(HostileDocument.all.first { $0.name == name })
    let text = document.text()
    var read: PositionedDocument?
    let took = ContinuousClock().measure { read = self.read(text, document.format) }
    // Each key that cannot be one is told, down to the depth that is allowed.
    #expect((1...DocumentLimits().depth + 1).contains(read?.errors.count ?? 0))
    #expect(took < .seconds(10), "\(took)")
  }

  @Test("many values, keys and tags are bearable, and one too many is said", .timeLimit(.minutes(5)))
  func size() {
    var limits = DocumentLimits()
    limits.nodes = 1000
    let many = "[" + Array(repeating: "1", count: 1000).joined(separator: ",") + "]"
    for format in [PlaylistFormat.json, .yaml] {
      #expect(read(many, format, limits: limits).errors.map(\.line) == [1])
      #expect(read(many, format).root?.list?.count == 1000)
      let keys = "{" + (0..<50_000).map { "\"k\($0 / 2)\": 1" }.joined(separator: ",") + "}"
      let read = read(keys, format)
      #expect(read.root?.mapping?.count == 25_000)
      #expect(read.errors.count == DocumentLimits().errors)
      limits.bytes = 100
      #expect(self.read(many, format, limits: limits).root == nil)
    }
  }

  @Test("of a list no more is kept than one entry too many, and all values within a bound of memory")
  func memory() throws {
    var limits = DocumentLimits()
    limits.elements = 10
    let many = "[" + Array(repeating: "{}", count: 500_000).joined(separator: ",") + "]"
    let kept = read(many, .json, limits: limits)
    #expect(kept.root?.list?.count == 11 && kept.errors.isEmpty)
    limits.memory = 1 << 20
    let wide =
      "["
      + (0..<10).map { _ in "{" + (0..<5000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}" }
      .joined(separator: ",") + "]"
    #expect(read(wide, .json, limits: limits).errors.first?.value.message.contains("1 MiB of memory") == true)
    #expect(read(wide, .json).errors.isEmpty)
  }
}

/// Small texts that stand for much.
enum HostileDocument {
  /// By name, because a message must not hold ten million characters.
  static let all: [(name: String, format: PlaylistFormat, text: @Sendable () -> String)] = [
    ("aliases of aliases", .yaml, { yamlBomb }), ("aliases as a key", .yaml, { keyBomb }),
    ("deep aliases", .yaml, { deepAliases }),
    ("brackets", .yaml, { String(repeating: "[", count: 1_000_000) }),
    ("brackets in JSON", .json, { String(repeating: "[", count: 1_000_000) }),
    ("braces in JSON", .json, { String(repeating: "{\"a\":", count: 1_000_000) }),
    ("braces", .yaml, { String(repeating: "{a: ", count: 1_000_000) }),
    ("dashes", .yaml, { String(repeating: "- ", count: 1_000_000) }),
    ("question marks", .yaml, { String(repeating: "? ", count: 1_000_000) }),
    ("a long text", .yaml, { "- " + String(repeating: "x", count: 10_000_000) }),
    ("a long text in JSON", .json, { "[\"" + String(repeating: "x", count: 10_000_000) + "\"]" }),
    ("a long number in JSON", .json, { "[" + String(repeating: "1", count: 10_000_000) + "]" }),
    ("escapes", .yaml, { "a: \"" + String(repeating: "\\n", count: 1_000_000) }),
    ("NUL", .yaml, { "- a\u{0}" }), ("NUL in JSON", .json, { "[\u{0}]" }),
  ]

  /// Nine levels of ten aliases each.
  static let yamlBomb: String = {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 {
      text +=
        "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", "))]\n"
    }
    return text
  }()

  /// The same, where a key would have to be compared with all it stands for.
  static let keyBomb = yamlBomb + "? *a9\n: 1\n"

  /// Each level names the one before, so that none of them is deep as it is written.
  static let deepAliases: String = {
    var text = "- &a0 [x]\n"
    for level in 1...100 { text += "- &a\(level) [*a\(level - 1)]\n" }
    return text
  }()
}
