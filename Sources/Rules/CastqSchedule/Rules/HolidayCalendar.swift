package import CastqText

/// Days with a label, such as public holidays.
package struct HolidayCalendar: Sendable, Hashable {
  package let name: String
  private let labels: [LocalDate: String]
  /// The days in their order.
  package let days: [LocalDate]

  package init(name: String, days: [LocalDate: String]) {
    self.name = name
    labels = days
    self.days = days.keys.sorted()
  }

  /// The calendar with other labels on some days; a day without one leaves it.
  func with(_ changes: [LocalDate: String?]) -> HolidayCalendar {
    var labels = labels
    for (day, label) in changes { labels[day] = label }
    return HolidayCalendar(name: name, days: labels)
  }

  package func contains(_ day: LocalDate) -> Bool { labels[day] != nil }

  /// What the day is called; nil when it is not in the calendar.
  package func label(of day: LocalDate) -> String? { labels[day] }

  /// The first day that is not earlier; nil when there is none.
  func first(from day: LocalDate) -> LocalDate? {
    var (low, high) = (0, days.count)
    while low < high {
      let middle = (low + high) / 2
      if days[middle] < day { low = middle + 1 } else { high = middle }
    }
    return low < days.count ? days[low] : nil
  }
}
