import Synchronization

/// Where the open requests for a volume lead to. A step that comes before they are answered goes on from there, so that each one counts.
package final class VolumeSteps: Sendable {
  private struct Goal {
    var level: Double
    var open: Int
  }

  private let goal = Mutex<Goal?>(nil)

  package init() {}

  /// Begins a request.
  /// - Parameter wanted: the level that it asks for, by the one that the request before it asks for; nil is that of the device.
  /// - Returns: that level.
  func begin(_ wanted: (Double?) -> Double) -> Double {
    goal.withLock { goal in
      let level = wanted(goal?.level)
      goal = Goal(level: level, open: (goal?.open ?? 0) + 1)
      return level
    }
  }

  /// A request has ended, whatever came of it.
  func end() {
    goal.withLock { goal in
      guard let open = goal?.open, open > 1 else { return goal = nil }
      goal?.open = open - 1
    }
  }
}
