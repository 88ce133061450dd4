/// How often each letter of a language follows each other one, for telling in which character set a text was written.
///
/// Derived from published statistics: the frequencies of words of `wordfreq` 3.1 (Robyn Speer, CC BY-SA 4.0), which count books, news,
/// subtitles and conversations; Afrikaans, Albanian, Estonian, Thai and Welsh from the frequencies of pairs of letters of `langdetect` 1.0
/// (Nakatani Shuyo, from Wikipedia). A row holds the costs of all letters after one, a character each: quarters of -ln(p), from `0` on. The first
/// row and column are the beginning and the end of a word.
struct LetterTable: Sendable {
  /// Codes of the letters, from 1 on: 0 is none of them. A capital has 128 more.
  private let codes: [UInt8]
  private let size: Int
  private let costs: [UInt8]
  /// Whether the letters of ASCII are letters of the language.
  private let isLatin: Bool

  /// - Parameter loans: groups of letters that count as the first one of them, which is a letter of the language: accents of loan words
  ///   and names, tones, forms. Another language's letters are foreign: they are what a wrong set shows.
  init(_ letters: String, loans: String = "", _ rows: String) {
    let letters = Array(letters.unicodeScalars)
    let forms = Dictionary(
      loans.split(separator: " ").compactMap { group in
        group.unicodeScalars.first.map { ($0, group.unicodeScalars) }
      }
    ) { first, _ in first }
    var codes = [UInt8](repeating: 0, count: Self.most)
    for (index, letter) in letters.enumerated() {
      let code = UInt8(truncatingIfNeeded: index + 1)
      for form in forms[letter].map(Array.init) ?? [letter] {
        codes[Int(form.value)] = code
        let capital = Array(form.properties.uppercaseMapping.unicodeScalars)
        if capital.count == 1, capital[0] != form, Int(capital[0].value) < Self.most {
          codes[Int(capital[0].value)] = code | 0x80
        }
      }
    }
    // The capitals of Turkish are none of others.
    if let dotless = letters.firstIndex(of: "ı"), let dotted = letters.firstIndex(of: "i") {
      codes[Int(("I" as Unicode.Scalar).value)] = UInt8(truncatingIfNeeded: dotless + 1) | 0x80
      codes[Int(("İ" as Unicode.Scalar).value)] = UInt8(truncatingIfNeeded: dotted + 1) | 0x80
    }
    self.codes = codes
    size = letters.count + 1
    costs = rows.utf8.map { $0 &- 0x30 }
    isLatin = letters.contains("a")
  }

  /// Letters beyond are none of any table.
  private static let most = 0x1F00

  /// What a text costs in this language, in quarters of -ln(p).
  func cost(of text: [Unicode.Scalar]) -> Int {
    var reading = Reading()
    for scalar in text { read(scalar, &reading) }
    endWord(&reading)
    return reading.cost
  }

  /// What makes a word between spaces and signs of ASCII none of the language: letters of another set.
  func flaw(of word: [Unicode.Scalar]) -> WordFlaw? {
    var (letter, isSmall, sign) = (false, false, false)
    var flaw: WordFlaw?
    for scalar in word {
      let value = Int(scalar.value)
      let isOwn = value < Self.most && (codes[value] != 0 || scalar.isASCII)
      let kind = isOwn ? .letter : ForeignCharacter(scalar)
      if letter, ForeignCharacter.opens(scalar) { return .torn }
      if ForeignCharacter.joins(scalar) {
        (letter, isSmall) = (false, false)
        continue
      }
      switch kind {
      case .letter:
        let isCapital = isOwn && codes[value] >= 0x80 || scalar.properties.isUppercase
        if sign || (isCapital && isSmall) { return .torn }
        (letter, isSmall) = (true, !isCapital)
        if !isOwn { flaw = .foreignLetter }
      case .damage: return .torn
      case .mark: break
      case .symbol, .punctuation, .space: sign = letter
      }
    }
    return flaw
  }

  /// What was read of a word.
  private struct Reading {
    /// Of the words before.
    var cost = 0
    /// Of the word.
    var word = 0
    /// Letters of the word while all are ASCII; nil after another.
    var plain: Int? = 0
    /// The code of the letter before; 0 between words.
    var previous = 0
    /// Whether it was a letter of another script or language.
    var followsForeign = false
    var capitals = 0
    var followsSmall = false
    /// Whether a sign stands before, and a letter before that.
    var breaksWord = false
  }

  /// A word of ASCII is the same in all sets: one of another language costs no more than it does there.
  private func endWord(_ reading: inout Reading) {
    let cost = reading.word + Int(costs[reading.previous * size])
    let most = reading.plain.map { $0 * Self.foreignLetter } ?? cost
    reading = Reading(cost: reading.cost + min(cost, most))
  }

