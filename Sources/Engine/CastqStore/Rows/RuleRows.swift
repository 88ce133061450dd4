import CastqPlaylists
import CastqSchedule
import CastqText
import GRDB

/// Converts rows of `rule` and their exceptions to rules.
enum RuleRows {
  /// So many rules have their exceptions looked up; for more of them, all exceptions are read.
  private static let few = 200

  private static let select = """
    SELECT rule.*, p.name AS programme_name, g.name AS group_name, t.name AS daypart_name, o.name AS only_name,
      n.name AS not_name
    FROM rule LEFT JOIN programme p ON p.id = rule.programme_id LEFT JOIN device_group g ON g.id = rule.group_id
      LEFT JOIN daypart t ON t.id = rule.daypart_id LEFT JOIN calendar o ON o.id = rule.only_on
      LEFT JOIN calendar n ON n.id = rule.not_on
    """

  private static let selectExceptions = """
    SELECT e.*, p.name AS programme_name FROM rule_exception e LEFT JOIN programme p ON p.id = e.programme_id
    """

  /// Every rule, by name; those that are for one device where that is named.
  static func all(
    _ db: GRDB.Database, for device: DeviceID? = nil, noting notes: DamageNotes?
  ) throws -> [ScheduleRule] {
    let order = "ORDER BY rule.name COLLATE NOCASE, rule.id"
    guard let device else { return try fetch(db, order, noting: notes) }
    return try fetch(
      db,
      """
      WHERE rule.device_id = ?1 OR rule.group_id IN (SELECT group_id FROM group_member WHERE device_id = ?1)
        OR (rule.device_id IS NULL AND rule.group_id IS NULL) \(order)
      """, [device.rawValue], noting: notes)
  }

  /// The rule of a row; nil when there is none. It is read for each change of a rule, of which a file has thousands.
  static func rule(_ id: RuleID, _ db: GRDB.Database) throws -> ScheduleRule? {
    let found = try db.first(sql: "\(select) WHERE rule.id = ?", arguments: [id.number], rule)
    guard var rule = found else { return nil }
    let rows = try Row.fetchCursor(
      db.cachedStatement(sql: "\(selectExceptions) WHERE e.rule_id = ?"), arguments: [id.number])
    for (_, original, exception) in try rows.readable(noting: nil, exception) {
      rule.exceptions[original] = exception
    }
    return rule
  }

  /// The rules that a clause leaves.
  static func fetch(
    _ db: GRDB.Database, _ clause: String, _ arguments: StatementArguments = [], noting notes: DamageNotes?
  ) throws -> [ScheduleRule] {
    var rules = try Row.fetchCursor(db, sql: "\(select) \(clause)", arguments: arguments)
      .readable(noting: notes, rule)
    let exceptions = try exceptions(db, of: rules.count <= few ? rules.map(\.id) : nil, noting: notes)
    for index in rules.indices { rules[index].exceptions = exceptions[rules[index].id] ?? [:] }
    return rules
  }

  private static func rule(_ row: Row) throws -> ScheduleRule {
    let row = StoredRow(row, of: "rule")
    var rule = ScheduleRule(
      id: RuleID(try row.value("id")), name: try row.value("name"), revision: try row.value("revision"),
      programme: try row.value("programme_name"), target: try target(row),
      priority: try priority(row), kind: try kind(row), form: try form(row),
      length: try row.optionalNumber("duration_s", 1...ScheduleRule.longest),
      zone: try row.optionalText("zone", ZoneName.init))
    rule.validFrom = try row.optionalText("valid_from", LocalDate.init)
    rule.validUntil = try row.optionalText("valid_until", LocalDate.init)
    rule.onlyOn = try calendar(row, "only_on", "only_name")
    rule.notOn = try calendar(row, "not_on", "not_name")
    rule.start = try start(row)
    switch try row.value("end_mode", as: String.self) {
    case "cut": rule.end = .cut
    case "finish": rule.end = .finish
    default: throw row.damage("end_mode")
    }
    guard let resume = ResumeMode(word: try row.value("resume")) else { throw row.damage("resume") }
    rule.resume = resume
    rule.missed = try missed(row)
    rule.volume = try row.optional("volume", as: Double.self)
    if let volume = rule.volume, !(0...1).contains(volume) { throw row.damage("volume") }
    rule.isEnabled = try row.value("is_enabled")
    rule.note = try row.optional("note") ?? ""
    return rule
  }

