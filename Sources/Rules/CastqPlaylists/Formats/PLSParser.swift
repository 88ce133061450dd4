import CastqText

/// Parses PLS, the INI format of Winamp and of web radios: `File1`, `Title1` and `Length1` in the section `[playlist]`.
///
/// Entries are in the order of their numbers, whatever the order of the lines. An invalid line is reported and ignored.
struct PLSParser {
  private let file: String
  private let limits: PlaylistLimits
  private var document: PlaylistDocument
  private var entries: [(number: Int, location: Located<String>)] = []
  private var numbers: Set<Int> = []
  private var titles: [Int: Located<String>] = [:]
  private var lengths: [Int: Located<Length>] = [:]
  private var count: Located<Int>?
  private var section = Section.none
  private var isFull = false

  private enum Length { case known(Double), unending, unknown }
  private enum Section { case none, playlist, other }
  private enum Key { case file(Int), title(Int), length(Int), count, other }

  /// - Parameter file: the name for messages.
  static func parse(_ bytes: [UInt8], file: String, limits: PlaylistLimits) -> PlaylistDocument {
    if let refused = PlaylistDocument.refusing(bytes, file: file, limits: limits) { return refused }
    var parser = PLSParser(file: file, limits: limits)
    var lines = LineReader(bytes, encoding: .utf8, limit: limits.lineBytes)
    while !parser.isFull, let line = lines.next() {
      switch line {
      case .text(let line): parser.read(line)
      case .bad(let bad, _): parser.report(.error, bad.line, bad.column, bad.value)
      }
    }
    return parser.finished()
  }

  private init(file: String, limits: PlaylistLimits) {
    self.file = file
    self.limits = limits
    document = PlaylistDocument(limits: limits)
  }

  private mutating func report(
    _ severity: PlaylistIssue.Severity, _ line: Int, _ column: Int, _ error: TextError,
    kind: PlaylistIssue.Kind = .content
  ) {
    let place = DocumentPlace(line: line, column: column)
    document.issues.add(PlaylistIssue(severity, kind, file: file, at: place, error))
  }

  // MARK: - Lines

  private mutating func read(_ line: SourceLine) {
    let utf8 = line.text.utf8
    guard let start = utf8.firstIndex(where: { !Self.isSpace($0) }) else { return }
    let column = line.column(of: start)
    switch utf8[start] {
    case UInt8(ascii: ";"), UInt8(ascii: "#"): return
    case UInt8(ascii: "["):
      let name = line.text[start...].prefix { $0 != "]" }.dropFirst().lowercased()
      section = name == "playlist" ? .playlist : .other
      return
    default: break
    }
    guard section != .other else { return }
    if case .none = section {
      report(.warning, line.number, column, TextError("no [playlist] before the first entry"))
      section = .playlist
    }
    guard let equals = utf8[start...].firstIndex(of: UInt8(ascii: "=")) else {
      return report(.warning, line.number, column, TextError("no `=`, so the line was left out"))
    }
    let valueStart =
      utf8[utf8.index(after: equals)...].firstIndex { !Self.isSpace($0) } ?? utf8.endIndex
    let valueEnd =
      utf8[valueStart...].lastIndex { !Self.isSpace($0) }.map { utf8.index(after: $0) } ?? utf8.endIndex
    let value = Located(
      String(line.text[valueStart..<valueEnd]), line: line.number, column: line.column(of: valueStart))
    switch Self.key(String(line.text[start..<equals])) {
    case .file(let number): addFile(number, value, column)
    case .title(let number): addTitle(number, value)
    case .length(let number): addLength(number, value)
    case .count: count = Int(value.value).map { Located($0, line: value.line, column: value.column) }
    case .other: return
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Keys are the same in capitals and small letters. Other players add keys of their own.
  private static func key(_ text: String) -> Key {
    let word = text.lowercased().filter { $0 != " " && $0 != "\t" }
    if word == "numberofentries" { return .count }
    let name = word.prefix { !("0"..."9").contains($0) }
    let digits = word.dropFirst(name.count)
    guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return .other }
    // A number beyond all others is the last entry, and no reason to lose it.
    let number = Int(digits) ?? .max
    return switch name {
    case "file": .file(number)
    case "title": .title(number)
    case "length": .length(number)
    default: .other
    }
  }

  private mutating func addFile(_ number: Int, _ location: Located<String>, _ column: Int) {
    guard !location.value.isEmpty else {
      return report(.error, location.line, column, TextError("File\(number) names no file"))
    }
    guard entries.count < limits.entries else {
      isFull = true
      return report(
        .error, location.line, column,
        TextError("more than \(limits.entries) entries; this one and the rest were left out"), kind: .limit)
    }
    if !numbers.insert(number).inserted {
      report(
        .warning, location.line, column, TextError("File\(number) is given twice; both entries are kept"))
    }
    entries.append((number, location))
  }

  private mutating func addTitle(_ number: Int, _ value: Located<String>) {
    let title = EntryText(value.value, limit: limits.textScalars)
    if title.isCut {
      report(
        .warning, value.line, value.column,
        TextError("the title is longer than \(limits.textScalars) characters; it was cut"))
    }
    guard titles.count < limits.entries else { return }
    titles[number] = Located(title.value, line: value.line, column: value.column)
  }

  /// -1 is a stream without an end or, as often, an unknown length; 0 is unknown.
  private mutating func addLength(_ number: Int, _ value: Located<String>) {
    let isNegative = value.value.utf8.first == UInt8(ascii: "-")
    let digits = isNegative ? String(value.value.unicodeScalars.dropFirst()) : value.value
    guard let seconds = DecimalText(digits)?.value else {
      return report(
        .warning, value.line, value.column,
        TextError("`\(TerminalText.excerpt(value.value))` is not a length in seconds"))
    }
    guard lengths.count < limits.entries else { return }
    let length: Length = seconds == 0 ? .unknown : isNegative ? .unending : .known(seconds)
    lengths[number] = Located(length, line: value.line, column: value.column)
  }

  // MARK: - The end

  private mutating func finished() -> PlaylistDocument {
    for (number, title) in titles where !numbers.contains(number) {
      report(.warning, title.line, title.column, TextError("Title\(number) without File\(number)"))
    }
    if let count, count.value > entries.count, !isFull {
      report(
        .warning, count.line, count.column,
        TextError("NumberOfEntries is \(count.value), and there are \(entries.count): the end may be missing")
      )
    }
    let order = entries.indices.sorted { (entries[$0].number, $0) < (entries[$1].number, $1) }
    document.items = order.map { index in
      let (number, location) = entries[index]
      var attributes = EntryAttributes()
      if let title = titles[number]?.value, !title.isEmpty { attributes.title = title }
      switch lengths[number]?.value {
      case .known(let seconds): attributes.length = seconds
      // Where the address does not tell, what has no end in this format is a radio.
      case .unending: (attributes.isUnending, attributes.isRadio) = (true, true)
      case .unknown, nil: break
      }
      return PlaylistItem(location: location, attributes: attributes)
    }
    return document
  }
}
