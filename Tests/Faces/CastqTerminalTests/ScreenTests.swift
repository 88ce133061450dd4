import CastqTerminal
import Testing

@Suite("Screens")
struct ScreenTests {
  @Test("a drawn picture is cut to its size, and nothing in it moves the cursor")
  func picture() {
    let cells = Screen.picture("▐█▌ab\n\u{1B}[2J漢x\n\nzu viel", columns: 4, rows: 3)
    #expect(cells?.count == 3 && cells?.first?.map(\.text).joined() == "▐█▌a")
    #expect(
      cells?.allSatisfy { row in
        row.count == 4 && row.allSatisfy { $0.width == 1 && !$0.text.contains("\u{1B}") }
      } == true)
    #expect(
      Screen.picture("  \n", columns: 4, rows: 2) == nil && Screen.picture("", columns: 4, rows: 0) == nil)
  }

  @Test("a wide character takes two cells, and one that is half overwritten becomes blank")
  func wide() {
    var screen = Screen(columns: 6, rows: 1)
    screen.put("日本語", row: 0, column: 0)
    screen.put("x", row: 0, column: 3)
    #expect(screen.text == "日 x語")
    screen.put("y", row: 0, column: 4)
    #expect(screen.text == "日 xy")
  }

  @Test("a text ends in an ellipsis at its limit, and never takes more")
  func limits() {
    for (text, limit, shown) in [
      ("Welcome", 7, "Welcome"), ("Welcome", 6, "Welco…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"),
      ("日本語", 4, "日…"),
      ("ab", 1, "…"),
    ] {
      var screen = Screen(columns: 10, rows: 1)
      let end = screen.put(text, row: 0, column: 0, limit: limit)
      #expect(screen.text == shown && end <= limit)
    }
  }

  @Test("where there is no Unicode, signs have stand-ins and letters are ?, in the same columns")
  func ascii() {
    for (text, limit, shown) in [
      ("Größe", 10, "Gr??e"), ("日本語 x", 10, "?????? x"), ("12:00–13:00 → x", 20, "12:00-13:00 > x"),
      ("Wait…", 10, "Wait..."), ("Welcome", 7, "Welcome"), ("Welcome", 6, "Wel..."), ("Welcome", 2, ".."),
    ] {
      var screen = Screen(columns: 20, rows: 1, isUnicode: false)
      let end = screen.put(text, row: 0, column: 0, limit: limit)
      #expect(screen.text == shown && end <= limit)
    }
  }

  @Test(
    "hostile titles take the columns that they say and move nothing",
    arguments: [
      "a\u{1B}[2Jb", "\u{202E}abc", "a\rb\nc\tb", "\u{9B}31mred",
      "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
      "👨‍👩‍👧‍👦 family", "🇩🇪🇫🇷", "שלום עולם", "❤️", "\u{0}\u{7}", "ಕ್ಷ", "\u{200D}\u{200D}x", "한국어",
    ])
  func hostile(title: String) {
    var screen = Screen(columns: 40, rows: 1)
    let end = screen.put(title, row: 0, column: 0)
    screen.put("|", row: 0, column: 30)
    #expect(end <= 30)
    #expect(screen.row(0)[30].text == "|")
    for cell in screen.row(0) {
      #expect(
        cell.text.unicodeScalars.allSatisfy {
          $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) && $0.value != 0x202E
        })
      #expect(cell.text.unicodeScalars.count <= 8)
    }
  }

  @Test("a screen that is shown already costs no byte")
  func silence() {
    var writer = ScreenWriter()
    var screen = Screen(columns: 20, rows: 3)
    screen.put("Welcome", row: 1, column: 2, style: .bold)
    #expect(!writer.update(to: screen).isEmpty)
    #expect(writer.update(to: screen).isEmpty)
  }

  @Test("one changed digit costs a move and a digit")
  func difference() {
    var writer = ScreenWriter()
    var screen = Screen(columns: 20, rows: 3)
    screen.put("0:07", row: 1, column: 2)
    _ = writer.update(to: screen)
    screen.put("8", row: 1, column: 5)
    #expect(writer.update(to: screen) == "\u{1B}[2;6H\u{1B}[0m8")
  }

  @Test("behind a character that terminals see differently the column is set anew")
  func columns() {
    var writer = ScreenWriter()
    _ = writer.update(to: Screen(columns: 20, rows: 1))
    var screen = Screen(columns: 20, rows: 1)
    screen.put("日a", row: 0, column: 0)
    #expect(writer.update(to: screen) == "\u{1B}[1;1H\u{1B}[0m日\u{1B}[3Ga")
  }

  @Test("updates are drawn at once only where the terminal announced that it can")
  func synchronised() {
    var writer = ScreenWriter()
    let screen = Screen(columns: 4, rows: 1)
    #expect(!writer.update(to: screen).contains("?2026"))
    writer.isSynchronised = true
    writer.invalidate()
    let bytes = writer.update(to: screen)
    #expect(bytes.hasPrefix("\u{1B}[?2026h") && bytes.hasSuffix("\u{1B}[?2026l"))
  }

  @Test("any screen after any other is what a terminal shows that has only seen the differences")
  func walk() {
    var generator = SeededNumbers(seed: 7)
    var writer = ScreenWriter()
    var terminal = MiniTerminal(columns: 30, rows: 6)
    for _ in 0..<300 {
      var screen = Screen(columns: 30, rows: 6)
      for _ in 0..<Int.random(in: 0...8, using: &generator) {
        let text =
          ["abc", "日本", "🎬x", "e\u{301}", "     ", "Welcome to the house"].randomElement(using: &generator)
          ?? ""
        screen.put(
          text, row: .random(in: 0..<6, using: &generator), column: .random(in: 0..<30, using: &generator),
          style: [.plain, .bold, .reversed].randomElement(using: &generator) ?? .plain)
      }
      terminal.read(writer.update(to: screen))
      #expect(terminal.cells == screen.cells)
    }
  }
}

