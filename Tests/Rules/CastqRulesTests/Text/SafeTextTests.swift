import CastqText
import Testing

@Suite struct SafeTextTests {
  @Test(
    "nothing that moves the cursor or reorders text reaches the terminal",
    arguments: [
      ("plain", "plain"), ("Grüße 日本 👩‍👩‍👧", "Grüße 日本 👩‍👩‍👧"), ("a\tb\nc\r\nd", "a b c  d"),
      ("\u{1B}[31mred\u{1B}[0m", "red"), ("\u{1B}]0;title\u{7}x", "x"),
      ("\u{1B}]8;;http://x\u{1B}\\link", "link"),
      ("\u{9B}2Jx", "x"), ("\u{9D}0;t\u{9C}x", "x"), ("a\u{1B}", "a"), ("\u{1B}[31", "[31"),
      ("\u{1B}]0;lost", "]0;lost"),
      ("a\u{0}b\u{7}c\u{8}d\u{7F}e\u{85}f\u{80}", "abcde f"), ("x\u{202E}fdp.exe", "xfdp.exe"),
      ("\u{2066}a\u{2069}", "a"), ("שלום\u{200F}!", "שלום\u{200F}!"), ("\u{FEFF}x", "x"),
      ("a\u{2028}b", "a b"),
      ("\u{1B}Pq...\u{1B}\\ok", "ok"), ("", ""), ("\u{1B}\u{1B}[1mx", "x"),
    ])
  func sanitized(text: String, expected: String) {
    let result = TerminalText.sanitized(text)
    #expect(Array(result.unicodeScalars) == Array(expected.unicodeScalars))
    #expect(TerminalText.sanitized(result) == result)
  }

  @Test("a text full of sequences that never end is read once")
  func openSequences() {
    let text = String(repeating: "\u{1B}]\u{9D}", count: 100_000)
    #expect(TerminalText.sanitized(text) == String(repeating: "]", count: 100_000))
  }

  @Test("an excerpt is short, and says that it is")
  func excerpt() {
    #expect(TerminalText.excerpt("short") == "short")
    #expect(
      TerminalText.excerpt(String(repeating: "x", count: 1_000_000)) == String(repeating: "x", count: 60)
        + "…")
    #expect(TerminalText.excerpt(String(repeating: "\u{1B}[1m", count: 50) + "x", limit: 3).hasSuffix("…"))
  }

  @Test(
    "a cell never starts a formula and survives commas, quotes and line ends",
    arguments: [
      ("Welcome", "Welcome"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("=1+1", "'=1+1"),
      ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\t=1", "' =1"), ("\r=1", "' =1"),
      ("  =1", "'  =1"),
      ("＝1", "'＝1"), ("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""),
      ("a\nb", "a b"), ("\u{1B}[1m=1", "'=1"), (" x", "\" x\""), ("a;b", "\"a;b\""), ("", ""), ("1-1", "1-1"),
      ("\"\u{301}", "\"\"\"\u{301}\""),
    ])
  func cell(value: String, expected: String) {
    #expect(CSVField.text(value) == expected)
  }

  @Test(
    "of a table each cell is hidden by itself",
    arguments: [
      ("url,plays\nhttp://u:p@h/a?b,3\n", "url,plays\nhttp://…@h/a?…,3\n"),
      ("\"http://h/?a,\"\"b\"\"\",3,http://h/#x", "\"http://h/?…\"\"\",3,http://h/#…"),
      ("\"a, http://u:p@h, b\",\"c\"\r\n,,\"\"\r\n", "\"a, http://…@h, b\",\"c\"\r\n,,\"\"\r\n"), ("", ""),
      ("\"open", "\"open"),
    ])
  func tables(table: String, shown: String) {
    #expect(CSVField.withoutSecrets(table) == shown)
    #expect(CSVField.withoutSecrets(shown) == shown)
  }

  @Test(
    "a title made of an address is its last name, without what may be a secret",
    arguments: [
      ("http://h/a%20b.mp4", "a b.mp4"), ("http://h/x/a.mp4?key=1/2#3", "a.mp4"),
      ("http://h/a.mp4#x?y", "a.mp4"),
      ("http://me:pw@h", "h"), ("http://me:pw@h/?key", "h"), ("http://h/@me", "@me"), ("a.mp4", "a.mp4"),
      ("http://h/what%3F.mp4", "what?.mp4"), ("?key", ""), ("", ""),
    ])
  func titles(url: String, expected: String) {
    #expect(MediaTitle.name(of: url) == expected)
  }
}
