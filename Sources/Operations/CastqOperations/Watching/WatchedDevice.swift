/// A device in news: it has one number as long as it is known, and several names by which somebody may have asked for it.
package struct WatchedDevice: Sendable, Hashable {
  package let id: Int64
  /// As documents name it.
  package let label: String
  /// All its names, in lower case.
  private let names: Set<String>

  /// - Parameter names: the names that it has beside its label.
  package init(id: Int64, label: String, names: [String] = []) {
    self.id = id
    self.label = label
    self.names = Set((names + [label]).map { $0.lowercased() })
  }

  /// Whether one of some names, in lower case, is one of its own.
  package func isCalled(_ some: Set<String>) -> Bool { !names.isDisjoint(with: some) }
}
