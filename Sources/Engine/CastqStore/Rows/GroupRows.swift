import CastqPlaylists
import GRDB

/// Reads groups of devices.
enum GroupRows {
  /// The names of the groups of each device; of one alone where that is named.
  static func names(
    _ db: GRDB.Database, of device: DeviceID? = nil, noting notes: DamageNotes?
  ) throws -> [DeviceID: Set<String>] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT m.device_id, g.id, g.name FROM group_member m JOIN device_group g ON g.id = m.group_id
        WHERE ?1 IS NULL OR m.device_id = ?1
        """, arguments: [device?.rawValue])
    let members = try rows.readable(noting: notes) { row in
      let row = StoredRow(row, of: "device_group")
      return (DeviceID(try row.value("device_id")), try row.value("name", as: String.self))
    }
    return members.reduce(into: [:]) { $0[$1.0, default: []].insert($1.1) }
  }
}