  /// Within the limits that people have now: earlier versions took any number, and one above that of announcements would keep the screen from
  /// a person at the microphone. The rules of `castq announce` are those without a name.
  private static func priority(_ row: StoredRow) throws(RowDamage) -> Int {
    let written: Int = try row.value("priority")
    let isNamed: Bool = try row.optional("is_named") ?? true
    let limits = ScheduleRule.priorities
    let highest = isNamed ? limits.upperBound : ScheduleRule.announcementPriority
    return min(max(written, limits.lowerBound), highest)
  }

  private static func target(_ row: StoredRow) throws(RowDamage) -> RuleTarget {
    if let device: Int64 = try row.optional("device_id") { return .device(DeviceID(device).ruleName) }
    guard try row.optional("group_id", as: Int64.self) != nil else { return .all }
    guard let name: String = try row.optional("group_name") else { throw row.damage("group_id") }
    return .group(name)
  }

  private static func kind(_ row: StoredRow) throws(RowDamage) -> RuleKind {
    switch try row.value("kind", as: String.self) {
    case "window": return .window
    case "trigger": return .trigger
    case "share":
      guard let seconds = try row.optionalNumber("share_s_per_hour", 1...3600) else {
        throw row.damage("share_s_per_hour")
      }
      let most = try row.optionalNumber("max_per_hour", 1...(1 << 53))
      let gap = try row.optionalNumber("min_gap_s", 0...ScheduleRule.longest) ?? 0
      return .share(ShareTerms(secondsPerHour: seconds, maxPerHour: most, minGap: gap))
    default: throw row.damage("kind")
    }
  }

  /// A day part is called as its row is now: the expression has the name of the day on which the rule was written.
  private static func form(_ row: StoredRow) throws(RowDamage) -> RuleForm {
    let word: String = try row.value("form")
    let form = try row.text("expression") { (text) throws(TextError) in
      try RuleForm(word: word, expression: text)
    }
    guard case .daypart(_, let days) = form else { return form }
    guard let name: String = try row.optional("daypart_name") else { throw row.damage("daypart_id") }
    return .daypart(name, days)
  }

  private static func calendar(_ row: StoredRow, _ id: String, _ name: String) throws(RowDamage) -> String? {
    guard try row.optional(id, as: Int64.self) != nil else { return nil }
    guard let name: String = try row.optional(name) else { throw row.damage(id) }
    return name
  }

  private static func start(_ row: StoredRow) throws(RowDamage) -> StartMode {
    switch try row.value("start_mode", as: String.self) {
    case "hard": return .hard
    case "next": return .next
    case "wait":
      guard let seconds = try row.optionalNumber("wait_s", 0...ScheduleRule.longest) else {
        throw row.damage("wait_s")
      }
      return .wait(seconds: seconds)
    default: throw row.damage("start_mode")
    }
  }

  private static func missed(_ row: StoredRow) throws(RowDamage) -> MissedPolicy {
    switch try row.value("missed", as: String.self) {
    case "skip": return .skip
    case "run": return .run
    case "within":
      guard let seconds = try row.optionalNumber("missed_within_s", 0...ScheduleRule.longest) else {
        throw row.damage("missed_within_s")
      }
      return .within(seconds: seconds)
    default: throw row.damage("missed")
    }
  }

  /// What differs, by rule. A damaged row costs one exception.
  /// - Parameter rules: the rules that are meant; nil is all.
  private static func exceptions(
    _ db: GRDB.Database, of rules: [RuleID]?, noting notes: DamageNotes?
  ) throws -> [RuleID: [LocalTime: RuleException]] {
    // Numbers of rows, which need no quoting.
    let condition =
      rules.map { "WHERE e.rule_id IN (\($0.map { String($0.number) }.joined(separator: ", ")))" } ?? ""
    let rows = try Row.fetchCursor(db, sql: "\(selectExceptions) \(condition)")
    var exceptions: [RuleID: [LocalTime: RuleException]] = [:]
    for (rule, original, exception) in try rows.readable(noting: notes, exception) {
      exceptions[rule, default: [:]][original] = exception
    }
    return exceptions
  }

  private static func exception(_ row: Row) throws -> (RuleID, LocalTime, RuleException) {
    let row = StoredRow(row, of: "rule_exception", id: "rule_id")
    let original = try row.text("original_local", LocalTime.init)
    let exception: RuleException
    switch try row.value("action", as: String.self) {
    case "skip": exception = .skip
    case "move": exception = .move(try row.text("new_local", LocalTime.init))
    case "replace":
      guard let name: String = try row.optional("programme_name") else { throw row.damage("programme_id") }
      exception = .replace(name)
    default: throw row.damage("action")
    }
    return (RuleID(try row.value("rule_id")), original, exception)
  }
}
