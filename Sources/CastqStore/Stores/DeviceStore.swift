package import CastProtocol
package import CastqCore
import GRDB

/// The ledger of devices.
package struct DeviceStore: Sendable {
  let database: Database

  package init(_ database: Database) { self.database = database }

  /// The thread for callers that must not block others.
  package var executor: StoreExecutor { database.executor }

  /// Every device, by name; damaged rows are noted and skipped.
  package func all() throws(StoreError) -> [KnownDevice] {
    try database.read { db in
      try DeviceRows.fetchReadable(db, "ORDER BY name COLLATE NOCASE, id", noting: database.notes)
    }
  }

  /// One device as it stands now; nil when it was removed.
  package func device(_ id: DeviceID) throws(StoreError) -> KnownDevice? {
    try database.read { db in try DeviceRows.device(id, db) }
  }

  /// The device a person means: alias, name, UUID or address, or the beginning of exactly one name. Nil means the default
  /// device, or the only one there is.
  package func device(matching selector: String?) throws(StoreError) -> KnownDevice {
    let all = try all()
    do throws(StoreError) { return try DeviceSelection(all: all).device(matching: selector) } catch {
      // The damaged row may be the wanted one.
      guard let damage = database.notes.first(in: "device") else { throw error }
      throw StoreError(damage, path: database.path)
    }
  }

  /// Adds a device at a fixed address, or moves the one of that name there.
  package func add(name: String, endpoint: DeviceEndpoint, at now: WallTime) throws(StoreError) -> KnownDevice
  {
    try database.write { db in
      let named = try DeviceRows.fetch(db, "WHERE name = ? COLLATE NOCASE", [name]).first
      if try DeviceRows.isTaken(name, except: named?.id, db) { throw StoreError.taken(name) }
      let there = try DeviceRows.at(endpoint, db).filter { $0.id != named?.id }
      // Two names for one screen would be two queues and two feeders. A row that nobody gave a name gets this one.
      if let owner = there.first(where: { $0.isNamed || (named != nil && $0.isPicked) }) {
        throw StoreError.taken("\(endpoint) (\(owner.label))")
      }
      let id: DeviceID
      if let named {
        id = named.id
        for twin in there { try DeviceRows.delete(twin.id, db) }
        // It is the same device at another address, unless a device with a UUID is known there: queue, history and pinned key
        // belong to its identity. A replacement has to prove that key, or to be added as a new device.
        let identity = there.first?.uuid ?? named.uuid
        try db.execute(
          sql: "UPDATE device SET uuid = ? WHERE id = ?", arguments: [identity, id.rawValue])
      } else if let unnamed = there.first {
        id = unnamed.id
        try db.execute(sql: "UPDATE device SET name = ? WHERE id = ?", arguments: [name, id.rawValue])
      } else {
        id = try DeviceRows.insert(name: name, endpoint: endpoint, origin: "static", at: now, db)
      }
      try Self.setStatic(endpoint, isNamed: true, of: id, db)
      return try Self.row(id, db)
    }
  }

  /// The device at an address; a new one named by its address when there is none yet.
  package func ensure(_ endpoint: DeviceEndpoint, at now: WallTime) throws(StoreError) -> KnownDevice {
    try database.write { db in
      if let known = try DeviceRows.at(endpoint, db).first { return known }
      let id = try DeviceRows.insert(name: "\(endpoint)", endpoint: endpoint, origin: "static", at: now, db)
      try Self.setStatic(endpoint, isNamed: false, of: id, db)
      return try Self.row(id, db)
    }
  }

  /// Forgets a device and its queue; history stays.
  package func remove(_ device: DeviceID) throws(StoreError) {
    try database.write { db in try DeviceRows.delete(device, db) }
  }

  /// Makes a device the one that is meant when none is named; nil makes none.
  package func setDefault(_ device: DeviceID?) throws(StoreError) {
    try database.write { db in
      try db.execute(sql: "UPDATE device SET is_default = 0 WHERE is_default = 1")
      if let device {
        try db.execute(
          sql: "UPDATE device SET is_default = 1, is_picked = 1 WHERE id = ?", arguments: [device.rawValue])
      }
    }
  }

  /// Gives a device a short name; nil takes it away.
  package func setAlias(_ alias: String?, of device: DeviceID) throws(StoreError) {
    try database.write { db in
      if let alias, try DeviceRows.isTaken(alias, except: device, db) { throw StoreError.taken(alias) }
      try db.execute(
        sql: "UPDATE device SET alias = ?, is_picked = 1 WHERE id = ?", arguments: [alias, device.rawValue])
    }
  }

  /// Somebody chose this device: its row stays, however many others a scan may bring.
  package func pick(_ device: KnownDevice) throws(StoreError) {
    guard !device.isPicked, !database.isReadOnly, device.id != DeviceID(0) else { return }
    try database.write { db in
      try db.execute(sql: "UPDATE device SET is_picked = 1 WHERE id = ?", arguments: [device.id.rawValue])
    }
  }

  static func row(_ id: DeviceID, _ db: GRDB.Database) throws -> KnownDevice {
    guard let device = try DeviceRows.device(id, db) else {
      throw StoreError.unknownDevice("\(id)", known: [])
    }
    return device
  }

  private static func setStatic(
    _ endpoint: DeviceEndpoint, isNamed: Bool, of id: DeviceID, _ db: GRDB.Database
  ) throws {
    try db.execute(
      sql: """
        UPDATE device SET host = ?1, port = ?2, static_host = ?1, static_port = ?2, is_picked = 1, is_named = ?3
          WHERE id = ?4
        """, arguments: [endpoint.host, endpoint.port, isNamed, id.rawValue])
  }
}
