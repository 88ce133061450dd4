import CastqSchedule
import CastqText

extension Parser {
  /// A calendar of another program: its days are within what was asked for, and not more than a calendar has.
  func parseCalendar(_ bytes: [UInt8]) {
    let file = CalendarFile(bytes, file: "days.ics", conversion: Self.text)
    guard let first = LocalDate(year: 2026, month: 1, day: 1),
      let last = LocalDate(year: 2036, month: 12, day: 31)
    else { return }
    let pattern = NamePattern(String(decoding: bytes.prefix(20), as: UTF8.self))
    // Each name that ends in a digit is one of the database, so that zones of the file are compared with others.
    let clocks = CalendarClocks(site: TimeZoneRules(), name: .utc) { name in
      name.utf8.last.map { (0x30...0x39).contains($0) } ?? false ? (.utc, TimeZoneRules()) : nil
    }
    let days = file.days(from: first, through: last, clocks: clocks) { name in
      pattern.matches(name) || !name.isEmpty
    }
    precondition(
      days.days.keys.allSatisfy { first <= $0 && $0 <= last }, "a day outside of what was asked for")
    let made = file.rules(from: first, through: last, clocks: clocks) { $0 }
    precondition(made.rules.count <= 1000, "more rules than a file may have")
    let names = Set(made.rules.map { $0.name.lowercased() })
    precondition(names.count == made.rules.count, "two rules of one name")
    precondition(made.rules.allSatisfy { $0.length ?? 1 > 0 }, "a rule that is never on")
  }

  /// A whole schedule: what is written is read as the same.
  func parseSite(_ bytes: [UInt8]) {
    var names = SiteNames()
    for name in ["lobby", "bar"] { names.add(.devices, name) }
    guard let read = try? SiteReader.read(bytes, file: "site.yaml", known: names).get() else { return }
    _ = read.idleExceptions(dayparts: [], calendars: [])
    let site = read.schedule
    let text = SiteWriter.text(site)
    let again = try? SiteReader.read(Array(text.utf8), file: "again.yaml", known: names).get()
    precondition(again?.schedule.members == site.members, "a schedule that does not say itself")
  }
}
