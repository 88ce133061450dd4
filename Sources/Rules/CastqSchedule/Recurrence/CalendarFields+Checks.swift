import CastqText

extension CalendarFields {
  /// What `daily` and its like mean; nil for any other text.
  static func shorthand(_ word: String) -> CalendarFields? {
    var fields = CalendarFields()
    (fields.hour, fields.minute, fields.second) = ([.value(0)], [.value(0)], [.value(0)])
    switch word {
    case "minutely": (fields.hour, fields.minute) = ([], [])
    case "hourly": fields.hour = []
    case "daily": break
    case "weekly": fields.weekdays = Weekdays(.monday)
    case "monthly": fields.day = [.value(1)]
    case "quarterly": (fields.month, fields.day) = ([1, 4, 7, 10].map { .value($0) }, [.value(1)])
    case "semiannually", "semi-annually", "biannually", "bi-annually":
      (fields.month, fields.day) = ([.value(1), .value(7)], [.value(1)])
    case "annually", "yearly", "anually": (fields.month, fields.day) = ([.value(1)], [.value(1)])
    default: return nil
    }
    return fields
  }

  /// The limits of systemd: numbers in their range, and each repetition has room for one step at least.
  mutating func check(offset: Int) throws(TextError) {
    year = year.map { component in
      var component = component
      component.start = Self.fullYear(component.start)
      component.stop = component.stop.map(Self.fullYear)
      return component
    }
    let checks: [(WritableKeyPath<CalendarFields, [CalendarComponent]>, ClosedRange<Int>, String)] = [
      (\.year, 1970...2199, "year"), (\.month, 1...12, "month"),
      // Days from the end go back to the 28th, which every month has.
      (\.day, 1...(dayOrder == .fromEnd ? 28 : 31), "day"),
      (\.hour, 0...23, "hour"), (\.minute, 0...59, "minute"), (\.second, 0...59, "second"),
    ]
    for (path, range, name) in checks {
      let isFromEnd = path == \.day && dayOrder == .fromEnd
      for index in self[keyPath: path].indices {
        self[keyPath: path][index].shorten()
        guard self[keyPath: path][index].fits(range, isFromEnd: isFromEnd) else {
          throw TextError(
            "the \(name) is out of range",
            hint: "write \(range.lowerBound) to \(range.upperBound), ranges forwards", offset: offset)
        }
      }
    }
  }

  /// 0 to 69 are years from 2000 on, 70 to 99 from 1970 on.
  private static func fullYear(_ year: Int) -> Int {
    year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
  }
}

extension CalendarComponent {
  /// Ends a range with its last number; a range of one number is that number.
  fileprivate mutating func shorten() {
    guard let last = stop, let step, last >= start else { return }
    if start + step > last {
      (stop, self.step) = (nil, nil)
    } else {
      stop = last - (last - start) % step
    }
  }

  fileprivate func fits(_ range: ClosedRange<Int>, isFromEnd: Bool) -> Bool {
    let step = step ?? 0
    guard range.contains(start), step <= range.upperBound - range.lowerBound else { return false }
    if let stop { return range.contains(stop) && start + step <= stop }
    return isFromEnd ? start - step >= range.lowerBound : start + step <= range.upperBound
  }
}
