package import CastProtocol
package import CastqCore
import GRDB

/// The ledger of devices.
package struct DeviceStore: Sendable {
  private let database: Database

  package init(_ database: Database) { self.database = database }

  /// Every device, by name.
  package func all() throws(StoreError) -> [KnownDevice] {
    try database.read { db in try Self.fetch(db, "ORDER BY name COLLATE NOCASE", []) }
  }

  /// Adds a device at a fixed address, or moves the one of that name there.
  package func add(name: String, endpoint: DeviceEndpoint, at now: WallTime) throws(StoreError) -> KnownDevice
  {
    try database.write { db in
      let there = try Self.fetch(db, "WHERE host = ? AND port = ?", [endpoint.host, endpoint.port]).first
      if let there, there.name.lowercased() != name.lowercased() {
        // Two names for one screen would be two queues and two feeders. A record that only has its address gets a name.
        guard there.name == "\(endpoint)" else { throw StoreError.taken("\(endpoint) (\(there.label))") }
        try db.execute(sql: "UPDATE device SET name = ? WHERE id = ?", arguments: [name, there.id.rawValue])
      }
      try db.execute(
        sql: """
          INSERT INTO device (name, host, port, created_at) VALUES (?, ?, ?, ?)
          ON CONFLICT (name) DO UPDATE SET host = excluded.host, port = excluded.port
          """, arguments: [name, endpoint.host, endpoint.port, now.milliseconds])
      guard let device = try Self.fetch(db, "WHERE name = ? COLLATE NOCASE", [name]).first else {
        throw StoreError.unknownDevice(name, known: [])
      }
      try Self.prepareQueue(of: device.id, db)
      return device
    }
  }

  /// The device at an address; a new one named by its address when there is none yet.
  package func ensure(_ endpoint: DeviceEndpoint, at now: WallTime) throws(StoreError) -> KnownDevice {
    let known = try database.read { db in
      try Self.fetch(db, "WHERE host = ? AND port = ? ORDER BY id", [endpoint.host, endpoint.port]).first
    }
    if let known { return known }
    return try add(name: "\(endpoint)", endpoint: endpoint, at: now)
  }

  /// Forgets a device and its queue; history stays.
  package func remove(_ device: DeviceID) throws(StoreError) {
    try database.write { db in
      try db.execute(sql: "DELETE FROM device WHERE id = ?", arguments: [device.rawValue])
    }
  }

  /// Makes a device the one that is meant when none is named; nil makes none.
  package func setDefault(_ device: DeviceID?) throws(StoreError) {
    try database.write { db in
      try db.execute(sql: "UPDATE device SET is_default = 0 WHERE is_default = 1")
      if let device {
        try db.execute(sql: "UPDATE device SET is_default = 1 WHERE id = ?", arguments: [device.rawValue])
      }
    }
  }

  /// Gives a device a short name; nil takes it away.
  package func setAlias(_ alias: String?, of device: DeviceID) throws(StoreError) {
    try database.write { db in
      let owner = try Int64.fetchOne(
        db, sql: "SELECT id FROM device WHERE alias = ? OR name = ? COLLATE NOCASE",
        arguments: [alias, alias])
      if let owner, owner != device.rawValue { throw StoreError.taken(alias ?? "") }
      try db.execute(sql: "UPDATE device SET alias = ? WHERE id = ?", arguments: [alias, device.rawValue])
    }
  }

  /// A device has answered: keeps when, and what it says of itself. Nil leaves what is known.
  package func seen(
    _ device: DeviceID, at now: WallTime, uuid: String? = nil, model: String? = nil
  ) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql:
          "UPDATE device SET last_seen_at = ?, uuid = coalesce(?, uuid), model = coalesce(?, model) WHERE id = ?",
        arguments: [now.milliseconds, uuid, model, device.rawValue])
    }
  }

  /// The device a person means: alias, name, UUID or address, or the beginning of exactly one name. Nil means the default
  /// device, or the only one there is.
  package func device(matching selector: String?) throws(StoreError) -> KnownDevice {
    let all = try all()
    let known = all.map(\.label)
    guard let selector else {
      if let device = all.first(where: \.isDefault) ?? (all.count == 1 ? all[0] : nil) { return device }
      throw all.isEmpty ? .noDevice : .noDefault(candidates: known)
    }
    let wanted = selector.lowercased()
    func first(_ matches: (KnownDevice) -> Bool) -> KnownDevice? { all.first(where: matches) }
    if let device = first({ $0.alias?.lowercased() == wanted }) ?? first({ $0.name.lowercased() == wanted })
      ?? first({ $0.uuid?.lowercased() == wanted })
    {
      return device
    }
    if let endpoint = DeviceEndpoint(selector), let device = first({ $0.endpoint == endpoint }) {
      return device
    }
    let prefixed = all.filter {
      $0.name.lowercased().hasPrefix(wanted) || $0.alias?.lowercased().hasPrefix(wanted) == true
    }
    if prefixed.count == 1 { return prefixed[0] }
    if prefixed.count > 1 { throw .ambiguousDevice(selector, candidates: prefixed.map(\.label)) }
    throw .unknownDevice(selector, known: known)
  }

  /// Every device has a queue from its first day.
  private static func prepareQueue(of device: DeviceID, _ db: GRDB.Database) throws {
    try db.execute(
      sql: "INSERT INTO queue (device_id, identity) VALUES (?, ?) ON CONFLICT DO NOTHING",
      arguments: [device.rawValue, RandomText.hex(bytes: 8)])
  }

  private static func fetch(
    _ db: GRDB.Database, _ clause: String, _ arguments: StatementArguments
  ) throws -> [KnownDevice] {
    try Row.fetchAll(db, sql: "SELECT * FROM device \(clause)", arguments: arguments).map { row in
      let seen: Int64? = row["last_seen_at"]
      let pinned: String? = row["pinned_key"]
      return KnownDevice(
        id: DeviceID(row["id"]), name: row["name"], alias: row["alias"],
        endpoint: DeviceEndpoint(host: row["host"], port: row["port"]), uuid: row["uuid"],
        model: row["model"],
        origin: row["origin"], isGroup: row["is_group"], isDefault: row["is_default"],
        isPinned: pinned != nil,
        capabilities: row["capabilities"], lastSeenAt: seen.map { WallTime(milliseconds: $0) })
    }
  }
}
