package import CastProtocol
package import CastqPlaylists
package import CastqText
import GRDB

/// Sightings of devices by discovery and connections.
extension DeviceStore {
  /// Maximum number of rows that were never picked: scan results are not trusted without limit.
  package static let unpickedLimit = 256

  /// Stores discovered devices.
  ///
  /// A device is identified by its UUID at any address and keeps its row, queue and history; otherwise a row with its address
  /// and without a UUID is its own. That row gets the UUID only if the device must authenticate itself: otherwise whoever announces
  /// itself at an address that a person gave would be followed from there. Its name follows the announced one, unless the user chose the name or the device must
  /// authenticate itself: announcements are not authenticated.
  /// - Parameter adding: whether to add unknown devices, as a scan does. Of rows that were never picked, only the most recently
  ///   seen ones are kept.
  /// - Returns: the readable rows of these devices, in their order.
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
        // An unreadable row prevents only the update of its own device.
        do {
          try db.inSavepoint {
            if let id = try merge.merge(adding: adding) { ids.append(id) }
            return .commit
          }
        } catch let damage as RowDamage {
          database.notes.add(damage)
        }
      }
      if adding { try Self.dropUnpicked(db, at: now) }
      return try ids.flatMap {
        try DeviceRows.fetchReadable(db, "WHERE id = ?", [$0.rawValue], noting: database.notes)
      }
    }
  }

  /// Stores that a device has answered at an address, which becomes its last good one; nil keeps the known address.
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

  /// Devices announce themselves often; a row is written only if it changes or after a minute.
  private static func isNews(_ device: Device, _ row: KnownDevice?, at now: WallTime) -> Bool {
    guard let row else { return false }
    return row.uuid != row.uuid(after: device) || row.endpoint != device.endpoint
      || Announcement(of: device, for: row) != Announcement(known: row)
      || row.lastSeenAt.map { now - $0 >= 60 } ?? true
  }

  /// What was only announced goes after a day, and the oldest of too many: anybody on the network can announce anything.
  private static func dropUnpicked(_ db: GRDB.Database, at now: WallTime) throws {
    try db.execute(
      sql: "DELETE FROM device WHERE NOT is_picked AND pinned_key IS NULL AND last_seen_at < ?",
      arguments: [now.adding(seconds: -86_400).milliseconds])
    try db.execute(
      sql: """
        DELETE FROM device WHERE id IN (
          SELECT id FROM device WHERE NOT is_picked ORDER BY last_seen_at DESC, id LIMIT -1 OFFSET ?)
        """, arguments: [unpickedLimit])
  }
}

/// A discovered device and its row.
struct SightingMerge {
  let device: Device
  let now: WallTime
  let db: GRDB.Database
  let notes: DamageNotes

  /// Updates and returns its row; nil if it has none and must not get one.
  func merge(adding: Bool) throws -> DeviceID? {
    guard let row = try ownRow() ?? (adding ? newRow() : nil) else { return nil }
    let told = Announcement(of: device, for: row)
    try db.execute(
      sql: """
        UPDATE device SET name = ?, friendly_name = ?, announced_name = ?, uuid = ?, model = ?,
          host = ?, port = ?, capabilities = ?, is_group = ?, status_text = ?, last_seen_at = ?, seen_by = 'mdns'
          WHERE id = ?
        """,
      arguments: [
        try name(told.friendlyName, for: row), told.friendlyName, told.announcedName, row.uuid(after: device),
        told.model,
        device.endpoint.host, device.endpoint.port, told.capabilities.map { Int64(bitPattern: $0.rawValue) },
        told.isGroup, device.statusText, now.milliseconds, row.id.rawValue,
      ])
    return row.id
  }

  /// The row of a device, without changing anything.
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
    // A row that the user added by address is this device: merge them, as one device has one queue.
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

  /// Its announced name, sanitized, of bounded length and without what would make it a group; nil if it is empty.
  static func name(of device: Device) -> String? {
    let text = TerminalText.sanitized(String((device.friendlyName ?? "").unicodeScalars.prefix(128)))
    let words = AnnouncedName.ungrouped(text.split(separator: " ").joined(separator: " "))
    return words.isEmpty ? nil : words
  }

  /// The name of its row, derived from its announced name.
  func name(_ own: String?, for row: KnownDevice) throws -> String {
    guard !row.isNamed, let own = own ?? row.friendlyName,
      // An earlier version has stored some names as they were announced.
      own != row.friendlyName || !row.hasProof || AnnouncedName.isMisleading(row.name)
    else {
      // A stored name that reads as a group is read without its @, and so another device may have it.
      guard try DeviceRows.isTaken(row.name, except: row.id, db) else { return row.name }
      return try distinguishable(row.name, except: row)
    }
    return try distinguishable(own, except: row)
  }

  /// Gives a row another name, since a person has its name for another device.
  func giveUpName(of row: KnownDevice) throws {
    try db.execute(
      sql: "UPDATE device SET name = ? WHERE id = ?",
      arguments: [try marked(row.name, except: row), row.id.rawValue])
  }

  /// The name itself, or with a prefix of the UUID if another device has it, or it reads as a UUID or the address of something else.
  /// A name that has such a suffix already stays.
  private func distinguishable(_ wanted: String, except row: KnownDevice?) throws -> String {
    if try isFree(wanted, except: row) { return wanted }
    if let row, row.name.hasPrefix("\(wanted) (") { return row.name }
    return try marked(wanted, except: row)
  }

  /// The name with a prefix of the UUID.
  private func marked(_ wanted: String, except row: KnownDevice?) throws -> String {
    let mark = device.uniqueID ?? "\(device.endpoint)"
    let marks = device.uniqueID == nil ? [mark] : [String(mark.prefix(4)), String(mark.prefix(8)), mark]
    for mark in marks where try isFree("\(wanted) (\(mark))", except: row) { return "\(wanted) (\(mark))" }
    return "\(wanted) (\(mark) \(RandomText.hex(bytes: 4)))"
  }

  private func isFree(_ name: String, except row: KnownDevice?) throws -> Bool {
    try (!AnnouncedName.isMisleading(name) || name == "\(device.endpoint)")
      && !DeviceRows.isTaken(name, except: row?.id, db)
      && !DeviceRows.isProved(name, except: row?.id, db, noting: notes)
  }
}
