import CastqOutput
import Testing

@Suite("Tables")
struct TableTests {
  @Test("a column is as wide as its widest cell, numbers end at its right edge, and no line ends in blanks")
  func columns() {
    var table = Table([("SITE", .left), ("WHY", .left), ("PLAYS", .right)])
    #expect(table.lines().isEmpty)
    table.add(["zürich", "-", "7"])
    table.add(["rome", "", ""])
    #expect(table.lines() == ["SITE    WHY  PLAYS", "zürich  -        7", "rome"])
  }

  @Test("a cell that quotes others has no control characters and no secrets")
  func cells() {
    var table = Table([("TITLE", .left)])
    table.add(["a\u{1B}[2Jb http://user:password@host/x?key=1"])
    let text = table.lines().joined()
    #expect(!text.contains("\u{1B}") && !text.contains("password") && !text.contains("key"), "\(text)")
  }

  @Test("a narrow terminal takes from the widest columns that may be cut")
  func narrow() {
    var table = Table([("N", .right), ("TITLE", .flexible)])
    table.add(["17", "a title that is longer than the terminal"], inks: [0: .good])
    let lines = table.lines(width: 20, isColoured: true)
    #expect(lines[0] == " N  TITLE")
    #expect(lines[1].hasPrefix("\u{1B}[32m17\u{1B}[0m  a title") && lines[1].hasSuffix("…"), "\(lines[1])")
  }
}
