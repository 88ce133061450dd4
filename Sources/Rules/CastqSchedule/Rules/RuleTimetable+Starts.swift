package import CastqText

extension RuleTimetable {
  /// The local times that the rule itself gives on a day, exceptions left aside.
  /// - Parameter limit: the most of them.
  package func starts(on day: LocalDate, limit: Int) -> [LocalTime] {
    var starts: [LocalTime] = []
    var from = LocalTime(day)
    let end = LocalTime(day, second: 86_400)
    // The bound of `nextStart` ends its search; it may return what begins later on the last day.
    while starts.count < limit, let next = nextStart(from: from, before: end), next.date == day {
      starts.append(next)
      from = next.adding(seconds: 1)
      if from == next { break }
    }
    return starts
  }

  /// Whether the rule itself gives this local time.
  package func gives(_ local: LocalTime) -> Bool { starts(at: local) }

  /// The first local time that the rule itself gives, not earlier than another and within ten years; nil when there is none.
  package func nextLocalStart(from local: LocalTime) -> LocalTime? {
    nextStart(from: local, before: local.adding(seconds: 3650 * 86_400))
  }
}
