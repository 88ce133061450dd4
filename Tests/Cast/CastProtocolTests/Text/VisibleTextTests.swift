import CastProtocol
import Testing

@Suite("What is shown of foreign text")
struct VisibleTextTests {
  private static func shown(_ text: String) -> String {
    var result = ""
    VisibleText.forEach(text) { scalar, kind in
      if kind == .shown { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  @Test("no character of Unicode that cannot be seen is shown between letters")
  func everyScalar() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isDefaultIgnorableCodePoint
      else { continue }
      #expect(Self.shown("a\(scalar)b") == "ab", "U+\(String(value, radix: 16))")
    }
  }

  @Test(
    "what shapes an emoji or a word of its script is shown there",
    arguments: [
      "👩‍👩‍👧", "👩🏽‍🚀", "❤️‍🔥", "🏳️‍🌈", "☎︎", "1️⃣", "می‌خواهم", "क्‍ष", "ශ්‍රී", "שלום\u{200F}!", "\u{200E}שלום",
      "葛\u{E0100}城", "ᠠ\u{180B}", "\u{1100}\u{1160}\u{11A8}",
    ])
  func needed(text: String) {
    #expect(Array(Self.shown(text).unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test(
    "what hides behind a character that may have one of its kind is not shown",
    arguments: [
      ("😀\u{FE0F}\u{FE01}\u{FE02}", "😀\u{FE0F}"), ("😀\u{E0100}\u{E01EF}", "😀"),
      ("葛\u{E0100}\u{E0101}", "葛\u{E0100}"),
      ("👩\u{200D}\u{200D}👧", "👩\u{200D}👧"), ("👩\u{200D}", "👩"), ("م\u{200C}\u{200C}ن", "م\u{200C}ن"),
      ("🏴\u{E0067}\u{E0062}\u{E007F}", "🏴"), ("pay\u{200B}pal", "paypal"), ("pay\u{200F}pal", "paypal"),
      ("a\u{3164}b\u{FFA0}c\u{115F}", "abc"), ("x\u{FE0F}\u{200D}😀", "x😀"),
    ])
  func hidden(text: String, expected: String) {
    #expect(Array(Self.shown(text).unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test("what is shown of what was shown is the same")
  func settled() {
    let pieces: [Unicode.Scalar] = [
      "a", "1", "😀", "👩", "\u{200D}", "\u{200C}", "\u{FE0F}", "\u{FE00}", "\u{E0100}", "\u{E0041}", "ن", "葛",
      "\u{200F}", "\u{202E}", "\u{1100}", "\u{1160}", "\t", "ᠠ", "\u{180B}", "क",
    ]
    var random = SeededGenerator(seed: 13)
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<8 { text.unicodeScalars.append(pieces.randomElement(using: &random) ?? "a") }
      let once = Self.shown(text)
      let twice = Self.shown(once)
      #expect(Array(twice.unicodeScalars) == Array(once.unicodeScalars), "\(text.debugDescription)")
    }
  }
}
