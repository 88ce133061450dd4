/// A pattern of a whole text: `*` stands for any run of characters, `?` for exactly one.
///
/// Nothing else is special: a pattern cannot be built that takes long to match, as one of a regular expression can.
struct GlobPattern: Sendable, Hashable {
  /// Of a text only so much is looked at. Unicode scalars.
  static let textLimit = 1024
  /// Of a pattern only so much is kept. Unicode scalars.
  static let patternLimit = 128

  private let scalars: [Unicode.Scalar]

  init(_ pattern: String) {
    var scalars: [Unicode.Scalar] = []
    // Stars in a row mean the same as one.
    for scalar in pattern.unicodeScalars.prefix(Self.patternLimit) where scalar != "*" || scalars.last != "*"
    {
      scalars.append(scalar)
    }
    self.scalars = scalars
  }

  /// Whether the pattern covers the text from end to end.
  ///
  /// Only the last star is ever tried again, so the work is bounded by the product of both lengths.
  func matches(_ text: String) -> Bool {
    let text = Array(text.unicodeScalars.prefix(Self.textLimit))
    var (index, place) = (0, 0)
    var retry: (index: Int, place: Int)?
    while index < text.count {
      if place < scalars.count, scalars[place] == "*" {
        retry = (index, place)
        place += 1
      } else if place < scalars.count, scalars[place] == "?" || scalars[place] == text[index] {
        index += 1
        place += 1
      } else if let star = retry {
        retry = (star.index + 1, star.place)
        (index, place) = (star.index + 1, star.place + 1)
      } else {
        return false
      }
    }
    return scalars[place...].allSatisfy { $0 == "*" }
  }
}
