import CastqText
import Testing

struct GivenNameTests {
  @Test(
    "a name that a person gives is short, and steers no terminal",
    arguments: [
      ("Lobby TV", true), ("Größe · Foyer", true), (String(repeating: "x", count: 200), true),
      (String(repeating: "ä", count: 100), true), ("", false), (String(repeating: "x", count: 201), false),
      (String(repeating: "ä", count: 101), false), ("a\nb", false), ("a\tb", false), ("a\u{1B}[31mb", false),
      ("a\u{202E}b", false), ("a\u{7F}", false), (" a", false), ("a ", false), (" ", false),
      ("-d", false), ("-", false), ("--json", false), ("a-d", true),
    ])
  func names(_ text: String, _ isName: Bool) {
    #expect(GivenName.isName(text) == isName)
    #expect(
      GivenName.isPlain(text)
        == (isName || ["", " a", "a ", " ", "-d", "-", "--json"].contains(text) && !text.isEmpty))
  }

  @Test("what somebody else calls something is cleaned, and cut between its letters")
  func cleaned() {
    #expect(GivenName.cleaned("Lobby TV") == "Lobby TV")
    #expect(GivenName.cleaned("a\u{1B}[31mb\nc") == "ab c")
    #expect(
      GivenName.cleaned("x" + String(repeating: "ä", count: 200)) == "x" + String(repeating: "ä", count: 99))
    #expect(GivenName.cleaned("\u{1B}[2J").isEmpty)
  }
}
