import CastProtocol
import CastqPlaylists
import CastqSchedule
import CastqText
import GRDB
import Testing
@testable import CastqStore

@Suite("Rules in rows")
struct RuleStoreTests {
  /// A rule with something in every column that one of its kind has.
  static func full(_ name: String) throws -> ScheduleRule {
    var rule = ScheduleRule(
      id: RuleID(0), name: name, programme: "", target: .group("g"), priority: -7,
      form: .daypart("part", try Weekdays("mon-fri")), length: 90, zone: try ZoneName("Europe/Berlin"))
    (rule.validFrom, rule.validUntil) = (try LocalDate("2026-01-01"), try LocalDate("2026-12-31"))
    (rule.onlyOn, rule.notOn) = ("c", "c")
    (rule.start, rule.end, rule.resume) = (.wait(seconds: 90), .finish, .restart)
    (rule.missed, rule.volume, rule.note) = (.within(seconds: 900), 0.25, "note")
    return rule
  }

  static let share = ScheduleRule(
    id: RuleID(0), name: "share", programme: "", target: .device("1"),
    kind: .share(ShareTerms(secondsPerHour: 180, maxPerHour: 4, minGap: 300)), form: .always)

  /// A store with all that the rules above name.
  private static func fixture() throws -> (StoreFixture, ScheduleStore) {
    let fixture = try StoreFixture()
    let store = ScheduleStore(fixture.database)
    try store.addGroup("g", members: [fixture.id], replaces: false, at: moment(0))
    try store.addDay(try LocalDate("2026-12-24"), label: "Eve", to: "c", at: moment(0))
    try store.addDaypart(Daypart(name: "part", part: try DayPart("08:00-10:30")), at: moment(0))
    try store.addProgramme("menus", source: "/m", isShuffled: false, filler: nil, seed: 0, at: moment(0))
    return (fixture, store)
  }

  private static func history(_ fixture: StoreFixture) throws -> [String] {
    try fixture.outside().read {
      try String.fetchAll(
        $0,
        sql: """
          SELECT rule_id || ' ' || revision || ' ' || at || ' ' || coalesce(before, '-') || ' > ' || coalesce(after, '-')
          FROM rule_history ORDER BY rule_id, revision
          """)
    }
  }

  @Test("a rule is read as it was written, in every column")
  func roundTrip() throws {
    let (fixture, store) = try Self.fixture()
    for (number, rule) in [try Self.full("a"), Self.share].enumerated() {
      var wanted = try store.add(rule, playing: .named("MENUS"), at: moment(1))
      #expect(wanted.id == RuleID(Int64(number + 1)))
      #expect(try store.rule(rule.name) == wanted)
      #expect(try store.schedule(siteZone: .utc, zones: { _ in nil }).book.rules.contains(wanted))
      wanted.id = RuleID(0)
      wanted.programme = ""
      #expect(wanted == rule)
    }
    var others: [ScheduleRule] = []
    let forms: [RuleForm] = [
      .always, .daily(try DayPart("22:00-02:00"), try Weekdays("sat,sun")),
      .cron(try CronExpression("@daily")),
      .calendar(try CalendarExpression("Mon *-*-* 08:00 Asia/Tokyo")),
      .once(try LocalTime("2026-12-24T08:00:30")),
    ]
    for (number, form) in forms.enumerated() {
      var rule = ScheduleRule(id: RuleID(0), name: "o\(number)", programme: "", form: form)
      (rule.start, rule.missed, rule.resume) = (.next, .run, .item)
      others.append(try store.add(rule, playing: .named("menus"), at: moment(1)))
      #expect(others[number].form == form)
    }
    #expect(try store.schedule(siteZone: .utc, zones: { _ in nil }).book.rules.count == 7)
    #expect(fixture.database.takeDamage() == [])
  }

