import CastProtocol
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText
import Foundation
import Testing

@Suite("Plans and reasons, of rows of that day")
struct PlanRowsTests {
  private static let hasZones = FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Berlin")

  /// Two devices, a group of both, programmes, rules and decisions: what the verbs and a daemon write.
  private static let rows = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    def at(text):
        return int(__import__('datetime').datetime.fromisoformat(text).timestamp() * 1000)
    for number, name in ((1, 'menus'), (2, 'offers'), (3, 'gong')):
        db.execute("INSERT INTO programme (id, name, source, created_at) VALUES (?, ?, '/srv/list.m3u', 0)", (number, name))
    db.execute("INSERT INTO device_group (id, name) VALUES (1, 'shop')")
    db.executemany("INSERT INTO group_member VALUES (1, ?)", ((1,), (2,)))
    rule = ("INSERT INTO rule (id, name, programme_id, device_id, group_id, priority, kind, form, expression, duration_s, revision)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    db.execute(rule, (1, 'breakfast', 1, None, 1, 0, 'window', 'daily', '08:00-10:30', None, 2))
    db.execute(rule, (2, 'lunch', 1, None, 1, 0, 'window', 'daily', '11:30-14:00', None, 1))
    db.execute(rule, (3, 'sale', 2, 1, None, 5, 'window', 'daily', '09:00-10:00', None, 1))
    db.execute(rule, (4, 'noon', 3, 1, None, 0, 'trigger', 'cron', '0 12 * * *', 60, 1))
    for rule, time in ((1, '2026-01-01T00:00:00Z'), (2, '2026-02-01T00:00:00Z'), (3, '2026-01-01T00:00:00Z')):
        db.execute("INSERT INTO rule_history VALUES (?, ?, ?, NULL, '{\\"priority\\":7}')", (rule, 1, at(time)))
    decision = ("INSERT INTO decision (id, device_id, device_name, at, until, kind, rule_id, rule_name, revision, programme,"
      " occurrence, starts_at, ends_at, planned_at, reason) VALUES (?, 1, 'lobby', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    begin, end = at('2026-01-12T07:00:00Z'), at('2026-01-12T09:30:00Z')
    db.execute(decision, (1, begin, end, 'rule', 1, 'breakfast', 1, 'menus', '2026-01-12T08:00', begin, end, begin, 'began 08:00'))
    db.execute(decision, (2, end, None, 'base', None, None, None, None, None, None, None, None, 'breakfast ended'))
    play = ("INSERT INTO play (id, entry_id, turn, device_id, device_name, title, url, started_at, ended_at, outcome, evidence,"
      " kind, rule_id, rule_name, rule_revision, occurrence, planned_at, decision_id) VALUES (7, 90, 1, 1, 'lobby', 'Welcome',"
      " 'http://192.0.2.1/a.mp4', ?, ?, 'finished', 'reported', 'rule', 1, 'breakfast', 1, '2026-01-12T08:00', ?, 1)")
    db.execute(play, (begin + 3000, begin + 63000, begin))
    db.commit()
    """

  /// A morning of `bar`: an outage, a guest, a stop, and the end of its queue.
  private static let morning = """
    import datetime, sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    def at(text):
        return int(datetime.datetime.fromisoformat(f"2026-01-20T{text}+00:00").timestamp() * 1000)
    db.execute("UPDATE device SET created_at = ? WHERE id = 2", (at("08:00:00"),))
    play = ("INSERT INTO play (entry_id, turn, device_id, device_name, title, url, started_at, ended_at, outcome, evidence, cause,"
      " caused_by, gap_before_s, kind) VALUES (?, 1, 2, 'bar', ?, ?, ?, ?, 'interrupted', 'reported', ?, ?, ?, 'base')")
    for number, (begin, end, cause, by, gap) in enumerate((
        ("08:10:00", "09:00:00", "completed", None, None), ("09:00:01", "09:30:00", "device_lost", None, 1),
        ("10:00:05", "10:20:00", "guest", "Holiday video", None), ("10:50:00", "11:00:00", "stopped", None, None),
        ("11:30:00", "12:00:00", "completed", None, None))):
        name = f"film-{'abcde'[number]}"
        db.execute(play, (200 + number, name, f"http://192.0.2.1/{name}.mp4", at(begin), at(end), cause, by, gap))
    db.execute("INSERT INTO outage (device_id, device_name, began_at, ended_at, cause) VALUES (2, 'bar', ?, ?, 'closed the connection')",
      (at("09:30:00"), at("10:00:00")))
    db.commit()
    """

  private func prepared(zone: String = "UTC") async throws -> OperationsSite {
    let site = try OperationsSite(zone: zone)
    _ = try Workspace(site.call).addDevice(named: "bar", at: "127.0.0.1:2")
    try await site.python(Self.rows)
    return site
  }

  private func call(_ site: OperationsSite, _ device: String) -> CallOptions {
    var call = site.call
    call.device = [device]
    return call
  }

  private func run(_ site: OperationsSite, _ device: String, _ from: String?, _ to: String) async throws
    -> PlanRun
  {
    let query = PlanQuery(from: try from.map(PlanRange.time), to: try PlanRange.time(to))
    return try await PlanRun(call(site, device), query)
  }

  private func plan(
    _ site: OperationsSite, _ device: String, _ from: String?, _ to: String
  ) async throws -> JSONValue {
    try JSONValue(parsing: Array(try await run(site, device, from, to).json().utf8))
  }

  /// The lines of a plan in another form.
  private func lines(
    _ site: OperationsSite, _ device: String, _ from: String, _ to: String,
    isCalendar: Bool = false, _ form: (PlanFrame) -> any PlanForm
  ) async throws -> [Substring] {
    var text = ""
    _ = try await run(site, device, from, to).write(isCalendar: isCalendar, as: form) { text += $0 }
    return text.split(whereSeparator: \.isNewline)
  }

  private func why(_ site: OperationsSite, _ device: String?, _ question: String?) async throws -> WhyReply {
    var call = site.call
    call.device = device.map { [$0] } ?? []
    return try await WhyRun(call, tz: nil).reply(
      question.map { (text) throws(TextError) in
        try WhyQuestion(reading: text)
      })
  }

  private func add(
    _ site: OperationsSite, on device: String, playing programme: String, priority: Int,
    replaces: Bool = false
  ) async throws {
    let rule = ScheduleRule(
      id: RuleID(0), name: "day", programme: "", priority: priority, form: .always)
    _ = try await ScheduleCall(call(site, device)).add(rule, playing: programme, replaces: replaces)
  }

  @Test("what was passed over is named by the decision of that time, not by what is passed over now")
  func passedOverThen() async throws {
    let site = try await prepared()
    try await site.python(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      lost = '[{"rule":2,"occurrence":"2026-03-02T11:30","revision":1,"reason":"its list is empty"}]'
      db.execute("UPDATE decision SET passed_over = ? WHERE id = 2", (lost,))
      db.commit()
      """)
    let then = try await why(site, "lobby", "2026-03-02T12:15:00Z").lines
    #expect(then.dropFirst().first == "base  won: breakfast ended", "\(then)")
    #expect(then.contains("lunch  broken: its list is empty"), "\(then)")
    let next = try await why(site, "lobby", "2026-03-03T12:15:00Z").lines
    #expect(!next.contains { $0.contains("broken") }, "\(next)")
  }

