import CastqTerminal

/// How far something with a known end is, on the terminal of messages: a bar and its counts, redrawn in place; off without a terminal.
struct ProgressBar: Sendable {
  private let verb: String
  private let things: String
  private let isShown: Bool
  private let signs: RemoteGlyphs = Terminal.isUnicode ? .unicode : .ascii

  /// Columns of the bar. One that is narrower than the least shows nothing that the counts do not.
  private static let (least, most) = (8, 40)

  /// - Parameters:
  ///   - verb: what is done, as in `asked for`; ASCII.
  ///   - things: what is counted, as in `addresses`; ASCII.
  ///   - isShown: whether messages go to a terminal that may show it.
  init(_ verb: String, _ things: String, isShown: Bool) {
    self.verb = verb
    self.things = things
    self.isShown = isShown
  }

  /// Draws it anew, as wide as the terminal is now.
  func show(_ done: Int, of all: Int) {
    if isShown { Console.redraw(text(done, of: all, columns: Console.width - 1)) }
  }

  /// Erases it.
  func clear() { if isShown { Console.redraw("") } }

  /// The bar takes what the words leave of the line; where that is too little, the words stand alone.
  func text(_ done: Int, of all: Int, columns: Int) -> String {
    let count = "\(done)"
    // The bar keeps its width while the count grows.
    let padding = String(repeating: " ", count: max("\(all)".utf8.count - count.utf8.count, 0))
    let words = "\(verb) \(padding)\(count) of \(all) \(things)"
    let width = min(columns - words.utf8.count - 2, Self.most)
    guard width >= Self.least, all > 0 else { return String(words.prefix(max(columns, 0))) }
    let full = width * min(max(done, 0), all) / all
    return String(repeating: signs.done, count: full) + String(repeating: signs.left, count: width - full)
      + "  " + words
  }
}
