/// Times of subtitles in milliseconds, as the text formats write them.
enum SubtitleTime {
  /// The form of WebVTT, with at least two digits of hours: `00:01:02.500`, `100:00:00.000`.
  static func text(_ milliseconds: Int) -> String {
    let seconds = milliseconds / 1000
    return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.digits(2) }.joined(separator: ":")
      + ".\((milliseconds % 1000).digits(3))"
  }
}

/// Reads times and what stands around them from one line.
struct TimeScanner {
  private let bytes: [UInt8]
  private(set) var index = 0

  init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

  /// The column of the next byte. A line with times has ASCII up to there, or the column is of what follows.
  var column: Int { index + 1 }
  /// Whether a space or the end comes next.
  var isAtSpace: Bool { index >= bytes.count || bytes[index] == 0x20 || bytes[index] == 0x09 }
  /// What has not been read.
  var rest: String { String(decoding: bytes[index...], as: UTF8.self) }

  mutating func skipSpaces() {
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
  }

  /// Reads the text if it comes next.
  mutating func take(_ text: String) -> Bool {
    guard bytes[index...].starts(with: text.utf8) else { return false }
    index += text.utf8.count
    return true
  }

  /// `[H:]MM:SS` and a fraction after a comma or a point, or none; any number of hours up to six digits. Minutes and seconds have
  /// one or two digits and stay below 60. Nil leaves the index where the time ends to be one.
  mutating func time() -> Int? {
    skipSpaces()
    var parts: [(number: Int, index: Int)] = []
    repeat {
      let start = index
      guard let number = number(upTo: parts.isEmpty ? 6 : 2) else { return nil }
      parts.append((number, start))
    } while parts.count < 3 && take(":")
    guard parts.count >= 2 else { return nil }
    if let wrong = parts.suffix(2).first(where: { $0.number > 59 }) {
      index = wrong.index
      return nil
    }
    let seconds = parts.reduce(0) { $0 * 60 + $1.number }
    guard let milliseconds = fraction() else { return nil }
    return seconds * 1000 + milliseconds
  }

  /// Digits of a number of at most so many digits.
  private mutating func number(upTo digits: Int) -> Int? {
    let first = index
    var value = 0
    while index < bytes.count, (0x30...0x39).contains(bytes[index]) {
      guard index - first < digits else { return nil }
      value = value * 10 + Int(bytes[index] - 0x30)
      index += 1
    }
    return index > first ? value : nil
  }

  /// Milliseconds after a comma, a point or a third colon; 0 without them, nil without a digit after the sign. Digits beyond the
  /// third are dropped.
  private mutating func fraction() -> Int? {
    guard index < bytes.count, [0x2C, 0x2E, 0x3A].contains(bytes[index]) else { return 0 }
    index += 1
    skipSpaces()
    let first = index
    var (value, scale) = (0, 100)
    while index < bytes.count, (0x30...0x39).contains(bytes[index]) {
      value += Int(bytes[index] - 0x30) * scale
      scale /= 10
      index += 1
    }
    return index > first ? value : nil
  }
}

/// The line with the two times of a SubRip or WebVTT subtitle.
enum TimingLine: Equatable {
  /// Milliseconds, and what follows the times.
  case times(start: Int, end: Int, rest: String)
  /// It was meant to be one; the column where it cannot be read.
  case unreadable(column: Int)
  /// Something else, such as a text with an arrow.
  case other

  init(_ text: String) {
    guard let arrow = Self.arrow(in: text) else {
      self = .other
      return
    }
    var scanner = TimeScanner(text)
    scanner.skipSpaces()
    let isMeant = Self.looksLikeTime(text[..<arrow])
    guard let start = scanner.time() else {
      self = isMeant ? .unreadable(column: scanner.column) : .other
      return
    }
    scanner.skipSpaces()
    guard scanner.take("-->") else {
      self = isMeant ? .unreadable(column: scanner.column) : .other
      return
    }
    guard let end = scanner.time() else {
      self = .unreadable(column: scanner.column)
      return
    }
    guard scanner.isAtSpace else {
      self = .unreadable(column: scanner.column)
      return
    }
    scanner.skipSpaces()
    self = .times(start: start, end: end, rest: scanner.rest)
  }

  /// Where `-->` begins; nil when it is not in the text.
  private static func arrow(in text: String) -> String.Index? {
    var search = text.utf8[...]
    while let dash = search.firstIndex(of: UInt8(ascii: "-")) {
      if search[dash...].starts(with: "-->".utf8) { return dash }
      search = search[search.index(after: dash)...]
    }
    return nil
  }

  /// Whether what stands before an arrow begins with a digit and has a colon.
  private static func looksLikeTime(_ text: Substring) -> Bool {
    let trimmed = text.utf8.drop { $0 == 0x20 || $0 == 0x09 }
    return trimmed.first.map { (0x30...0x39).contains($0) } == true && trimmed.contains(UInt8(ascii: ":"))
  }
}
