package import CastqPlaylists
import CastqSchedule
package import CastqText
import GRDB

/// Devices under one name.
package struct DeviceGroup: Sendable, Hashable {
  package let name: String
  /// By name.
  package var members: [KnownDevice]
}

extension ScheduleStore {
  /// Every group, by name; damaged rows are noted and skipped.
  package func groups() throws(StoreError) -> [DeviceGroup] {
    try database.read { db in
      let names = try GroupRows.names(db, noting: database.notes)
      let devices = try DeviceRows.fetchReadable(
        db, "ORDER BY name COLLATE NOCASE, id", noting: database.notes)
      return try db.scalars(
        String.self, of: "device_group", sql: "SELECT name FROM device_group ORDER BY name COLLATE NOCASE"
      ).map { group in
        DeviceGroup(name: group, members: devices.filter { names[$0.id]?.contains(group) ?? false })
      }
    }
  }

  /// The devices of a group. `all` is each device that a person named, chose or used.
  package func members(of group: String) throws(StoreError) -> [KnownDevice] {
    try database.read { db in
      let order = "ORDER BY name COLLATE NOCASE, id"
      guard group.lowercased() != RuleTarget.nameOfAll else {
        return try DeviceRows.fetchReadable(db, "WHERE is_picked = 1 \(order)", noting: database.notes)
      }
      let id = try ScheduleTable.group.required(group, db)
      return try DeviceRows.fetchReadable(
        db, "WHERE id IN (SELECT device_id FROM group_member WHERE group_id = ?) \(order)", [id],
        noting: database.notes)
    }
  }

  /// Adds devices to a group, which is made if it is missing.
  /// - Parameter replaces: whether its other devices leave it.
  package func addGroup(
    _ name: String, members: [DeviceID], replaces: Bool, at now: WallTime
  ) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql: "INSERT INTO device_group (name) VALUES (?) ON CONFLICT DO NOTHING", arguments: [name])
      let id = try ScheduleTable.group.required(name, db)
      try Self.changing(.group, id, at: now, db) {
        if replaces { try db.execute(sql: "DELETE FROM group_member WHERE group_id = ?", arguments: [id]) }
        for member in members {
          try db.execute(
            sql: "INSERT INTO group_member (group_id, device_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
            arguments: [id, member.rawValue])
          try Self.pick(member, db)
        }
      }
    }
  }

  /// Takes devices out of a group; with none, removes the group, unless a rule is for it.
  package func removeGroup(
    _ name: String, members: [DeviceID] = [], at now: WallTime
  ) throws(StoreError) {
    try database.write { db in
      guard !members.isEmpty else {
        try NamedHistory.keep(.group, name, at: now, db) { try ScheduleTable.group.remove(name, db) }
        return
      }
      let id = try ScheduleTable.group.required(name, db)
      try Self.changing(.group, id, at: now, db) {
        for member in members {
          try db.execute(
            sql: "DELETE FROM group_member WHERE group_id = ? AND device_id = ?",
            arguments: [id, member.rawValue])
        }
      }
    }
  }

  /// A device that a rule is for is not displaced by later scans.
  static func pick(_ device: DeviceID, _ db: GRDB.Database) throws {
    try db.change(
      sql: "UPDATE device SET is_picked = 1 WHERE id = ? AND is_picked = 0", arguments: [device.rawValue])
  }
}
