import CastqText

/// Checks WebVTT. A valid file is given back as it is; in others what can be read is kept, styles, regions and notes included, and
/// what cannot be is named.
struct WebVTTReader {
  /// What stands between two empty lines.
  private struct Block {
    var line: Int
    var lines: [String]
  }

  private(set) var list: CueList
  /// Whether anything had to be changed.
  private(set) var isRepaired = false
  /// Whether the file begins as WebVTT does.
  private(set) var hasSignature = false
  /// The signature and the lines below it.
  private var header: [String] = []
  /// Styles, regions and notes, and the number of cues before each.
  private var asides: [(place: Int, text: String)] = []

  static func read(_ text: [UInt8], file: String, limits: SubtitleLimits) -> WebVTTReader {
    var reader = WebVTTReader(list: CueList(file: file, limits: limits))
    var source = LineReader(text, encoding: .utf8, limit: limits.lineBytes)
    var block: Block?
    while let line = source.next() {
      switch line {
      case .text(let line) where line.text.isEmpty:
        reader.read(block)
        block = nil
      case .text(let line):
        if block == nil { block = Block(line: line.number, lines: []) }
        block?.lines.append(line.text)
      case .bad(let error, isComment: _):
        reader.isRepaired = true
        reader.list.report(error.line, error.column, error.value.message, .limit)
      }
    }
    reader.read(block)
    return reader
  }

  private mutating func read(_ block: Block?) {
    guard var block else { return }
    if header.isEmpty {
      if Self.isSignature(block.lines[0]) {
        hasSignature = true
        header = Array(block.lines.prefix { !$0.contains("-->") })
      } else {
        isRepaired = true
        header = ["WEBVTT"]
        list.report(block.line, 1, "the file does not begin with WEBVTT", .content, .warning)
      }
      let length = Self.isSignature(block.lines[0]) ? header.count : 0
      block = Block(line: block.line + length, lines: Array(block.lines.dropFirst(length)))
      guard !block.lines.isEmpty else { return }
      // The empty line after the signature is missing.
      isRepaired = isRepaired || length > 0
    }
    let word = block.lines[0].prefix { $0 != " " && $0 != "\t" }
    let isAside = ["NOTE", "STYLE", "REGION"].contains(word)
    if isAside, !block.lines.contains(where: { $0.contains("-->") }) {
      asides.append((list.cues.count, block.lines.joined(separator: "\n")))
    } else {
      readCues(block)
    }
  }

  private static func isSignature(_ line: String) -> Bool {
    let rest = line.utf8.dropFirst(6)
    return line.utf8.starts(with: "WEBVTT".utf8) && (rest.isEmpty || rest.first == 0x20 || rest.first == 0x09)
  }

  /// A block is one cue, or several where empty lines are missing.
  private mutating func readCues(_ block: Block) {
    let meant = block.lines.indices.filter { TimingLine(block.lines[$0]) != .other }
    // Beside a line of times as WebVTT has them anything else is text.
    let usual = meant.filter { block.lines[$0].contains("-->") }
    let timings = usual.isEmpty ? meant : usual
    guard let first = timings.first else {
      isRepaired = true
      return list.report(block.line, 1, "neither a subtitle nor a note, so it was left out")
    }
    if first > 1 || timings.count > 1 { isRepaired = true }
    for (index, timing) in timings.enumerated() {
      let end = index + 1 < timings.count ? timings[index + 1] : block.lines.count
      let name = index == 0 && timing > 0 ? Self.identifier(block.lines[timing - 1]) : nil
      readCue(block, timing, textEnd: end, name: name)
    }
  }

  private static func identifier(_ line: String) -> String? { line.contains("-->") ? nil : line }

  private mutating func readCue(_ block: Block, _ timing: Int, textEnd: Int, name: String?) {
    let line = block.line + timing
    guard case .times(let start, let end, let settings) = TimingLine(block.lines[timing]) else {
      var column = 1
      if case .unreadable(let place) = TimingLine(block.lines[timing]) { column = place }
      isRepaired = true
      return list.report(
        line, column, "the times of the subtitle cannot be read, so it was left out",
        hint: "write them as 00:00:01.000 --> 00:00:02.500")
    }
    if !Self.isStrict(block.lines[timing]) { isRepaired = true }
    let lines = block.lines[(timing + 1)..<textEnd].map { text -> String in
      guard text.contains("-->") else { return text }
      isRepaired = true
      return text.split(separator: "-->", omittingEmptySubsequences: false).joined(separator: "--&gt;")
    }
    let plain = WebVTTOverrides(lines, settings)
    if plain.isChanged { isRepaired = true }
    let count = list.log.issues.count
    list.add(
      SubtitleCue(start: start, end: end, settings: plain.settings, identifier: name, text: plain.text),
      line: line)
    if list.log.issues.count > count { isRepaired = true }
  }

  /// Whether the times are written as WebVTT wants them: `[HH:]MM:SS.mmm --> [HH:]MM:SS.mmm`, with a space before settings.
  private static func isStrict(_ line: String) -> Bool {
    let parts = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
    guard parts.count >= 3, parts[1] == "-->" else { return false }
    return [parts[0], parts[2]].allSatisfy { time in
      let fields = time.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      guard (2...3).contains(fields.count), let last = fields.last, last.count == 6,
        last.dropFirst(2).first == UInt8(ascii: "."), fields[fields.count - 2].count == 2
      else { return false }
      return fields.count == 2 || fields[0].count >= 2
    }
  }

  /// The file written anew.
  /// - Parameter offset: milliseconds by which every subtitle comes later.
  func rewritten(offset: Int) -> String {
    var text = (header.isEmpty ? ["WEBVTT"] : header).joined(separator: "\n") + "\n\n"
    var waiting = asides[...]
    for (index, cue) in list.cues.enumerated() {
      while let aside = waiting.first, aside.place <= index {
        text += aside.text + "\n\n"
        waiting.removeFirst()
      }
      if let moved = cue.moved(by: offset) { text += moved.block }
    }
    for aside in waiting { text += aside.text + "\n\n" }
    return text
  }
}
