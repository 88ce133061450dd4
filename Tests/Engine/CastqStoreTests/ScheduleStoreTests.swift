import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText
import GRDB
import Testing
@testable import CastqStore

@Suite("The schedule in rows")
struct ScheduleStoreTests {
  private static let rows = """
    INSERT INTO programme (id, name, source, is_shuffled, seed, filler_id, problem, source_digest, created_at) VALUES
      (1, 'menus', '/m.m3u', 0, 0, NULL, NULL, NULL, 5), (2, 'ads', '/ads', 1, -1, 1, 'gone', 'd', 6);
    INSERT INTO device_group VALUES (1, 'Foyers');
    INSERT INTO group_member VALUES (1, 1);
    INSERT INTO calendar (id, name) VALUES (1, 'holidays'), (2, 'fairs');
    INSERT INTO calendar_day VALUES (1, '2026-12-24', 'Eve'), (1, '2026-12-25', 'Day');
    INSERT INTO daypart VALUES (1, 'Breakfast', '08:00', '10:30');
    INSERT INTO daypart_exception VALUES
      (1, 0, 'sat,sun', NULL, '09:00', '24:00'), (1, 1, NULL, 1, NULL, NULL);
    INSERT INTO rule (id, name, revision, programme_id, device_id, group_id, priority, kind, form, expression, daypart_id,
      duration_s, zone, valid_from, valid_until, only_on, not_on, start_mode, wait_s, end_mode, resume, share_s_per_hour,
      max_per_hour, min_gap_s, missed, missed_within_s, volume, is_enabled, note) VALUES
      (1, 'a', 3, 1, 1, NULL, -2, 'window', 'daypart', 'breakfast mon-fri', 1, NULL, 'Europe/Berlin', '2026-01-01',
        '2026-12-31', 1, 2, 'wait', 90, 'finish', 'item', NULL, NULL, NULL, 'within', 900, 0.25, 0, 'note'),
      (2, 'b', 1, 2, NULL, 1, 0, 'share', 'always', '', NULL, NULL, NULL, NULL,
        NULL, NULL, NULL, 'next', NULL, 'cut', 'restart', 200, 4, 300, 'run', NULL, NULL, 1, NULL),
      (3, 'c', 1, 2, NULL, NULL, 7, 'trigger', 'calendar', 'Mon 12:00 Asia/Tokyo', NULL, 60, NULL, NULL,
        NULL, NULL, NULL, 'hard', NULL, 'cut', 'second', NULL, NULL, NULL, 'skip', NULL, NULL, 1, NULL);
    INSERT INTO rule_exception VALUES (1, '2026-03-02T08:00', 'skip', NULL, NULL),
      (1, '2026-03-03T08:00', 'move', '2026-03-03T09:15', NULL), (1, '2026-03-04T08:00', 'replace', NULL, 2);
    """

  private static func fixture() throws -> (StoreFixture, ScheduleStore) {
    let fixture = try StoreFixture()
    try fixture.outside().write { try $0.execute(sql: rows) }
    return (fixture, ScheduleStore(fixture.database))
  }

  private static func schedule(_ store: ScheduleStore) throws -> StoredSchedule {
    try store.schedule(siteZone: try ZoneName("Europe/Paris"), zones: { _ in nil })
  }

