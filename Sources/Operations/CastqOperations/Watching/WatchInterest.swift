/// Whose status somebody looks at.
package enum WatchInterest: Sendable, Hashable {
  case all
  /// By any of their names, in lower case.
  case devices(Set<String>)

  package func contains(_ device: WatchedDevice) -> Bool {
    switch self {
    case .all: true
    case .devices(let names): device.isCalled(names)
    }
  }
}
