import CastqOperations
import CastqText

/// What the page of the schedule shows: a day of several screens, or a week of one. All of it is in the address.
struct ScheduleRange {
  let context: PageContext

  var isWeek: Bool { context.query["view"] == "week" }

  var today: LocalDate { context.zone.localTime(at: context.now).date }

  private func date(_ name: String) -> LocalDate? {
    context.query[name].flatMap { try? LocalDate(String($0.prefix(10))) }
  }

  /// The first day; of a week its Monday.
  var first: LocalDate {
    let day = date("from") ?? today
    // The first day of 1970 was a Thursday.
    return isWeek ? day.advanced(by: -(((day.number + 3) % 7 + 7) % 7)) : day
  }

  /// Days that are shown: one, or seven.
  var days: Int {
    if isWeek { return 7 }
    return date("to").map { min(max($0.number - first.number, 1), 31) } ?? 1
  }

  /// The beginning of a day, counted from the first one.
  func start(_ day: Int) -> WallTime { context.zone.instant(of: LocalTime(first.advanced(by: day))) }

  /// The range as `castq plan` reads it.
  var plan: WebOptions {
    var options = context.query.all("device").filter { !$0.isEmpty }.prefix(1).map {
      WebOptions.Value("device", $0)
    }
    options += [.init("from", RFC3339.text(start(0))), .init("to", RFC3339.text(start(days)))]
    if let zone = context.query["tz"], !zone.isEmpty { options.append(.init("tz", zone)) }
    return WebOptions(options)
  }

  /// The address of this page with other choices, and nothing open beside it.
  func address(_ changes: KeyValuePairs<String, String?>) -> String {
    var page = context
    page.query.values.removeAll {
      ["why", "new", "edit", "copy", "until", "begin", "finish", "notice"].contains($0.name)
    }
    return page.address(with: changes)
  }

  /// `Monday 30 November`, or `30 November – 6 December`.
  var title: String {
    let last = first.advanced(by: days - 1)
    if days == 1 { return first == today ? "Today" : PageContext.dayText(first) }
    return "\(PageContext.dayText(first)) – \(PageContext.dayText(last))"
  }
}
