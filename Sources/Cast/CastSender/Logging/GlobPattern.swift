/// A pattern for a whole text: `*` matches any characters, `?` exactly one.
///
/// Nothing else is special: unlike a regular expression, no pattern takes long to match.
struct GlobPattern: Sendable, Hashable {
  /// Only this many Unicode scalars of a text are matched.
  static let textLimit = 1024
  /// Only this many Unicode scalars of a pattern are kept.
  static let patternLimit = 128

  private let scalars: [Unicode.Scalar]

  init(_ pattern: String) {
    var scalars: [Unicode.Scalar] = []
    // Consecutive stars are equivalent to one.
    for scalar in pattern.unicodeScalars.prefix(Self.patternLimit) where scalar != "*" || scalars.last != "*"
    {
      scalars.append(scalar)
    }
    self.scalars = scalars
  }

  /// Whether the pattern matches the whole text.
  ///
  /// Only the last star is retried, so the work is bounded by the product of both lengths.
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
