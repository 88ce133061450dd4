import CastProtocol
import CastqPlaylists
import CastqText
import GRDB

/// Reads and writes rows of devices.
enum DeviceRows {
  /// The rows a clause leaves, such as `WHERE id = ?`.
  static func fetch(
    _ db: GRDB.Database, _ clause: String, _ arguments: StatementArguments = []
  ) throws -> [KnownDevice] {
    try rows(db, clause, arguments).readable(noting: nil, device)
  }

  /// The same, with unreadable rows noted and skipped.
  static func fetchReadable(
    _ db: GRDB.Database, _ clause: String, _ arguments: StatementArguments = [], noting notes: DamageNotes?
  ) throws -> [KnownDevice] {
    try rows(db, clause, arguments).readable(noting: notes, device)
  }

  private static func rows(
    _ db: GRDB.Database, _ clause: String, _ arguments: StatementArguments
  ) throws -> RowCursor {
    try Row.fetchCursor(db, sql: "SELECT * FROM device \(clause)", arguments: arguments)
  }

  static func device(_ id: DeviceID, _ db: GRDB.Database) throws -> KnownDevice? {
    try db.first(sql: "SELECT \(columns) FROM device WHERE id = ?", arguments: [id.rawValue], device)
  }

  /// The columns that a device is made of.
  private static let columns = """
    id, name, is_named, alias, friendly_name, host, port, static_host, static_port, uuid, model, is_group, is_default, is_picked,
    capabilities, status_text, last_seen_at, seen_by, trust, trust_roots, pinned_key, pinned_at, can_prove, silent_at, announced_name
    """

  /// The devices whose last or configured address this is.
  /// - Parameter notes: receives unreadable rows; nil makes them an error.
  static func at(
    _ endpoint: DeviceEndpoint, _ db: GRDB.Database, noting notes: DamageNotes? = nil
  ) throws -> [KnownDevice] {
    try fetchReadable(
      db,
      """
      WHERE (host = ?1 COLLATE NOCASE AND port = ?2) OR (static_host = ?1 COLLATE NOCASE AND static_port = ?2)
        ORDER BY id
      """, [endpoint.host, endpoint.port], noting: notes)
  }

  /// Inserts a device and its queue.
  static func insert(
    name: String, endpoint: DeviceEndpoint, origin: String, at now: WallTime, _ db: GRDB.Database
  ) throws -> DeviceID {
    try db.execute(
      sql: "INSERT INTO device (name, host, port, origin, created_at) VALUES (?, ?, ?, ?, ?)",
      arguments: [name, endpoint.host, endpoint.port, origin, now.milliseconds])
    let id = DeviceID(db.lastInsertedRowID)
    try db.execute(
      sql: "INSERT INTO queue (id, device_id, identity) VALUES (?1, ?1, ?2) ON CONFLICT DO NOTHING",
      arguments: [id.rawValue, RandomText.hex(bytes: 8)])
    return id
  }

  static func delete(_ id: DeviceID, _ db: GRDB.Database) throws {
    try db.execute(sql: "DELETE FROM device WHERE id = ?", arguments: [id.rawValue])
  }

  /// Whether another device has this name or alias.
  static func isTaken(_ name: String, except id: DeviceID?, _ db: GRDB.Database) throws -> Bool {
    try db.scalar(
      Int.self, of: "device",
      sql: """
        SELECT 1 FROM device WHERE id IS NOT ?2 AND (name = ?1 COLLATE NOCASE OR alias = ?1 COLLATE NOCASE) LIMIT 1
        """, arguments: [name, id?.rawValue]) != nil
  }

  /// Whether another device with this own name must authenticate itself. A device with an unreadable rule counts.
  static func isProved(
    _ name: String, except id: DeviceID?, _ db: GRDB.Database, noting notes: DamageNotes
  ) throws -> Bool {
    let clause = "WHERE id IS NOT ?2 AND friendly_name = ?1 COLLATE NOCASE"
    do {
      return try fetch(db, clause, [name, id?.rawValue]).contains(where: \.hasProof)
    } catch let damage as RowDamage {
      notes.add(damage)
      return true
    }
  }

  private static func device(_ row: Row) throws -> KnownDevice {
    let row = StoredRow(row, of: "device")
    let id = DeviceID(try row.value("id"))
    let name: String = try row.value("name")
    let alias: String? = try row.optional("alias")
    let ownName: String? = try row.optional("friendly_name")
    let friendlyName = AnnouncedName.ungrouped(ownName ?? "")
    let staticHost: String? = try row.optional("static_host")
    let roots: String? = try row.optional("trust_roots")
    let trust: String = try row.value("trust")
    return KnownDevice(
      id: id, name: AnnouncedName.stored(name, of: id), isNamed: try row.value("is_named"),
      alias: alias.map { AnnouncedName.stored($0, of: id) },
      friendlyName: friendlyName.isEmpty ? nil : friendlyName,
      endpoint: DeviceEndpoint(host: try row.value("host"), port: try port("port", row) ?? 0),
      staticEndpoint: try staticHost.map {
        DeviceEndpoint(host: $0, port: try port("static_port", row) ?? DeviceEndpoint.defaultPort)
      },
      uuid: try row.optional("uuid"), model: try row.optional("model"), isGroup: try row.value("is_group"),
      isDefault: try row.value("is_default"), isPicked: try row.value("is_picked"),
      capabilities: try row.optional("capabilities", as: Int64.self).map {
        DeviceCapabilities(rawValue: UInt64(bitPattern: $0))
      },
      statusText: try row.optional("status_text"), lastSeenAt: try row.optional("last_seen_at"),
      seenBy: try row.optionalChoice("seen_by"),
      trust: try roots.map { .roots(file: $0) } ?? rule(trust, row),
      pinnedKey: try row.optional("pinned_key"),
      pinnedAt: try row.optional("pinned_at"), canProve: try row.optional("can_prove"),
      silentAt: try row.optional("silent_at"), announcedName: try row.optional("announced_name"))
  }

  /// Damage must not disable authentication.
  private static func rule(_ trust: String, _ row: StoredRow) throws(RowDamage) -> TrustRule {
    switch trust {
    case "off": return .off
    case "pin": return .pin
    default: throw row.damage("trust")
    }
  }

  private static func port(_ column: String, _ row: StoredRow) throws(RowDamage) -> Int? {
    let port: Int? = try row.optional(column)
    guard port.map({ (1...65535).contains($0) }) ?? (column != "port") else { throw row.damage(column) }
    return port
  }
}
