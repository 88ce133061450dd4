import CastqText

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
  /// Whether the last time that was read has hours, or milliseconds: hardly anything but a time looks so.
  private(set) var isFull = false

  init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

  /// The column of the next byte. A line with times has ASCII up to there, or the column is of what follows.
  var column: Int { index + 1 }
  /// Whether a space or the end comes next.
  var isAtSpace: Bool { index >= bytes.count || bytes[index] == 0x20 || bytes[index] == 0x09 }
  /// What has not been read.
  var rest: String { String(decoding: bytes[index...], as: UTF8.self) }

  /// Whether a setting of WebVTT comes next (section 4.3).
  var isAtSetting: Bool { Self.settings.contains { bytes[index...].starts(with: $0.utf8) } }

  private static let settings = ["vertical:", "line:", "position:", "size:", "align:", "region:"]

  /// Whether a digit comes next.
  var isAtTime: Bool { index < bytes.count && (0x30...0x39).contains(bytes[index]) }

  mutating func skipSpaces() {
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
  }

  /// Reads the text if it comes next.
  mutating func take(_ text: String) -> Bool {
    guard bytes[index...].starts(with: text.utf8) else { return false }
    index += text.utf8.count
    return true
  }

  /// `[H:]MM:SS` and a fraction after a comma, a point or a colon, or none; any number of hours up to six digits. Minutes and seconds have
  /// one or two digits and stay below 60. Spaces after a sign belong to it, as programs that translate subtitles leave them. A minus is read.
  /// Nil leaves the index where the time ends to be one.
  mutating func time() -> Int? {
    skipSpaces()
    let isNegative = take("-") || take("\u{2212}")
    isFull = false
    var parts: [(number: Int, index: Int)] = []
    repeat {
      if !parts.isEmpty { skipSpaces() }
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
    let beforeFraction = index
    guard let milliseconds = fraction() else { return nil }
    isFull = parts.count == 3 || index - beforeFraction == 4
    return (isNegative ? -1 : 1) * (seconds * 1000 + milliseconds)
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
  /// Milliseconds, the start not before 0, and what follows the times.
  case times(start: Int, end: Int, rest: String)
  /// It was meant to be one; the column where it cannot be read.
  case unreadable(column: Int)
  /// Something else, such as a text with an arrow.
  case other

  init(_ text: String) {
    let text = Self.plain(text)
    // Every line of a file comes here, and most have neither the beginning of a time nor an arrow.
    let point = Self.point(in: text)
    let begins = Self.beginsAsTime(text)
    guard point != nil || begins else {
      self = .other
      return
    }
    var scanner = TimeScanner(text)
    let start = scanner.time()
    let isFull = scanner.isFull
    scanner.skipSpaces()
    let (column, arrow) = (scanner.column, start == nil ? TimeScanner.Arrow.none : scanner.arrow())
    // Anything but `-->` may stand in a text, such as `10:30 - 12:00`.
    guard let start, arrow == .usual || isFull else {
      self = Self.isMeant(text, point, begins) ? .unreadable(column: column) : .other
      return
    }
    // WebVTT needs no space before settings.
    let endTime = scanner.time()
    guard let end = endTime, scanner.isAtSpace || (arrow == .usual && scanner.isAtSetting),
      arrow == .usual || scanner.isFull
    else {
      self =
        arrow == .usual || Self.isMeant(text, point, begins) ? .unreadable(column: scanner.column) : .other
      return
    }
    scanner.skipSpaces()
    self = .times(start: max(0, start), end: end, rest: scanner.rest)
  }

  /// The line without what editors of other scripts leave in it: marks of direction, spaces that do not break, digits and signs of the
  /// width of an ideograph.
  static func plain(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: break
      case 0xA0, 0x2007, 0x202F, 0x3000: plain.append(" ")
      case 0xFF01...0xFF5E: plain.append(Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value &- 0xFEE0)))
      default: plain.append(scalar)
      }
    }
    return String(plain)
  }

  /// Where an arrow of any kind ends; nil without one.
  private static func point(in text: String) -> String.Index? {
    var previous: Unicode.Scalar = " "
    for (index, scalar) in zip(text.unicodeScalars.indices, text.unicodeScalars) {
      let isArrow = scalar == "\u{2192}" || (scalar == ">" && TimeScanner.dashes.contains(previous))
      if isArrow { return text.unicodeScalars.index(after: index) }
      if scalar != " " { previous = scalar }
    }
    return nil
  }

  /// Whether it begins with a digit, or a minus before one, and soon has a colon.
  private static func beginsAsTime(_ text: String) -> Bool {
    let trimmed = text.utf8.drop { $0 == 0x20 || $0 == 0x09 }.prefix(20)
    let digits = trimmed.first == UInt8(ascii: "-") ? trimmed.dropFirst() : trimmed
    return digits.first.map { (0x30...0x39).contains($0) } == true && digits.contains(UInt8(ascii: ":"))
  }

  /// Whether a line that cannot be read was meant to have times: it has an arrow, and begins as one does or has a whole time behind the arrow.
  private static func isMeant(_ text: String, _ point: String.Index?, _ begins: Bool) -> Bool {
    guard let point else { return false }
    // `2:1 -> we win` is text.
    let head = text[..<point]
    if begins, head.hasSuffix("-->") || head.utf8.count(where: { $0 == UInt8(ascii: ":") }) >= 2 {
      return true
    }
    var scanner = TimeScanner(text[point...])
    return scanner.time() != nil && scanner.isFull
  }
}

extension TimeScanner {
  enum Arrow { case usual, other, none }

  /// Reads what stands between two times: `-->`, or any other run of dashes, signs of equality and points of arrows.
  mutating func arrow() -> Arrow {
    if take("-->") { return .usual }
    let start = index
    for _ in 0..<8 {
      skipSpaces()
      guard Self.pieces.contains(where: { take($0) }) else { break }
      // The minus of a time that begins before zero is none of the arrow's.
      if isAtTime { break }
    }
    return index > start ? .other : .none
  }

  /// What arrows begin with.
  static let dashes: Set<Unicode.Scalar> = [
    "-", "=", "~", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2212}",
  ]
  private static let pieces = dashes.map { String(Character($0)) } + [">", "&gt;", "\u{2192}", "\u{21D2}"]
}