  @Test("each change of a rule counts, and what it was and became is kept; what changes nothing is none")
  func revisions() throws {
    let (fixture, store) = try Self.fixture()
    var rule = try Self.full("a")
    let made = try store.add(rule, playing: .named("menus"), at: moment(1))
    #expect(made.revision == 1)
    let same = try store.add(rule, playing: .named("menus"), at: moment(2))
    #expect(same == made)
    try store.setEnabled(true, rule: "a", at: moment(2))
    #expect(try Self.history(fixture).count == 1)
    rule.priority = 3
    #expect(throws: StoreError.self) { try store.add(rule, playing: .named("menus"), at: moment(3)) }
    #expect(try store.rule("a") == made)
    try store.setEnabled(false, rule: "A", at: moment(3))
    let time = try LocalTime("2026-12-21T08:00")
    try store.setException(.skip, at: time, rule: "a", playing: nil, at: moment(4))
    rule.name = "A"
    let changed = try store.add(rule, playing: .named("menus"), replaces: true, at: moment(5))
    #expect((changed.revision, changed.priority, changed.name) == (4, 3, "a"))
    #expect(!changed.isEnabled && changed.exceptions == [time: .skip])
    try store.setException(nil, at: time, rule: "a", playing: nil, at: moment(6))
    #expect(try store.rule("a").exceptions == [:])
    try store.removeRule("a", at: moment(7))
    let labels = try store.deviceLabels()
    let history = try Self.history(fixture)
    #expect(history.count == 6)
    #expect(history[0] == "1 1 \(moment(1).milliseconds) - > \(made.document(devices: labels).text)")
    #expect(history[3].hasSuffix("> \(changed.document(devices: labels).text)"))
    #expect(history[5].hasPrefix("1 6 \(moment(7).milliseconds) {") && history[5].hasSuffix("> -"))
    #expect(throws: StoreError.self) { try store.rule("a") }
  }

  @Test("a rule keeps its kind, and what it names has to be there")
  func refusals() throws {
    let (_, store) = try Self.fixture()
    try store.add(try Self.full("a"), playing: .named("menus"), at: moment(1))
    func refusal(_ rule: ScheduleRule, _ programme: String = "menus") -> String {
      do throws(StoreError) {
        try store.add(rule, playing: .named(programme), replaces: true, at: moment(2))
        return ""
      } catch { return "\(error)" }
    }
    var share = Self.share
    share.name = "a"
    #expect(refusal(share).contains("cannot become a share"))
    var rule = try Self.full("b")
    #expect(refusal(rule, "nope").contains("no programme nope; known are: menus"))
    rule.target = .group("nope")
    #expect(refusal(rule).contains("no group nope; known are: g"))
    rule = try Self.full("b")
    rule.notOn = "nope"
    #expect(refusal(rule).contains("no calendar nope; known are: c"))
    rule = try Self.full("b")
    rule.form = .daypart("nope", .all)
    #expect(refusal(rule).contains("no day part nope; known are: part"))
    #expect(throws: StoreError.self) { try store.rule("b") }
  }