  @Test(
    "a priority that an earlier version stored beyond the limits is read as the limit, below announcements",
    arguments: [
      (2_000_000, 1_000_000), (1_000_001, 1_000_000), (1 << 53, 1_000_000), (1_000_000, 1_000_000),
      (-1_000_001, -1_000_000), (-1 << 53, -1_000_000), (-7, -7),
    ])
  func priorities(stored: Int, read: Int) throws {
    let (fixture, store) = try Self.fixture()
    try fixture.outside().write {
      try $0.execute(sql: "UPDATE rule SET priority = ? WHERE id = 1", arguments: [stored])
    }
    #expect(try store.rule("a").priority == read)
    #expect(try Self.schedule(store).book.rules.map(\.priority) == [read, 0, 7])
    let announcement = ScheduleRule(
      id: RuleID(0), name: "announcement 1-0", programme: "", target: .all,
      priority: ScheduleRule.announcementPriority, kind: .trigger,
      form: .once(try LocalTime("2026-03-02T08:00")))
    let made = try store.add(announcement, playing: .named("ads"), isNamed: false, at: moment(1))
    #expect(made.priority == 1_000_001)
    let second = try store.add(announcement, playing: .named("ads"), isNamed: false, at: moment(1))
    #expect(
      [made.name, second.name] == ["announcement 1-0", "announcement 1-0 2"], "no name is given twice")
    #expect(try Self.schedule(store).book.rules.map(\.priority).max() == 1_000_001)
    #expect(fixture.database.takeDamage() == [])
  }

  @Test(
    "the programme of a source stays while a device has it by its last decision, also when its rule is gone")
  func decided() throws {
    let (fixture, store) = try Self.fixture()
    func programmes() throws -> [String] { try Self.schedule(store).programmes.map(\.name) }
    let rule = ScheduleRule(id: RuleID(0), name: "day", programme: "", target: .all, form: .always)
    let made = try store.add(rule, playing: .source("/day.m3u"), at: moment(1))
    let occurrence = Occurrence(rule: made.id, original: LocalTime(.earliest), start: moment(1), end: nil)
    func decide(_ onAir: ScheduleDecision.OnAir?, _ second: Double) throws {
      let decision = ScheduleDecision(
        at: moment(second), kind: onAir == nil ? .base : .rule, onAir: onAir, planned: nil, reason: "r",
        beneath: [])
      try store.record(decision, device: fixture.device)
    }
    try decide(.init(occurrence: occurrence, programme: "/day.m3u", revision: 1), 2)
    // Nothing of it is on the receiver yet.
    try store.removeRule("day", at: moment(2))
    #expect(try programmes().contains("/day.m3u"))
    try decide(nil, 3)
    try store.setEnabled(true, rule: "a", at: moment(4))
    #expect(try !programmes().contains("/day.m3u"))
  }

  @Test("rules, day parts, calendars and programmes are read as their rows have them")
  func reading() throws {
    let (fixture, store) = try Self.fixture()
    try fixture.enqueue(["a"])
    let schedule = try Self.schedule(store)
    var first = ScheduleRule(
      id: RuleID(1), name: "a", revision: 3, programme: "menus", target: .device("1"), priority: -2,
      form: .daypart("Breakfast", try Weekdays("mon-fri")), zone: try ZoneName("Europe/Berlin"))
    first.validFrom = try LocalDate("2026-01-01")
    first.validUntil = try LocalDate("2026-12-31")
    (first.onlyOn, first.notOn) = ("holidays", "fairs")
    (first.start, first.end, first.resume) = (.wait(seconds: 90), .finish, .item)
    (first.missed, first.volume, first.isEnabled, first.note) = (.within(seconds: 900), 0.25, false, "note")
    first.exceptions = [
      try LocalTime("2026-03-02T08:00"): .skip,
      try LocalTime("2026-03-03T08:00"): .move(try LocalTime("2026-03-03T09:15")),
      try LocalTime("2026-03-04T08:00"): .replace("ads"),
    ]
    var second = ScheduleRule(
      id: RuleID(2), name: "b", programme: "ads", target: .group("Foyers"),
      kind: .share(ShareTerms(secondsPerHour: 200, maxPerHour: 4, minGap: 300)), form: .always)
    (second.start, second.resume, second.missed) = (.next, .restart, .run)
    let third = ScheduleRule(
      id: RuleID(3), name: "c", programme: "ads", priority: 7, kind: .trigger,
      form: .calendar(try CalendarExpression("Mon 12:00 Asia/Tokyo")), length: 60)
    #expect(schedule.book.rules == [first, second, third])
    #expect(
      schedule.book.dayparts == [
        "Breakfast": Daypart(
          name: "Breakfast", part: try DayPart("08:00-10:30"),
          exceptions: [
            .init(.weekdays(try Weekdays("sat,sun")), try DayPart("09:00-24:00")),
            .init(.calendar("holidays"), nil),
          ])
      ])
    #expect(schedule.book.calendars["holidays"]?.label(of: try LocalDate("2026-12-24")) == "Eve")
    #expect(schedule.book.calendars["holidays"]?.days.count == 2)
    #expect(schedule.book.calendars["fairs"]?.days == [])
    #expect(
      schedule.devices == [ScheduleDevice(id: "1", name: "Lobby", groups: ["Foyers"], hasBase: true)])
    let ads = schedule.programmes[0]
    #expect((ads.name, ads.source, ads.filler, ads.digest) == ("ads", "/ads", "menus", "d"))
    #expect((ads.isShuffled, ads.seed, ads.isNamed) == (true, UInt64.max, true))
    #expect((ads.problem, ads.createdAt.milliseconds) == ("gone", 6))
    #expect(fixture.database.takeDamage() == [])
  }

  @Test("zones are loaded once each, by their names; a zone that is not known is left out")
  func zones() throws {
    let (fixture, store) = try Self.fixture()
    try fixture.outside().write { try $0.execute(sql: "UPDATE device SET zone = 'America/Lima'") }
    var asked: [String] = []
    let schedule = try store.schedule(siteZone: try ZoneName("Europe/Paris")) { zone in
      asked.append(zone.text)
      return zone.text == "Asia/Tokyo" ? nil : TimeZoneRules()
    }
    #expect(asked.sorted() == ["America/Lima", "Asia/Tokyo", "Europe/Berlin", "Europe/Paris"])
    #expect(
      Set(schedule.book.zones.keys.map(\.text)) == ["America/Lima", "Europe/Berlin", "Europe/Paris"])
    #expect(schedule.book.siteZone.text == "Europe/Paris")
    #expect(schedule.devices.map(\.zone?.text) == ["America/Lima"])
    #expect(schedule.devices.map(\.hasBase) == [false])
  }

  @Test(
    "a damaged row costs what it is, is noted, and the others play",
    arguments: [
      ("rule SET expression = 'x y z' WHERE id = 1", "bc", "rule, row 1, column expression"),
      ("rule SET priority = 1 << 60 WHERE id = 2", "ac", "rule, row 2, column priority"),
      ("rule SET zone = '../x' WHERE id = 1", "bc", "rule, row 1, column zone"),
      ("rule SET valid_from = 'soon' WHERE id = 1", "bc", "rule, row 1, column valid_from"),
      ("rule_exception SET original_local = 'x' WHERE action = 'skip'", "abc", "rule_exception, row 1"),
      ("daypart SET end_local = '25:00'", "abc", "daypart, row 1, column start_local"),
      ("daypart_exception SET days = 'someday' WHERE ordinal = 0", "abc", "daypart_exception, row 1"),
      ("device SET zone = ' '", "abc", "device, row 1, column zone"),
      ("programme SET created_at = -1 << 62 WHERE id = 1", "abc", "programme, row 1, column created_at"),
    ])
  func damage(update: String, rules: String, words: String) throws {
    let (fixture, store) = try Self.fixture()
    try fixture.outside().write { try $0.execute(sql: "UPDATE \(update)") }
    let schedule = try Self.schedule(store)
    #expect(schedule.book.rules.map(\.name).joined() == rules)
    #expect(schedule.devices.count == 1)
    let damage = fixture.database.takeDamage().map { "\($0)" }
    #expect(damage.count == 1 && damage[0].contains("table \(words)"), "\(damage)")
    #expect(schedule.book.dayparts.isEmpty == update.hasPrefix("daypart"))
  }
}

