/// The leaves of a machine outside its phase: scalars and collections that it stores, through every nested type. What was nil in one
/// state counts as what it was in another.
struct MachineLeaves {
  private var paths: Set<String> = []

  /// Adds what this state of the machine stores.
  /// - Parameter besides: constants that it was made with.
  mutating func add(_ machine: Any, besides: Set<String>) {
    for child in Mirror(reflecting: machine).children {
      guard let label = child.label, label != "phase", !besides.contains(label) else { continue }
      walk(child.value, at: label)
    }
  }

  /// What holds others is no leaf.
  var all: [String] { paths.filter { path in !paths.contains { $0.hasPrefix(path + ".") } }.sorted() }

  private mutating func walk(_ value: Any, at path: String) {
    let mirror = Mirror(reflecting: value)
    let isOurs = String(reflecting: type(of: value)).hasPrefix("Castq")
    switch mirror.displayStyle {
    case .optional where !mirror.children.isEmpty:
      for child in mirror.children { walk(child.value, at: path) }
    case .tuple,
      .struct where isOurs, .enum where isOurs && !mirror.children.isEmpty:
      for (index, child) in mirror.children.enumerated() where child.label != "phase" {
        // An enum has the name of its case as the label of what it holds.
        let isCase = mirror.displayStyle == .enum
        walk(child.value, at: isCase ? path : "\(path).\(child.label ?? "\(index)")")
      }
    default: paths.insert(path)
    }
  }
}
