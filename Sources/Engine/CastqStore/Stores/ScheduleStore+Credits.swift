package import CastqPlaylists
package import CastqSchedule
import CastqText
import GRDB

extension ScheduleStore {
  /// What shares are owed on a device. A damaged row is noted, and its share begins with nothing.
  package func credits(of device: DeviceID) throws(StoreError) -> [RuleID: ShareCredit] {
    try database.read { db in
      let rows = try Row.fetchCursor(
        db, sql: "SELECT * FROM credit WHERE device_id = ?", arguments: [device.rawValue])
      var credits: [RuleID: ShareCredit] = [:]
      for (rule, credit) in try rows.readable(
        noting: database.notes,
        { row in
          let row = StoredRow(row, of: "credit", id: "rule_id")
          guard let plays = try row.optionalNumber("plays_in_hour", 0...(1 << 53)) else {
            throw row.damage("plays_in_hour")
          }
          let credit = ShareCredit(
            owed: try row.value("owed_ms"), playsInHour: plays, hour: try row.value("hour"),
            lastEnd: try row.optional("last_at"))
          return (RuleID(try row.value("rule_id")), credit)
        })
      {
        credits[rule] = credit
      }
      return credits
    }
  }

  /// Keeps what shares are owed; those of rules that are gone are left out.
  package func keep(_ credits: [RuleID: ShareCredit], device: DeviceID) throws(StoreError) {
    try database.write { db in
      let statement = try db.cachedStatement(
        sql: """
          INSERT INTO credit (rule_id, device_id, owed_ms, plays_in_hour, hour, last_at)
          SELECT :rule, :device, :owed, :plays, :hour, :last WHERE EXISTS (SELECT 1 FROM rule WHERE id = :rule)
            AND EXISTS (SELECT 1 FROM device WHERE id = :device)
          ON CONFLICT (rule_id, device_id) DO UPDATE SET owed_ms = excluded.owed_ms,
            plays_in_hour = excluded.plays_in_hour, hour = excluded.hour, last_at = excluded.last_at
          """)
      for (rule, credit) in credits {
        try statement.execute(arguments: [
          "rule": rule.number, "device": device.rawValue, "owed": credit.owed,
          "plays": max(credit.playsInHour, 0), "hour": credit.hour, "last": credit.lastEnd?.milliseconds,
        ])
      }
    }
  }
}
