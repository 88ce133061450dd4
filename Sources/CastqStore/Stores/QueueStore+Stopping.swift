package import CastqCore
import GRDB

/// Lists that a person has stopped: nobody starts them but a person, whatever happens to the programs meanwhile.
extension QueueStore {
  /// Nothing of the list is played until somebody starts it.
  package func stop(_ device: DeviceID, at now: WallTime) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql: "UPDATE queue SET stopped_at = ? WHERE device_id = ? AND stopped_at IS NULL",
        arguments: [now.milliseconds, device.rawValue])
    }
  }

  /// Somebody has started it. A list that was not stopped is not written to.
  package func start(_ device: DeviceID) throws(StoreError) {
    guard try stoppedAt(device) != nil else { return }
    try database.write { db in
      try db.execute(
        sql: "UPDATE queue SET stopped_at = NULL WHERE device_id = ?", arguments: [device.rawValue])
    }
  }

  /// Since when it has been stopped; nil when it is not.
  package func stoppedAt(_ device: DeviceID) throws(StoreError) -> WallTime? {
    try database.read { db in
      try db.scalar(
        WallTime.self, of: "queue", sql: "SELECT stopped_at FROM queue WHERE device_id = ?",
        arguments: [device.rawValue])
    }
  }

  /// Every device whose list was stopped.
  package func stoppedDevices() throws(StoreError) -> Set<DeviceID> {
    try database.read { db in
      Set(
        try db.scalars(
          Int64.self, of: "queue", sql: "SELECT device_id FROM queue WHERE stopped_at IS NOT NULL"
        ).map(DeviceID.init))
    }
  }
}
