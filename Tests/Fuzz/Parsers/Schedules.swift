import CastqSchedule
import CastqText

extension Parser {
  /// A text as each kind of expression, whose next time is not before the one asked for; bytes as a file of a zone, whose mapping
  /// keeps the order of local times.
  func parseSchedule(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let start = LocalTime(seconds: 1_800_000_000)
    if let cron = try? CronExpression(text), let next = cron.next(from: start) {
      precondition(next >= start && cron.contains(next), "a time that is none")
    }
    if let calendar = try? CalendarExpression(text), let next = calendar.next(from: start) {
      precondition(next >= start && calendar.contains(next), "a time that is none")
    }
    for word in ["daily", "daypart", "once"] {
      guard let form = try? RuleForm(word: word, expression: text) else { continue }
      let again = try? RuleForm(word: word, expression: form.expression)
      precondition(again == form, "a form that does not say itself")
    }
    guard let rules = TimeZoneRules(file: bytes) else { return }
    let moments = stride(from: 0, to: 4_000_000_000, by: 123_456_789).map {
      rules.instant(of: LocalTime(seconds: $0))
    }
    precondition(moments == moments.sorted(), "local times out of order")
  }
}
