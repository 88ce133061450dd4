import CastProtocol
package import CastqCore
import GRDB

/// Queries of the daemon.
extension QueueStore {
  /// Devices with something left to play: an entry due in the current round or, if the list repeats, any entry.
  /// - Parameters:
  ///   - looping: devices whose lists repeat whatever their rows say.
  ///   - now: entries that were passed over because their windows had closed count where those are open, by
  ///     a clock that was set back; nil leaves them out.
  package func devicesWithWork(
    looping: Set<DeviceID> = [], at now: WallTime? = nil
  ) throws(StoreError) -> Set<DeviceID> {
    try database.read { db in try Self.devicesWithWork(db, looping: looping, at: now) }
  }

  static func devicesWithWork(
    _ db: GRDB.Database, looping: Set<DeviceID>, at now: WallTime? = nil
  ) throws -> Set<DeviceID> {
    let loops = looping.map { "\($0.rawValue)" }.joined(separator: ",")
    // The lookup goes through the entries of a list by their rounds up to the first one that is due: through
    // all of a list that has been played.
    let ids = try db.scalars(
      Int64.self, of: "queue",
      sql: """
        SELECT device_id FROM queue WHERE programme_id IS NULL AND EXISTS (
          SELECT 1 FROM queue_entry AS e
          WHERE e.queue_id = queue.id AND e.role = 'main' AND e.state <> 'cancelled'
            AND (queue.repeat_mode <> 'off' OR queue.device_id IN (\(loops))
              OR e.round <= queue.round AND (e.state <> 'skipped' OR e.not_after > :now)))
        """, arguments: ["now": now?.milliseconds])
    return Set(ids.map(DeviceID.init))
  }
}

extension QueueStore {
  /// From when on a list has something that is due, where all that is left in it waits for its time; nil
  /// where something is due now, or plays, and where nothing waits.
  package func opening(of queue: some QueueReference, at now: WallTime) throws(StoreError) -> WallTime? {
    guard let change = try nextChange(for: queue, after: now),
      try next(for: queue, besides: nil, at: now) == nil, try playing(on: queue) == nil
    else { return nil }
    return change
  }

  /// How many entries of all queues are in each state; states that none has are left out.
  package func counts() throws(StoreError) -> [EntryState: Int] {
    try database.read { db in
      var counts: [EntryState: Int] = [:]
      let rows = try Row.fetchCursor(
        db, sql: "SELECT state, count(*) AS number FROM queue_entry GROUP BY state"
      ).readable(noting: database.notes) { row in
        let stored = StoredRow(row, of: "queue_entry")
        return (try stored.choice("state") as EntryState, try stored.value("number") as Int)
      }
      for (state, number) in rows { counts[state] = number }
      return counts
    }
  }
}

extension QueueStore {
  /// The devices on which the rows say that a feeder has left something, and whether it is a web page.
  package func devicesLeftPlaying() throws(StoreError) -> [DeviceID: Bool] {
    try database.read { db in
      var devices: [DeviceID: Bool] = [:]
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT device_id, NULL AS content_type, 0 AS rank FROM play
            WHERE ended_at IS NULL AND device_id IS NOT NULL
          UNION ALL
          SELECT e.device_id, m.content_type, 1 + (e.state = 'playing')
            FROM queue_entry e JOIN media_item m ON m.id = e.media_item_id
            WHERE e.state IN ('offered', 'queued', 'playing')
          ORDER BY rank
          """)
      for row in rows {
        let row = StoredRow(row, of: "queue_entry", id: "device_id")
        let type: String? = try row.optional("content_type")
        let media = MediaInformation(contentID: "", contentType: type, streamType: .buffered)
        devices[DeviceID(try row.value("device_id"))] = media.isPage
      }
      return devices
    }
  }
}
