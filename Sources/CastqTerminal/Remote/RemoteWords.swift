/// Text in lines.
enum RemoteWords {
  /// The text in lines of at most so many columns, broken between words.
  static func wrapped(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if Screen.width(line) + 1 + Screen.width(String(word)) <= columns {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
