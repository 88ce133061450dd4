import CastqText

/// Which part of the library somebody wants to see.
package struct LibraryQuery: Sendable, Hashable {
  /// What there is of the library.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case all, films, music, pictures, ads
  }

  package var kind = Kind.all
  /// Words that the name, the title, the artist or the album have, each of them; empty is everything.
  package var words = ""
  /// By its name in the library; empty is the whole library.
  package var folder = ""
  /// Files before the first one.
  package var from = 0
  /// Files at most, 1 to `most`.
  package var count = Self.page

  /// Files of a page, and of a document.
  package static let (page, most) = (24, 200)
  /// Words that count, and bytes of all of them.
  private static let (mostWords, longest) = (8, 256)

  package init() {}

  /// The words in small letters.
  var wanted: [String] {
    let text = String(decoding: words.utf8.prefix(Self.longest), as: UTF8.self).lowercased()
    return text.split(whereSeparator: \.isWhitespace).prefix(Self.mostWords).map(String.init)
  }
}
