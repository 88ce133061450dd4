import CastqCore
import CastqStore

/// From what it is known that a device was in quiet hours at a moment of the past.
enum PastQuiet {
  /// Its last play had ended because they began, at this moment.
  case recorded(since: WallTime)
  /// The configuration has them now, and nothing played; which one there was is not kept.
  case configured(DarkHours)

  /// Nil where it was not, as far as that is known.
  /// - Parameters:
  ///   - device: with what the configuration says now.
  ///   - decision: the last one by then. What was decided in quiet hours says that they were none.
  init?(
    _ device: ScheduleDevice, at moment: WallTime, after decision: StoredDecision?, in look: ScheduleLook
  ) throws(Failure) {
    guard let id = DeviceID(ruleName: device.id) else { return nil }
    let play = try look.workspace.ask { (here) throws(StoreError) in
      try here.history.lastBegun(on: id, at: moment)
    }
    let decidedAt = decision?.decision.at
    if let play {
      guard let end = play.endedAt, end <= moment else { return nil }
      if play.cause == .quietHours, decidedAt.map({ $0 <= end }) ?? true {
        self = .recorded(since: end)
        return
      }
    }
    guard let hours = device.darkHours, hours.contains(moment) else { return nil }
    if let decidedAt, hours.contains(decidedAt), hours.end(after: decidedAt).map({ $0 > moment }) ?? true {
      return nil
    }
    self = .configured(hours)
  }

  /// By which the plan of that moment is dark.
  var hours: DarkHours {
    switch self {
    case .recorded: .always
    case .configured(let hours): hours
    }
  }

  func words(at moment: WallTime, _ words: inout PlanWording) -> String {
    switch self {
    case .recorded(let since): "quiet hours had begun at \(words.time(since)), and nothing played since"
    case .configured(let hours):
      "the configuration of today has quiet hours\(hours.end(after: moment).map { " until \(words.time($0))" } ?? "")"
        + ", and nothing played"
    }
  }
}