@Suite("Decisions and credits in rows")
struct DecisionStoreTests {
  private static func occurrence(_ rule: Int64, end: WallTime?, _ programme: String? = nil) throws
    -> Occurrence
  {
    Occurrence(
      rule: RuleID(rule), original: try LocalTime("2026-03-02T08:00:30"), start: moment(60), end: end,
      replacement: programme)
  }

  @Test("a decision is read as it was written, with what waits below it; the next one ends it")
  func roundTrip() throws {
    let fixture = try StoreFixture()
    let store = ScheduleStore(fixture.database)
    #expect(try store.lastDecision(of: fixture.id) == nil)
    let beneath: [ScheduleDecision.Beneath] = [
      .init(occurrence: nil, resume: .second),
      .init(occurrence: try Self.occurrence(7, end: nil), resume: nil),
      .init(occurrence: try Self.occurrence(8, end: .latest, "late"), resume: .restart),
    ]
    var decisions: [ScheduleDecision] = []
    for (number, kind) in PlanSegment.Kind.allCases.enumerated() {
      let hasRule = kind == .rule || kind == .announcement
      let replacement = kind == .rule ? "special" : nil
      let onAir = ScheduleDecision.OnAir(
        occurrence: try Self.occurrence(3, end: hasRule ? moment(99) : nil, replacement),
        programme: replacement ?? "menus", revision: 4)
      decisions.append(
        ScheduleDecision(
          at: moment(Double(number)), kind: kind, onAir: hasRule ? onAir : nil,
          planned: hasRule ? moment(60) : nil, reason: "r\(number)", beneath: beneath,
          passedOver: number == 0 ? [try Self.passedOver] : []))
    }
    var ids: [Int64] = []
    var winner: ScheduleDecision?
    for decision in decisions {
      ids.append(try store.record(decision, device: fixture.device))
      // The winner stays beneath an item of a share.
      if decision.kind != .share { winner = decision }
      #expect(try store.lastDecision(of: fixture.id) == winner)
      #expect(try store.shown(on: fixture.id)?.decision.kind == decision.kind)
    }
    let stored = try ids.compactMap { try store.decision($0) }
    #expect(stored.map(\.decision) == decisions)
    #expect(stored.map(\.id) == ids)
    #expect(stored.map(\.until) == [moment(1), moment(2), moment(3), moment(4), nil])
    #expect(stored.allSatisfy { $0.device == "Lobby" })
    #expect(try store.decision(of: fixture.id, at: moment(1.5))?.id == ids[1])
    #expect(try store.decision(of: fixture.id, at: moment(-1)) == nil)
    #expect(try store.decision(ids[2])?.decision == decisions[2])
    #expect(fixture.database.takeDamage() == [])
  }

