import Synchronization

/// Where the open requests for a volume lead to. A step that comes before they are answered goes on from there, so that each one counts.
package final class VolumeSteps: Sendable {
  private struct Goal {
    var level: Double
    var open: Int
  }

  private let goal = Mutex<Goal?>(nil)

  package init() {}

  /// Begins a request: it is submitted before another step can begin, so that they reach the device in their order.
  /// - Parameter submit: submits it, by the level that the request before it asks for; nil is that of the device. Gives the level that
  ///   it asks for, and itself.
  /// - Returns: the request.
  package func begin<Request>(_ submit: (Double?) -> (level: Double, request: Request)) -> Request {
    goal.withLock { goal in
      let (level, request) = submit(goal?.level)
      goal = Goal(level: level, open: (goal?.open ?? 0) + 1)
      return request
    }
  }

  /// A request has ended, whatever came of it.
  package func end() {
    goal.withLock { goal in
      guard let open = goal?.open, open > 1 else { return goal = nil }
      goal?.open = open - 1
    }
  }
}
