import CastqText

/// The rules of one device, of which a book has many, and when they are on in the hours to come.
struct ScheduleRules: Sendable {
  let device: ScheduleDevice
  private(set) var agenda: ScheduleAgenda
  let book: ScheduleBook
  private let enabled: [RuleID: ScheduleRule]

  init(_ book: ScheduleBook, _ device: ScheduleDevice, at wall: WallTime) {
    self.book = book
    self.device = device
    agenda = ScheduleAgenda(book, device: device, at: wall)
    enabled = Dictionary(
      book.rules.filter { $0.isEnabled && device.isTarget(of: $0.target) }.map { ($0.id, $0) },
      uniquingKeysWith: { $1 })
  }

  /// In no order.
  var all: some Collection<ScheduleRule> { enabled.values }

  subscript(rule: RuleID) -> ScheduleRule? { enabled[rule] }

  /// The rule that is on the air; nil for the base, and when the rule is gone.
  subscript(onAir: ScheduleDecision.OnAir?) -> ScheduleRule? { onAir.flatMap { enabled[$0.occurrence.rule] } }

  /// Nil for a rule that is passed over; `agenda.faults` has the reason.
  func timetable(of rule: ScheduleRule) -> RuleTimetable? {
    try? RuleTimetable(rule, zone: book.zone(of: rule, on: device), in: book)
  }

  /// Makes the agenda anew when it does not reach this far. Returns whether it did.
  mutating func reach(_ wall: WallTime) -> Bool {
    guard !agenda.range.contains(wall) else { return false }
    agenda = ScheduleAgenda(book, device: device, at: wall)
    return true
  }
}
