import CastqCore
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
    ])
  func parse(text: String, utc: String) throws {
    #expect(RFC3339.text(try RFC3339.parse(text)) == utc)
  }

  @Test(
    "what is no moment is refused",
    arguments: [
      "", "2026-11-20", "2026-11-20T09:00Z", "2026-11-20T09:00:00", "2026-13-01T00:00:00Z",
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
    "a time is meant in the user's zone, and a clock time is the next one",
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
  func resolved(text: String, offset: Int, expected: String) throws {
    let time = try TimeText(text).resolved(now: RFC3339.parse(Self.now)) { _ in offset }
    #expect(RFC3339.text(time) == expected)
  }

  @Test("tomorrow's clock goes by tomorrow's offset when summer time ends in between")
  func offsetOfTheDay() throws {
    let change = try RFC3339.parse("2026-10-25T01:00:00Z")
    let now = try RFC3339.parse("2026-10-24T20:00:00Z")
    let time = try TimeText("tomorrow 09:00").resolved(now: now) { $0 < change ? 7200 : 3600 }
    #expect(RFC3339.text(time) == "2026-10-25T08:00:00.000Z")
  }

  @Test(
    "what is no time is refused",
    arguments: [
      "", "9", "24:00", "09:60", "tomorrow", "yesterday 09:00", "tomorrow 9", "+", "+-2h", "-2h", "09:00 x",
      "9.00",
    ])
  func noTime(text: String) {
    #expect(throws: TextError.self) { try TimeText(text) }
  }
}
