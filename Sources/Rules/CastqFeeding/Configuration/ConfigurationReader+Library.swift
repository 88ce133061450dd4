import CastqText

/// `library:` of the configuration.
extension ConfigurationReader {
  private enum LibraryKey: String, CaseIterable { case folders }

  /// The folders of the library; absolute.
  mutating func library(_ node: DocumentNode) -> [String] {
    var paths: [String] = []
    for (key, value) in fields(node, of: "`library`", as: LibraryKey.self) {
      switch key {
      case .folders: paths = folders(value)
      }
    }
    return paths
  }
}
