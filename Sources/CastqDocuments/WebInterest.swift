/// Whose status somebody looks at.
package enum WebInterest: Sendable, Hashable {
  case all
  /// By label.
  case devices(Set<String>)

  package func contains(_ device: String) -> Bool {
    switch self {
    case .all: true
    case .devices(let devices): devices.contains(device)
    }
  }
}
