package import CastqPlaylists
package import CastqText
import GRDB

/// Lists that the user has stopped. Only the user starts them again, even after a restart of the daemon.
extension QueueStore {
  /// Stops the list until `start`.
  package func stop(_ device: DeviceID, at now: WallTime) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql: "UPDATE queue SET stopped_at = ? WHERE id = ? AND stopped_at IS NULL",
        arguments: [now.milliseconds, device.rawValue])
    }
  }

  /// Starts the list. Does not write if it was not stopped.
  package func start(_ device: DeviceID) throws(StoreError) {
    guard try stoppedAt(device) != nil else { return }
    try database.write { db in
      try db.execute(
        sql: "UPDATE queue SET stopped_at = NULL WHERE id = ?", arguments: [device.rawValue])
    }
  }

  /// When the list was stopped; nil if it is not stopped.
  package func stoppedAt(_ device: DeviceID) throws(StoreError) -> WallTime? {
    try database.read { db in
      try db.scalar(
        WallTime.self, of: "queue", sql: "SELECT stopped_at FROM queue WHERE id = ?",
        arguments: [device.rawValue])
    }
  }

  /// When each of the stopped devices was.
  package func stops() throws(StoreError) -> [DeviceID: WallTime] {
    try database.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: "SELECT device_id, stopped_at FROM queue WHERE programme_id IS NULL AND stopped_at IS NOT NULL")
      var stops: [DeviceID: WallTime] = [:]
      for row in rows {
        let row = StoredRow(row, of: "queue", id: "device_id")
        stops[DeviceID(try row.value("device_id"))] = try row.value("stopped_at")
      }
      return stops
    }
  }

  /// The devices with a stopped list.
  package func stoppedDevices() throws(StoreError) -> Set<DeviceID> {
    try database.read { db in
      Set(
        try db.scalars(
          Int64.self, of: "queue",
          sql: "SELECT device_id FROM queue WHERE programme_id IS NULL AND stopped_at IS NOT NULL"
        ).map(DeviceID.init))
    }
  }
}
