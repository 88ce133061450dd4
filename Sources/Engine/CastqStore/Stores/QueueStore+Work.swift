import CastProtocol
package import CastqFeeding
package import CastqPlaylists
package import CastqText
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
    try database.reading {
      guard let change = try nextChange(for: queue, after: now),
        try look(into: queue, limit: 1, besides: nil, at: now).isEmpty, try playing(on: queue) == nil
      else { return nil }
      return change
    }
  }

  /// Seconds that the queues of devices have left to play, as far as their lists and history give lengths; without those that repeat, and
  /// those of which something has no known length.
  package func secondsLeft(at now: WallTime) throws(StoreError) -> [DeviceID: Double] {
    try database.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          WITH known AS (
            SELECT max(id) AS id, url, duration_s FROM play WHERE duration_s > 0 AND id > (SELECT max(id) FROM play) - 10000
            GROUP BY url
          ), entry AS (
            SELECT q.device_id AS device, CASE
                WHEN e.playback_duration_s IS NOT NULL THEN e.playback_duration_s
                WHEN m.stream_type = 'LIVE' THEN NULL
                WHEN m.duration_s > 0 THEN m.duration_s - coalesce(e.start_time_s, 0)
                WHEN m.content_type LIKE 'image/%' THEN 10
                ELSE k.duration_s - coalesce(e.start_time_s, 0) END AS length,
              CASE WHEN e.state = 'playing' AND p.id IS NOT NULL
                THEN p.played_s + min(max(:now - p.observed_at, 0), 10000) / 1000.0 ELSE 0 END AS played
            FROM queue q JOIN queue_entry e ON e.queue_id = q.id JOIN media_item m ON m.id = e.media_item_id
            LEFT JOIN known k ON k.url = coalesce(m.content_url, m.content_id)
            LEFT JOIN play p ON p.entry_id = e.id AND p.turn = e.turn AND p.ended_at IS NULL
            WHERE q.programme_id IS NULL AND q.repeat_mode = 'off' AND e.role = 'main' AND e.state <> 'cancelled'
              AND e.round <= q.round AND (e.state <> 'skipped' OR e.not_after > :now)
          )
          SELECT device, total(max(length - played, 0)) AS seconds FROM entry
          GROUP BY device HAVING count(*) = count(length)
          """, arguments: ["now": now.milliseconds]
      ).readable(noting: database.notes) { row in
        let row = StoredRow(row, of: "queue_entry", id: "device")
        return (DeviceID(try row.value("device")), try row.value("seconds") as Double)
      }
      return Dictionary(rows) { $1 }
    }
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
