package import CastqCore
import GRDB

/// How devices prove who they are.
extension DeviceStore {
  /// Sets how a device has to prove who it is. A key that was pinned stays, for the day it counts again;
  /// whether the device can prove anything is asked anew.
  package func setTrust(_ rule: TrustRule, of device: DeviceID) throws(StoreError) {
    var roots: String?
    if case .roots(let file) = rule { roots = file }
    try database.write { db in
      try db.execute(
        sql: "UPDATE device SET trust = ?, trust_roots = ?, can_prove = NULL, is_picked = 1 WHERE id = ?",
        arguments: [rule.word, roots, device.rawValue])
    }
  }

  /// Pins the key that a device has proved, unless another one is pinned already.
  /// - Parameter key: SHA-256 of the key, hexadecimal.
  /// - Returns: whether it is the pinned one now.
  @discardableResult
  package func pin(_ key: String, of device: DeviceID, at now: WallTime) throws(StoreError) -> Bool {
    try database.write { db in
      try db.execute(
        sql: """
          UPDATE device SET pinned_key = ?1, pinned_at = ?2, can_prove = 1, is_picked = 1
            WHERE id = ?3 AND pinned_key IS NULL
          """, arguments: [key, now.milliseconds, device.rawValue])
      return try String.fetchOne(
        db, sql: "SELECT pinned_key FROM device WHERE id = ?", arguments: [device.rawValue]) == key
    }
  }

  /// Forgets the pinned key: the next one that the device proves is pinned in its place.
  package func unpin(_ device: DeviceID) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql: "UPDATE device SET pinned_key = NULL, pinned_at = NULL, can_prove = NULL WHERE id = ?",
        arguments: [device.rawValue])
    }
  }

  /// Keeps whether a device answered a challenge.
  /// - Returns: whether that is news: it was never asked before, or answered otherwise.
  package func setCanProve(_ canProve: Bool, of device: DeviceID) throws(StoreError) -> Bool {
    try database.write { db in
      try db.execute(
        sql: "UPDATE device SET can_prove = ?1 WHERE id = ?2 AND can_prove IS NOT ?1",
        arguments: [canProve, device.rawValue])
      return db.changesCount > 0
    }
  }
}
