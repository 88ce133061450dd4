import CastProtocol
import CastqSchedule
import CastqText
import Testing

@Suite("What rules named, as it was")
struct NamedPastTests {
  private static func moment(_ hour: Double) -> WallTime {
    WallTime(milliseconds: 0).adding(seconds: hour * 3600)
  }

  private static func change(
    _ kind: NamedChange.Kind, _ hour: Double, _ before: [String: JSONValue]
  ) -> NamedChange {
    NamedChange(kind: kind, name: "n", at: moment(hour), before: before)
  }

  @Test("days of a calendar come back as they were, with their labels")
  func calendar() throws {
    let (eve, day) = (try LocalDate("2026-12-24"), try LocalDate("2026-12-25"))
    let book = ScheduleBook(calendars: [HolidayCalendar(name: "n", days: [eve: "Eve", day: "Day"])])
    let past = NamedPast([
      Self.change(.calendar, 3, ["2026-12-24": nil]),
      Self.change(.calendar, 5, ["2026-12-24": "Other", "no day": "x", "2026-12-25": nil]),
    ])
    func days(_ hour: Double) -> [String] {
      let calendar = past.book(book, at: Self.moment(hour)).calendars["n"]
      return calendar?.days.map { "\($0.text) \(calendar?.label(of: $0) ?? "")" } ?? []
    }
    #expect(days(5) == ["2026-12-24 Eve", "2026-12-25 Day"])
    #expect(days(4) == ["2026-12-24 Other"])
    #expect(days(3) == ["2026-12-24 Other"] && days(2) == [])
    // One that was removed.
    #expect(past.book(ScheduleBook(), at: Self.moment(4)).calendars["n"]?.days == [eve])
  }

  @Test("a day part comes back with its exceptions, also a removed one; one that was not there is not there")
  func daypart() throws {
    let present = Daypart(name: "n", part: try DayPart("09:00-10:00"))
    let past = NamedPast([
      Self.change(.daypart, 1, ["part": nil, "exceptions": nil]),
      Self.change(
        .daypart, 3,
        [
          "exceptions": [
            ["days": "mon-fri", "calendar": nil, "part": "22:00-02:00"],
            ["days": nil, "calendar": "c", "part": nil],
          ]
        ]),
      Self.change(.daypart, 5, ["part": "08:00-10:00"]),
    ])
    func part(_ hour: Double, _ book: [Daypart] = [present]) -> Daypart? {
      past.book(ScheduleBook(dayparts: book), at: Self.moment(hour)).dayparts["n"]
    }
    #expect(part(6) == present)
    #expect(part(4) == Daypart(name: "n", part: try DayPart("08:00-10:00")))
    let exceptions: [Daypart.Exception] = [
      .init(.weekdays(try Weekdays("mon-fri")), try DayPart("22:00-02:00")), .init(.calendar("c"), nil),
    ]
    #expect(part(2) == Daypart(name: "n", part: try DayPart("08:00-10:00"), exceptions: exceptions))
    #expect(part(0) == nil)
    #expect(part(4, []) == Daypart(name: "n", part: try DayPart("08:00-10:00")))
  }

  @Test(
    "words that cannot be read make no day part",
    arguments: [
      ["part": "x"], ["part": 7], ["exceptions": [["part": "x", "days": "mon"]]],
      ["exceptions": [["days": "x"]]], ["exceptions": "x"],
    ] as [[String: JSONValue]])
  func damaged(before: [String: JSONValue]) throws {
    let book = ScheduleBook(dayparts: [Daypart(name: "n", part: .day)])
    let past = NamedPast([Self.change(.daypart, 3, before)])
    #expect(past.book(book, at: Self.moment(1)).dayparts["n"] == nil)
    #expect(past.book(book, at: Self.moment(3)).dayparts["n"] != nil)
  }

  @Test("a device is in the groups that it was in")
  func group() {
    let past = NamedPast([
      Self.change(.group, 3, ["4": nil, "5": true]), Self.change(.group, 5, ["4": true]),
    ])
    func groups(_ device: String, _ hour: Double, _ present: Set<String>) -> Set<String> {
      past.device(ScheduleDevice(id: device, groups: present), at: Self.moment(hour)).groups
    }
    #expect(groups("4", 5, ["m"]) == ["m"] && groups("4", 4, ["m"]) == ["m", "n"])
    #expect(groups("4", 2, []) == [] && groups("5", 2, []) == ["n"] && groups("5", 3, []) == [])
  }

  @Test("a change before a clock was set back is one of the time that the clock shows after it")
  func clock() throws {
    let book = ScheduleBook(dayparts: [Daypart(name: "n", part: .day)])
    let past = NamedPast([
      Self.change(.daypart, 9, ["part": "08:00-09:00"]), Self.change(.daypart, 4, ["part": "10:00-11:00"]),
    ])
    func part(_ hour: Double) -> String? {
      past.book(book, at: Self.moment(hour)).dayparts["n"]?.part.text
    }
    #expect(part(3) == "08:00-09:00" && part(4) == "00:00-24:00" && part(10) == "00:00-24:00")
  }
}
