import CastProtocol
import Testing

@Suite("Dates of metadata")
struct MediaDateTests {
  @Test(
    "both forms of ISO 8601 are read, whole or in part, and written in the long one",
    arguments: [
      ("2014", "2014", nil), ("2014-02", "2014-02", nil), ("2014-02-10", "2014-02-10", 1_391_990_400),
      ("20140210", "2014-02-10", 1_391_990_400),
      ("2014-02-10T15:47:00Z", "2014-02-10T15:47:00Z", 1_392_047_220),
      ("20140210T154700Z", "2014-02-10T15:47:00Z", 1_392_047_220),
      ("2014-02-10t15:47", "2014-02-10T15:47:00", 1_392_047_220),
      ("20140210T154700.25+0130", "2014-02-10T15:47:00.25+01:30", 1_392_041_820.25),
      ("2014-02-10T15:47:00,5-05", "2014-02-10T15:47:00.5-05:00", 1_392_065_220.5),
      ("2016-02-29", "2016-02-29", 1_456_704_000), ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z", 0),
      ("1969-12-31T23:59:60Z", "1969-12-31T23:59:60Z", 0), ("0000-03-01", "0000-03-01", -62_162_035_200),
      ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z", 253_402_300_799),
    ] as [(String, String, Double?)])
  func reads(text: String, written: String, seconds: Double?) throws {
    let date = try #require(MediaDate(text))
    #expect(date.description == written)
    #expect(date.secondsSince1970 == seconds)
    #expect(MediaDate(written) == date)
  }

  @Test(
    "anything else is no date",
    arguments: [
      "", "14", "201", "201402", "2014-2-1", "2014-13", "2014-00", "2014-02-30", "2015-02-29", "2014-0210",
      "201402-10", "2014-02-10T", "2014-02-10T24:00", "2014-02-10T15", "2014-02-10T15:60",
      "2014-02-10T15:47:61Z",
      "2014-02-10T15:47:00.Z", "2014-02-10T15:47:00+24:00", "2014-02-10T15:47:00+01:60", "2014-02-10T15:47Zz",
      "2014-02-10 15:47", "-2014-02-10", "２０１４", "2014-02-10T15:47:00.111111111111111111111111111111111Z",
      "tomorrow",
    ])
  func refuses(text: String) {
    #expect(MediaDate(text) == nil)
  }

  @Test("seconds since 1970 and back are the same moment; outside four digits of a year there is none")
  func moments() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      let seconds = Int64.random(in: -62_167_219_200..<253_402_300_800, using: &generator)
      #expect(MediaDate(secondsSince1970: Double(seconds))?.secondsSince1970 == Double(seconds))
    }
    #expect(MediaDate(secondsSince1970: -0.25)?.description == "1969-12-31T23:59:59.75Z")
    for seconds in [-62_167_219_201.0, 253_402_300_800, .infinity, -.infinity, .nan, 1e300] {
      #expect(MediaDate(secondsSince1970: seconds) == nil)
    }
  }

  @Test("there is nothing finer without what is coarser, and no such day is no date")
  func parts() {
    let noon = MediaDate.Time(hour: 12, minute: 0)
    #expect(MediaDate(year: 2014, day: 1) == nil)
    #expect(MediaDate(year: 2014, month: 1, time: noon) == nil)
    #expect(MediaDate(year: 10_000) == nil)
    #expect(MediaDate(year: 2014, month: 4, day: 31) == nil)
    #expect(MediaDate(year: 2014, month: .max, day: .min) == nil)
    #expect(MediaDate.Time(hour: 24, minute: 0) == nil)
    #expect(MediaDate.Time(hour: 0, minute: 0, offset: 1440) == nil)
    #expect(MediaDate(year: 14, month: 1, day: 2, time: noon)?.description == "0014-01-02T12:00:00")
  }
}
