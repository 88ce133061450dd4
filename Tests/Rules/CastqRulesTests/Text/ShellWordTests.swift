import CastqText
import Testing

@Suite("Words of advised commands")
struct ShellWordTests {
  @Test(
    "a word is quoted where a shell would read it as more than a word",
    arguments: [
      ("lobby", "lobby"), ("Foyer-2.a_b", "Foyer-2.a_b"), ("Büro", "Büro"), ("two words", "\"two words\""),
      ("a$(b)", "\"a\\$(b)\""), ("a`b\\\"", "\"a\\`b\\\\\\\"\""), ("a;b", "\"a;b\""), ("", "\"\""),
    ])
  func typed(_ word: String, _ expected: String) {
    #expect(ShellWord.typed(word) == expected)
  }
}