/// Numbers that are the same in each run.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}

/// As much of a terminal as the writer relies on.
struct MiniTerminal {
  private(set) var cells: [Screen.Cell]
  private let columns: Int
  private var place = (row: 0, column: 0)
  private var style = CellStyle.plain

  init(columns: Int, rows: Int) {
    self.columns = columns
    cells = Array(repeating: .blank, count: columns * rows)
  }

  mutating func read(_ text: String) {
    var rest = Substring(text)
    while let character = rest.first {
      guard character == "\u{1B}" else {
        put(character)
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(2)
      let end = rest.firstIndex { $0.isLetter } ?? rest.startIndex
      let parameters = rest[..<end]
      let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
      switch rest[end] {
      case "H": place = (numbers[0] - 1, numbers[1] - 1)
      case "G": place.column = numbers[0] - 1
      case "K":
        for column in place.column..<columns { cells[place.row * columns + column] = .blank }
      case "J": cells = cells.map { _ in .blank }
      case "m":
        style = CellStyle(
          bold: numbers.contains(1), faint: numbers.contains(2), reversed: numbers.contains(7))
      default: break
      }
      rest = rest[rest.index(after: end)...]
    }
  }

  private mutating func put(_ character: Character) {
    let width = Screen.width(String(character))
    let index = place.row * columns + place.column
    // Half of what stood there is gone.
    if cells[index].width == 0 { cells[index - 1] = .blank }
    if cells[index].width == 2 { cells[index + 1] = .blank }
    if width == 2, cells[index + 1].width == 2 { cells[index + 2] = .blank }
    cells[index] = Screen.Cell(text: String(character), width: width, style: style)
    if width == 2 { cells[index + 1] = Screen.Cell(text: "", width: 0, style: style) }
    place.column += width
  }
}
