import CastqFeeding
package import CastqPlaylists
package import CastqSchedule
package import CastqText
import GRDB

/// What has become of an announcement on one device.
package enum AnnouncementOutcome: Sendable, Hashable {
  /// It is on the screen, or comes back: something else has interrupted it.
  case shows
  /// It is over; so many seconds of it were seen.
  case over(seconds: Double)
  /// It is off the air, and how its last play ended is not written yet; so many seconds of it were seen.
  case ending(seconds: Double)
  /// It was taken off the screen before its end; so many seconds of it had been seen. `why` is the reason of its last play.
  case cut(seconds: Double, isSkipped: Bool, why: String?)
  /// Somebody stopped the device; so many seconds of it had been seen.
  case stopped(seconds: Double)
  /// It was on the air, but nothing of it was seen, and why.
  case failed(String)
}

extension ScheduleStore {
  /// What has become of a rule on the devices that have come to it, since a number of the decisions.
  package func outcomes(of rule: RuleID) throws(StoreError) -> [DeviceID: AnnouncementOutcome] {
    try database.read { db in
      var outcomes: [DeviceID: AnnouncementOutcome] = [:]
      let decisions = try Row.fetchCursor(
        db,
        sql: """
          SELECT d.id, d.device_id, d.until,
            EXISTS (SELECT 1 FROM queue q WHERE q.id = d.device_id AND q.stopped_at IS NOT NULL) AS is_stopped,
            EXISTS (
              SELECT 1 FROM json_each((
                SELECT CASE WHEN json_valid(n.beneath) THEN n.beneath ELSE '[]' END FROM decision n
                WHERE +n.device_id = d.device_id AND n.kind <> 'share' ORDER BY n.id DESC LIMIT 1)) AS each
              WHERE each.value ->> 'rule' = d.rule_id) AS comes_back,
            EXISTS (SELECT 1 FROM play p WHERE p.rule_id = d.rule_id AND p.device_id = d.device_id) AS has_begun,
            (SELECT total(p.played_s) FROM play p WHERE p.rule_id = d.rule_id AND p.device_id = d.device_id) AS seen,
            (SELECT p.note FROM play p WHERE p.rule_id = d.rule_id AND p.device_id = d.device_id ORDER BY p.id DESC) AS note,
            (SELECT p.cause FROM play p WHERE p.rule_id = d.rule_id AND p.device_id = d.device_id ORDER BY p.id DESC) AS cause,
            (SELECT p.caused_by FROM play p WHERE p.rule_id = d.rule_id AND p.device_id = d.device_id ORDER BY p.id DESC) AS caused_by,
            (SELECT p.outcome FROM play p WHERE p.rule_id = d.rule_id AND p.device_id = d.device_id
              ORDER BY p.id DESC) AS last_outcome,
            EXISTS (SELECT 1 FROM play p WHERE p.rule_id = d.rule_id AND p.device_id = d.device_id
              AND p.ended_at IS NULL) AS is_open,
            EXISTS (SELECT 1 FROM play p WHERE p.rule_id = d.rule_id AND p.device_id = d.device_id
              AND p.outcome = 'skipped') AS is_skipped,
            (SELECT n.reason FROM decision n WHERE n.device_id = d.device_id AND n.id > d.id ORDER BY n.id) AS reason
          FROM decision d WHERE d.rule_id = ? AND d.device_id IS NOT NULL ORDER BY d.id
          """, arguments: [rule.number])
      for (device, outcome) in try decisions.readable(noting: database.notes, Self.outcome) {
        if let outcome { outcomes[device] = outcome }
      }
      return outcomes
    }
  }

  /// Nil while it is on the air of a device that has not answered yet.
  private static func outcome(_ row: Row) throws -> (DeviceID, AnnouncementOutcome?) {
    let row = StoredRow(row, of: "decision")
    let device = DeviceID(try row.value("device_id", as: Int64.self))
    let hasBegun: Bool = try row.value("has_begun")
    let (isStopped, comesBack): (Bool, Bool) = (try row.value("is_stopped"), try row.value("comes_back"))
    let isOver = try row.optional("until", as: WallTime.self) != nil && !comesBack
    let seconds: Double = try row.value("seen")
    guard isOver else { return (device, isStopped ? .stopped(seconds: seconds) : hasBegun ? .shows : nil) }
    if try row.value("is_open") { return (device, .ending(seconds: seconds)) }
    let cause: PlayCause? = try row.optionalChoice("cause")
    let note: String? = PlayReason.words(
      cause, by: try row.optional("caused_by"), PlayReason(note: try row.optional("note")))
    let isSkipped: Bool = try row.value("is_skipped")
    let last: PlayOutcome? = try row.optionalChoice("last_outcome")
    if isSkipped || last == .interrupted || last == .cancelled {
      return (
        device,
        isStopped ? .stopped(seconds: seconds) : .cut(seconds: seconds, isSkipped: isSkipped, why: note)
      )
    }
    guard seconds > 0 else {
      let words: String? = try note ?? row.optional("reason")
      return (device, .failed(words ?? "nothing of it was seen"))
    }
    return (device, .over(seconds: seconds))
  }

  /// Removes announcements by hand that were over long ago: the commands that made them were killed.
  package func removeOldAnnouncements(before moment: WallTime) throws(StoreError) {
    let names = try database.read { db in
      try db.scalars(
        String.self, of: "rule",
        sql: """
          SELECT r.name FROM rule r JOIN rule_history h ON h.rule_id = r.id AND h.revision = 1
          WHERE NOT r.is_named AND h.at < ?
          """, arguments: [moment.milliseconds])
    }
    for name in names { try removeRule(name, at: moment) }
  }
}
