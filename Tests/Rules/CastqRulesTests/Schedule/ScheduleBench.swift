import CastProtocol
import CastqSchedule
import CastqText

/// Short forms for tests of schedules.
enum Bench {
  static func moment(_ text: String) -> WallTime { (try? RFC3339.parse(text)) ?? WallTime(milliseconds: 0) }

  static func range(_ from: String, _ to: String) -> Range<WallTime> { moment(from)..<moment(to) }

  static func local(_ text: String) -> LocalTime { (try? LocalTime(text)) ?? LocalTime(.earliest) }

  static func day(_ text: String) -> LocalDate { (try? LocalDate(text)) ?? .earliest }

  static func zone(_ text: String) -> ZoneName { (try? ZoneName(text)) ?? .utc }

  static func form(_ word: String, _ expression: String = "") -> RuleForm {
    (try? RuleForm(word: word, expression: expression)) ?? .once(LocalTime(.earliest))
  }

  static func part(_ text: String) -> DayPart { (try? DayPart(text)) ?? .day }

  /// A book in one zone, with all zones that tests use.
  static func book(
    _ zone: String, _ rules: [ScheduleRule], dayparts: [Daypart] = [], calendars: [HolidayCalendar] = []
  ) -> ScheduleBook {
    var zones: [ZoneName: TimeZoneRules] = [:]
    for name in TestZone.names + [zone] where name != "UTC" { zones[Self.zone(name)] = TestZone.rules(name) }
    return ScheduleBook(
      rules: rules, dayparts: dayparts, calendars: calendars, zones: zones, siteZone: Self.zone(zone))
  }

  static func rule(
    _ number: Int64, _ name: String, _ word: String, _ expression: String = "", priority: Int = 0,
    target: RuleTarget = .all,
    kind: RuleKind = .window, length: Int? = nil
  ) -> ScheduleRule {
    ScheduleRule(
      id: RuleID(number), name: name, programme: name, target: target, priority: priority, kind: kind,
      form: form(word, expression),
      length: length)
  }

  /// What the first rule of a book gives, as local text of the start and seconds of length.
  static func occurrences(_ book: ScheduleBook, in range: Range<WallTime>) throws -> [Occurrence] {
    Array(try RuleTimetable(book.rules[0], zone: book.siteZone, in: book).occurrences(in: range))
  }
}

extension Occurrence {
  /// Such as `2026-03-29T02:00 3600 s from 2026-03-29T01:00:00.000Z`.
  var text: String {
    let length = end.map { "\(Int64(($0 - start).rounded())) s" } ?? "open"
    return "\(original.text) \(length) from \(RFC3339.text(start).prefix(16))Z"
  }
}
