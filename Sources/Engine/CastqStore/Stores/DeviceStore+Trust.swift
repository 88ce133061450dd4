package import CastProtocol
package import CastqPlaylists
package import CastqText
import GRDB

/// Device authentication.
extension DeviceStore {
  /// Sets how a device must prove its identity. A pinned key is kept for a later return to `pin`; the device is challenged again.
  package func setTrust(_ rule: TrustRule, of device: DeviceID) throws(StoreError) {
    var roots: String?
    if case .roots(let file) = rule { roots = file }
    try database.write { db in
      try db.execute(
        sql:
          "UPDATE device SET trust = ?, trust_roots = ?, can_prove = NULL, silent_at = NULL, is_picked = 1 WHERE id = ?",
        arguments: [rule.word, roots, device.rawValue])
    }
  }

  /// Pins a key that a device has proved, unless another one is pinned.
  /// - Parameter key: SHA-256 of the key, hexadecimal.
  /// - Returns: whether this key is pinned now.
  @discardableResult
  package func pin(_ key: String, of device: DeviceID, at now: WallTime) throws(StoreError) -> Bool {
    try database.write { db in
      try db.execute(
        sql: """
          UPDATE device SET pinned_key = ?1, pinned_at = ?2, can_prove = 1, silent_at = NULL, is_picked = 1
            WHERE id = ?3 AND pinned_key IS NULL
          """, arguments: [key, now.milliseconds, device.rawValue])
      return try db.scalar(
        String.self, of: "device", sql: "SELECT pinned_key FROM device WHERE id = ?",
        arguments: [device.rawValue]) == key
    }
  }

  /// Removes the pinned key; the next key the device proves is pinned.
  package func unpin(_ device: DeviceID) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql:
          "UPDATE device SET pinned_key = NULL, pinned_at = NULL, can_prove = NULL, silent_at = NULL WHERE id = ?",
        arguments: [device.rawValue])
    }
  }

  /// Stores whether a device passed a challenge.
  /// - Returns: whether that changed, or is its first challenge.
  package func setCanProve(_ canProve: Bool, of device: DeviceID) throws(StoreError) -> Bool {
    try database.write { db in
      try db.execute(
        sql: """
          UPDATE device SET can_prove = ?1, silent_at = NULL
            WHERE id = ?2 AND (can_prove IS NOT ?1 OR silent_at IS NOT NULL)
          """,
        arguments: [canProve, device.rawValue])
      return db.changesCount > 0
    }
  }

  /// Where a device has proved its key last; nil when it never has.
  package func provedPlace(of device: DeviceID) throws(StoreError) -> DeviceEndpoint? {
    try database.read { db in
      try db.first(
        sql: "SELECT host, port FROM proved_place WHERE device_id = ?", arguments: [device.rawValue]
      ) { row in
        let row = StoredRow(row, of: "proved_place")
        return DeviceEndpoint(host: try row.value("host"), port: try row.value("port"))
      }
    }
  }

  /// Stores where a device has proved its key. Nothing is written when that is known.
  package func setProvedPlace(_ place: DeviceEndpoint, of device: DeviceID) throws(StoreError) {
    if try provedPlace(of: device) == place { return }
    try database.write { db in
      try db.execute(
        sql: """
          INSERT INTO proved_place (device_id, host, port) SELECT id, ?2, ?3 FROM device WHERE id = ?1
            ON CONFLICT (device_id) DO UPDATE SET host = ?2, port = ?3
          """, arguments: [device.rawValue, place.host, place.port])
    }
  }

  /// Stores that a device left a challenge unanswered; it may be challenged again.
  /// - Returns: whether it answered the last time or was never challenged before.
  package func setSilent(_ device: DeviceID, at now: WallTime) throws(StoreError) -> Bool {
    try database.write { db in
      let old = try DeviceRows.device(device, db)
      try db.execute(
        sql: "UPDATE device SET silent_at = ? WHERE id = ?", arguments: [now.milliseconds, device.rawValue])
      return old?.silentAt == nil
    }
  }

  /// Stores what a device reported over an authenticated connection. Its name follows unless the user chose the name.
  package func proved(
    name: String?, model: String?, capabilities: DeviceCapabilities?, of device: DeviceID, at now: WallTime
  ) throws(StoreError) {
    try database.write { db in
      guard let row = try DeviceRows.device(device, db) else { return }
      let said = Device(
        endpoint: row.endpoint, friendlyName: name, uniqueID: row.uuid, modelName: model,
        capabilities: capabilities)
      let own = SightingMerge.name(of: said)
      let merge = SightingMerge(device: said, now: now, db: db, notes: database.notes)
      try db.execute(
        sql: """
          UPDATE device SET name = ?, friendly_name = coalesce(?, friendly_name), model = coalesce(?, model),
            capabilities = coalesce(?, capabilities), announced_name = NULL WHERE id = ?
          """,
        arguments: [
          try merge.name(own, for: row), own, model,
          capabilities.map { Int64(bitPattern: $0.rawValue) }, device.rawValue,
        ])
      guard said.isGroup else { return }
      // The key is that of the group's current leader.
      try db.execute(
        sql: "UPDATE device SET is_group = 1, pinned_key = NULL, pinned_at = NULL WHERE id = ?",
        arguments: [device.rawValue])
    }
  }
}