  @Test("a calendar has what was planned by the rules as they were, and what is to come by those that are")
  func rulesOfThen() async throws {
    let site = try await prepared()
    try await add(site, on: "bar", playing: "menus", priority: 8)
    try await add(site, on: "bar", playing: "offers", priority: 9, replaces: true)
    try await site.python(
      """
      import sqlite3, sys, time
      db = sqlite3.connect(sys.argv[1])
      now = int(time.time() * 1000)
      for revision, at in ((1, now - 7200000), (2, now - 3600000)):
          db.execute("UPDATE rule_history SET at = ? WHERE revision = ? AND rule_id = (SELECT id FROM rule WHERE name = 'day')", (at, revision))
      db.commit()
      """)
    let calendar = try await lines(site, "bar", "-3h", "+1h", isCalendar: true) { PlanFile(.calendar, $0) }
    let always = calendar.filter { $0.hasPrefix("SUMMARY:day") }
    #expect(always == ["SUMMARY:day → menus", "SUMMARY:day → offers"], "\(calendar)")
    // Nothing played, and a plan of what has passed does not say that it did.
    let document = try await plan(site, "bar", "-3h", "+1h")
    let segments = document["segments"]?.array ?? []
    let day = segments.filter { $0["rule"]?.string == "day" }
    #expect(day.map { $0["programme"]?.string } == ["offers"] && day.map { $0["revision"]?.int } == [2])
    #expect(segments.last?["end"] == document["to"] && segments.first?["start"] != document["from"])
    for (one, two) in zip(segments, segments.dropFirst()) { #expect(one["end"] == two["start"]) }
    // From now on nothing of the past is in it.
    #expect(try await !"\(plan(site, "bar", nil, "+24h"))".contains("menus"))
  }

  @Test("a calendar that is exported again calls what is running the same")
  func names() async throws {
    let site = try await prepared()
    try await add(site, on: "bar", playing: "menus", priority: 9)
    func names(_ device: String, from time: String) async throws -> Set<Substring> {
      Set(
        try await lines(
          site, device, "2036-12-14T\(time)Z", "2036-12-15T00:00:00Z", isCalendar: true
        ) { PlanFile(.calendar, $0) }.filter { $0.hasPrefix("UID:") })
    }
    let whole = try await names("lobby", from: "08:00:00")
    #expect(whole.count == 6, "breakfast, sale, breakfast, lunch, noon, lunch")
    for moment in ["08:30:00", "08:30:01", "09:10:00", "10:10:00", "12:00:30", "13:00:00"] {
      let later = try await names("lobby", from: moment)
      #expect(!later.isEmpty && later.isSubset(of: whole), "\(moment): \(later.subtracting(whole))")
    }
    let always = try await names("bar", from: "08:00:00")
    #expect(try await names("bar", from: "08:00:01") == always && always.count == 1)
  }

  @Test(
    "why: each rule with one reason, from the plan for the future and from decisions for the past",
    .enabled(if: hasZones))
  func why() async throws {
    let site = try await prepared(zone: "Europe/Berlin")
    #expect(
      try await why(site, "lobby", "2036-12-15T09:15:00+01:00").lines == [
        "sale  won: daily 09:00-10:00, priority 5, Europe/Berlin", "breakfast  lost: priority 0 < 5",
        "lunch  later: starts 11:30", "noon  later: starts 12:00",
      ])
    let dark = try await why(site, "bar", "2036-12-15T03:00:00+01:00").lines
    #expect(dark.first?.hasPrefix("Nothing is on: no rule is on") == true)
    let document = try await why(site, "lobby", "2036-12-15 09:15").json
    #expect(document["at"]?.string == "2036-12-15T08:15:00.000Z" && document["decision"] == nil)
    #expect(document["winner"]?["rule"]?.string == "sale" && document["device"]?.string == "lobby")
    guard case .object(let candidate)? = document["candidates"]?.array?.first else {
      Issue.record("there is no candidate")
      return
    }
    #expect(Set(candidate.keys) == ["rule", "outcome", "reason"])

    let past = try await why(site, "lobby", "2026-01-12T09:15:00+01:00")
    #expect(
      past.lines == [
        "09:15:00  unobserved: castq did not see the screen 08:01:03–10:30:00; breakfast → menus was due",
        "breakfast  won: began 08:00", "sale  lost: was due, and breakfast was on: began 08:00",
        "noon  later: starts 12:00",
        "lunch  off: was made or changed later, 2026-02-01 01:00:00 Europe/Berlin",
      ])
    let winner = past.json["winner"]
    #expect(winner?["rule"]?.string == "breakfast" && winner?["revision"]?.int == 1)
    #expect(winner?["priority"]?.int == 7, "of the revision of that day")
    let decision = past.json["decision"]
    #expect(decision?["decision"]?.int == 1 && decision?["reason"]?.string == "began 08:00")
    #expect(
      try await why(site, "lobby", "2026-01-12T12:15:00+01:00").lines.prefix(2) == [
        "12:15:00  dark: nothing was left to play, and no rule was on since 10:30:00",
        "base  won: breakfast ended",
      ])
    // Now, as the rules are.
    #expect(try await why(site, "lobby", nil).json["winner"]?["device"]?.string == "lobby")

    let play = try await why(site, nil, "play:7")
    #expect(
      play.lines == [
        "Welcome on lobby: Mon 12 Jan 08:00:03–08:01:03, finished",
        "  rule: breakfast (revision 1) of 2026-01-12T08:00, 3 s after its time", "  decided: began 08:00",
      ])
    #expect(play.json["rule"]?.string == "breakfast" && play.json["decision"]?["decision"]?.int == 1)
    await expectFailure(.badData, saying: "no play 8") { _ = try await why(site, nil, "play:8") }

    let entry = try #require(try await site.enqueue("a").added.first?.id.rawValue)
    let waiting = try await why(site, nil, "\(entry)").lines
    #expect(waiting.first?.hasSuffix("(entry \(entry)) on lobby: pending") == true)
    #expect(waiting.last?.hasPrefix("  it is in the queue that people fill, which is on ") == true)
    let gone = try await why(site, nil, "90").json
    #expect(gone["title"]?.string == "Welcome" && gone["plays"]?.array?.first?["play"]?.int == 7)
    await expectFailure(.badData, saying: "91") { _ = try await why(site, nil, "91") }
  }

  @Test(
    "the past of a plan is what was on the screen: plays, outages, guests, stops, and nothing before the first row"
  )
  func past() async throws {
    let site = try await prepared()
    try await site.python(Self.morning)
    let (start, end) = ("2026-01-20T07:00:00Z", "2026-01-20T13:00:00Z")
    let segments = try await plan(site, "bar", start, end)["segments"]?.array ?? []
    let kinds = ["unobserved", "base", "dark", "base", "guest", "base", "stopped", "base", "dark"]
    try #require(segments.map { $0["kind"]?.string } == kinds)
    #expect(
      segments[0]["start"]?.string == "2026-01-20T08:00:00.000Z", "before its first row nothing is known")
    #expect(segments[2]["cause"]?.string == "unreachable" && segments[8]["cause"]?.string == "nothing_due")
    let csv = try await lines(site, "bar", start, end) { PlanFile(.csv, $0) }
    #expect(csv.count == 10 && csv[5].contains(",guest,,"), "\(csv)")
    // Each of them is the answer of why, and the outage is that of the report.
    for (time, line) in [
      ("07:30", "07:30:00  nothing is known of bar before 08:00:00"),
      ("09:15", "09:15:00  base: film-b 09:00:01–09:30:00"),
      (
        "09:45",
        "09:45:00  dark: bar did not answer 09:30:00–10:00:00 (closed the connection); film-b was due"
      ),
      (
        "10:30",
        "10:30:00  guest: another sender had the screen 10:20:00–10:50:00 (Holiday video); film-c was due"
      ),
      ("11:10", "11:10:00  stopped: stopped by castq 11:00:00–11:30:00; film-d was due"),
      ("12:30", "12:30:00  dark: nothing was left to play, and no rule was on since 12:00:00"),
    ] {
      #expect(try await why(site, "bar", "2026-01-20T\(time):00Z").lines.first == line)
    }
    let dark = try await why(site, "bar", "2026-01-20T09:45:00Z").json
    #expect(dark["winner"]?["cause"]?.string == "unreachable")
    #expect(dark["screen"]?["cause"]?.string == "unreachable")
    #expect(dark["screen"]?["start"] == segments[2]["start"] && dark["screen"]?["end"] == segments[2]["end"])
    let call = call(site, "bar")
    let period = try PeriodQuery(since: TimeArgument(start), until: TimeArgument(end)).read(call)
    let report = try await ReportRun(call, period).document(.outages, by: nil)
    #expect(report.documents.first?["seconds"]?.int == 1800)
  }

  @Test("within two seconds after a planned change, why names the change and when it was on the screen")
  func boundary() async throws {
    let site = try await prepared()
    func lines(_ time: String) async throws -> [String] {
      try await why(site, "lobby", "2026-01-12T\(time)Z").lines
    }
    for time in ["07:00:00", "07:00:01"] {
      let lines = try await lines(time)
      #expect(lines.first == "07:00:00  breakfast began; on the screen 3.00 s later", "\(lines)")
      #expect(lines.dropFirst().first == "breakfast  won: began 08:00", "\(lines)")
    }
    #expect(
      try await lines("09:30:00").first
        == "09:30:00  breakfast ended; nothing was on the screen within a minute")
    #expect(
      try await lines("07:00:30").first == "07:00:30  rule: Welcome 07:00:03–07:01:03, by breakfast → menus")
  }

  @Test("a queue ends in a plan when what is left of it has been played, and one that repeats does not")
  func queueEnd() async throws {
    let site = try OperationsSite()
    let list = "#EXTM3U\n#EXTINF:600,A\nhttp://192.0.2.1/a.mp4\n#EXTINF:900,B\nhttp://192.0.2.1/b.mp4\n"
    #expect(try await site.enqueue(site.read(site.file("list.m3u", list))).added.count == 2)
    func plan(_ from: String?, _ to: String) async throws -> [(kind: String?, seconds: Double)] {
      try await self.plan(site, "lobby", from, to)["segments"]?.array?.map { segment in
        let ends = ["start", "end"].compactMap { segment[$0]?.string }.compactMap {
          try? Date($0, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
        }
        return (segment["kind"]?.string, ends.count == 2 ? ends[1].timeIntervalSince(ends[0]) : 0)
      } ?? []
    }
    let now = try await plan(nil, "+1h")
    #expect(now.map(\.kind) == ["base", "dark"] && abs((now.first?.seconds ?? 0) - 1500) < 60, "\(now)")
    let later = try await plan("+20m", "+1h")
    #expect(later.map(\.kind) == ["base", "dark"] && abs((later.first?.seconds ?? 0) - 300) < 60, "\(later)")
    #expect(try await plan("+1h", "+2h").map(\.kind) == ["dark"])
    let isFailed = try await run(site, "lobby", nil, "+24h").write(as: { PlanFile(.json, $0) }) { _ in }
    #expect(isFailed)
    #expect(try await why(site, nil, "+1h").lines.first?.hasPrefix("Nothing is on: ") == true)
    #expect(try await why(site, nil, "+10m").lines.first?.hasPrefix("base  won: ") == true)
    let queue = try await site.queue()
    try queue.workspace.queue.setRepeat(.all, for: queue.device.id)
    #expect(try await plan("+1h", "+2h").map(\.kind) == ["base"])
  }
}
