import CastqText

extension RepeatRule {
  /// How much work is done at most for all rules of a file, in days that are looked at, and starts that are found: a hostile file has many
  /// rules that never match. A holiday costs one a year, an event of each hour a hundred thousand in ten years.
  struct Budget: Sendable {
    var days = 200_000
  }

  /// The starts of the rule, from the first one on and before a limit.
  /// - Parameters:
  ///   - start: `DTSTART`.
  ///   - last: no later day.
  ///   - first: no earlier day; those before it count.
  ///   - until: the last start, from `UNTIL` by the clock of the event; nil is unlimited.
  func starts(
    from start: LocalTime, through last: LocalDate, wanted first: LocalDate, until: LocalTime?,
    _ budget: inout Budget
  ) -> [LocalTime] {
    let (until, origin) = (until ?? LocalTime(.latest, second: 86_399), start.date)
    let last = min(last, until.date)
    var result: [LocalTime] = []
    var found = 0
    let times = times(start)
    var period = count == nil ? skipped(from: origin, to: first) : 0
    while budget.days > 0 {
      guard let (begin, days) = self.days(ofPeriod: period, from: origin), begin <= last else {
        return result
      }
      let picked = picked(days, start, at: times)
      budget.days -= max(days.count, picked.count, 1)
      for time in picked where time >= start {
        found += 1
        guard time.date <= last, time <= until, found <= count ?? .max else { return result }
        if time.date >= first { result.append(time) }
      }
      period += 1
    }
    return result
  }

  /// Periods that end long before the first day that is wanted.
  private func skipped(from start: LocalDate, to first: LocalDate) -> Int {
    let distance = first.number - start.number
    let length =
      switch frequency {
      case .hourly, .daily: 1
      case .weekly: 7
      case .monthly: 31
      case .yearly: 366
      }
    return max(0, distance / (length * step) - 2)
  }

  /// How many periods of its kind the rule goes on at a time; hours are looked at by days.
  private var step: Int { frequency == .hourly ? 1 : interval }

  /// The first day of a period, counted from that of the start, and those of its days that may match; nil behind the calendar.
  private func days(ofPeriod period: Int, from start: LocalDate) -> (begin: LocalDate, days: [LocalDate])? {
    let (step, overflow) = period.multipliedReportingOverflow(by: step)
    guard !overflow, step < 10_000_000 else { return nil }
    let civil = start.civil
    switch frequency {
    case .hourly, .daily:
      let day = start.advanced(by: step)
      return day.number == start.number + step ? (day, [day]) : nil
    case .weekly:
      let back = (start.weekday.rawValue - weekStart.rawValue + 7) % 7
      let monday = start.number - back + 7 * step
      guard LocalDate(number: monday + 6).number == monday + 6 else { return nil }
      let days = isOpen ? [monday + back] : Array(monday..<monday + 7)
      return (LocalDate(number: monday), days.map { LocalDate(number: $0) })
    case .monthly:
      let month = civil.year * 12 + civil.month - 1 + step
      let (year, number) = (month / 12, month % 12 + 1)
      guard year <= 9999, let begin = LocalDate(year: year, month: number, day: 1) else { return nil }
      return (begin, days(ofMonth: number, of: year, origin: civil))
    case .yearly:
      let year = civil.year + step
      guard year <= 9998, let begin = LocalDate(year: year, month: 1, day: 1) else { return nil }
      let isByMonth = weekNumbers.isEmpty && yearDays.isEmpty && (isOpen || !months.isEmpty)
      let numbers = !isByMonth ? Array(1...12) : months.isEmpty ? [civil.month] : months.sorted()
      return (begin, numbers.flatMap { days(ofMonth: $0, of: year, origin: civil) })
    }
  }

  /// Whether the rule names no days, so that they are as that of the start.
  private var isOpen: Bool { weekNumbers.isEmpty && yearDays.isEmpty && monthDays.isEmpty && days.isEmpty }

  private func days(ofMonth month: Int, of year: Int, origin: CivilTime) -> [LocalDate] {
    if isOpen { return LocalDate(year: year, month: month, day: origin.day).map { [$0] } ?? [] }
    guard let first = LocalDate(year: year, month: month, day: 1) else { return [] }
    return (0..<CivilTime.days(inMonth: month, of: year)).map { LocalDate(number: first.number + $0) }
  }

  /// The times of the day that the rule names, in seconds; those of one hour where it goes on by hours.
  private func times(_ start: LocalTime) -> [Int] {
    let second = start.secondOfDay
    let minutes = self.minutes.isEmpty ? [second / 60 % 60] : self.minutes.sorted()
    let hours = frequency == .hourly ? [0] : self.hours.isEmpty ? [second / 3600] : self.hours.sorted()
    return hours.flatMap { hour in minutes.map { hour * 3600 + $0 * 60 + second % 60 } }
  }

