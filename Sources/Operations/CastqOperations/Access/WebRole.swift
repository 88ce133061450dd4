/// What somebody may do.
package enum WebRole: String, Sendable, Hashable, CaseIterable, Comparable {
  /// Read everything.
  case look
  /// Also act on devices and their queues.
  case operate
  /// Also change the schedule, and name local files.
  case edit

  private var rank: Int {
    switch self {
    case .look: 0
    case .operate: 1
    case .edit: 2
    }
  }

  package static func < (left: WebRole, right: WebRole) -> Bool { left.rank < right.rank }
}
