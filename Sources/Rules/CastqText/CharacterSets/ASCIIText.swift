/// Text for a terminal whose locale has no other letters than those of ASCII.
package enum ASCIIText {
  /// The text with stand-ins for signs; other letters are `?`, as many as they have columns.
  package static func of(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return text.map { character in
      standIn(for: String(character), columns: DisplayWidth.columns(String(character)))
    }.joined()
  }

  /// What stands for one character.
  /// - Parameter columns: the columns that it has on other terminals; only the stand-in of `…` has another
  ///   number.
  package static func standIn(for character: String, columns: Int) -> String {
    if character.utf8.allSatisfy({ $0 < 0x80 }) { return character }
    return signs[character] ?? String(repeating: "?", count: max(columns, 0))
  }

  /// A line that is drawn in at most so many columns. It is made again for fewer where a stand-in is longer
  /// than its sign.
  /// - Parameter line: the line in so many columns.
  package static func fitted(columns limit: Int, _ line: (Int) -> String) -> String {
    var columns = limit
    while columns > 0 {
      let text = of(line(columns))
      let excess = text.utf8.count - limit
      if excess <= 0 { return text }
      columns -= excess
    }
    return ""
  }

  private static let signs = [
    "…": "...", "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-", "‘": "'", "’": "'", "‚": "'", "“": "\"",
    "”": "\"", "„": "\"", "·": "-", "•": "*", "×": "x", "→": ">", "←": "<", "\u{A0}": " ",
    "█": "#", "▉": "#", "▊": "#", "▋": "#", "▌": "#", "▍": "|", "▎": "|", "▏": "|", "▒": "%", "░": ".",
    "▲": "^",
  ]
}
