/// The set in which bytes look most like a language, and how sure that is.
///
/// In each set and each language that is written in it, a text has a probability (`LetterTable`, `IdeographTable`). The most probable
/// reading wins. The distance to the most probable one that reads otherwise says how sure that is.
struct CharacterSetGuess: Sendable {
  let set: CharacterSet
  let confidence: SetConfidence
  /// Quarters of -ln(p) between this reading and the next one that reads otherwise.
  let margin: Int

  /// - Parameters:
  ///   - sample: lines that are not ASCII.
  ///   - language: the language of the text, as an RFC 5646 code; nil when it is not known.
  ///   - hint: a language that it may be in.
  ///   - decode: as of `SubtitleDecoding`.
  init(
    _ sample: [UInt8], language: String?, hint: String?,
    decode: (_ bytes: ArraySlice<UInt8>, CharacterSet) -> String?
  ) {
    let (language, hint) = (language.map(SubtitleLanguage.base), hint.map(SubtitleLanguage.base))
    var readings: [(set: CharacterSet, text: String, cost: Int)] = []
    for set in CharacterSet.allCases {
      let (rarity, writings) = set.writings
      guard !writings.isEmpty, let text = decode(sample[...], set) else { continue }
      let scalars = Array(text.unicodeScalars)
      let costs = writings.map { writing in
        let raw = writing.cost(of: scalars)
        if let language, writing.languages.contains(language) { return raw * 7 / 8 - Self.known }
        if let hint, writing.languages.contains(hint) { return raw - Self.hinted }
        return raw
      }
      guard let best = costs.min() else { continue }
      readings.append((set, text, best + rarity))
    }
    guard let best = readings.min(by: { $0.cost < $1.cost }) else {
      (set, confidence, margin) = (.western, .uncertain, 0)
      return
    }
    let next = readings.filter { $0.text != best.text }.map(\.cost).min() ?? Int.max
    set = best.set
    margin = next == Int.max ? Self.sure : next - best.cost
    confidence = SetConfidence(margin: margin)
  }

  /// What the language of a file is worth, and one that is preferred, in quarters of -ln(p).
  private static let (known, hinted) = (40, 16)
  fileprivate static let sure = 120
}

/// How sure the character set of a file is.
package enum SetConfidence: String, Sendable, Hashable, CaseIterable {
  /// The file says it itself, or nothing else reads like a language.
  case sure
  /// Another set is possible, and much less probable.
  case likely
  /// Too little text, or text of a language that castq does not know.
  case uncertain

  fileprivate init(margin: Int) {
    self = margin >= CharacterSetGuess.sure ? .sure : margin >= 60 ? .likely : .uncertain
  }
}
