import CastqText

/// What starts of events must have in common to be starts of one rule: name, time of the day, length and zone.
///
/// The expansion of a file gives starts one by one; those with the same stretch are days of one rule.
struct CalendarStretch: Hashable {
  /// How an event ends.
  enum Length: Hashable {
    /// As the programme does.
    case open
    /// So many whole days after it began.
    case days(Int)
    /// When the clock shows a time so many seconds later.
    case clock(Int)
    /// After so many seconds.
    case exact(Int)
  }

  let summary: String
  /// After midnight.
  var second: Int
  let length: Length
  /// Nil is that of whatever place the rule is for.
  let zone: ZoneName?
  /// The line of an event that may begin several times on a day, whose stretches may be one rule; 0 for others.
  let family: Int
}

/// One rule of a schedule, before it has a form: a name that is shown at some times of the day, on some days.
///
/// It is made of stretches: one, or those of one event that begin in several hours of the same days. `forms` says by which rules
/// a schedule says the same.
struct CalendarShowing {
  /// With the first of the times.
  let stretch: CalendarStretch
  /// After midnight. Of each hour that has one, the same minutes.
  let seconds: [Int]
  let days: [LocalDate]

  /// Each stretch for itself; those of one event that have the same days, at the same minutes of some hours, are one.
  static func all(
    _ order: some Sequence<CalendarStretch>, on days: [CalendarStretch: Set<LocalDate>]
  ) -> [CalendarShowing] {
    let minutes = grouped(
      order.compactMap { stretch in
        days[stretch].map { days in
          let hour = stretch.starting(at: stretch.second / 3600 * 3600)
          return (Group(stretch: hour, days: days), stretch.second % 3600)
        }
      })
    let hours = grouped(
      minutes.map { hour, minutes in
        var day = hour
        day.stretch = hour.stretch.starting(at: 0)
        day.minutes = minutes.sorted()
        return (day, hour.stretch.second / 3600 * 3600)
      })
    return hours.map { day, hours in
      let seconds = hours.sorted().flatMap { hour in day.minutes.map { hour + $0 } }
      var stretch = day.stretch
      stretch.second = seconds.first ?? 0
      return CalendarShowing(stretch: stretch, seconds: seconds, days: day.days.sorted())
    }
  }

  /// The cron expression of the times; nil where one of them has seconds.
  var cron: CronExpression? {
    guard seconds.allSatisfy({ $0 % 60 == 0 }) else { return nil }
    func list(_ numbers: [Int]) -> String {
      Set(numbers).sorted().map { "\($0)" }.joined(separator: ",")
    }
    return try? CronExpression(
      "\(list(seconds.map { $0 / 60 % 60 })) \(list(seconds.map { $0 / 3600 })) * * *")
  }

  private struct Group: Hashable {
    var stretch: CalendarStretch
    var days: Set<LocalDate>
    /// Seconds after the hour.
    var minutes: [Int] = []
  }

  /// The values of each key, in the order in which the keys come first.
  private static func grouped(_ pairs: [(Group, Int)]) -> [(Group, [Int])] {
    var places: [Group: Int] = [:]
    var result: [(Group, [Int])] = []
    for (key, value) in pairs {
      if let place = places[key] {
        result[place].1.append(value)
      } else {
        places[key] = result.count
        result.append((key, [value]))
      }
    }
    return result
  }
}

extension CalendarStretch {
  /// The same at another time of the day, by which the stretches of one event are put together; others stay what they are.
  fileprivate func starting(at second: Int) -> CalendarStretch {
    guard family != 0, self.second % 60 == 0 else { return self }
    var stretch = self
    stretch.second = second
    return stretch
  }
}
