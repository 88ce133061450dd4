import CastProtocol
package import CastqText

/// What shares of the screen need of a driver.
extension ScheduleMachine {
  /// The programmes of the shares that are on at a moment.
  package func shares(at wall: WallTime) -> [RuleID: String] {
    guard let screen else { return [:] }
    var programmes: [RuleID: String] = [:]
    for entry in screen.rules.agenda.entries(at: wall) {
      if case .share = entry.rule.kind { programmes[entry.rule.id] = entry.rule.programme }
    }
    return programmes
  }

  /// Whether the item on the screen is that of a share.
  package var isPlayingShare: Bool { screen?.shares.playing != nil }

  /// That an item of a share is on the screen, for the rows: the winner stays, and is restored after it.
  package func shareDecision(of rule: RuleID, at wall: WallTime) -> ScheduleDecision? {
    guard let entry = screen?.rules.agenda.entries(at: wall).first(where: { $0.rule.id == rule }) else {
      return nil
    }
    return ScheduleDecision(
      at: wall, kind: .share,
      onAir: .init(
        occurrence: entry.occurrence, programme: entry.rule.programme, revision: entry.rule.revision),
      planned: nil, reason: "\(entry.rule.name): its share is due", beneath: [],
      passedOver: screen?.recorded.passedOver ?? [])
  }

  /// That the winner is on the screen again after an item of a share.
  package func decisionAfterShare(at wall: WallTime) -> ScheduleDecision? {
    guard let screen else { return nil }
    let rule = screen.rules[screen.onAir]
    let name = rule?.name ?? (screen.rules.device.hasBase ? "the base" : "nothing")
    return ScheduleDecision(
      at: wall, kind: rule == nil ? (screen.rules.device.hasBase ? .base : .dark) : .rule,
      onAir: screen.onAir,
      planned: nil, reason: "\(name) continues after a share", beneath: screen.recorded.beneath,
      passedOver: screen.recorded.passedOver)
  }

  private var screen: ScheduleScreen? { if case .serving(let screen) = phase { screen } else { nil } }
}
