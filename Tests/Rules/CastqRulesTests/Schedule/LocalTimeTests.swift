import CastProtocol
import CastqText
import Testing

@Suite struct LocalTimeTests {
  @Test(
    "a local time is the first moment at which clocks show it or a later time",
    .enabled(if: TestZone.isThere), arguments: TestZone.names)
  func mapping(zone: String) throws {
    let rules = TestZone.rules(zone)
    // Around each change of six years, minute by minute: what clocks have shown so far decides, not the code under test.
    let years: [(Int, Int)] = [(2010, 2013), (2025, 2027), (2039, 2040)]
    var compared = 0
    for (first, last) in years {
      let from = Int64(LocalTime(try #require(LocalDate(year: first, month: 1, day: 1))).seconds)
      let to = Int64(LocalTime(try #require(LocalDate(year: last, month: 12, day: 31))).seconds)
      for change in TestZone.changes(rules, from: from, to: to) {
        var latest = Int.min
        for moment in stride(from: change - 30 * 3600, through: change + 30 * 3600, by: 60) {
          let wall = WallTime(milliseconds: moment * 1000)
          let shown = Int(moment) + rules.utcOffset(at: wall)
          // Each minute that clocks show here for the first time, or skip, has this moment.
          for local in stride(from: max(latest + 60, shown - 26 * 3600), through: shown, by: 60)
          where latest > Int.min {
            #expect(
              rules.instant(of: LocalTime(seconds: local)) == wall,
              "\(zone) \(LocalTime(seconds: local).text)")
            compared += 1
          }
          if shown > latest { latest = shown }
          let first = rules.firstLocalTime(from: wall)
          #expect(rules.instant(of: first) >= wall)
          #expect(rules.instant(of: first.adding(seconds: -1)) < wall)
        }
      }
    }
    #expect(compared > 1000 || zone == "Asia/Kathmandu")
  }

  @Test(
    "the day that Samoa left out is its midnight, and the hour that Berlin repeats is its first",
    .enabled(if: TestZone.isThere))
  func known() throws {
    let apia = TestZone.rules("Pacific/Apia")
    #expect(try apia.instant(of: LocalTime("2011-12-30T12:00")) == RFC3339.parse("2011-12-30T10:00:00Z"))
    #expect(try apia.instant(of: LocalTime("2011-12-31T00:00")) == RFC3339.parse("2011-12-30T10:00:00Z"))
    #expect(try apia.instant(of: LocalTime("2011-12-29T23:59")) == RFC3339.parse("2011-12-30T09:59:00Z"))
    let berlin = TestZone.rules("Europe/Berlin")
    #expect(try berlin.instant(of: LocalTime("2026-03-29T02:30")) == RFC3339.parse("2026-03-29T01:00:00Z"))
    #expect(try berlin.instant(of: LocalTime("2026-10-25T02:30")) == RFC3339.parse("2026-10-25T00:30:00Z"))
    #expect(try berlin.instant(of: LocalTime("2026-10-25T03:00")) == RFC3339.parse("2026-10-25T02:00:00Z"))
    #expect(try berlin.localTime(at: RFC3339.parse("2026-10-25T01:30:00.900Z")).text == "2026-10-25T02:30")
  }

  @Test("days and weekdays go on over months, leap days and centuries")
  func days() throws {
    var day = try LocalDate("1999-12-27")
    #expect(day.weekday == .monday)
    for number in 0..<800 {
      #expect(day.weekday.rawValue == number % 7)
      #expect(try LocalDate(day.text) == day)
      day = day.advanced(by: 1)
    }
    #expect(day.text == "2002-03-06")
    #expect(throws: TextError.self) { try LocalDate("2026-02-29") }
    #expect(throws: TextError.self) { try LocalDate("2026-2-9") }
    #expect(LocalDate(number: .max) == .latest && LocalDate(number: .min) == .earliest)
    #expect(LocalDate.latest.advanced(by: .max) == .latest)
    #expect(LocalTime(.latest, second: .max).date == .latest)
  }

  @Test("weekdays are read and written in ranges, also over the end of the week")
  func weekdays() throws {
    #expect(try Weekdays("mon-fri").text == "mon-fri")
    #expect(try Weekdays("Saturday,SUN").text == "sat,sun")
    #expect(try Weekdays("fri-mon").text == "mon,fri-sun")
    #expect(try Weekdays("wed").text == "wed")
    #expect(try Weekdays("tue-mon") == .all)
    for text in ["", "mo", "mon-", "mon-tue-wed", "mon,,tue", "monda", "8"] {
      #expect(throws: TextError.self, "\(text)") { try Weekdays(text) }
    }
  }

  @Test("a part of a day may end on the next one, and 24:00 is its own end")
  func parts() throws {
    #expect(try DayPart("08:00-10:30") == DayPart(start: 28_800, end: 37_800))
    #expect(try DayPart("22:00-02:00").end == 93_600)
    #expect(try DayPart("00:00-24:00") == .day)
    #expect(try DayPart("09:00-09:00").end == 118_800)
    for text in ["08:00-10:30", "22:00-02:00", "00:00-24:00", "08:00:30-09:00", "23:00-00:00", "23:00-24:00"]
    {
      #expect(try DayPart(DayPart(text).text) == DayPart(text), "\(text)")
    }
    for text in [
      "8-9", "24:00-01:00", "08:00", "08:60-09:00", "08:00-25:00", "-", "08:00-09:00-10:00", "٠٨:00-09:00",
    ] {
      #expect(throws: TextError.self, "\(text)") { try DayPart(text) }
    }
  }

  @Test(
    "the name of a zone is no path",
    arguments: ["", "/etc/passwd", "../etc", "Europe//Berlin", "Europe/", ".", "a\u{0}b", "a b", "Ä"])
  func hostileNames(name: String) {
    #expect(throws: TextError.self) { try ZoneName(name) }
    #expect((try? ZoneName("America/Argentina/Buenos_Aires")) != nil && (try? ZoneName("Etc/GMT+5")) != nil)
  }

  @Test("a file of version 1 has the same offsets as far as it goes", .enabled(if: TestZone.isThere))
  func firstVersion() throws {
    var bytes = try #require(FoundationFile.bytes("\(TestZone.folder)/Europe/Berlin"))
    let later = TestZone.rules("Europe/Berlin")
    bytes[4] = 0
    // Databases with thin files have no data for it.
    let times = bytes[32..<36].reduce(0) { $0 << 8 | Int($1) }
    guard times > 0 else { return }
    let rules = try #require(TimeZoneRules(file: bytes))
    for time in stride(from: Int64(-1_600_000_000), to: 2_100_000_000, by: 1_234_567) {
      #expect(rules.span(at: time).offset == later.span(at: time).offset)
    }
    #expect(TimeZoneRules(file: Array(bytes.prefix(44 + times * 5))) == nil)
  }

  @Test("a damaged file of a zone cannot stop the mapping", .enabled(if: TestZone.isThere))
  func damaged() throws {
    var generator = SeededGenerator(seed: 13)
    let good = try #require(FoundationFile.bytes("\(TestZone.folder)/Europe/Berlin"))
    var read = 0
    for _ in 0..<scheduleRuns(2000, 40_000) {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      guard let rules = TimeZoneRules(file: bytes) else { continue }
      read += 1
      let local = LocalTime(seconds: Int.random(in: -60_000_000_000...250_000_000_000, using: &generator))
      let moment = rules.instant(of: local)
      #expect(rules.instant(of: rules.firstLocalTime(from: moment)) >= moment)
    }
    #expect(read > 100)
  }
}
