import CastProtocol
import CastqOperations
import CastqSchedule
import CastqStore
import CastqText
import Testing

@Suite("Programmes, day parts, calendars and groups, by the functions that change them")
struct NamedThingsTests {
  private let site: OperationsSite
  private let call: ScheduleCall
  private let menus: String

  init() throws {
    site = try OperationsSite()
    menus = try site.file("menus.m3u", "#EXTM3U\nhttp://media.example/a.mp4\n")
    call = try site.schedule()
    _ = try call.workspace.addDevice(named: "hall", at: "192.0.2.11")
  }

  @Test("what cannot be played is no programme, and what can in part is one that says so")
  func badSources() async throws {
    func add(_ name: String, _ source: String, filler: String? = nil) async throws(Failure) -> Failure? {
      try await call.addProgramme(name, source, filler: filler)
    }
    await expectFailure(.inputMissing, saying: "nope.m3u") {
      _ = try await add("x", "\(site.folder)/nope.m3u")
    }
    await expectFailure(.usage, saying: "standard input") { _ = try await add("x", "-") }
    let empty = try site.file("empty.m3u", "#EXTM3U\n")
    await expectFailure(.badData, saying: "nothing to play") { _ = try await add("x", empty) }
    for name in ["", " x", "a@b", "-p"] {
      await expectFailure(.usage, saying: "name") { _ = try await add(name, menus) }
    }
    await expectFailure(.badData, saying: "nope") { _ = try await add("x", menus, filler: "nope") }
    let half = try site.file("half.m3u", "#EXTM3U\nhttp://media.example/a.mp4\nnope.mp4\n")
    let problem = try await add("half", half)
    #expect(problem?.exit == .badData)
    #expect(try call.programmeDocument("half")["programme"]?.string == "half")
  }

  @Test("a programme is changed only by who says so, and removed only when nothing uses it")
  func programmes() async throws {
    #expect(try await call.addProgramme("menus", menus) == nil)
    #expect(try await call.addProgramme("menus", menus) == nil, "the same again changes nothing")
    #expect(try await call.addProgramme("late", "http://media.example/b.mp4", filler: "menus") == nil)
    await expectFailure(.badData, saying: "differs") {
      _ = try await call.addProgramme("menus", menus, shuffles: true)
    }
    #expect(try await call.addProgramme("menus", menus, shuffles: true, replaces: true) == nil)
    #expect(try call.programmeDocument("menus")["shuffle"] == true)
    await expectFailure(.badData, saying: "the programme late") { try await call.removeProgramme("menus") }
    try await call.removeProgramme("late")
    try await call.removeProgramme("menus")
    await expectFailure(.badData, saying: "no programme menus") { _ = try call.programmeDocument("menus") }
  }

  @Test("a day of a calendar has a label that is a name, and is called otherwise only by who says so")
  func calendars() async throws {
    let day = try LocalDate("2026-12-24")
    try await call.addDay(day, label: "Eve", to: "@holidays")
    try await call.addDay(day, label: "Eve", to: "holidays")
    await expectFailure(.badData, saying: "has 2026-12-24 already, and calls it Eve") {
      try await call.addDay(day, label: "Xmas", to: "holidays")
    }
    try await call.addDay(day, label: "Xmas", to: "holidays", replaces: true)
    let label = try call.ask { (store) throws(StoreError) in try store.calendar("holidays").label(of: day) }
    #expect(label == "Xmas")
    for label in ["", String(repeating: "x", count: 201), "a\nb", "a\u{1B}[31mb"] {
      await expectFailure(.usage, saying: "1 to 200 bytes") {
        try await call.addDay(day, label: label, to: "holidays")
      }
    }
    try await call.removeDay(day, from: "holidays")
    await expectFailure(.badData, saying: "2026-12-24") { try await call.removeDay(day, from: "holidays") }
    try await call.removeDay(nil, from: "@holidays")
    await expectFailure(.badData, saying: "holidays") { try await call.removeDay(nil, from: "holidays") }
  }

  @Test("a part of the day has a name of one word, and is changed only by who says so")
  func dayparts() async throws {
    func part(_ name: String, _ times: String) throws -> Daypart {
      Daypart(name: name, part: try DayPart(times), exceptions: [])
    }
    try await call.addDaypart(try part("lunch", "11:30-14:00"))
    await expectFailure(.usage, saying: "write 'late-night'") {
      try await call.addDaypart(try part("late night", "22:00-02:00"))
    }
    await expectFailure(.badData, saying: "differs") {
      try await call.addDaypart(try part("lunch", "12:00-14:00"))
    }
    try await call.addDaypart(try part("lunch", "12:00-14:00"), replaces: true)
    #expect(
      try call.ask { (store) throws(StoreError) in try store.dayparts().map(\.part.text) } == ["12:00-14:00"])
    try await call.removeDaypart("lunch")
    await expectFailure(.badData, saying: "lunch") { try await call.removeDaypart("lunch") }
  }

  @Test("a group has devices that are known, and no groups")
  func groups() async throws {
    func members() throws -> [String] {
      try call.ask { (store) throws(StoreError) in
        try store.groups().flatMap { group in group.members.map { "\(group.name) \($0.label)" } }
      }
    }
    try await call.addGroup("@foyers", members: ["lobby", "hall"])
    #expect(try members() == ["foyers hall", "foyers lobby"])
    await expectFailure(.deviceUnknown, saying: "hall, lobby") {
      try await call.addGroup("x", members: ["cellar"])
    }
    await expectFailure(.usage, saying: "every device") { try await call.addGroup("all", members: ["hall"]) }
    for group in ["@foyers", "Foyers"] {
      await expectFailure(.deviceUnknown, saying: "\(group) is a group, and a group has devices alone") {
        try await call.addGroup("x", members: [group])
      }
    }
    try await call.removeGroup("foyers", members: ["hall"])
    #expect(try members() == ["foyers lobby"])
    try await call.addGroup("foyers", members: ["hall"], replaces: true)
    #expect(try members() == ["foyers hall"])
    try await call.removeGroup("@foyers")
    #expect(try members() == [])
  }
}
