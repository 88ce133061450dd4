package import CastProtocol
import CastqFeeding
package import CastqPlaylists
package import CastqText
import GRDB

/// The ledger of devices.
package struct DeviceStore: Sendable {
  let database: Database

  package init(_ database: Database) { self.database = database }

  /// Whether nothing can be written: the database was opened for one who may only read it.
  package var isReadOnly: Bool { database.isReadOnly }

  /// The executor for callers that must not block.
  package var executor: StoreExecutor { database.executor }

  /// Every device, by name; damaged rows are noted and skipped.
  package func all() throws(StoreError) -> [KnownDevice] {
    try database.read { db in
      try DeviceRows.fetchReadable(db, "ORDER BY name COLLATE NOCASE, id", noting: database.notes)
    }
  }

  /// The current row of a device; nil if it was removed.
  package func device(_ id: DeviceID) throws(StoreError) -> KnownDevice? {
    try database.read { db in try DeviceRows.device(id, db) }
  }

  /// Selects by alias, given name, UUID, address, a device's own name or a unique prefix of a name. Nil means the default device, or the only one.
  package func device(matching selector: String?) throws(StoreError) -> KnownDevice {
    if let device = try named(selector) { return device }
    let all = try all()
    do throws(StoreError) { return try DeviceSelection(all: all).device(matching: selector) } catch {
      // The damaged row may be the selected one.
      guard let damage = database.notes.first(in: "device") else { throw error }
      throw StoreError(damage, path: database.path)
    }
  }

  /// The device whose alias or name this is, or the default one; nil when the whole ledger has to be read to find out, which takes long
  /// where it is large. A name that the device gave itself is left to `DeviceSelection` where it may be the UUID or the address of another.
  private func named(_ selector: String?) throws(StoreError) -> KnownDevice? {
    try database.read { db in
      do {
        guard let selector else { return try DeviceRows.fetch(db, "WHERE is_default = 1").first }
        let found = try DeviceRows.fetch(
          db,
          """
          WHERE alias = ?1 COLLATE NOCASE OR name = ?1 COLLATE NOCASE
          ORDER BY alias = ?1 COLLATE NOCASE DESC NULLS LAST, id LIMIT 1
          """, [selector]
        ).first
        guard let named = found, !named.isNamed, named.alias?.lowercased() != selector.lowercased() else {
          return found
        }
        if AnnouncedName.isMisleading(selector) { return nil }
        guard let endpoint = DeviceEndpoint(selector) else { return named }
        return try DeviceRows.at(endpoint, db).allSatisfy { $0.id == named.id } ? named : nil
      } catch is RowDamage {
        // It is noted with all others.
        return nil
      }
    }
  }

  /// Adds a device at a fixed address, or moves the device of that name there. A device that only a scan has
  /// shown, and at another IP address, is not that device, whatever it calls itself: it gives up the name. A
  /// host name may be that very device's.
  package func add(name: String, endpoint: DeviceEndpoint, at now: WallTime) throws(StoreError) -> KnownDevice
  {
    try database.write { db in
      var named = try DeviceRows.fetch(db, "WHERE name = ? COLLATE NOCASE", [name]).first
      if try DeviceRows.isTaken(name, except: named?.id, db) { throw StoreError.taken(name) }
      var there = try DeviceRows.at(endpoint, db)
      if let stranger = named, !stranger.isPicked, DeviceEndpoint.isNumeric(endpoint.host),
        !there.contains(where: { $0.id == stranger.id })
      {
        try SightingMerge(device: stranger.castDevice, now: now, db: db, notes: database.notes)
          .giveUpName(of: stranger)
        named = nil
      }
      there.removeAll { $0.id == named?.id }
      // Two names for one device would mean two queues and two feeders. A row without a chosen name gets this one.
      if let owner = there.first(where: { $0.isNamed || (named != nil && $0.isPicked) }) {
        throw StoreError.taken("\(endpoint) (\(owner.label))")
      }
      let id: DeviceID
      if let named {
        id = named.id
        for twin in there { try DeviceRows.delete(twin.id, db) }
        // It is the same device at another address, unless a device with a UUID is known there, to which queue, history and
        // pinned key belong. A replacement must prove that key or be added as a new device.
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

  /// The device at an address; adds one named by its address if there is none.
  package func ensure(_ endpoint: DeviceEndpoint, at now: WallTime) throws(StoreError) -> KnownDevice {
    try database.write { db in
      if let known = try DeviceRows.at(endpoint, db).first { return known }
      let id = try DeviceRows.insert(name: "\(endpoint)", endpoint: endpoint, origin: "static", at: now, db)
      try Self.setStatic(endpoint, isNamed: false, of: id, db)
      return try Self.row(id, db)
    }
  }

  /// Removes a device with its queues and the rules that are for it alone; history stays. It leaves its groups, so that the rules for
  /// them get another revision.
  package func remove(_ device: DeviceID, at now: WallTime) throws(StoreError) {
    try database.write { db in
      let rules = try RuleRows.fetch(
        db, "WHERE rule.device_id = ?", [device.rawValue], noting: database.notes)
      for rule in rules { try ScheduleStore.noteRemoval(of: rule, at: now, db) }
      let groups = try db.scalars(
        Int64.self, of: "group_member",
        sql: "SELECT group_id FROM group_member WHERE device_id = ? ORDER BY group_id",
        arguments: [device.rawValue])
      for group in groups {
        try ScheduleStore.changing(.group, group, at: now, db) {
          try db.execute(
            sql: "DELETE FROM group_member WHERE group_id = ? AND device_id = ?",
            arguments: [group, device.rawValue])
        }
      }
      // Nobody will say of what device a play was whose device is gone.
      _ = try QueueStore(database).closePlays(of: device, PlayEnding(.deviceRemoved), db)
      try DeviceRows.delete(device, db)
      try ScheduleStore.removeUnusedProgrammes(db)
    }
  }

  /// Sets the default device; nil clears it.
  package func setDefault(_ device: DeviceID?) throws(StoreError) {
    try database.write { db in
      try db.execute(sql: "UPDATE device SET is_default = 0 WHERE is_default = 1")
      if let device {
        try db.execute(
          sql: "UPDATE device SET is_default = 1, is_picked = 1 WHERE id = ?", arguments: [device.rawValue])
      }
    }
  }

  /// Sets the alias of a device; nil removes it.
  package func setAlias(_ alias: String?, of device: DeviceID) throws(StoreError) {
    try database.write { db in
      if let alias, try DeviceRows.isTaken(alias, except: device, db) { throw StoreError.taken(alias) }
      try db.execute(
        sql: "UPDATE device SET alias = ?, is_picked = 1 WHERE id = ?", arguments: [alias, device.rawValue])
    }
  }

  /// Marks a device as picked, so that later scans do not displace its row.
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
    // A person who gives another address knows where the device is now.
    try db.execute(
      sql: """
        DELETE FROM proved_place WHERE device_id = ?3
          AND device_id NOT IN (SELECT id FROM device WHERE static_host = ?1 AND static_port = ?2)
        """, arguments: [endpoint.host, endpoint.port, id.rawValue])
    try db.execute(
      sql: """
        UPDATE device SET host = ?1, port = ?2, static_host = ?1, static_port = ?2, is_picked = 1, is_named = ?3
          WHERE id = ?4
        """, arguments: [endpoint.host, endpoint.port, isNamed, id.rawValue])
  }
}
