/// What keeps castq from the screen of a device now, whatever is due.
package enum ScreenLoss: Sendable, Hashable {
  /// Another sender has the screen, until castq takes it back; nil is when a person does.
  case guest(until: WallTime?)
  /// The device does not answer, or refuses; since when, nil where that is unknown.
  case unreachable(since: WallTime?)

  /// When it ends by itself; nil when nobody knows.
  var until: WallTime? {
    switch self {
    case .guest(let until): until
    case .unreachable: nil
    }
  }

  /// Whether it is so at a moment from now on.
  func contains(_ moment: WallTime) -> Bool { until.map { moment < $0 } ?? true }

  /// What a plan has for it.
  package var silence: PlanSegment.Silence {
    switch self {
    case .guest: .guest
    case .unreachable: .unreachable
    }
  }
}
