import CastqText
import Testing

@Suite struct TimeTextTests {
  @Test(
    "a moment is written in UTC with milliseconds and read back",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_795_078_800_120, "2026-11-19T09:00:00.120Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func format(milliseconds: Int64, text: String) throws {
    #expect(RFC3339.text(WallTime(milliseconds: milliseconds)) == text)
    #expect(try RFC3339.parse(text) == WallTime(milliseconds: milliseconds))
  }

  @Test("the calendar agrees with itself on every day of four centuries, and months have their lengths")
  func calendar() {
    var expected = CivilTime(year: 1899, month: 12, day: 31)
    for day in expected.daysSinceEpoch...CivilTime(year: 2300, month: 1, day: 1).daysSinceEpoch {
      let civil = CivilTime(daysSinceEpoch: day)
      guard civil == expected, civil.daysSinceEpoch == day, civil.isValid else {
        Issue.record("day \(day) is \(civil), not \(expected)")
        return
      }
      expected.day += 1
      if !expected.isValid { (expected.day, expected.month) = (1, expected.month + 1) }
      if !expected.isValid { (expected.month, expected.year) = (1, expected.year + 1) }
    }
  }

  @Test("moments that RFC 3339 cannot write give the nearest it can", arguments: [Int64.min, Int64.max])
  func extremes(milliseconds: Int64) {
    let text = RFC3339.text(WallTime(milliseconds: milliseconds))
    #expect(text == (milliseconds < 0 ? "0000-01-01T00:00:00.000Z" : "9999-12-31T23:59:59.999Z"))
    #expect(
      CivilTime(WallTime(milliseconds: milliseconds), utcOffset: milliseconds < 0 ? -86400 : 86400).month > 0)
  }

  @Test(
    "all spellings of RFC 3339 are read",
    arguments: [
      ("2026-11-20T10:00:00+01:00", "2026-11-20T09:00:00.000Z"),
      ("2026-11-20t09:00:00z", "2026-11-20T09:00:00.000Z"),
      ("2026-11-20 09:00:00Z", "2026-11-20T09:00:00.000Z"),
      ("2026-11-20T09:00:00.1Z", "2026-11-20T09:00:00.100Z"),
      ("2026-11-20T09:00:00.12Z", "2026-11-20T09:00:00.120Z"),
      ("2026-11-20T09:00:00.123999999999Z", "2026-11-20T09:00:00.123Z"),
      ("2026-01-01T00:30:00+05:45", "2025-12-31T18:45:00.000Z"),
      ("2026-12-31T20:00:00-04:00", "2027-01-01T00:00:00.000Z"),
      ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
      ("2017-01-01T00:59:60+01:00", "2017-01-01T00:00:00.000Z"),
      // HTML, 2.4.5.7: seconds and the colon of the offset may be left out.
      ("2027-01-11T09:00+01:00", "2027-01-11T08:00:00.000Z"),
      ("2027-01-11T09:00Z", "2027-01-11T09:00:00.000Z"),
      ("2027-01-11 09:00-0330", "2027-01-11T12:30:00.000Z"),
      ("2027-01-11T09:00:00.5+0100", "2027-01-11T08:00:00.500Z"),
    ])
  func parse(text: String, utc: String) throws {
    #expect(RFC3339.text(try RFC3339.parse(text)) == utc)
  }

  @Test(
    "what is no moment is refused",
    arguments: [
      "", "2026-11-20", "2026-11-20T09:00", "2026-11-20T09:00.5Z", "2026-11-20T09:00:Z", "2026-11-20T09Z",
      "2026-11-20T09:00+01", "09:00Z", "2026-11-20T09:00:00", "2026-13-01T00:00:00Z",
      "2026-02-29T00:00:00Z",
      "2026-11-20T24:00:00Z", "2026-11-20T09:60:00Z", "2026-11-20T09:00:61Z", "2026-11-20T09:00:60Z",
      "2026-11-20T09:00:00.Z", "2026-11-20T09:00:00+1:00", "2026-11-20T09:00:00+24:00",
      "2026-11-20T09:00:00ZZ",
      "+026-11-20T09:00:00Z", "2026-11-20T09:00:00Z ", "２026-11-20T09:00:00Z", "2026-00-10T00:00:00Z",
      "2026-11-00T00:00:00Z",
    ])
  func refused(text: String) {
    #expect(throws: TextError.self) { try RFC3339.parse(text) }
  }

  private static let now = "2026-11-20T08:30:00.000Z"

  @Test(
    "a time is meant in the user's zone, and a time of day alone is the next one where something begins or ends",
    arguments: [
      ("now", 0, "2026-11-20T08:30:00.000Z"), ("+2h", 0, "2026-11-20T10:30:00.000Z"),
      ("+90", 3600, "2026-11-20T08:31:30.000Z"), ("09:00", 0, "2026-11-20T09:00:00.000Z"),
      ("9:00", 0, "2026-11-20T09:00:00.000Z"), ("09:00", 3600, "2026-11-21T08:00:00.000Z"),
      ("08:30", 0, "2026-11-21T08:30:00.000Z"), ("today 08:00", 0, "2026-11-20T08:00:00.000Z"),
      ("tomorrow 09:00", 0, "2026-11-21T09:00:00.000Z"),
      ("tomorrow 09:00:30", -18000, "2026-11-21T14:00:30.000Z"),
      ("23:00", -36000, "2026-11-20T09:00:00.000Z"),
      ("2026-12-24T18:00:00+01:00", 0, "2026-12-24T17:00:00.000Z"),
    ])
  func next(text: String, offset: Int, expected: String) throws {
    let time = try TimeText(text).resolved(now: RFC3339.parse(Self.now), sense: .next) { _ in offset }
    #expect(RFC3339.text(time) == expected)
  }

  @Test(
    "where something is looked up, a time of day alone is the last one",
    arguments: [
      ("08:30", 0, "2026-11-20T08:30:00.000Z"), ("08:31", 0, "2026-11-19T08:31:00.000Z"),
      ("8:29:59", 0, "2026-11-20T08:29:59.000Z"), ("09:00", 3600, "2026-11-20T08:00:00.000Z"),
      ("10:00", 3600, "2026-11-19T09:00:00.000Z"), ("23:00", -36000, "2026-11-19T09:00:00.000Z"),
      ("00:30", 3600, "2026-11-19T23:30:00.000Z"), ("now", 0, "2026-11-20T08:30:00.000Z"),
      ("+2h", 0, "2026-11-20T10:30:00.000Z"), ("today 09:00", 0, "2026-11-20T09:00:00.000Z"),
    ])
  func last(text: String, offset: Int, expected: String) throws {
    let time = try TimeText(text).resolved(now: RFC3339.parse(Self.now), sense: .last) { _ in offset }
    #expect(RFC3339.text(time) == expected)
  }

  @Test(
    "days, dates and times back are understood wherever a time is, and mean the same",
    arguments: [
      ("today", 3600, "2026-11-19T23:00:00.000Z"), ("yesterday", 0, "2026-11-19T00:00:00.000Z"),
      ("Yesterday 14:00", 3600, "2026-11-19T13:00:00.000Z"), ("tomorrow", 0, "2026-11-21T00:00:00.000Z"),
      ("2026-11-17", 0, "2026-11-17T00:00:00.000Z"), ("2026-11-17", 3600, "2026-11-16T23:00:00.000Z"),
      ("2026-11-17 14:00", 3600, "2026-11-17T13:00:00.000Z"),
      ("2026-11-17T14:00", 3600, "2026-11-17T13:00:00.000Z"),
      ("2026-11-17 14:00:30", 0, "2026-11-17T14:00:30.000Z"),
      ("2026-11-17 14:00:30Z", 3600, "2026-11-17T14:00:30.000Z"), ("-24h", 0, "2026-11-19T08:30:00.000Z"),
      ("-1w", 0, "2026-11-13T08:30:00.000Z"), ("-1d12h", 0, "2026-11-18T20:30:00.000Z"),
      ("-90", 0, "2026-11-20T08:28:30.000Z"), ("-01:30", 0, "2026-11-20T08:28:30.000Z"),
    ])
  func looked(text: String, offset: Int, expected: String) throws {
    for sense in [TimeText.Sense.next, .last] {
      let time = try TimeText(text).resolved(now: RFC3339.parse(Self.now), sense: sense) { _ in offset }
      #expect(RFC3339.text(time) == expected)
    }
  }

  /// Clocks of Berlin in 2026.
  private static func berlin(_ moment: WallTime) -> Int {
    let spring = WallTime(milliseconds: 1_774_746_000_000)
    let autumn = WallTime(milliseconds: 1_792_890_000_000)
    return moment >= spring && moment < autumn ? 7200 : 3600
  }

  @Test(
    "a time that clocks skip is the first moment after the gap, one that they show twice the first of both",
    arguments: [
      ("2026-03-29 01:59", "2026-03-29T00:59:00.000Z"), ("2026-03-29 02:00", "2026-03-29T01:00:00.000Z"),
      ("2026-03-29 02:30", "2026-03-29T01:00:00.000Z"), ("2026-03-29 03:00", "2026-03-29T01:00:00.000Z"),
      ("2026-03-29 03:01", "2026-03-29T01:01:00.000Z"), ("2026-10-25 01:59", "2026-10-24T23:59:00.000Z"),
      ("2026-10-25 02:30", "2026-10-25T00:30:00.000Z"), ("2026-10-25 03:00", "2026-10-25T02:00:00.000Z"),
      ("2026-10-25", "2026-10-24T22:00:00.000Z"), ("2026-10-26", "2026-10-25T23:00:00.000Z"),
    ])
  func changingClocks(text: String, expected: String) throws {
    let time = try TimeText(text).resolved(
      now: RFC3339.parse(Self.now), sense: .last, utcOffset: Self.berlin)
    #expect(RFC3339.text(time) == expected)
  }

  @Test("tomorrow's clock goes by tomorrow's offset when summer time ends in between")
  func offsetOfTheDay() throws {
    let change = try RFC3339.parse("2026-10-25T01:00:00Z")
    let now = try RFC3339.parse("2026-10-24T20:00:00Z")
    let time = try TimeText("tomorrow 09:00").resolved(now: now, sense: .next) { $0 < change ? 7200 : 3600 }
    #expect(RFC3339.text(time) == "2026-10-25T08:00:00.000Z")
  }

  @Test(
    "what is no time is refused",
    arguments: [
      "", "9", "24:00", "09:60", "tomorrow 9", "+", "-", "+-2h", "--2h", "09:00 x", "9.00", "today today",
      "2026-11-31", "2026-11-17T", "T14:00", "2026-11-17 14", "2026-11-17 14:00 Z", "17.11.2026",
      "11/17/2026",
      "yester day", "2026-1-1", "２026-11-20",
    ])
  func noTime(text: String) {
    let error = #expect(throws: TextError.self) { try TimeText(text) }
    #expect(error?.hint?.typed.isEmpty == false)
  }
}
