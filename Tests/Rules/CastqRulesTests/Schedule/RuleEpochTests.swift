import CastProtocol
import CastqSchedule
import CastqText
import Testing

@Suite("Rules as they were")
struct RuleEpochTests {
  private static func moment(_ hour: Double) -> WallTime {
    WallTime(milliseconds: 0).adding(seconds: hour * 3600)
  }

  private static func rule(_ revision: Int, priority: Int = 0, target: RuleTarget = .all) -> ScheduleRule {
    ScheduleRule(
      id: RuleID(1), name: "r", revision: revision, programme: "p", target: target, priority: priority,
      form: .always)
  }

  private static func change(_ hour: Double, _ rule: ScheduleRule?, _ cause: String? = nil) -> RuleChange {
    RuleChange(at: moment(hour), rule: rule, cause: cause)
  }

  /// - Parameter recorded: the hour since which the changes of what rules name are kept; nil is never.
  private static func epochs(
    of changes: [RuleChange], present: ScheduleRule?, recorded: Double? = nil
  ) -> [RuleEpoch] {
    RuleEpoch.epochs(of: changes, present: present, recorded: recorded.map(moment) ?? .latest)
  }

  private func hours(_ epochs: [RuleEpoch]) -> [String] {
    epochs.map { epoch in
      let end = epoch.range.upperBound == .latest ? "" : "\(Int(epoch.range.upperBound.wholeSeconds / 3600))"
      return "\(epoch.rule.revision): \(Int(epoch.range.lowerBound.wholeSeconds / 3600))-\(end)"
    }
  }

  @Test("each revision holds until the next one, a removed rule until it was removed")
  func revisions() {
    let changes = [Self.change(1, Self.rule(1)), Self.change(5, Self.rule(2, priority: 3))]
    #expect(hours(Self.epochs(of: changes, present: Self.rule(2))) == ["1: 1-5", "2: 5-"])
    let removed = changes + [Self.change(9, nil)]
    #expect(hours(Self.epochs(of: removed, present: nil)) == ["1: 1-5", "2: 5-9"])
    #expect(Self.epochs(of: [], present: nil).isEmpty)
  }

  @Test(
    "nothing is known of the time before something that the rule names was changed; a programme is not of it")
  func causes() {
    let rule = { Self.rule($0, target: .group("g")) }
    func changes(_ cause: String) -> [RuleChange] {
      [Self.change(1, rule(1)), Self.change(5, rule(2), cause), Self.change(7, rule(3))]
    }
    #expect(hours(Self.epochs(of: changes("group g"), present: rule(3))) == ["2: 5-7", "3: 7-"])
    #expect(
      hours(Self.epochs(of: changes("programme p"), present: rule(3))) == ["1: 1-5", "2: 5-7", "3: 7-"])
    // A file changes several things at once.
    #expect(hours(Self.epochs(of: changes("programme p, group g"), present: rule(3))) == ["2: 5-7", "3: 7-"])
    // Nobody wrote down what became of the group when no rule was for it any more.
    let removed = [Self.change(1, rule(1)), Self.change(5, nil)]
    #expect(Self.epochs(of: removed, present: nil).isEmpty)
    #expect(
      hours(
        Self.epochs(of: [Self.change(1, rule(1)), Self.change(5, Self.rule(2))], present: Self.rule(2)))
        == ["2: 5-"])
  }

  @Test(
    "where the changes of what rules name are kept, they end nothing, and removed rules are known since then")
  func recorded() {
    let rule = { Self.rule($0, target: .group("g")) }
    let changes = [Self.change(1, rule(1)), Self.change(5, rule(2), "group g"), Self.change(7, rule(3))]
    #expect(
      hours(Self.epochs(of: changes, present: rule(3), recorded: 5)) == ["1: 1-5", "2: 5-7", "3: 7-"])
    #expect(hours(Self.epochs(of: changes, present: rule(3), recorded: 6)) == ["2: 5-7", "3: 7-"])
    let removed = changes + [Self.change(9, nil)]
    #expect(hours(Self.epochs(of: removed, present: nil, recorded: 0)) == ["1: 1-5", "2: 5-7", "3: 7-9"])
    #expect(hours(Self.epochs(of: removed, present: nil, recorded: 8)) == ["3: 8-9"])
    // Without the rule as it is, it is as its last revision has it.
    #expect(hours(Self.epochs(of: changes, present: nil, recorded: 0)) == ["1: 1-5", "2: 5-7", "3: 7-"])
  }

  @Test("a clock that was set back makes no time of its own, and overlaps nothing")
  func clock() {
    let changes = [Self.change(1, Self.rule(1)), Self.change(9, Self.rule(2)), Self.change(4, Self.rule(3))]
    #expect(hours(Self.epochs(of: changes, present: Self.rule(3))) == ["1: 1-4", "3: 4-"])
  }

  @Test("a document of a rule is read back, in every member; one of another version is none")
  func documents() throws {
    var full = ScheduleRule(
      id: RuleID(7), name: "a", revision: 3, programme: "p", target: .device("4"), priority: -7,
      form: .daypart("part", try Weekdays("mon-fri")), length: 90, zone: try ZoneName("Europe/Berlin"))
    (full.validFrom, full.validUntil) = (try LocalDate("2026-01-01"), try LocalDate("2026-12-31"))
    (full.onlyOn, full.notOn) = ("c", "d")
    (full.start, full.end, full.resume) = (.wait(seconds: 90), .finish, .restart)
    (full.missed, full.volume, full.note) = (.within(seconds: 900), 0.25, "note")
    full.exceptions = [
      try LocalTime("2026-12-24T08:00"): .skip,
      try LocalTime("2026-12-25T08:00"): .move(try LocalTime("2026-12-25T09:00")),
      try LocalTime("2026-12-26T08:00"): .replace("q"),
    ]
    let share = ScheduleRule(
      id: RuleID(7), name: "s", programme: "p", target: .group("g"),
      kind: .share(ShareTerms(secondsPerHour: 180, maxPerHour: 4, minGap: 300)), form: .always)
    var trigger = ScheduleRule(
      id: RuleID(7), name: "t", programme: "p", kind: .trigger, form: .cron(try CronExpression("*/5 * * * *"))
    )
    trigger.isEnabled = false
    let labels = ["4": "lobby"]
    for rule in [full, share, trigger] {
      let document = rule.document(devices: labels)
      #expect(ScheduleRule(document: document, id: RuleID(7), devices: ["lobby": "4"]) == rule)
      guard let members = document.object else { continue }
      for member in [
        "rule", "revision", "programme", "device", "kind", "form", "priority", "enabled", "start",
      ] {
        var less = members
        less[member] = nil
        #expect(
          ScheduleRule(document: .object(less), id: RuleID(7), devices: ["lobby": "4"]) == nil, "\(member)")
      }
    }
    #expect(ScheduleRule(document: full.document(devices: labels), id: RuleID(7), devices: [:]) == nil)
    #expect(ScheduleRule(document: "x", id: RuleID(7), devices: [:]) == nil)
    // A device that has another name now is the same device.
    guard var members = full.document(devices: labels).object else { return }
    members["device_id"] = "4"
    #expect(ScheduleRule(document: .object(members), id: RuleID(7), devices: [:]) == full)
  }
}
