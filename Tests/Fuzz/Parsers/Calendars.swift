import CastqCore

extension Parser {
  /// A calendar of another program: its days are within what was asked for, and not more than a calendar has.
  func parseCalendar(_ bytes: [UInt8]) {
    let file = CalendarFile(bytes, file: "days.ics")
    guard let first = LocalDate(year: 2026, month: 1, day: 1),
      let last = LocalDate(year: 2036, month: 12, day: 31)
    else { return }
    let pattern = NamePattern(String(decoding: bytes.prefix(20), as: UTF8.self))
    let days = file.days(from: first, through: last, site: TimeZoneRules(), zones: [:]) { name in
      pattern.matches(name) || !name.isEmpty
    }
    precondition(days.keys.allSatisfy { first <= $0 && $0 <= last }, "a day that nobody asked for")
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
