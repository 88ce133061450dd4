import CastqText
import Foundation
import Testing

@Suite struct DisplayWidthTests {
  @Test(
    "a text takes the columns that a terminal gives it",
    arguments: [
      ("", 0), ("plain", 5), ("Grüße", 5), ("e\u{301}", 1), ("日本", 4), ("ｱ", 1), ("Ａ", 2), ("한국", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("🎬", 2), ("a\u{200D}b", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("🇨🇭", 2),
      ("שָׁלוֹם", 4), ("…", 1), ("▶", 1), ("👍🏽", 4),
    ])
  func columns(text: String, expected: Int) {
    #expect(DisplayWidth.columns(text) == expected)
  }

  @Test(
    "a text that is too long is cut between characters and never wider than it may be",
    arguments: [
      ("short", 5, "short"), ("longer", 5, "long…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 6, "日本語"),
      ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("🎬🎬", 3, "🎬…"), ("🎬🎬", 2, "…"), ("ab", 1, "…"),
      ("ab", 0, ""),
    ])
  func fitted(text: String, columns: Int, expected: String) {
    let result = DisplayWidth.fitted(text, columns: columns)
    #expect(result == expected)
    #expect(DisplayWidth.columns(result) <= max(columns, 0))
  }

  @Test(
    "a text is broken between words, and no line is wider than it may be unless it is one word",
    arguments: [
      ("", 9, [""]), ("one two", 7, ["one two"]), ("one two", 6, ["one", "two"]),
      ("a  longest b", 3, ["a", "longest", "b"]), ("日本 語 x", 6, ["日本", "語 x"]), ("one", -1, ["one"]),
    ])
  func wrapped(text: String, columns: Int, expected: [String]) {
    #expect(DisplayWidth.wrapped(text, columns: columns) == expected)
  }

  private static let python: String? = {
    let python = ProcessInfo.processInfo.environment["CASTQ_PYTHON"] ?? "python3"
    return (try? output(python, "import wcwidth")) == nil ? nil : python
  }()

  /// Marks that take a place beside their letter, and halves of flags, have none of their own in newer tables.
  private static let script = """
    import unicodedata, wcwidth
    for c in range(0x20, 0x40000):
        kind = unicodedata.category(chr(c))
        if kind in ("Cn", "Cs", "Cc", "Co", "Mc") or 0x1F1E6 <= c <= 0x1F1FF: continue
        print(c, wcwidth.wcwidth(chr(c)))
    """

  @Test(
    "each character is as wide as Python's wcwidth says",
    .enabled(if: python != nil, "set CASTQ_PYTHON to a Python that has the package wcwidth"))
  func agreesWithPython() throws {
    let table = try Self.output(try #require(Self.python), Self.script)
    var compared = 0
    var different: [String] = []
    for line in table.split(separator: "\n") {
      let fields = line.split(separator: " ").compactMap { UInt32($0) }
      guard fields.count == 2, let scalar = Unicode.Scalar(fields[0]),
        scalar.properties.generalCategory != .spacingMark
      else { continue }
      compared += 1
      if DisplayWidth.columns(scalar) != fields[1] { different.append(String(fields[0], radix: 16)) }
    }
    #expect(compared > 140_000)
    #expect(different.isEmpty, "\(different.count): \(different.prefix(40))")
  }

  private struct Failed: Error {}

  private static func output(_ python: String, _ script: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [python, "-c", script]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed() }
    return String(decoding: data, as: UTF8.self)
  }
}
