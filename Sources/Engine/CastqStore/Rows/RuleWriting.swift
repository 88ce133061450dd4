import CastqPlaylists
import CastqSchedule
import CastqText
import GRDB

/// Converts rules to rows.
enum RuleWriting {
  /// The columns of a rule, but for its number, its revision and whether a person named it.
  private static func columns(
    _ rule: ScheduleRule, programme: Int64, _ db: GRDB.Database
  ) throws -> [(String, (any DatabaseValueConvertible)?)] {
    var (device, group): (Int64?, Int64?)
    switch rule.target {
    case .all: break
    case .device(let name): device = DeviceID(ruleName: name)?.rawValue ?? 0
    case .group(let name): group = try ScheduleTable.group.required(name, db)
    }
    var daypart: Int64?
    if case .daypart(let name, _) = rule.form { daypart = try ScheduleTable.daypart.required(name, db) }
    var wait: Int?
    if case .wait(let seconds) = rule.start { wait = seconds }
    var within: Int?
    if case .within(let seconds) = rule.missed { within = seconds }
    var share: ShareTerms?
    if case .share(let terms) = rule.kind { share = terms }
    return [
      ("name", rule.name), ("programme_id", programme), ("device_id", device), ("group_id", group),
      ("priority", rule.priority), ("kind", rule.kind.word), ("form", rule.form.word),
      ("expression", rule.form.expression), ("daypart_id", daypart), ("duration_s", rule.length),
      ("zone", rule.zone?.text), ("valid_from", rule.validFrom?.text),
      ("valid_until", rule.validUntil?.text),
      ("only_on", try rule.onlyOn.map { try ScheduleTable.calendar.required($0, db) }),
      ("not_on", try rule.notOn.map { try ScheduleTable.calendar.required($0, db) }),
      ("start_mode", rule.start.word), ("wait_s", wait), ("end_mode", rule.end.word),
      ("resume", rule.resume.word), ("share_s_per_hour", share?.secondsPerHour),
      ("max_per_hour", share?.maxPerHour), ("min_gap_s", share.flatMap { $0.minGap == 0 ? nil : $0.minGap }),
      ("missed", rule.missed.word), ("missed_within_s", within), ("volume", rule.volume),
      ("is_enabled", rule.isEnabled), ("note", rule.note.isEmpty ? nil : rule.note),
    ]
  }

  static func insert(
    _ rule: ScheduleRule, programme: Int64, isNamed: Bool, _ db: GRDB.Database
  ) throws -> RuleID {
    let columns = try columns(rule, programme: programme, db) + [("is_named", isNamed)]
    let names = columns.map(\.0).joined(separator: ", ")
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    try db.change(
      sql: "INSERT INTO rule (\(names)) VALUES (\(places))", arguments: StatementArguments(columns.map(\.1)))
    return RuleID(db.lastInsertedRowID)
  }

  static func update(_ rule: ScheduleRule, programme: Int64, _ db: GRDB.Database) throws {
    let columns = try columns(rule, programme: programme, db)
    let places = columns.map { "\($0.0) = ?" }.joined(separator: ", ")
    try db.change(
      sql: "UPDATE rule SET \(places) WHERE id = ?",
      arguments: StatementArguments(columns.map(\.1)) + [rule.id.number])
  }
}
