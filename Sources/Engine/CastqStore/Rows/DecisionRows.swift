import CastProtocol
import CastqSchedule
import CastqText
import GRDB

/// Converts decisions to rows and back.
enum DecisionRows {
  static func decision(_ row: Row, noting notes: DamageNotes) throws -> StoredDecision {
    let row = StoredRow(row, of: "decision")
    guard let kind = PlanSegment.Kind(word: try row.value("kind")) else { throw row.damage("kind") }
    return StoredDecision(
      id: try row.value("id"),
      decision: ScheduleDecision(
        at: try row.value("at"), kind: kind, onAir: try onAir(row), planned: try row.optional("planned_at"),
        reason: try row.value("reason"), beneath: try list("beneath", of: row, noting: notes, item),
        passedOver: try list("passed_over", of: row, noting: notes, failure)),
      until: try row.optional("until"), device: try row.value("device_name"),
      rule: try row.optional("rule_name"))
  }

  private static func onAir(_ row: StoredRow) throws(RowDamage) -> ScheduleDecision.OnAir? {
    guard let rule: Int64 = try row.optional("rule_id") else { return nil }
    let programme: String = try row.value("programme")
    let occurrence = Occurrence(
      rule: RuleID(rule), original: try row.text("occurrence", LocalTime.init),
      start: try row.value("starts_at"), end: try row.optional("ends_at"),
      replacement: try row.value("is_replacement") ? programme : nil)
    return .init(occurrence: occurrence, programme: programme, revision: try row.value("revision"))
  }

  /// What waits below, or is passed over. What is damaged does not come back by itself, and nothing else is lost.
  private static func list<Member>(
    _ column: String, of row: StoredRow, noting notes: DamageNotes, _ member: (JSONValue) -> Member?
  ) throws -> [Member] {
    do throws(RowDamage) {
      guard let list = try row.json(column)?.array else { throw row.damage(column) }
      let known = list.map(member)
      if known.contains(where: { $0 == nil }) { notes.add(row.damage(column)) }
      return known.compactMap { $0 }
    } catch {
      notes.add(error)
      return []
    }
  }

  private static func item(_ json: JSONValue) -> ScheduleDecision.Beneath? {
    guard json.object != nil else { return nil }
    let word = json["resume"]?.string
    let resume = word.flatMap(ResumeMode.init(word:))
    guard (word == nil) == (resume == nil) else { return nil }
    guard let rule = number(json["rule"]) else {
      // Without a rule it is the base, which has no moments.
      return (json["rule"] ?? .null) == .null ? .init(occurrence: nil, resume: resume) : nil
    }
    guard let local = json["occurrence"]?.string, let original = try? LocalTime(local),
      let start = number(json["start"])
    else { return nil }
    let end = number(json["end"]).map(WallTime.init(milliseconds:))
    guard end != nil || (json["end"] ?? .null) == .null else { return nil }
    return .init(
      occurrence: Occurrence(
        rule: RuleID(rule), original: original, start: WallTime(milliseconds: start), end: end,
        replacement: json["programme"]?.string), resume: resume)
  }

  private static func failure(_ json: JSONValue) -> ScheduleDecision.PassedOver? {
    guard let rule = number(json["rule"]), let local = json["occurrence"]?.string,
      let original = try? LocalTime(local), let revision = json["revision"]?.int,
      let reason = json["reason"]?.string
    else { return nil }
    return .init(
      key: OccurrenceKey(rule: RuleID(rule), original: original), revision: revision, reason: reason)
  }

  private static func number(_ json: JSONValue?) -> Int64? {
    if case .integer(let number) = json { number } else { nil }
  }

  static func text(_ beneath: [ScheduleDecision.Beneath]) -> String {
    let list = beneath.map { each -> JSONValue in
      let occurrence = each.occurrence
      return [
        "rule": integer(occurrence?.rule.number), "occurrence": text(occurrence?.original.text),
        "start": integer(occurrence?.start.milliseconds), "end": integer(occurrence?.end?.milliseconds),
        "programme": text(occurrence?.replacement), "resume": text(each.resume?.word),
      ]
    }
    return JSONValue.array(list).text
  }

  static func text(_ passedOver: [ScheduleDecision.PassedOver]) -> String {
    let list = passedOver.map { each -> JSONValue in
      [
        "rule": integer(each.key.rule.number), "occurrence": text(each.key.original.text),
        "revision": .integer(Int64(each.revision)), "reason": .string(each.reason),
      ]
    }
    return JSONValue.array(list).text
  }

  private static func integer(_ number: Int64?) -> JSONValue { number.map { .integer($0) } ?? .null }
  private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