  @Test("an entry is on the screen by the decision of its own play, and one without a play by the newest")
  func decisionOfPlay() throws {
    let fixture = try StoreFixture()
    let store = ScheduleStore(fixture.database)
    let entries = try fixture.enqueue(["a", "b"])
    func start(_ entry: EntryID, at seconds: Double) throws {
      try fixture.offer(entry)
      try fixture.record(
        started(EntryTurn(entry: entry, turn: 1), at: seconds), EntryEffect(state: .playing))
    }
    try start(entries[0], at: 10)
    let onAir = ScheduleDecision.OnAir(
      occurrence: try Self.occurrence(3, end: moment(99)), programme: "menus", revision: 4)
    let decision = ScheduleDecision(
      at: moment(20), kind: .rule, onAir: onAir, planned: moment(20), reason: "lunch begins", beneath: [])
    let id = try store.record(decision, device: fixture.device)
    #expect(try store.shown(on: fixture.id, playing: entries[0]) == nil, "it played before")
    #expect(try store.shown(on: fixture.id, playing: entries[1])?.id == id)
    try start(entries[1], at: 30)
    #expect(try store.shown(on: fixture.id, playing: entries[1]) == nil, "it is of the queue")
    try fixture.outside().write { db in
      try db.execute(
        sql: "UPDATE play SET kind = 'rule', decision_id = ? WHERE entry_id = ?",
        arguments: [id, entries[1].rawValue])
    }
    #expect(try store.shown(on: fixture.id, playing: entries[1])?.id == id)
  }

  private static var passedOver: ScheduleDecision.PassedOver {
    get throws {
      .init(key: try occurrence(7, end: nil).key, revision: 3, reason: "nothing \"of\" its list")
    }
  }

