import CastqText

/// Reads SubRip as the world writes it: counters that are missing or wrong, empty lines that are missing or too many, points for
/// commas, hours of any number of digits, other arrows, starts before zero.
///
/// A subtitle begins at its line with times and ends at the next one: neither counters nor empty lines are relied upon.
struct SubRipReader {
  private var list: CueList
  /// The subtitle being read.
  private var open: (line: Int, start: Int, end: Int)?
  /// Lines since the last line with times.
  private var lines: [String] = []
  private var counter: Int?
  /// The first line that is not blank.
  private var firstLine: Int?
  /// Whether the times above cannot be read.
  private var isLeavingOut = false

  static func read(_ text: [UInt8], file: String, limits: SubtitleLimits) -> CueList {
    var reader = SubRipReader(list: CueList(file: file, limits: limits))
    var source = LineReader(text, encoding: .utf8, limit: limits.lineBytes, keepsMarks: true)
    while let line = source.next() {
      switch line {
      case .text(let line): reader.read(line)
      case .bad(let error, isComment: _):
        reader.list.report(error.line, error.column, error.value.message, .limit)
      }
    }
    reader.close()
    return reader.list
  }

  private mutating func read(_ line: SourceLine) {
    // A byte order mark within the file: two files were joined, and a counter may follow.
    if line.text.unicodeScalars.first == "\u{FEFF}" {
      lines.append("")
      counter = 0
      return read(String(line.text.unicodeScalars.drop { $0 == "\u{FEFF}" }), line)
    }
    read(line.text, line)
  }

  private mutating func read(_ text: String, _ line: SourceLine) {
    if firstLine == nil, !Self.isBlank(text) { firstLine = line.number }
    switch TimingLine(text) {
    case .times(let start, let end, rest: _):
      dropCounter()
      close()
      open = (line.number, start, end)
    case .unreadable(let column):
      dropCounter()
      close()
      isLeavingOut = true
      list.report(
        line.number, column, "the times of the subtitle cannot be read, so it was left out",
        hint: "write them as 00:00:01,000 --> 00:00:02,500")
    case .other:
      lines.append(text)
    }
  }

  /// The number above a line with times is no text. Without an empty line before it, it is a counter when it counts on; with one behind
  /// it, too, as in files whose ends of lines were doubled.
  private mutating func dropCounter() {
    guard let place = lines.lastIndex(where: { !Self.isBlank($0) }), let number = Self.number(lines[place])
    else { return }
    let follows = counter.map { number == $0 + 1 } ?? (open == nil && !isLeavingOut)
    let isApart = lines[..<place].last.map(Self.isBlank) ?? true
    guard place == lines.count - 1 ? isApart || follows : isApart && follows else { return }
    counter = number
    lines.removeSubrange(place...)
  }

  private mutating func close() {
    defer {
      open = nil
      lines = []
      isLeavingOut = false
    }
    guard let open else {
      // Text of a subtitle whose times cannot be read was named with them.
      if !isLeavingOut, let firstLine, lines.contains(where: { !Self.isBlank($0) }) {
        list.report(
          firstLine, 1, "there are no times above the first lines, so they were left out", .content, .warning)
      }
      return
    }
    var text = SubRipText()
    for line in lines { text.read(line) }
    let (cue, settings) = (text.finished, text.settings)
    list.add(
      SubtitleCue(start: open.start, end: open.end, settings: settings, text: cue), line: open.line)
  }

  private static func number(_ line: String) -> Int? {
    let line = TimingLine.plain(line)
    let digits = line.utf8.drop { $0 == 0x20 || $0 == 0x09 }
    let number = digits.prefix { (0x30...0x39).contains($0) }
    guard (1...9).contains(number.count), digits.dropFirst(number.count).allSatisfy({ $0 == 0x20 }) else {
      return nil
    }
    return Int(String(Substring(number)))
  }

  static func isBlank(_ line: String) -> Bool {
    line.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }
}
