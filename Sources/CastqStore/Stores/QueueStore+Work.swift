package import CastqCore
import GRDB

/// What a daemon asks for.
extension QueueStore {
  /// Devices with something left to play: an entry that is due in the present round or, where the list repeats, any entry.
  package func devicesWithWork() throws(StoreError) -> Set<DeviceID> {
    try database.read { db in
      // Each look is one step in an index: a list of thousands that has been played costs nothing.
      let ids = try Int64.fetchAll(
        db,
        sql: """
          SELECT device_id FROM queue WHERE EXISTS (
            SELECT 1 FROM queue_entry AS e
            WHERE e.device_id = queue.device_id AND e.role = 'main' AND e.state <> 'cancelled'
              AND (queue.repeat_mode <> 'off' OR e.round <= queue.round))
          """)
      return Set(ids.map(DeviceID.init))
    }
  }
}