  @Test("what a decision has passed over and cannot be read is left out, and reported")
  func damagedPassedOver() throws {
    let fixture = try StoreFixture()
    let store = ScheduleStore(fixture.database)
    let decision = ScheduleDecision(
      at: moment(1), kind: .base, onAir: nil, planned: nil, reason: "a", beneath: [],
      passedOver: [try Self.passedOver])
    try store.record(decision, device: fixture.device)
    for text in ["[{}]", "[7]", "[{]", #"[{"rule": 1, "occurrence": "x", "revision": 1, "reason": "y"}]"#] {
      try fixture.outside().write {
        try $0.execute(sql: "UPDATE decision SET passed_over = ?", arguments: [text])
      }
      #expect(try store.lastDecision(of: fixture.id)?.passedOver == [])
      #expect(
        fixture.database.takeDamage().map { "\($0)".contains("row 1, column passed_over") } == [true])
    }
  }

  @Test(
    "the last decision is the newest row, also when the clock was set back; an amendment changes it alone")
  func amending() throws {
    let fixture = try StoreFixture()
    let store = ScheduleStore(fixture.database)
    var onAir = ScheduleDecision.OnAir(
      occurrence: try Self.occurrence(3, end: moment(99)), programme: "menus", revision: 1)
    let first = ScheduleDecision(
      at: moment(50), kind: .rule, onAir: onAir, planned: nil, reason: "a", beneath: [])
    var second = ScheduleDecision(
      at: moment(10), kind: .rule, onAir: onAir, planned: nil, reason: "b", beneath: [])
    try store.record(first, device: fixture.device)
    try store.record(second, device: fixture.device)
    #expect(try store.lastDecision(of: fixture.id) == second)
    onAir.occurrence = try Self.occurrence(3, end: nil)
    second.onAir = onAir
    second.beneath = [.init(occurrence: nil, resume: .item)]
    second.passedOver = [try Self.passedOver]
    try store.amend(second.standing, device: fixture.id)
    #expect(try store.lastDecision(of: fixture.id) == second)
    #expect(try store.decision(1)?.decision == first)
    (second.beneath, second.passedOver) = ([], [])
    try store.amend(.init(), device: fixture.id)
    #expect(try store.lastDecision(of: fixture.id) == second)
  }

  @Test(
    "damage below a decision costs what is damaged",
    arguments: [
      ("[7, {}, {\"rule\": null, \"resume\": \"item\"}]", 2), ("[{\"rule\": 1}]", 0), ("[{]", 0),
      ("[{\"resume\": \"never\"}]", 0), ("[{\"rule\": 1e99}]", 0),
      ("[{\"rule\": 1, \"occurrence\": \"2026-03-02T08:00\", \"start\": 5, \"end\": \"x\"}]", 0),
    ])
  func damagedList(text: String, count: Int) throws {
    let fixture = try StoreFixture()
    let store = ScheduleStore(fixture.database)
    let decision = ScheduleDecision(
      at: moment(1), kind: .base, onAir: nil, planned: nil, reason: "a", beneath: [])
    try store.record(decision, device: fixture.device)
    try fixture.outside().write { try $0.execute(sql: "UPDATE decision SET beneath = ?", arguments: [text]) }
    #expect(try store.lastDecision(of: fixture.id)?.beneath.count == count)
    #expect(
      fixture.database.takeDamage().map { "\($0)".contains("table decision, row 1, column beneath") } == [
        true
      ])
    try fixture.outside().write { try $0.execute(sql: "UPDATE decision SET at = 1 << 62") }
    #expect(try store.lastDecision(of: fixture.id) == nil)
    #expect(fixture.database.takeDamage().count == 1)
  }

  @Test("credits are kept by rule and device; those of rules that are gone are left out")
  func credits() throws {
    let fixture = try StoreFixture()
    let store = ScheduleStore(fixture.database)
    try fixture.outside().write {
      try $0.execute(
        sql: """
          INSERT INTO programme (id, name, source, created_at) VALUES (1, 'p', '/p', 0);
          INSERT INTO rule (id, name, programme_id, kind, form, expression, share_s_per_hour)
            VALUES (1, 'a', 1, 'share', 'always', '', 9), (2, 'b', 1, 'share', 'always', '', 9)
          """)
    }
    let first = ShareCredit(owed: -5, playsInHour: 2, hour: 400_000, lastEnd: moment(3))
    let second = ShareCredit(owed: 5)
    try store.keep([RuleID(1): first, RuleID(2): second, RuleID(9): first], device: fixture.id)
    #expect(try store.credits(of: fixture.id) == [RuleID(1): first, RuleID(2): second])
    try store.keep([RuleID(1): second], device: fixture.id)
    #expect(try store.credits(of: fixture.id) == [RuleID(1): second, RuleID(2): second])
    #expect(try store.credits(of: DeviceID(9)) == [:])
    try fixture.outside().write {
      try $0.execute(sql: "UPDATE credit SET last_at = 1 << 62 WHERE rule_id = 1")
    }
    #expect(try store.credits(of: fixture.id) == [RuleID(2): second])
    #expect(fixture.database.takeDamage().count == 1)
  }
}
