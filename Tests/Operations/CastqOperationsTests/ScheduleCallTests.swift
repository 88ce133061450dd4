import CastProtocol
import CastqOperations
import CastqSchedule
import CastqStore
import CastqText
import Testing

@Suite("Rules and their times")
struct ScheduleCallTests {
  private let site: OperationsSite
  private let menus: String

  init() throws {
    site = try OperationsSite()
    menus = try site.file("menus.m3u", "#EXTM3U\nhttp://media.example/a.mp4\n")
  }

  @discardableResult
  private func add(
    _ name: String, _ form: RuleForm, missed: MissedPolicy = .skip
  ) async throws -> ChangedRule {
    var rule = ScheduleRule(
      id: RuleID(0), name: name, programme: "", target: .all, form: form, zone: .utc)
    rule.missed = missed
    return try await site.schedule().add(rule, playing: menus, replaces: false)
  }

  private func daily(_ part: String) throws -> RuleForm { .daily(try DayPart(part), .all) }

  private func cron(_ text: String) throws -> RuleForm { .cron(try CronExpression(text)) }

  private func exceptions(_ name: String) throws -> [JSONValue] {
    try site.schedule().ruleDocument(name)["exceptions"]?.array ?? []
  }

  @Test("a rule is for the device of the call, plays what it names and is listed with its next time")
  func added() async throws {
    let added = try await add("lunch", try daily("11:30-14:00"))
    #expect(added.document["rule"]?.string == "lunch" && added.problem == nil)
    let rules = try site.schedule().document(.rules)["rules"]?.array ?? []
    #expect(rules.map { $0["rule"]?.string } == ["lunch"])
    #expect(rules.first?["next"]?.string?.hasSuffix("T11:30") == true)
    #expect(try site.schedule().document(.shares)["shares"]?.array == [])
    await expectFailure(
      .inputMissing, saying: "; and there is no programme of this name: 'castq programme ls' lists them"
    ) {
      _ = try await site.schedule().choice("nope")
    }
  }

  @Test("a file is tried without a trace, and then is the schedule; a mistake is named with its place")
  func file() async throws {
    let path = try site.file(
      "site.yaml",
      """
      programmes: {menus: {source: \(menus)}}
      rules: {breakfast: {play: menus, devices: lobby, daily: 08:00-10:30}}
      """)
    try await add("lunch", try daily("11:30-14:00"))
    func apply(isDry: Bool, isPruning: Bool) async throws -> JSONValue {
      let call = try site.schedule()
      let document = try SiteFile(path).document(call.siteNames())
      return try await call.apply(document, isDry: isDry, isPruning: isPruning).json
    }
    func names() throws -> [String?] {
      (try site.schedule().document(.rules)["rules"]?.array ?? []).map { $0["rule"]?.string }
    }
    let trial = try await apply(isDry: true, isPruning: true)
    #expect(trial["dry_run"] == true)
    #expect(try names() == ["lunch"])
    let whole = try await apply(isDry: false, isPruning: false)
    #expect(whole["dry_run"] == false)
    #expect(try Set(names()) == ["breakfast", "lunch"])
    #expect(whole["changes"]?.array?.map { $0["change"] } == ["add", "add"])
    let pruned = try await apply(isDry: false, isPruning: true)
    #expect(pruned["changes"]?.array?.compactMap { $0["name"]?.string } == ["lunch"])
    #expect(try await apply(isDry: false, isPruning: true)["changes"] == [])
    try site.file("site.yaml", "rules: {breakfast: {play: menus, devices: lobby, daily: soon}}")
    await expectFailure(.badData, saying: "site.yaml:1:") {
      _ = try await apply(isDry: false, isPruning: false)
    }
    #expect(try names() == ["breakfast"])
  }

  @Test("a plan has the stretches of a day, and a file of it is one document")
  func plan() async throws {
    try await add("lunch", try daily("11:30-14:00"))
    let query = PlanQuery(
      from: try PlanRange.time("2099-12-24T00:00:00Z"), to: try PlanRange.time("2099-12-25T00:00:00Z"))
    let run = try await PlanRun(site.call, query)
    let document = try JSONValue(parsing: Array(try run.json().utf8))
    let segments = document["segments"]?.array ?? []
    #expect(segments.compactMap { $0["rule"]?.string } == ["lunch"])
    #expect(segments.first { $0["rule"]?.string == "lunch" }?["start"]?.string == "2099-12-24T11:30:00.000Z")
    var rows = 0
    let isFailed = try run.write(as: { PlanFile(.lines, $0) }) { rows += $0.split(separator: "\n").count }
    #expect(rows == segments.count && isFailed == (document["issues"]?.array?.isEmpty == false))
  }

  @Test("what names no time of a rule says which times it has")
  func unknownTimes() async throws {
    try await add("lunch", .daily(try DayPart("11:30-14:00"), try Weekdays("mon-fri")))
    try await add("news", try cron("0 8,12 * * *"))
    for (change, time, exit, words) in [
      (TimeChange.skip, "lunch@2099-12-26", CastqText.ExitStatus.badData, "2099-12-28T11:30"),
      (.skip, "lunch@2099-12-24T08:00", .badData, "2099-12-24T11:30"),
      (.skip, "news@2099-12-24", .badData, "08:00, 12:00; write news@2099-12-24T08:00"),
      (.skip, "lunch", .usage, "lunch@2026-12-24"),
      (.skip, "nope@2099-12-24", .badData, "known are: lunch, news"),
      (.skip, "lunch@soon", .usage, "2026-12-24T08:00"),
      (.move(to: "25:00"), "lunch@2099-12-24", .usage, "new time"),
      (.replace(by: "nope"), "lunch@2099-12-24", .inputMissing, "no programme"),
    ] {
      await expectFailure(exit, saying: words) { _ = try await site.schedule().except(change, at: time) }
    }
    #expect(try exceptions("lunch") == [])
  }

  @Test("a time of a rule is not moved to where it would never be on, as a rule is not made there")
  func movedToThePast() async throws {
    try await add("lunch", try daily("11:30-14:00"))
    try await add("gong", try cron("0 12 * * *"))
    try await add("late", try cron("0 12 * * *"), missed: .run)
    for (original, time) in [
      ("lunch@2099-12-24", "2020-01-01T09:00"), ("gong@2099-12-24", "2020-01-01T12:00"),
      ("lunch@2020-01-01", "12:00"),
    ] {
      await expectFailure(.usage, saying: "has passed") {
        _ = try await site.schedule().except(.move(to: time), at: original)
      }
    }
    #expect(try exceptions("lunch") == [])
    // Back to the time itself undoes an exception, whenever that was; and what may be late begins at once.
    _ = try await site.schedule().except(.skip, at: "lunch@2020-01-01")
    #expect(try exceptions("lunch").count == 1)
    _ = try await site.schedule().except(.move(to: "11:30"), at: "lunch@2020-01-01")
    #expect(try exceptions("lunch") == [])
    _ = try await site.schedule().except(.move(to: "2020-01-01T12:00"), at: "late@2099-12-24")
  }
}
