import CastqText
import Testing

@Suite struct ASCIITextTests {
  @Test(
    "signs have stand-ins, and other letters are ?, as many as they have columns",
    arguments: [
      ("Welcome", "Welcome"), ("Größe", "Gr??e"), ("日本", "????"), ("e\u{301}x", "?x"),
      ("a – b → c…", "a - b > c..."), ("“x” ‘y’", "\"x\" 'y'"),
    ])
  func text(text: String, shown: String) { #expect(ASCIIText.of(text) == shown) }

  @Test(
    "a line whose stand-ins are longer than its signs is made for fewer columns, and keeps its end",
    arguments: [(20, "Welc... 0:02 / 10:00"), (30, "Welcome to... 0:02 / 10:00"), (3, "")])
  func fitted(columns: Int, shown: String) {
    let end = " 0:02 / 10:00"
    let text = ASCIIText.fitted(columns: columns) { columns in
      DisplayWidth.fitted("Welcome to…", columns: columns - end.utf8.count) + end
    }
    #expect(text == shown)
  }
}
