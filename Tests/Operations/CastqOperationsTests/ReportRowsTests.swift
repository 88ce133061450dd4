import CastProtocol
import CastqFeeding
import CastqOperations
import CastqSchedule
import CastqStore
import CastqText
import Testing

@Suite("Reports, of rows of that day")
struct ReportRowsTests {
  private let site: OperationsSite
  private let workspace: Workspace

  /// Two devices, what they played over the night of 25 October 2026 in Berlin, and an outage.
  private static let night = """
    import sqlite3, sys
    from datetime import datetime
    db = sqlite3.connect(sys.argv[1])
    ms = lambda t: t and int(datetime.fromisoformat(t + "+00:00").timestamp() * 1000)
    rows = [
      (1, "lobby", "A", "http://m/a", "2026-10-24T21:30:00", "2026-10-24T22:30:00", 3600, "finished", None, "base", None),
      (1, "lobby", "=1+1", "http://m/b", "2026-10-25T00:30:00", "2026-10-25T01:30:00", 3000, "finished", 0.25, "rule", "lunch"),
      (2, "bar", "A", "http://m/a", None, "2026-10-25T10:00:00", 0, "failed", None, "base", None),
      (1, "lobby", "S", "http://m/s", "2026-10-25T12:00:00", "2026-10-25T12:05:00", 300, "finished", 1.75, "share", "beer")]
    for i, (d, n, t, u, s, e, p, o, g, k, r) in enumerate(rows):
        db.execute("INSERT INTO play (entry_id, turn, device_id, device_name, title, url, started_at, ended_at, played_s, outcome, "
          "evidence, gap_before_s, kind, rule_name) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, 'reported', ?, ?, ?)",
          (i + 1, d, n, t, u, ms(s), ms(e), p, o, g, k, r))
    db.execute("INSERT INTO decision (device_id, device_name, at, until, kind, rule_id, rule_name, revision, programme, occurrence, "
      "starts_at, ends_at, planned_at, reason) VALUES (1, 'lobby', ?, ?, 'rule', 9, 'lunch', 1, 'p', '2026-10-25T01:00', ?, ?, ?, 'r')",
      tuple(ms(t) for t in ("2026-10-25T00:10:00", "2026-10-25T02:00:00", "2026-10-25T00:00:00", "2026-10-25T01:00:00",
        "2026-10-25T00:00:00")))
    for d, n, b, e in [(1, "lobby", "2026-10-25T22:30:00", "2026-10-25T23:30:00"), (2, "bar", "2026-10-20T00:00:00", None)]:
        db.execute("INSERT INTO outage (device_id, device_name, began_at, ended_at, cause) VALUES (?, ?, ?, ?, 'no answer')",
          (d, n, ms(b), ms(e)))
    db.commit()
    """

  init() async throws {
    site = try OperationsSite()
    workspace = try Workspace(site.call)
    _ = try workspace.addDevice(named: "bar", at: "192.0.2.2")
    try await site.python(Self.night)
  }

  private func document(
    _ kind: ReportRun.Kind, by key: ReportKey? = nil, since: String? = nil, until: String? = nil,
    tz: String? = nil, on devices: String...
  ) async throws -> ReportDocument {
    var call = site.call
    call.device = devices
    let period = try PeriodQuery(
      since: since.map(TimeArgument.init), until: until.map(TimeArgument.init), tz: tz.map(Zone.init(_:))
    ).read(call)
    return try await ReportRun(call, period).document(kind, by: key)
  }

  /// `key: value` of two members of each row.
  private func pairs(_ report: ReportDocument, _ key: String, _ value: String) -> [String] {
    report.documents.map { "\($0[key]?.string ?? "-"): \($0[value]?.double.map { "\($0)" } ?? "-")" }
  }

  private func isNull(_ document: JSONValue?, _ key: String) -> Bool {
    guard case .object(let members)? = document else { return false }
    return members[key] == .null
  }

  private func add(
    _ name: String, _ form: RuleForm, on target: String, zone: String? = nil, kind: RuleKind = .window,
    replaces: Bool = false
  ) async throws {
    var call = site.call
    call.device = [target]
    let rule = ScheduleRule(
      id: RuleID(0), name: name, programme: "", kind: kind, form: form, zone: try zone.map(ZoneName.init))
    _ = try await ScheduleCall(call).add(
      rule, playing: "http://media.example/film.mp4", replaces: replaces)
  }

  private func daily(_ part: String) throws -> RuleForm { .daily(try DayPart(part), .all) }

