/// The set in which bytes look most like a language, and how sure that is.
///
/// In each set and each language that is written in it, a text has a probability (`LetterTable`, `IdeographTable`). The most probable
/// reading wins. The distance to the most probable one that reads otherwise says how sure that is, where the text looks like its language.
struct CharacterSetGuess: Sendable {
  let set: CharacterSet
  let confidence: SetConfidence

  /// - Parameters:
  ///   - sample: lines that are not ASCII.
  ///   - language: the language of the text, as an RFC 5646 code; nil when it is not known.
  ///   - hint: a language that it may be in.
  ///   - decode: as of `SubtitleDecoding`.
  init(
    _ sample: [UInt8], language: String?, hint: String?,
    decode: (_ bytes: ArraySlice<UInt8>, CharacterSet) -> String?
  ) {
    let (language, hint) = (language.map(LanguageCode.base), hint.map(LanguageCode.base))
    var readings: [Reading] = []
    for set in CharacterSet.allCases {
      let (rarity, writings) = set.writings
      guard !writings.isEmpty, let text = decode(sample[...], set) else { continue }
      let scalars = Array(text.unicodeScalars)
      let costs = writings.map { writing in
        let plain = writing.cost(of: scalars) + rarity
        if let language, writing.languages.contains(language) {
          return (plain * 7 / 8 - Self.known, plain, writing)
        }
        if let hint, writing.languages.contains(hint) { return (plain - Self.hinted, plain, writing) }
        return (plain, plain, writing)
      }
      guard let (cost, _, writing) = costs.min(by: { $0.0 < $1.0 }) else { continue }
      let plain = costs.map(\.1).min() ?? cost
      readings.append(Reading(set: set, text: text, writing: writing, cost: cost, plainCost: plain))
    }
    guard let best = readings.min(by: { $0.cost < $1.cost }) else {
      (set, confidence) = (.western, .uncertain)
      return
    }
    set = best.set
    let next = readings.filter { $0.text != best.text }.map(\.cost).min()
    let margin = SetConfidence(margin: next.map { $0 - best.cost } ?? Self.sure)
    // The letters alone say something else than the name.
    let isContradicted = readings.min { $0.plainCost < $1.plainCost }.map { $0.text != best.text } ?? false
    switch best.look() {
    case .likeLanguage(let isWhole): confidence = isWhole && !isContradicted ? margin : min(margin, .likely)
    // What is known of the language says the set, as far as signs and languages without a table can be judged.
    case .signs where language.map(best.writing.languages.contains) ?? false,
      .unlike(isTorn: false, isForeign: false) where language.map(best.writing.isNearest) ?? false,
      .unlike(isTorn: false, isForeign: true)
    where language.map { best.writing.isNearest(to: $0) && !Writing.lettered.contains($0) } ?? false:
      confidence = min(margin, .likely)
    case .signs, .unlike: confidence = .uncertain
    }
  }

  /// A text in one set, and the language that it looks most like.
  private struct Reading {
    let set: CharacterSet
    let text: String
    let writing: Writing
    let cost: Int
    /// What it costs where nothing is known of the language.
    let plainCost: Int

    enum Look {
      /// - Parameter isWhole: hardly a word is torn, and none has a letter of another language.
      case likeLanguage(isWhole: Bool)
      /// - Parameters:
      ///   - isTorn: words are torn, which they are in no language.
      ///   - isForeign: words are torn, or have letters of another language.
      case unlike(isTorn: Bool, isForeign: Bool)
      /// No letter is beyond ASCII: quotation marks and dashes are those of every language.
      case signs
    }

    /// Whether its words with letters beyond ASCII, which alone differ between sets, are words of the language: they cost what those of
    /// a text cost, and few have a flaw. Another language has other words. A set that castq does not read differs from one that it
    /// reads in a few letters: in one word of a text, or in many.
    func look() -> Look {
      let words = text.unicodeScalars.split {
        $0.isASCII ? !$0.properties.isAlphabetic : ForeignCharacter($0) == .space
      }.filter { word in
        word.contains { !$0.isASCII && ForeignCharacter($0) != .punctuation }
          || zip(word, word.dropFirst()).contains { $0.properties.isAlphabetic && ForeignCharacter.opens($1) }
      }.map(Array.init)
      let letters = words.reduce(0) { $0 + $1.count }
      guard letters > 0 else { return .signs }
      // English has no letters beyond ASCII: such words in it are those of its neighbours.
      let writings = writing == .english ? Writing.neighbors : [writing]
      // A word that is repeated says nothing new.
      let different = Set(words)
      let flaws = different.compactMap { word -> WordFlaw? in
        let flaws = writings.map { $0.flaw(of: word) }
        return flaws.contains(nil) ? nil : flaws.contains(.foreignLetter) ? .foreignLetter : .torn
      }
      let torn = flaws.count { $0 == .torn }
      let unlike = Look.unlike(
        isTorn: torn * 12 > different.count, isForeign: flaws.count * 12 > different.count)
      guard flaws.count < 2 || flaws.count * 12 <= different.count else { return unlike }
      let cost =
        writings.count == 1
        ? writing.cost(of: Array(words.joined(separator: " ".unicodeScalars)))
        : words.reduce(0) { sum, word in sum + (writings.map { $0.cost(of: word) }.min() ?? 0) }
      return cost <= letters * writing.usualCost
        ? .likeLanguage(isWhole: torn * 40 <= different.count && torn == flaws.count) : unlike
    }
  }

  /// What the language of a file is worth, and one that is preferred, in quarters of -ln(p).
  private static let (known, hinted) = (40, 16)
  fileprivate static let sure = 120
}

/// How sure the character set of a file is.
package enum SetConfidence: String, Sendable, Hashable, CaseIterable, Comparable {
  /// The file says it itself, or nothing else reads like a language.
  case sure
  /// Another set is possible, and much less probable.
  case likely
  /// Too little text, or text of a language that castq does not know.
  case uncertain

  package static func < (one: SetConfidence, other: SetConfidence) -> Bool { one.rank < other.rank }

  private var rank: Int {
    switch self {
    case .uncertain: 0
    case .likely: 1
    case .sure: 2
    }
  }

  fileprivate init(margin: Int) {
    self = margin >= CharacterSetGuess.sure ? .sure : margin >= 60 ? .likely : .uncertain
  }
}
