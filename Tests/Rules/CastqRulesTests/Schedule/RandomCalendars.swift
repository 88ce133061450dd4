import CastProtocol
import CastqText

/// Calendars by chance, as other programs write them: each way to repeat, zones of every kind, versions and moved events.
struct RandomCalendars {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  static let sites = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca",
  ]

  private enum Zone {
    case floating, utc
    case named(String)
  }

  private static let changes = [
    // As Europe, as no zone of the database, and without a change.
    ("Own Europe", "+0100", "+0200", "BYMONTH=3;BYDAY=-1SU", "BYMONTH=10;BYDAY=-1SU"),
    ("Own Half", "-0130", "-0100", "BYMONTH=4;BYDAY=2SU", "BYMONTH=9;BYDAY=1SU"),
  ]

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values.randomElement(using: &generator) ?? values[0]
  }

  private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }

  /// A calendar of one to three series. The names of events of whole days begin with `d`, those of others with `t`.
  mutating func next() -> String {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//castq//tests//EN"]
    for (name, standard, summer, spring, autumn) in Self.changes {
      lines += [
        "BEGIN:VTIMEZONE", "TZID:\(name)", "BEGIN:STANDARD", "DTSTART:19701025T030000",
        "RRULE:FREQ=YEARLY;\(autumn)", "TZOFFSETFROM:\(summer)", "TZOFFSETTO:\(standard)", "END:STANDARD",
        "BEGIN:DAYLIGHT", "DTSTART:19700329T020000", "RRULE:FREQ=YEARLY;\(spring)",
        "TZOFFSETFROM:\(standard)",
        "TZOFFSETTO:\(summer)", "END:DAYLIGHT", "END:VTIMEZONE",
      ]
    }
    lines += [
      "BEGIN:VTIMEZONE", "TZID:Own Fixed", "BEGIN:STANDARD", "DTSTART:16010101T000000", "TZOFFSETFROM:+0900",
      "TZOFFSETTO:+0900", "END:STANDARD", "END:VTIMEZONE",
    ]
    for number in 0..<Int.random(in: 1...3, using: &generator) { lines += series(number) }
    return (lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
  }

  private mutating func series(_ number: Int) -> [String] {
    // Of whole days, or of times; one in four in the hours that clocks skip and repeat.
    let isDay = chance(4)
    let zone: Zone = pick([
      .floating, .utc, .named("Europe/Berlin"), .named("America/New_York"), .named("Asia/Kathmandu"),
      .named("Own Europe"), .named("Own Half"), .named("Own Fixed"),
    ])
    let day = LocalDate(number: Int.random(in: 20_700...21_100, using: &generator))
    let isEarly = chance(4)
    let half = Int.random(in: isEarly ? 1...7 : 8...47, using: &generator)
    let start = LocalTime(day, second: isDay ? 0 : half * 1800)
    func value(_ name: String, _ time: LocalTime) -> String {
      let date = time.date.text.filter { $0 != "-" }
      if isDay { return "\(name);VALUE=DATE:\(date)" }
      let clock = "\((time.secondOfDay / 3600).digits(2))\((time.secondOfDay / 60 % 60).digits(2))00"
      return switch zone {
      case .floating: "\(name):\(date)T\(clock)"
      case .utc: "\(name):\(date)T\(clock)Z"
      case .named(let zone): "\(name);TZID=\(zone):\(date)T\(clock)"
      }
    }
    let length = ending(isDay, start, value)
    let head = ["BEGIN:VEVENT", "UID:\(number)@x"]
    let name = "SUMMARY:\(isDay ? "d" : "t")\(number)"
    let step = pick([1, 1, 2, 3, 7])
    let count = Int.random(in: 2...60, using: &generator)
    let isSingle = chance(5)
    var main = head + [name, value("DTSTART", start)] + length(start)
    func later(_ number: Int) -> LocalTime { start.adding(seconds: number * step * 86_400) }
    if !isSingle {
      main.append(
        step == 7
          ? "RRULE:FREQ=WEEKLY;COUNT=\(count)" : "RRULE:FREQ=DAILY;INTERVAL=\(step);COUNT=\(count)")
      if chance(3) { main.append(value("EXDATE", later(1))) }
      if chance(3) { main.append(value("RDATE", later(count + 3).adding(seconds: 86_400))) }
    }
    var events = [main + ["SEQUENCE:1", "END:VEVENT"]]
    // An older version, which the newer one replaces.
    if chance(4) {
      events.append(head + [name, value("DTSTART", start.adding(seconds: 864_000)), "END:VEVENT"])
    }
    if !isSingle, count > 4, chance(2) {
      let from = later(3)
      let isRange = chance(2)
      let moved = from.adding(seconds: isDay ? 86_400 : 3600)
      let mark = isRange ? "RECURRENCE-ID;RANGE=THISANDFUTURE" : "RECURRENCE-ID"
      let change = head + [name, value(mark, from), value("DTSTART", moved)]
      let ending = self.ending(isDay, moved, value)
      events.append(change + ending(moved) + ["SEQUENCE:2", "END:VEVENT"])
      if chance(3), !isRange {
        events.append(change + ending(moved) + ["SEQUENCE:1", "DESCRIPTION:older", "END:VEVENT"])
      }
    }
    return events.shuffled(using: &generator).flatMap(\.self)
  }

  /// The lines that say how long an event is.
  private mutating func ending(
    _ isDay: Bool, _ start: LocalTime, _ value: @escaping (String, LocalTime) -> String
  ) -> (LocalTime) -> [String] {
    let days = Int.random(in: 1...3, using: &generator)
    if isDay {
      let kind = Int.random(in: 0..<3, using: &generator)
      return { start in
        [[], [value("DTEND", start.adding(seconds: days * 86_400))], ["DURATION:P\(days)D"]][kind]
      }
    }
    let halves = Int.random(in: 1...60, using: &generator)
    let kind = Int.random(in: 0..<4, using: &generator)
    return { start in
      switch kind {
      case 0: []
      case 1: ["DURATION:PT\(halves * 30)M", "X-EXACT:\(halves * 1800)"]
      case 2: ["DURATION:P\(days)D"]
      default: [value("DTEND", start.adding(seconds: halves * 1800))]
      }
    }
  }
}
