import CastProtocol
import CastqSchedule
import CastqText

/// Rules by chance, in zones and on nights that are hard.
enum RandomRules {
  static let dayparts = [
    Daypart(
      name: "breakfast", part: Bench.part("06:30-10:30"),
      exceptions: [.init(.weekdays([Weekdays(.saturday), Weekdays(.sunday)]), Bench.part("08:00-12:00"))]),
    Daypart(
      name: "night", part: Bench.part("21:00-02:30"),
      exceptions: [.init(.calendar("feast"), nil), .init(.weekdays(Weekdays(.monday)), nil)]),
    Daypart(name: "gap", part: Bench.part("02:15-02:45")),
  ]

  static let forms: [(String, String)] = [
    ("daily", "02:00-03:00"), ("daily", "22:00-06:00"), ("daily", "00:00-24:00 sat,sun"),
    ("daily", "08:00-10:30 mon-fri"),
    ("daily", "00:00-02:30"), ("daily", "02:30-12:00"), ("daypart", "breakfast"), ("daypart", "night"),
    ("daypart", "gap"),
    ("cron", "*/30 * * * *"), ("cron", "0 2 * * *"), ("cron", "30 2,14 * * *"), ("cron", "15 */3 * * sun"),
    ("cron", "@hourly"),
    ("calendar", "*-*-* 01,13:45:30"), ("calendar", "Sat,Sun 10..14:00/20"), ("calendar", "02:30"),
    ("calendar", "*-*~1 03:00 UTC"),
  ]

  /// A calendar that has some days around each night.
  static func feast() -> HolidayCalendar {
    var days: [LocalDate: String] = [:]
    for year in [2011, 2025, 2026, 2027] {
      for number in stride(from: 3, to: 365, by: 4) {
        if let first = LocalDate(year: year, month: 1, day: 1) {
          days[first.advanced(by: number)] = "feast \(number)"
        }
      }
    }
    return HolidayCalendar(name: "feast", days: days)
  }

  static func book(_ zone: String, _ rules: [ScheduleRule]) -> ScheduleBook {
    Bench.book(zone, rules, dayparts: dayparts, calendars: [feast()])
  }

  static func rule(_ number: Int64, _ generator: inout SeededGenerator, kind: RuleKind = .window)
    -> ScheduleRule
  {
    func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
    let form = pick(8) == 0 ? ("always", "") : forms[pick(forms.count)]
    var rule = Bench.rule(number, "rule \(number)", form.0, form.1, priority: pick(4) - 1, kind: kind)
    rule.target = [.all, .group("shop"), .device("lobby")][pick(3)]
    if rule.form.hasOnlyStarts { rule.length = [60, 900, 5_400, 30_000][pick(4)] }
    if pick(6) == 0 { rule.notOn = "feast" }
    if pick(12) == 0 { rule.onlyOn = "feast" }
    if pick(10) == 0 { rule.validFrom = LocalDate(year: 2026, month: 3, day: 29) }
    if pick(10) == 0 { rule.validUntil = LocalDate(year: 2026, month: 10, day: 25) }
    return rule
  }

  /// Some hours before clocks are changed, or any moment.
  static func night(_ zone: String, _ generator: inout SeededGenerator) -> WallTime {
    let changes = TestZone.changes(TestZone.rules(zone), from: 1_293_840_000, to: 1_830_297_600)
    let change = changes.randomElement(using: &generator) ?? 1_774_746_000
    return WallTime(milliseconds: (change - Int64.random(in: 0...5 * 86_400, using: &generator)) * 1000)
  }
}
