package import CastqText

/// A time that a paper is about, as people choose it.
package enum PaperRange: String, Sendable, CaseIterable {
  case today, yesterday
  case thisWeek = "this-week"
  case lastWeek = "last-week"
  case thisMonth = "this-month"
  case lastMonth = "last-month"

  /// Its first and its last day, seen from a day. Weeks begin on Monday.
  package func days(_ today: LocalDate) -> ClosedRange<LocalDate> {
    let monday = today.advanced(by: -(((today.number + 3) % 7 + 7) % 7))
    let first = today.advanced(by: 1 - CivilTime(daysSinceEpoch: today.number).day)
    return switch self {
    case .today: today...today
    case .yesterday: today.advanced(by: -1)...today.advanced(by: -1)
    case .thisWeek: monday...monday.advanced(by: 6)
    case .lastWeek: monday.advanced(by: -7)...monday.advanced(by: -1)
    case .thisMonth: Self.month(of: first)
    case .lastMonth: Self.month(of: first.advanced(by: -1))
    }
  }

  private static func month(of day: LocalDate) -> ClosedRange<LocalDate> {
    let first = day.advanced(by: 1 - CivilTime(daysSinceEpoch: day.number).day)
    // No month has 32 days, so this one is in the next.
    let next = first.advanced(by: 31)
    let last = next.advanced(by: -CivilTime(daysSinceEpoch: next.number).day)
    return first...max(first, last)
  }
}
