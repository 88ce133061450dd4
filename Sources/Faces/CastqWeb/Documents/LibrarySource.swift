/// What a source of the page may name besides addresses and paths.
enum LibrarySource {
  private static let (library, named) = ("library:", "programme:")

  /// A file or folder by its name in the library; nil for another source.
  static func file(_ source: String) -> String? { rest(of: source, after: library) }

  /// A programme; nil for another source.
  static func programme(_ source: String) -> String? { rest(of: source, after: named) }

  private static func rest(of source: String, after prefix: String) -> String? {
    source.hasPrefix(prefix) ? String(source.dropFirst(prefix.count)) : nil
  }
}
