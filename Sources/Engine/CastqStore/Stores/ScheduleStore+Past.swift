package import CastProtocol
package import CastqFeeding
package import CastqPlaylists
package import CastqSchedule
package import CastqText
import GRDB

/// A play, as far as rules have to do with it: some columns of `play`.
package struct StoredPlay: Sendable, Hashable {
  package let id: Int64
  package var entry: EntryID
  package var device: String
  package var title: String
  package var startedAt: WallTime?
  package var endedAt: WallTime?
  /// Nil while it plays.
  package var outcome: PlayOutcome?
  /// `base`, `rule`, `announcement` or `share`; nil for plays of very old files.
  package var kind: String?
  /// The rule in the words of that day; nil for the base.
  package var rule: String?
  package var revision: Int?
  /// The local time that names the occurrence.
  package var occurrence: String?
  /// When the occurrence was to begin.
  package var plannedAt: WallTime?
  /// The number of the decision.
  package var decision: Int64?
}

/// A rule in one of its revisions: a row of `rule_history`.
package struct RuleRevision: Sendable, Hashable {
  package let revision: Int
  package var at: WallTime
  /// In the words of `schedule show --json`; nil before the rule was made.
  package var before: JSONValue?
  /// Nil after it was removed.
  package var after: JSONValue?

  /// What the rule names and was changed, such as `calendar holidays`; nil where the rule itself was.
  package var cause: String? { after?["cause"]?.string }

  /// What was changed in the rule itself: each member with its old and its new value, by its name.
  package var changes: [(member: String, from: JSONValue, to: JSONValue)] {
    guard let old = before?.object, let new = after?.object else { return [] }
    return Set(old.keys).union(new.keys).subtracting(["revision", "cause", "device_id"]).sorted().compactMap {
      key in
      let (from, to) = (old[key] ?? .null, new[key] ?? .null)
      return from == to ? nil : (key, from, to)
    }
  }
}

