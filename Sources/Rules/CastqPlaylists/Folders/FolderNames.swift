/// The names of a folder, and which one is meant by a name that no file has exactly: other systems compose letters in another way, or tell
/// no case apart.
package struct FolderNames: Sendable {
  /// In what a name and its file may differ, from the smallest difference to the largest.
  package enum Difference: Int, Sendable, CaseIterable {
    /// How letters are composed (Unicode Standard Annex 15): `é` is one scalar or two. Macs and some servers write the second.
    case composition
    /// Capitals, which neither Windows nor Macs tell apart.
    case capitals
  }

  /// Texts are equal when they are canonically equivalent, which is the composition of letters apart.
  private let composed: [String: [String]]
  private let small: [String: [String]]

  package init(_ names: some Sequence<String>) {
    composed = Dictionary(grouping: names, by: \.self)
    small = Dictionary(grouping: names, by: { $0.lowercased() })
  }

  /// The names that may be meant, the name itself among them if a file has it.
  package func names(like name: String, apartFrom difference: Difference) -> [String] {
    switch difference {
    case .composition: composed[name] ?? []
    case .capitals: small[name.lowercased()] ?? []
    }
  }
}
