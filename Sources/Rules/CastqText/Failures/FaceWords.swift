/// A text for two faces. At a terminal a command may stand in it; in a page none does.
package struct FaceWords: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  package let typed: String
  /// Nil where a page has nothing to say.
  package let paged: String?

  package init(typed: String, paged: String?) {
    self.typed = typed
    self.paged = paged
  }

  /// The same words for both.
  package init(_ words: String) { self.init(typed: words, paged: words) }

  package init(stringLiteral words: String) { self.init(words) }

  package var description: String { typed }

  /// Both with more words behind a semicolon.
  package func followed(by more: FaceWords) -> FaceWords {
    let paged = [paged, more.paged].compactMap(\.self)
    return FaceWords(
      typed: "\(typed); \(more.typed)", paged: paged.isEmpty ? nil : paged.joined(separator: "; "))
  }

  /// Both changed.
  package func map(_ change: (String) -> String) -> FaceWords {
    FaceWords(typed: change(typed), paged: paged.map(change))
  }
}