/// What a plan of the past has to know about rules that were changed since.
extension ScheduleStore {
  /// When rules were changed last; those without a history are left out.
  package func lastChanges(of rules: [ScheduleRule]) throws(StoreError) -> [RuleID: WallTime] {
    try database.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT rule_id AS id, max(at) AS at FROM rule_history WHERE rule_id IN (\(Self.numbers(rules))) GROUP BY rule_id
          """)
      let changes = try rows.readable(noting: database.notes) { row in
        let row = StoredRow(row, of: "rule_history")
        return (RuleID(try row.value("id")), try row.value("at", as: WallTime.self))
      }
      return Dictionary(changes) { $1 }
    }
  }

  /// Numbers of rows, which need no quoting.
  private static func numbers(_ rules: [ScheduleRule]) -> String {
    rules.map { String($0.id.number) }.joined(separator: ", ")
  }

  /// What rules were, from a moment on, removed ones too, and what day parts, calendars and groups were. Of what cannot be read nothing
  /// is known.
  /// - Parameter present: the rules as they are. Of others there are those that were changed since: what was for a device then, and is not
  ///   now, was changed.
  package func past(since start: WallTime, present: [ScheduleRule]) throws(StoreError) -> RulePast {
    let rules = Dictionary(present.map { ($0.id, $0) }) { $1 }
    return try database.read { db in
      let labels = try Self.deviceLabels(db)
      let (named, recorded) = try NamedHistory.past(since: start, db, noting: database.notes)
      let devices = Dictionary(labels.map { ($0.value, $0.key) }) { $1 }
      // A revision that a later one had replaced by then is of no use.
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT rule_id AS id, revision, at, after FROM rule_history h
          WHERE (rule_id IN (\(Self.numbers(present)))
              OR rule_id IN (SELECT rule_id FROM rule_history WHERE revision > 1 AND at >= ?1))
            AND (at >= ?1 OR revision = (SELECT max(revision) FROM rule_history p WHERE p.rule_id = h.rule_id AND p.at < ?1))
          ORDER BY rule_id, revision
          """, arguments: [start.milliseconds])
      let changes = try rows.readable(noting: database.notes) { row in
        let row = StoredRow(row, of: "rule_history")
        let id = RuleID(try row.value("id"))
        let document = try row.json("after")
        return (
          id,
          RuleChange(
            at: try row.value("at"),
            rule: document.flatMap { ScheduleRule(document: $0, id: id, devices: devices) },
            cause: document?["cause"]?.string)
        )
      }
      var byRule = Dictionary(grouping: changes, by: \.0)
      // Of a rule without a history nothing else is known than what it is.
      for rule in present where byRule[rule.id] == nil {
        byRule[rule.id] = [(rule.id, RuleChange(at: RuleEpoch.always, rule: rule, cause: nil))]
      }
      let epochs = byRule.sorted { $0.key < $1.key }.flatMap {
        RuleEpoch.epochs(of: $0.value.map(\.1), present: rules[$0.key], recorded: recorded)
      }
      return RulePast(epochs: epochs, named: named)
    }
  }

  /// Keeps the zone of rules and devices without one, from now on, if it is another one than before.
  package func noteSiteZone(_ zone: ZoneName, at now: WallTime) throws(StoreError) {
    // Nothing is written where nothing changes: a daemon asks at each start.
    guard try database.read({ db in try ZoneHistory.site(db) }) != zone else { return }
    try database.write { db in
      try ZoneHistory.keep(from: ZoneHistory.site(db), to: zone, of: nil, at: now, db)
    }
  }

  /// A rule as it was in one of its revisions, in the words of `schedule show --json`; nil when there is no such row.
  package func rule(_ rule: RuleID, revision: Int) throws(StoreError) -> JSONValue? {
    try database.read { db in
      let rows = try Row.fetchCursor(
        db, sql: "SELECT rule_id AS id, after FROM rule_history WHERE rule_id = ? AND revision = ?",
        arguments: [rule.number, revision])
      return try rows.readable(noting: database.notes) {
        try StoredRow($0, of: "rule_history").json("after")
      }.first ?? nil
    }
  }

  /// What a rule was and is, oldest first, also after it was removed. Damaged rows are noted and skipped.
  package func revisions(of name: String) throws(StoreError) -> [RuleRevision] {
    try database.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT *, rule_id AS id FROM rule_history WHERE rule_id IN (
            SELECT rule_id FROM rule_history WHERE json_valid(coalesce(after, before))
              AND json_extract(coalesce(after, before), '$.rule') = ? COLLATE NOCASE)
          ORDER BY at, rule_id, revision
          """, arguments: [name])
      let revisions = try rows.readable(noting: database.notes) { row in
        let row = StoredRow(row, of: "rule_history")
        return RuleRevision(
          revision: try row.value("revision"), at: try row.value("at"), before: try row.json("before"),
          after: try row.json("after"))
      }
      // A rule that was never written has no revision.
      if revisions.isEmpty { _ = try ScheduleTable.rule.required(name, db) }
      return revisions
    }
  }

  /// The play with a number; nil when there is none. A title that is no more than the address is shown as history shows it.
  package func play(_ id: Int64) throws(StoreError) -> StoredPlay? {
    try plays("WHERE id = ?", [id]).first
  }

  /// The plays of an entry, oldest first; the newest ones when there are more than a limit.
  package func plays(of entry: EntryID, limit: Int) throws(StoreError) -> [StoredPlay] {
    try plays("WHERE entry_id = ? ORDER BY id DESC LIMIT ?", [entry.rawValue, limit]).reversed()
  }

  private func plays(_ clause: String, _ arguments: StatementArguments) throws(StoreError) -> [StoredPlay] {
    try database.read { db in
      try Row.fetchCursor(
        db,
        sql: """
          SELECT id, entry_id, device_name, title, url, started_at, ended_at, outcome, kind, rule_name, rule_revision, occurrence,
            planned_at, decision_id FROM play \(clause)
          """, arguments: arguments
      ).readable(noting: database.notes) { row in
        let row = StoredRow(row, of: "play")
        let (title, url): (String, String) = (try row.value("title"), try row.value("url"))
        return StoredPlay(
          id: try row.value("id"), entry: EntryID(try row.value("entry_id")),
          device: try row.value("device_name"),
          title: MediaTitle.shown(title == url ? nil : title, url: url),
          startedAt: try row.optional("started_at"),
          endedAt: try row.optional("ended_at"), outcome: try row.optionalChoice("outcome"),
          kind: try row.optional("kind"), rule: try row.optional("rule_name"),
          revision: try row.optional("rule_revision"), occurrence: try row.optional("occurrence"),
          plannedAt: try row.optional("planned_at"), decision: try row.optional("decision_id"))
      }
    }
  }

  /// The device whose queue an entry is in, and the programme of that queue; nil when there is no such entry. The programme is nil for
  /// what people put in.
  package func place(of entry: EntryID) throws(StoreError) -> (device: DeviceID, programme: String?)? {
    try database.read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT e.id, e.device_id, p.name AS programme FROM queue_entry e JOIN queue q ON q.id = e.queue_id
          LEFT JOIN programme p ON p.id = q.programme_id WHERE e.id = ?
          """, arguments: [entry.rawValue]
      ).map { row in
        let row = StoredRow(row, of: "queue_entry")
        return (DeviceID(try row.value("device_id")), try row.optional("programme"))
      }
    }
  }
}
