import CastProtocol
import CastqCore
import GRDB

/// Devices in and out of their table.
enum DeviceRows {
  /// The rows a clause leaves, such as `WHERE id = ?`.
  static func fetch(
    _ db: GRDB.Database, _ clause: String, _ arguments: StatementArguments = []
  ) throws -> [KnownDevice] {
    try Row.fetchAll(db, sql: "SELECT * FROM device \(clause)", arguments: arguments).map(device)
  }

  static func device(_ id: DeviceID, _ db: GRDB.Database) throws -> KnownDevice? {
    try fetch(db, "WHERE id = ?", [id.rawValue]).first
  }

  /// The rows of devices that were last at an address, or are said to be there.
  static func at(_ endpoint: DeviceEndpoint, _ db: GRDB.Database) throws -> [KnownDevice] {
    try fetch(
      db,
      """
      WHERE (host = ?1 COLLATE NOCASE AND port = ?2) OR (static_host = ?1 COLLATE NOCASE AND static_port = ?2)
        ORDER BY id
      """, [endpoint.host, endpoint.port])
  }

  /// A new row, and the queue that every device has from its first day.
  static func insert(
    name: String, endpoint: DeviceEndpoint, origin: String, at now: WallTime, _ db: GRDB.Database
  ) throws -> DeviceID {
    try db.execute(
      sql: "INSERT INTO device (name, host, port, origin, created_at) VALUES (?, ?, ?, ?, ?)",
      arguments: [name, endpoint.host, endpoint.port, origin, now.milliseconds])
    let id = DeviceID(db.lastInsertedRowID)
    try db.execute(
      sql: "INSERT INTO queue (device_id, identity) VALUES (?, ?) ON CONFLICT DO NOTHING",
      arguments: [id.rawValue, RandomText.hex(bytes: 8)])
    return id
  }

  static func delete(_ id: DeviceID, _ db: GRDB.Database) throws {
    try db.execute(sql: "DELETE FROM device WHERE id = ?", arguments: [id.rawValue])
  }

  /// Whether another device goes by this name, or by this alias.
  static func isTaken(_ name: String, except id: DeviceID?, _ db: GRDB.Database) throws -> Bool {
    try Int.fetchOne(
      db,
      sql: """
        SELECT 1 FROM device WHERE id IS NOT ?2 AND (name = ?1 COLLATE NOCASE OR alias = ?1 COLLATE NOCASE) LIMIT 1
        """, arguments: [name, id?.rawValue]) != nil
  }

  private static func device(_ row: Row) -> KnownDevice {
    let seen: Int64? = row["last_seen_at"]
    let pinned: Int64? = row["pinned_at"]
    let bits: Int64? = row["capabilities"]
    let staticHost: String? = row["static_host"]
    let staticPort: Int? = row["static_port"]
    let seenBy: String? = row["seen_by"]
    let trust: String = row["trust"]
    let roots: String? = row["trust_roots"]
    return KnownDevice(
      id: DeviceID(row["id"]), name: row["name"], isNamed: row["is_named"], alias: row["alias"],
      friendlyName: row["friendly_name"], endpoint: DeviceEndpoint(host: row["host"], port: row["port"]),
      staticEndpoint: staticHost.map {
        DeviceEndpoint(host: $0, port: staticPort ?? DeviceEndpoint.defaultPort)
      },
      uuid: row["uuid"], model: row["model"], isGroup: row["is_group"], isDefault: row["is_default"],
      isPicked: row["is_picked"],
      capabilities: bits.map { DeviceCapabilities(rawValue: UInt64(bitPattern: $0)) },
      statusText: row["status_text"], lastSeenAt: seen.map { WallTime(milliseconds: $0) },
      seenBy: seenBy.flatMap(DeviceSighting.init),
      trust: roots.map { .roots(file: $0) } ?? (trust == "off" ? .off : .pin),
      pinnedKey: row["pinned_key"], pinnedAt: pinned.map { WallTime(milliseconds: $0) },
      canProve: row["can_prove"])
  }
}