  /// A letter of ASCII in a word of another language: one of 26, and capitals and ends of words.
  static let foreignLetter = 15

  private func read(_ scalar: Unicode.Scalar, _ reading: inout Reading) {
    let value = Int(scalar.value)
    let code = value < Self.most ? Int(codes[value]) : 0
    if code != 0 {
      readBreak(&reading)
      let letter = code & 0x7F
      reading.word += Int(costs[reading.previous * size + letter])
      // Letters of two scripts within a word.
      if reading.followsForeign { reading.word += isLatin ? 8 : 24 }
      readCase(isCapital: code >= 0x80, &reading)
      (reading.previous, reading.followsForeign) = (letter, false)
      reading.plain = scalar.isASCII ? reading.plain.map { $0 + 1 } : nil
      return
    }
    // Most are ASCII, and to ask Unicode takes longer than all else.
    let isLetter =
      scalar.isASCII
      ? UInt8(ascii: "a")...UInt8(ascii: "z") ~= UInt8(value) | 0x20 : scalar.properties.isAlphabetic
    if isLetter { readBreak(&reading) }
    if scalar.isASCII {
      guard isLetter else { return endWord(&reading) }
      reading.word += Self.foreignLetter + (reading.previous != 0 ? 24 : 0)
      reading.plain = reading.plain.map { $0 + 1 }
      (reading.previous, reading.followsForeign) = (0, true)
      return
    }
    let kind = ForeignCharacter(scalar)
    switch kind {
    case .mark where reading.previous != 0: reading.word += 6
    case .letter:
      reading.word += kind.cost + (reading.previous != 0 ? 8 : 0)
      readCase(isCapital: scalar.properties.isUppercase, &reading)
      (reading.previous, reading.followsForeign, reading.plain) = (0, true, nil)
    default:
      let isWithin = kind != .space && !ForeignCharacter.joins(scalar)
      let wasLetter = reading.previous != 0 || reading.followsForeign
      endWord(&reading)
      reading.cost += kind.cost
      reading.breaksWord = isWithin && wasLetter
    }
  }

  /// A sign between two letters is a letter of another set.
  private func readBreak(_ reading: inout Reading) {
    if reading.breaksWord { reading.cost += 16 }
    reading.breaksWord = false
  }

  /// Words are small, or have one capital, or capitals alone: a set that is another's with the cases exchanged breaks this.
  private func readCase(isCapital: Bool, _ reading: inout Reading) {
    if isCapital {
      reading.word += reading.followsSmall ? 24 : reading.capitals == 0 ? 6 : 2
      reading.capitals += 1
    } else {
      if reading.capitals > 1 { reading.word += 20 }
      reading.capitals = 0
    }
    reading.followsSmall = !isCapital
  }
}

/// Why a word cannot be of a language.
enum WordFlaw {
  /// A letter beyond ASCII that the language has not.
  case foreignLetter
  /// A sign inside, an opening quotation mark after a letter, or a capital after a small letter.
  case torn
}

/// What a character is that no table has.
enum ForeignCharacter {
  case space, punctuation, letter, mark, symbol, damage

  init(_ scalar: Unicode.Scalar) {
    if scalar == "\u{A0}" {
      self = .space
      return
    }
    // Behind numbers, and letters to Unicode.
    if scalar == "ª" || scalar == "º" {
      self = .symbol
      return
    }
    if Self.usual.contains(scalar) {
      self = .punctuation
      return
    }
    // Frames and blocks of DOS.
    if 0x2500...0x259F ~= scalar.value {
      self = .damage
      return
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark: self = .mark
    case .control, .privateUse, .unassigned: self = .damage
    default: self = scalar == "\u{FFFD}" ? .damage : scalar.properties.isAlphabetic ? .letter : .symbol
    }
  }

  /// Whether it stands between two letters, as an apostrophe and a dash do.
  static func joins(_ scalar: Unicode.Scalar) -> Bool { joining.contains(scalar) }

  /// Whether it only ever stands before a word. After a letter it is a letter of another set, such as é in a set of DOS.
  static func opens(_ scalar: Unicode.Scalar) -> Bool { scalar == "‚" || scalar == "„" }

  private static let joining = Set("’‘–—…·\u{AD}\u{200C}".unicodeScalars)

  /// Quarters of -ln(p), estimated.
  var cost: Int {
    switch self {
    case .space: 10
    case .punctuation: 14
    case .letter: 34
    case .mark, .symbol: 40
    case .damage: 60
    }
  }

  private static let usual = Set(
    "«»„“”‘’‚‹›–—…·•°§€£©®♪♫¿¡´№\u{AD}\u{200C}\u{200E}\u{200F}،؛؟".unicodeScalars)
}