  /// The starts of a period that the rule names.
  private func picked(_ days: [LocalDate], _ start: LocalTime, at times: [Int]) -> [LocalTime] {
    let origin = start.date
    var result: [LocalTime] = []
    for day in days where matches(day, origin) {
      guard frequency == .hourly else {
        for second in times { result.append(LocalTime(day, second: second)) }
        continue
      }
      let passed = (day.number - origin.number) * 24 - start.secondOfDay / 3600
      for hour in 0..<24 where passed + hour >= 0 && (passed + hour) % interval == 0 {
        guard hours.isEmpty || hours.contains(hour) else { continue }
        result += chosen(times.map { LocalTime(day, second: hour * 3600 + $0) })
      }
    }
    return frequency == .hourly ? result : chosen(result)
  }

  /// Those of the starts of one period that `BYSETPOS` names; all without it.
  private func chosen(_ times: [LocalTime]) -> [LocalTime] {
    guard !positions.isEmpty else { return times }
    let chosen = positions.map { $0 > 0 ? $0 - 1 : times.count + $0 }.filter { times.indices.contains($0) }
    return Set(chosen).sorted().map { times[$0] }
  }

  private func matches(_ day: LocalDate, _ start: LocalDate) -> Bool {
    let civil = day.civil
    let origin = start.civil
    if !months.isEmpty, !months.contains(civil.month) { return false }
    // What a rule leaves open is that of the start.
    if isOpen {
      switch frequency {
      case .yearly:
        if months.isEmpty, civil.month != origin.month { return false }
        if civil.day != origin.day { return false }
      case .monthly: if civil.day != origin.day { return false }
      case .weekly: if day.weekday != start.weekday { return false }
      case .daily, .hourly: break
      }
    }
    let monthLength = CivilTime.days(inMonth: civil.month, of: civil.year)
    if !monthDays.isEmpty, !monthDays.contains(civil.day), !monthDays.contains(civil.day - monthLength - 1) {
      return false
    }
    if !yearDays.isEmpty {
      let (number, length) = Self.placeInYear(day, civil.year)
      if !yearDays.contains(number), !yearDays.contains(number - length - 1) { return false }
    }
    if !weekNumbers.isEmpty {
      let (number, count) = weekOfYear(day)
      if !weekNumbers.contains(number), !weekNumbers.contains(number - count - 1) { return false }
      // A week alone says no day: it is that of the start (section 3.3.10).
      let isDayOpen = self.days.isEmpty && monthDays.isEmpty && yearDays.isEmpty
      if isDayOpen, day.weekday != start.weekday { return false }
    }
    return self.days.isEmpty || self.days.contains { matches($0, day, civil, monthLength) }
  }

  private func matches(_ wanted: ByDay, _ day: LocalDate, _ civil: CivilTime, _ monthLength: Int) -> Bool {
    guard day.weekday == wanted.day else { return false }
    guard let ordinal = wanted.ordinal else { return true }
    switch frequency {
    case .hourly, .daily, .weekly: return true
    case .monthly: return Self.isOrdinal(ordinal, civil.day, monthLength)
    case .yearly:
      if !months.isEmpty { return Self.isOrdinal(ordinal, civil.day, monthLength) }
      let (number, length) = Self.placeInYear(day, civil.year)
      return Self.isOrdinal(ordinal, number, length)
    }
  }

  /// Whether the day with a number, from 1, is the n-th of its day of the week among so many.
  private static func isOrdinal(_ ordinal: Int, _ number: Int, _ length: Int) -> Bool {
    ordinal > 0 ? (number - 1) / 7 + 1 == ordinal : (length - number) / 7 + 1 == -ordinal
  }

  private static func placeInYear(_ day: LocalDate, _ year: Int) -> (number: Int, length: Int) {
    let first = CivilTime(year: year, month: 1, day: 1).daysSinceEpoch
    let length = CivilTime(year: year + 1, month: 1, day: 1).daysSinceEpoch - first
    return (day.number - first + 1, length)
  }

  /// The number of the week, which begins on `WKST`, in its year, and the weeks of that year. The first week has at least four days.
  private func weekOfYear(_ day: LocalDate) -> (number: Int, count: Int) {
    let year = day.civil.year
    func first(_ year: Int) -> Int {
      let january = LocalDate(number: CivilTime(year: year, month: 1, day: 1).daysSinceEpoch)
      let back = (january.weekday.rawValue - weekStart.rawValue + 7) % 7
      return back <= 3 ? january.number - back : january.number - back + 7
    }
    var bounds = (first(year), first(year + 1))
    if day.number < bounds.0 { bounds = (first(year - 1), bounds.0) }
    if day.number >= bounds.1 { bounds = (bounds.1, first(year + 2)) }
    return ((day.number - bounds.0) / 7 + 1, (bounds.1 - bounds.0) / 7)
  }
}
