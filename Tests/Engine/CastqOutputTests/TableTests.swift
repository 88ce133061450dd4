import CastqOutput
import CastqText
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
    let lines = table.lines(on: OutputTerminal(columns: 20, isColoured: true))
    #expect(lines[0] == " N  TITLE")
    #expect(lines[1].hasPrefix("\u{1B}[32m17\u{1B}[0m  a title") && lines[1].hasSuffix("…"), "\(lines[1])")
  }

  @Test(
    "a column leaves before another is cut below its least, one that says nothing first, and the last line names it"
  )
  func leaving() {
    var table = Table([
      .init("NOTE", .flexible), .init("ADDRESS", .address, leaves: 1), .init("KIND", .left, leaves: 0),
      .init("TITLE", .flexible, least: 10),
    ])
    table.add(["-", "http://host/folder/film.mp4", "picture", "a title of some length"])
    #expect(
      table.lines(on: OutputTerminal(columns: 28))
        == ["ADDRESS        TITLE", "…der/film.mp4  a title of s…", "no room for KIND"])
    #expect(table.lines(on: OutputTerminal(columns: 12)).dropFirst().first == "a title of …")
    #expect(table.lines().first == "NOTE  ADDRESS                      KIND     TITLE")
  }

  @Test("no line is wider than the terminal, however narrow that is", arguments: 1...60)
  func anyWidth(columns: Int) {
    var table = Table([
      .init("N", .right), .init("NAME", .left), .init("ADDRESS", .address), .init("標題", .flexible, leaves: 0),
    ])
    table.add(["1234567", "日本語の題名は長い", "http://host/フォルダ/film.mp4", "a title"])
    for isUnicode in [true, false] {
      let lines = table.lines(on: OutputTerminal(columns: columns, isUnicode: isUnicode))
      #expect(lines.allSatisfy { DisplayWidth.columns($0) <= columns }, "\(lines)")
    }
  }
}
