/// How frequent the characters of Chinese, Japanese and Korean are, for telling in which character set a text was written.
///
/// The 800 most frequent ones, in the order of their frequency, counted from the frequencies of words of `wordfreq` 3.1 (Robyn Speer,
/// CC BY-SA 4.0); traditional characters are those of the simplified ones in Taiwan (`zhconv` 1.4).
struct IdeographTable: Sendable {
  private let ranks: [Unicode.Scalar: Int]

  init(_ characters: String) {
    ranks = Dictionary(characters.unicodeScalars.enumerated().map { ($0.element, $0.offset) }) { first, _ in
      first
    }
  }

  /// What a text costs in this language, in quarters of -ln(p).
  func cost(of text: [Unicode.Scalar]) -> Int {
    var (cost, previous) = (0, " " as Unicode.Scalar)
    for scalar in text {
      cost += self.cost(of: scalar)
      // Within a word of ASCII such a character is a letter of another set.
      let isWord = scalar.properties.isAlphabetic && previous.properties.isAlphabetic
      if isWord, scalar.isASCII != previous.isASCII { cost += 14 }
      previous = scalar
    }
    return cost
  }

  private func cost(of scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return scalar.properties.isAlphabetic ? 15 : 0 }
    if let rank = ranks[scalar] {
      // Means of the groups of ranks, much the same in the four tables.
      switch rank {
      case ..<16: return 16
      case ..<48: return 20
      case ..<112: return 24
      case ..<240: return 27
      case ..<480: return 30
      default: return 34
      }
    }
    switch scalar.value {
    case 0x3000...0x3020, 0xFF01, 0xFF08, 0xFF09, 0xFF0C, 0xFF1A, 0xFF1B, 0xFF1F: return 16
    case 0xFF01...0xFF5E: return 28
    case 0x3041...0x30FF, 0x3131...0x318E, 0x4E00...0x9FFF, 0xAC00...0xD7A3: return 46
    case 0x1_0000...: return 60
    default:
      let foreign = ForeignCharacter(scalar)
      return foreign == .letter ? 46 : foreign.cost
    }
  }
}