  @Test("what a rule or a programme uses is not removed, and what uses it is named")
  func uses() throws {
    let (_, store) = try Self.fixture()
    try store.add(try Self.full("a"), playing: .named("menus"), at: moment(1))
    try store.addProgramme("late", source: "/l", isShuffled: true, filler: "menus", seed: 1, at: moment(1))
    try store.addDaypart(
      Daypart(name: "other", part: .day, exceptions: [.init(.calendar("c"), nil)]), at: moment(1))
    func refusal(_ body: () throws(StoreError) -> Void) -> String {
      do throws(StoreError) {
        try body()
        return ""
      } catch { return "\(error)" }
    }
    #expect(
      refusal { () throws(StoreError) in try store.removeProgramme("menus") }.contains(
        "used by the programme late, the rule a"))
    #expect(
      refusal { () throws(StoreError) in try store.removeCalendar("c", at: moment(3)) }.contains(
        "used by the day part other, the rule a"))
    #expect(
      refusal { () throws(StoreError) in try store.removeDaypart("part", at: moment(3)) }.contains(
        "the rule a"))
    #expect(
      refusal { () throws(StoreError) in try store.removeGroup("g", at: moment(0)) }.contains("the rule a"))
    #expect(try store.programme("menus").users == ["the programme late", "the rule a"])
    try store.removeRule("a", at: moment(2))
    try store.removeProgramme("late")
    try store.removeProgramme("menus")
    try store.removeGroup("g", at: moment(0))
    try store.removeDaypart("part", at: moment(3))
    try store.removeDaypart("other", at: moment(3))
    try store.removeCalendar("c", at: moment(3))
    #expect(try store.schedule(siteZone: .utc, zones: { _ in nil }).programmes == [])
  }

  @Test("a source has one programme without a name, which goes with the last rule that plays it")
  func unnamed() throws {
    let (_, store) = try Self.fixture()
    func programmes() throws -> [String] {
      try store.schedule(siteZone: .utc, zones: { _ in nil }).programmes.map(\.name)
    }
    try store.add(try Self.full("a"), playing: .source("/x.m3u"), at: moment(1))
    try store.add(try Self.full("b"), playing: .source("/x.m3u"), at: moment(1))
    #expect(try programmes() == ["/x.m3u", "menus"])
    #expect(try store.programmes().map(\.name) == ["menus"])
    #expect(try !store.hasProgramme("/x.m3u"))
    try store.removeRule("a", at: moment(2))
    let time = try LocalTime("2026-12-21T08:00")
    try store.setException(.replace(""), at: time, rule: "b", playing: .source("/y"), at: moment(2))
    #expect(try programmes() == ["/x.m3u", "/y", "menus"])
    #expect(try store.rule("b").exceptions == [time: .replace("/y")])
    try store.add(try Self.full("b"), playing: .named("menus"), replaces: true, at: moment(3))
    #expect(try programmes() == ["/y", "menus"])
    try store.setException(.skip, at: time, rule: "b", playing: nil, at: moment(4))
    #expect(try programmes() == ["menus"])
  }

  @Test("a trigger has the list of its source to itself, also when it is changed or when others come later")
  func ownProgramme() throws {
    let (_, store) = try Self.fixture()
    func programmes() throws -> Int {
      try store.schedule(siteZone: .utc, zones: { _ in nil }).programmes.count { $0.name.hasPrefix("/x.m3u") }
    }
    func trigger(_ name: String) throws -> ScheduleRule {
      ScheduleRule(
        id: RuleID(0), name: name, programme: "", target: .all, kind: .trigger,
        form: .once(try LocalTime("2026-12-21T08:00")))
    }
    try store.add(trigger("call"), playing: .source("/x.m3u"), at: moment(1))
    #expect(try programmes() == 1)
    try store.add(Self.share, playing: .source("/x.m3u"), at: moment(1))
    #expect(try programmes() == 2)
    try store.add(try Self.full("a"), playing: .source("/x.m3u"), at: moment(1))
    #expect(try programmes() == 2)
    try store.add(trigger("other"), playing: .source("/x.m3u"), at: moment(1))
    #expect(try programmes() == 3)
    let revision = try store.rule("call").revision
    try store.add(trigger("call"), playing: .source("/x.m3u"), replaces: true, at: moment(2))
    #expect(try programmes() == 3)
    #expect(try store.rule("call").revision == revision)
    try store.removeRule("call", at: moment(3))
    #expect(try programmes() == 2)
  }

  @Test("the rules for a device alone go with it, and are remembered")
  func removedDevice() throws {
    let (fixture, store) = try Self.fixture()
    try store.add(Self.share, playing: .source("/x.m3u"), at: moment(1))
    try store.add(try Self.full("a"), playing: .named("menus"), at: moment(1))
    try fixture.devices.remove(fixture.id, at: moment(2))
    let schedule = try store.schedule(siteZone: .utc, zones: { _ in nil })
    #expect(schedule.book.rules.map(\.name) == ["a"])
    #expect(schedule.programmes.map(\.name) == ["menus"])
    let history = try Self.history(fixture)
    #expect(history.count == 4)
    // The group has lost the device, so that the rule for the group is another one.
    #expect(history[3].hasPrefix("2 2 \(moment(2).milliseconds) {"), "\(history)")
    #expect(history[3].contains("\"cause\":\"group g\""), "\(history)")
    #expect(schedule.book.rules.map(\.revision) == [2])
    #expect(history[1].hasPrefix("1 2 \(moment(2).milliseconds) {") && history[1].hasSuffix("> -"))
    #expect(history[1].contains("\"device\":\"Lobby\""))
  }

  @Test("read for one device, a schedule has the rules for it, for its groups and for all, with what differs")
  func ofOneDevice() throws {
    let (fixture, store) = try Self.fixture()
    let hall = try fixture.devices.add(name: "Hall", endpoint: DeviceEndpoint(host: "h"), at: moment(0))
    try store.addGroup("other", members: [hall.id], replaces: false, at: moment(0))
    let targets: [(String, RuleTarget)] = [
      ("hall", .device(hall.id.ruleName)), ("here", .device(fixture.id.ruleName)), ("g", .group("g")),
      ("other", .group("other")), ("all", .all),
    ]
    for (name, target) in targets {
      let rule = ScheduleRule(id: RuleID(0), name: name, programme: "", target: target, form: .always)
      try store.add(rule, playing: .named("menus"), at: moment(1))
      try store.setException(
        .skip, at: try LocalTime("2026-12-24T08:00"), rule: name, playing: nil, at: moment(1))
    }
    let whole = try store.schedule(siteZone: .utc, zones: { _ in nil })
    for (device, names) in [(fixture.id, ["all", "g", "here"]), (hall.id, ["all", "hall", "other"])] {
      let part = try store.schedule(siteZone: .utc, zones: { _ in nil }, of: device)
      #expect(part.devices == whole.devices.filter { $0.id == device.ruleName })
      #expect(part.book.rules.map(\.name) == names)
      #expect(part.book.rules == whole.book.rules.filter { names.contains($0.name) })
      #expect(part.book.rules.allSatisfy { $0.exceptions.count == 1 })
    }
    // All rules for a device, in turn: each of them alone is one.
    let none = DeviceID(4711)
    for (name, _) in targets { try store.setEnabled(false, rule: name, at: moment(2)) }
    for (name, devices) in [
      ("hall", [hall.id]), ("here", [fixture.id]), ("g", [fixture.id]), ("other", [hall.id]),
      ("all", [fixture.id, hall.id]),
    ] {
      try store.setEnabled(true, rule: name, at: moment(3))
      for device in [fixture.id, hall.id, none] {
        #expect(try store.hasRules(for: device) == devices.contains(device), "\(name)")
      }
      try store.setEnabled(false, rule: name, at: moment(4))
    }
  }

  @Test("the same words twice are one programme; others need to be asked for")
  func programmes() throws {
    let (_, store) = try Self.fixture()
    func add(_ source: String, _ filler: String? = nil, replaces: Bool = false) throws(StoreError) {
      try store.addProgramme(
        "Menus", source: source, isShuffled: false, filler: filler, seed: 9, replaces: replaces, at: moment(5)
      )
    }
    try add("/m")
    #expect(throws: StoreError.self) { try add("/other") }
    #expect(throws: StoreError.self) { try add("/m", "menus", replaces: true) }
    try add("/other", replaces: true)
    let programmes = try store.programmes()
    #expect(programmes.map(\.source) == ["/other"])
    #expect(programmes.map(\.createdAt) == [moment(0)])
  }

  @Test("groups gain and lose devices; all is each device that somebody named or used")
  func groups() throws {
    let (fixture, store) = try Self.fixture()
    let hall = try fixture.devices.add(name: "Hall", endpoint: DeviceEndpoint(host: "h"), at: moment(0))
    try fixture.devices.found(
      [Device(endpoint: DeviceEndpoint(host: "n"), friendlyName: "Neighbour", uniqueID: nil)], adding: true,
      at: moment(1))
    try store.addGroup("G", members: [hall.id], replaces: false, at: moment(0))
    #expect(try store.groups().map { $0.members.map(\.name) } == [["Hall", "Lobby"]])
    try store.removeGroup("g", members: [fixture.id], at: moment(0))
    #expect(try store.members(of: "g").map(\.name) == ["Hall"])
    try store.addGroup("g", members: [fixture.id], replaces: true, at: moment(0))
    #expect(try store.members(of: "G").map(\.name) == ["Lobby"])
    #expect(try store.members(of: "all").map(\.name) == ["Hall", "Lobby"])
    #expect(
      try store.schedule(siteZone: .utc, zones: { _ in nil }).devices.map(\.name) == ["Hall", "Lobby"])
    #expect(throws: StoreError.self) { try store.members(of: "nope") }
  }

  @Test(
    "a change of what a rule names makes another revision of it, with the reason; one that changes nothing makes none"
  )
  func namedThings() throws {
    let (fixture, store) = try Self.fixture()
    try store.add(try Self.full("a"), playing: .named("menus"), at: moment(1))
    try store.add(Self.share, playing: .source("/x"), at: moment(1))
    let later = moment(9)
    func change(_ body: () throws -> Void) rethrows { for _ in 0..<2 { try body() } }
    try change { try store.addDay(try LocalDate("2026-12-25"), label: "Day", to: "c", at: later) }
    try change {
      try store.addDaypart(Daypart(name: "Part", part: try DayPart("09:00-10:30")), replaces: true, at: later)
    }
    let hall = try fixture.devices.add(name: "Hall", endpoint: DeviceEndpoint(host: "h"), at: moment(0))
    try change { try store.addGroup("G", members: [hall.id], replaces: false, at: later) }
    try change { try store.removeGroup("g", members: [hall.id], at: later) }
    try change {
      try store.addProgramme(
        "menus", source: "/n", isShuffled: false, filler: nil, seed: 0, replaces: true, at: later)
    }
    try change {
      try store.importCalendar(
        CalendarImport(name: "feasts", days: [:], origin: "/x", entityTag: nil, filter: nil), at: later)
    }
    // A file that changes a day, and one of the two rules for other reasons.
    var site = try store.site()
    site.calendars["c"] = [:]
    site.rules["share"]?.priority = 9
    _ = try store.apply(site, isPruning: false, seed: { 0 }, at: later)
    #expect(try store.rule("a").revision == 7 && store.rule("share").revision == 2)
    let revisions = try store.revisions(of: "A")
    #expect(revisions.map(\.revision) == Array(1...7))
    #expect(
      revisions.map(\.cause) == [
        nil, "calendar c", "day part part", "group g", "group g", "programme menus", "calendar c",
      ])
    #expect(revisions.last?.after?["revision"]?.int == 7)
    try store.removeRule("a", at: later)
    #expect(try store.revisions(of: "a").last?.after == nil)
    #expect(throws: StoreError.self) { try store.revisions(of: "none") }
  }

  @Test("the zones of the site and of a device are known for each time, also where a clock was set back")
  func zones() throws {
    let (fixture, store) = try Self.fixture()
    let (berlin, tokyo) = (try ZoneName("Europe/Berlin"), try ZoneName("Asia/Tokyo"))
    func give(_ zone: ZoneName?, _ second: Double) throws {
      var site = SiteSchedule()
      site.sections = [.devices]
      site.devices = ["Lobby": zone]
      _ = try store.apply(site, isPruning: false, seed: { 0 }, at: moment(second))
    }
    /// Site and device.
    func zones(_ second: Double) throws -> [String] {
      let schedule = try store.schedule(siteZone: .utc, zones: { _ in nil })
      let past = try store.past(since: moment(second), present: []).named
      let device = try #require(schedule.devices.first { $0.id == fixture.id.ruleName })
      return [
        past.book(schedule.book, at: moment(second)).siteZone.text,
        past.device(device, at: moment(second)).zone?.text ?? "-",
      ]
    }
    #expect(try zones(1) == ["UTC", "-"])
    try store.noteSiteZone(berlin, at: moment(2))
    try store.noteSiteZone(berlin, at: moment(3))
    #expect(try zones(1) == ["Europe/Berlin", "-"], "nothing else is known")
    try store.noteSiteZone(tokyo, at: moment(4))
    try give(berlin, 5)
    try give(tokyo, 6)
    try give(tokyo, 7)
    try give(nil, 8)
    let expected = [
      (1.0, ["Europe/Berlin", "-"]), (3, ["Europe/Berlin", "-"]), (4, ["Asia/Tokyo", "-"]),
      (5, ["Asia/Tokyo", "Europe/Berlin"]), (7, ["Asia/Tokyo", "Asia/Tokyo"]), (8, ["Asia/Tokyo", "-"]),
      (99, ["Asia/Tokyo", "-"]),
    ]
    for (second, words) in expected { #expect(try zones(second) == words, "\(second)") }
    // A clock that was set back: what was in force between is not known any more, what is now is.
    try store.noteSiteZone(berlin, at: moment(3))
    #expect(try zones(3) == ["Europe/Berlin", "-"] && zones(99) == ["Europe/Berlin", "-"])
    #expect(
      try fixture.outside().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM zone_history") } == 6)
  }

  @Test("what a rule named at each time is known, however it was changed or removed since")
  func named() throws {
    let (fixture, store) = try Self.fixture()
    try store.add(try Self.full("a"), playing: .named("menus"), at: moment(1))
    let part = Daypart(
      name: "part", part: try DayPart("09:00-11:00"),
      exceptions: [
        .init(.weekdays(try Weekdays("sat,sun")), try DayPart("22:00-02:00")), .init(.calendar("c"), nil),
      ])
    /// What the rule is made of at a moment; `-` where it is not known.
    func words(_ second: Double) throws -> String {
      let schedule = try store.schedule(siteZone: .utc, zones: { _ in nil })
      let past = try store.past(since: moment(second), present: schedule.book.rules)
      let book = past.named.book(schedule.book, at: moment(second))
      guard past.rules(at: moment(second)).contains(where: { $0.name == "a" }) else { return "-" }
      let groups = schedule.devices.map { past.named.device($0, at: moment(second)).groups.sorted() }
      let part = book.dayparts["part"].map { "\($0.part.text)+\($0.exceptions.count)" } ?? "none"
      return "\(part) \(book.calendars["c"]?.days.map(\.text) ?? []) \(groups)"
    }
    let first = "08:00-10:30+0 [\"2026-12-24\"] [[\"g\"]]"
    #expect(try words(2) == first)
    try store.addDaypart(part, replaces: true, at: moment(3))
    try store.addDay(try LocalDate("2026-12-25"), label: "Day", to: "c", at: moment(4))
    try store.removeGroup("g", members: [fixture.id], at: moment(5))
    var site = try store.site()
    site.dayparts["part"]?.part = try DayPart("07:00-08:00")
    site.calendars["c"] = [:]
    site.groups["g"] = ["Lobby"]
    _ = try store.apply(site, isPruning: false, seed: { 0 }, at: moment(6))
    let expected = [
      (2.0, first), (3, "09:00-11:00+2 [\"2026-12-24\"] [[\"g\"]]"),
      (4, "09:00-11:00+2 [\"2026-12-24\", \"2026-12-25\"] [[\"g\"]]"),
      (5, "09:00-11:00+2 [\"2026-12-24\", \"2026-12-25\"] [[]]"),
      (6, "07:00-08:00+2 [] [[\"g\"]]"), (0, "-"),
    ]
    for (second, text) in expected { #expect(try words(second) == text, "\(second)") }
    // Everything goes, by hand and by a file.
    try store.removeRule("a", at: moment(7))
    try store.removeGroup("g", at: moment(8))
    try store.removeDaypart("part", at: moment(8))
    var empty = try store.site()
    empty.calendars = [:]
    _ = try store.apply(empty, isPruning: true, seed: { 0 }, at: moment(9))
    for (second, text) in expected { #expect(try words(second) == text, "\(second), removed") }
    #expect(try words(7) == "-")
    // A revision has the number of its device, so that another name is no other device.
    try store.add(Self.share, playing: .source("/x"), at: moment(10))
    try store.removeRule("share", at: moment(11))
    try fixture.devices.setAlias("Foyer", of: fixture.id)
    let past = try store.past(since: moment(10), present: [])
    #expect(past.rules(at: moment(10)).map(\.target) == [.device(fixture.id.ruleName)])
  }
}
