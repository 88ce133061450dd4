package import CastProtocol
package import CastqCore
import GRDB

/// What discovery and connections say of devices.
extension DeviceStore {
  /// How many rows may be there that nobody ever picked: what a scan brings is not to be believed without end.
  package static let unpickedLimit = 256

  /// Stores what discovery finds.
  ///
  /// A device is known again by its UUID wherever it is now, so it keeps its row, its queue and its history; else the row
  /// that has its address and no UUID is its own. Its name follows what it calls itself unless a person gave the name, or it has
  /// to authenticate itself: announcements are not authenticated.
  /// - Parameter adding: whether devices that are not known get rows, as those that a scan has shown to a person do. Of rows
  ///   that nobody picked, so many are kept as were seen last.
  /// - Returns: the rows of the devices that have one and can be read, in their order.
  @discardableResult
  package func found(
    _ devices: [Device], adding: Bool = false, at now: WallTime
  ) throws(StoreError) -> [KnownDevice] {
    let known = try all()
    let rows = devices.map { SightingMerge.row(of: $0, in: known) }
    guard !database.isReadOnly, adding || zip(devices, rows).contains(where: { Self.isNews($0, $1, at: now) })
    else {
      return rows.compactMap { $0 }
    }
    return try database.write { db in
      var ids: [DeviceID] = []
      for device in devices {
        let merge = SightingMerge(device: device, now: now, db: db, notes: database.notes)
        // An unreadable row prevents the update of its own device only.
        do {
          try db.inSavepoint {
            if let id = try merge.merge(adding: adding) { ids.append(id) }
            return .commit
          }
        } catch let damage as RowDamage {
          database.notes.add(damage)
        }
      }
      if adding { try Self.dropUnpicked(db) }
      return try ids.flatMap {
        try DeviceRows.fetchReadable(db, "WHERE id = ?", [$0.rawValue], noting: database.notes)
      }
    }
  }

  /// A device has answered at this address, which becomes its last good one; nil leaves the address that is known.
  package func seen(
    _ device: DeviceID, at now: WallTime, endpoint: DeviceEndpoint? = nil
  ) throws(StoreError) {
    if database.isReadOnly { return }
    try database.write { db in
      try db.execute(
        sql: """
          UPDATE device SET last_seen_at = ?, seen_by = 'connect', is_picked = 1, host = coalesce(?, host),
            port = coalesce(?, port) WHERE id = ?
          """, arguments: [now.milliseconds, endpoint?.host, endpoint?.port, device.rawValue])
    }
  }

  /// Devices announce themselves again and again; only what changes a row is worth a write, or a minute that has passed.
  private static func isNews(_ device: Device, _ row: KnownDevice?, at now: WallTime) -> Bool {
    guard let row else { return false }
    return row.uuid != device.uniqueID ?? row.uuid || row.endpoint != device.endpoint
      || Announcement(of: device, for: row) != Announcement(known: row)
      || row.lastSeenAt.map { now - $0 >= 60 } ?? true
  }

  private static func dropUnpicked(_ db: GRDB.Database) throws {
    try db.execute(
      sql: """
        DELETE FROM device WHERE id IN (
          SELECT id FROM device WHERE NOT is_picked ORDER BY last_seen_at DESC, id LIMIT -1 OFFSET ?)
        """, arguments: [unpickedLimit])
  }
}

/// One device that was heard, and the row it belongs to.
struct SightingMerge {
  let device: Device
  let now: WallTime
  let db: GRDB.Database
  let notes: DamageNotes

  /// The row it belongs to, brought up to date; nil when it has none and is not to get one.
  func merge(adding: Bool) throws -> DeviceID? {
    guard let row = try ownRow() ?? (adding ? newRow() : nil) else { return nil }
    let told = Announcement(of: device, for: row)
    try db.execute(
      sql: """
        UPDATE device SET name = ?, friendly_name = ?, announced_name = ?, uuid = coalesce(?, uuid), model = ?,
          host = ?, port = ?, capabilities = ?, is_group = ?, status_text = ?, last_seen_at = ?, seen_by = 'mdns'
          WHERE id = ?
        """,
      arguments: [
        try name(told.friendlyName, for: row), told.friendlyName, told.announcedName, device.uniqueID,
        told.model,
        device.endpoint.host, device.endpoint.port, told.capabilities.map { Int64(bitPattern: $0.rawValue) },
        told.isGroup, device.statusText, now.milliseconds, row.id.rawValue,
      ])
    return row.id
  }

  /// The row a device would be found in, without changing anything.
  static func row(of device: Device, in known: [KnownDevice]) -> KnownDevice? {
    if let id = device.uniqueID, let row = known.first(where: { $0.uuid == id }) { return row }
    return known.first {
      $0.uuid == nil
        && ($0.endpoint.isSame(as: device.endpoint)
          || $0.staticEndpoint?.isSame(as: device.endpoint) == true)
    }
  }

  private func ownRow() throws -> KnownDevice? {
    let nameless = try DeviceRows.at(device.endpoint, db, noting: notes).first { $0.uuid == nil }
    guard let id = device.uniqueID,
      let known = try DeviceRows.fetch(db, "WHERE uuid = ?", [id]).first
    else { return nameless }
    // A person's row by address turns out to be this device: one screen, one queue.
    guard let nameless, !known.isPicked else { return known }
    try DeviceRows.delete(known.id, db)
    return nameless
  }

  private func newRow() throws -> KnownDevice {
    let wanted = Self.name(of: device) ?? "\(device.endpoint)"
    let name = try distinguishable(wanted, except: nil)
    return try DeviceStore.row(
      DeviceRows.insert(name: name, endpoint: device.endpoint, origin: "mdns", at: now, db), db)
  }

  /// What it calls itself, safe to show and of bounded length; nil when that is nothing.
  static func name(of device: Device) -> String? {
    let text = TerminalText.sanitized(String((device.friendlyName ?? "").unicodeScalars.prefix(128)))
    let words = text.split(separator: " ").joined(separator: " ")
    return words.isEmpty ? nil : words
  }

  /// The name of its row, derived from the name it uses for itself.
  func name(_ own: String?, for row: KnownDevice) throws -> String {
    guard !row.isNamed, let own, own != row.friendlyName || !row.hasProof else { return row.name }
    return try distinguishable(own, except: row)
  }

  /// The name itself, or, when another device has it, the name with the beginning of the UUID. A name that was told apart
  /// already stays as it is.
  private func distinguishable(_ wanted: String, except row: KnownDevice?) throws -> String {
    func isFree(_ name: String) throws -> Bool {
      try !DeviceRows.isTaken(name, except: row?.id, db)
        && !DeviceRows.isProved(name, except: row?.id, db, noting: notes)
    }
    if try isFree(wanted) { return wanted }
    if let row, row.name.hasPrefix("\(wanted) (") { return row.name }
    let mark = device.uniqueID ?? "\(device.endpoint)"
    let marks = device.uniqueID == nil ? [mark] : [String(mark.prefix(4)), String(mark.prefix(8)), mark]
    for mark in marks where try isFree("\(wanted) (\(mark))") { return "\(wanted) (\(mark))" }
    return "\(wanted) (\(mark) \(RandomText.hex(bytes: 4)))"
  }
}