  private func removeRule(_ name: String) throws {
    try site.schedule().ask { (store) throws(StoreError) in try store.removeRule(name, at: .now) }
  }

  @Test("plays are counted by media, device, day, hour and rule, in a zone and a period")
  func plays() async throws {
    #expect(
      pairs(try await document(.plays), "media", "plays") == [
        "http://m/a: 2.0", "http://m/b: 1.0", "http://m/s: 1.0",
      ])
    #expect(
      pairs(try await document(.plays, by: .device), "device", "shown_s") == ["bar: 0.0", "lobby: 6900.0"])
    #expect(
      pairs(try await document(.plays, by: .rule), "rule", "shown_s") == [
        "-: 3600.0", "beer: 300.0", "lunch: 3000.0",
      ])
    let days = try await document(.plays, by: .day, tz: "Europe/Berlin")
    #expect(pairs(days, "day", "shown_s") == ["2026-10-24: 1800.0", "2026-10-25: 5100.0"])
    let hours = try await document(.plays, by: .hour, until: "2026-10-25T02:00:00Z", tz: "Europe/Berlin")
    #expect(
      pairs(hours, "hour", "shown_s") == [
        "2026-10-24T23:00+02:00: 1800.0", "2026-10-25T00:00+02:00: 1800.0",
        "2026-10-25T02:00+02:00: 1500.0", "2026-10-25T02:00+01:00: 1500.0",
      ])
    let late = try await document(.plays, by: .device, since: "2026-10-25T01:00:00Z")
    #expect(pairs(late, "device", "shown_s") == ["bar: 0.0", "lobby: 1800.0"])
    #expect(pairs(late, "device", "plays") == ["bar: 1.0", "lobby: 1.0"])
    #expect(pairs(try await document(.plays, on: "bar"), "media", "failed") == ["http://m/a: 1.0"])
    try await site.schedule().addGroup("upstairs", members: ["bar"])
    #expect(try await document(.plays, on: "@upstairs").rows.count == 1)
    let whole = try await document(.plays, by: .day, until: "2026-10-25", tz: "UTC").json
    #expect(whole["report"]?.string == "plays" && whole["by"]?.string == "day")
    #expect(whole["until"]?.string == "2026-10-25T00:00:00.000Z" && isNull(whole, "since"))
    #expect(whole["total"]?["plays"]?.int == 1 && whole["total"]?["reported"]?.int == 1)
    let csv = try await document(.plays).csv
    #expect(
      csv.first
        == "media,title,plays,shown_s,finished,interrupted,cancelled,skipped,failed,unknown,playing,reported,inferred,unobserved"
    )
    #expect(csv.contains("http://m/b,'=1+1,1,3000,1,0,0,0,0,0,0,1,0,0"), "a spreadsheet reads no formula")
  }

  @Test("gaps, outages, adherence and shares are reported")
  func others() async throws {
    let gaps = try await document(.gaps)
    #expect(pairs(gaps, "device", "dark_s") == ["lobby: 2.0"])
    #expect(pairs(gaps, "device", "longest_s") == ["lobby: 1.75"])
    #expect(
      pairs(try await document(.gaps, by: .media), "media", "gaps") == [
        "http://m/b: 1.0", "http://m/s: 1.0",
      ])
    let outages = try await document(.outages, on: "lobby").documents
    #expect(outages.count == 1 && outages[0]["cause"]?.string == "no answer")
    #expect(outages.first?["seconds"]?.int == 3600)
    let open = try await document(.outages).documents.first
    #expect(isNull(open, "ended_at") && open?["device"]?.string == "bar")
    let days = try await document(.outages, by: .day, tz: "Europe/Berlin", on: "lobby")
    #expect(pairs(days, "day", "seconds") == ["2026-10-25: 1800.0", "2026-10-26: 1800.0"])
    let values = try await document(.outages, tz: "Asia/Tokyo", on: "lobby").csv
    #expect(values.last == "2026-10-25T22:30:00.000Z,2026-10-25T23:30:00.000Z,lobby,3600,no answer")
    // The decision came ten minutes late and held longer than its occurrence.
    let adherence = try await document(.adherence)
    #expect(pairs(adherence, "rule", "planned_s") == ["lunch: 3600.0"])
    #expect(pairs(adherence, "rule", "shown_s") == ["lunch: 3000.0"])
    #expect(adherence.documents.first?["occurrences"]?.int == 1)
    #expect(adherence.documents.first?["part"]?.double == 0.8333)
    #expect(
      pairs(try await document(.adherence, by: .day, tz: "UTC"), "day", "missing_s") == ["2026-10-25: 600.0"])
    let shares = try await document(.share, tz: "UTC")
    #expect(pairs(shares, "hour", "shown_s") == ["2026-10-25T12:00+00:00: 300.0"])
    #expect(isNull(shares.documents.first, "due_s"), "nobody knows the rule any more")
    #expect(pairs(try await document(.share, by: .rule), "rule", "plays") == ["beer: 1.0"])
  }

  @Test("a rule that was switched on in the middle of its window was not to show anything before")
  func middle() async throws {
    // The window was from 12:00, and its decision at 12:10: the rule was switched on at 12:05.
    try await site.python(
      """
      import sqlite3, sys; d = sqlite3.connect(sys.argv[1])
      rule, starts = d.execute("SELECT rule_id, starts_at FROM decision WHERE rule_id IS NOT NULL AND kind = 'rule'").fetchone()
      change = "INSERT INTO rule_history (rule_id, revision, at, before, after) VALUES (?, ?, ?, ?, '{}')"
      d.execute(change, (rule, 1, starts - 86400000, None))
      d.execute(change, (rule, 2, starts + 300000, '{"enabled": false}'))
      d.commit()
      """)
    let adherence = try await document(.adherence)
    #expect(pairs(adherence, "rule", "planned_s") == ["lunch: 3300.0"])
    #expect(pairs(adherence, "rule", "shown_s") == ["lunch: 3000.0"])
  }

  @Test(
    "an announcement that waited for the end of an item is planned for as long as its programme, and misses nothing"
  )
  func waited() async throws {
    // It was to come at 14:00, waited for 17 s as it was told to, and took three.
    try await site.python(
      """
      import sqlite3, sys; d = sqlite3.connect(sys.argv[1])
      start = 1792936800000
      d.execute("INSERT INTO decision (device_id, device_name, at, until, kind, rule_id, rule_name, revision, programme, occurrence, "
        "starts_at, planned_at, reason) VALUES (1, 'lobby', ?, ?, 'announcement', 10, 'call', 1, 'c', '2026-10-25T14:00', ?, ?, 'r')",
        (start + 17000, start + 20000, start, start))
      d.execute("INSERT INTO play (entry_id, turn, device_id, device_name, title, url, started_at, ended_at, played_s, outcome, evidence, "
        "kind, rule_name) VALUES (99, 1, 1, 'lobby', 'C', 'http://m/c', ?, ?, 3, 'finished', 'reported', 'announcement', 'call')",
        (start + 17000, start + 20000))
      d.commit()
      """)
    let call = try await document(.adherence).documents.first { $0["rule"]?.string == "call" }
    #expect(call?["planned_s"]?.double == 3 && call?["shown_s"]?.double == 3, "\(String(describing: call))")
    #expect(call?["missing_s"]?.double == 0)
  }

  private static let morning = (since: "2026-10-25T08:00:00Z", until: "2026-10-25T13:00:00Z")

  @Test("what the plan says of the past counts where nobody was there to decide")
  func planned() async throws {
    try await add("evening", daily("00:00-24:00"), on: "lobby", zone: "UTC")
    try await add(
      "beer", .always, on: "lobby",
      kind: .share(ShareTerms(secondsPerHour: 600, maxPerHour: nil, minGap: 0)))
    // As if the rules had been there since that day.
    try await site.python(
      "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('UPDATE rule_history SET at = 1792886400000'); d.commit()"
    )
    func planned() async throws -> [String] {
      let report = try await document(.adherence, since: Self.morning.since, until: Self.morning.until)
      return pairs(report, "rule", "planned_s")
    }
    #expect(try await planned() == ["evening: 18000.0"])
    // An edit, and the end of the rule, are of their own time.
    try await add("evening", daily("01:00-02:00"), on: "lobby", zone: "UTC", replaces: true)
    #expect(try await planned() == ["evening: 18000.0"])
    try removeRule("evening")
    #expect(try await planned() == ["evening: 18000.0"])
    let shares = try await document(
      .share, by: .rule, since: Self.morning.since, until: Self.morning.until)
    #expect(pairs(shares, "rule", "due_s") == ["beer: 50.0"])
    #expect(pairs(shares, "rule", "difference_s") == ["beer: 250.0"])
  }

  @Test(
    "an edit of a day part, a calendar, a group or a device's name is of its own time, and so is their end: neither what was planned nor why is another one"
  )
  func named() async throws {
    // Nobody has decided anything there.
    _ = try workspace.addDevice(named: "hall", at: "192.0.2.3")
    let call = try site.schedule()
    let sunday = try LocalDate("2026-10-25")
    func part(_ times: String, onFeasts other: String? = nil) throws -> Daypart {
      Daypart(
        name: "part", part: try DayPart(times),
        exceptions: try other.map { [.init(.calendar("feasts"), try DayPart($0))] } ?? [])
    }
    try await call.addDay(sunday, label: "Sunday", to: "feasts")
    try await call.addDaypart(part("08:00-09:00", onFeasts: "08:00-10:00"))
    try await call.addGroup("g", members: ["hall"])
    try await add("morning", .daypart("part", .all), on: "@all", zone: "UTC")
    try await add("noon", daily("10:00-11:00"), on: "@g", zone: "Asia/Kathmandu")
    try await add("late", daily("11:00-12:00"), on: "bar", zone: "UTC")
    // As if all of it had been there since that day.
    try await site.python(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      for table in ("rule_history", "named_history"): db.execute(f"UPDATE {table} SET at = 1792886400000")
      db.commit()
      """)
    func planned() async throws -> [String] {
      pairs(
        try await document(.adherence, since: "2026-10-25T03:00:00Z", until: Self.morning.until), "rule",
        "planned_s")
    }
    func why(_ device: String, _ moment: String) async throws -> [String] {
      var options = site.call
      options.device = [device]
      let lines = try await WhyRun(options, tz: nil).reply(.moment(TimeText(moment))).lines
      return lines.dropFirst().filter { !$0.contains("later") }
    }
    let (moment, noon) = ("2026-10-25T09:30:00Z", "2026-10-25T11:30:00Z")
    let expected = ["late: 3600.0", "morning: 21600.0", "noon: 3600.0"]
    #expect(try await planned() == expected)
    let first = try await why("hall", moment)
    let late = try await why("bar", noon)
    #expect(first.first?.hasPrefix("morning  won: ") == true && first.count == 2, "\(first)")
    // An outage of the bar has lasted for days.
    #expect(late.first == "late  lost: was due, and the device did not answer" && late.count == 2)
    let changes: [(String, () async throws -> Void)] = [
      ("part", { try await call.addDaypart(part("08:00-08:30"), replaces: true) }),
      (
        "part on feasts",
        { try await call.addDaypart(part("08:00-09:00", onFeasts: "08:00-08:10"), replaces: true) }
      ), ("day", { try await call.removeDay(sunday, from: "feasts") }),
      ("member", { try await call.removeGroup("g", members: ["hall"]) }),
      ("group", { try await call.addGroup("g", members: ["bar"]) }),
      ("alias", { try await workspace.setAlias("counter", of: "bar") }),
      ("late", { try await add("late", daily("11:00-12:00"), on: "hall", zone: "UTC", replaces: true) }),
      ("noon", { try removeRule("noon") }), ("morning", { try removeRule("morning") }),
      ("no group", { try await call.removeGroup("g") }),
      ("no part", { try await call.removeDaypart("part") }),
      ("no calendar", { try await call.removeDay(nil, from: "feasts") }),
    ]
    var bar = "bar"
    for (name, change) in changes {
      try await change()
      #expect(try await planned() == expected, "\(name)")
      if name == "alias" { bar = "counter" }
      #expect(try await why("hall", moment) == first, "\(name)")
      #expect(try await why(bar, noon) == late, "\(name)")
    }
  }

  @Test("removing media, devices and rules changes no report")
  func removed() async throws {
    func all() async throws -> [JSONValue] {
      var reports = [
        try await document(.plays, by: .hour, tz: "UTC"), try await document(.gaps, tz: "UTC"),
        try await document(.outages, by: .device, until: "2026-10-26", tz: "UTC"),
        try await document(.adherence, tz: "UTC"), try await document(.plays, tz: "UTC"),
      ].map(\.json)
      #expect(reports.allSatisfy { $0["rows"]?.array?.isEmpty == false })
      let plays = try workspace.history.plays(matching: HistoryStore.Filter())
      #expect(!plays.isEmpty)
      reports.append(.array(plays.map(JSONOutput.play)))
      return reports
    }
    let before = try await all()
    for device in ["lobby", "bar"] {
      try workspace.queue.clear(for: await workspace.known(device).id)
      try workspace.removeDevice(device)
    }
    #expect(try await all() == before)
  }
}
