package import CastqPlaylists
package import CastqSchedule
package import CastqText
import GRDB

/// Rules and what they name: programmes, day parts, calendars, groups; and the decisions made by them.
package struct ScheduleStore: Sendable {
  let database: Database

  package init(_ database: Database) { self.database = database }

  /// See `Database.changeToken`.
  package func changeToken() throws(StoreError) -> Int64 { try database.changeToken() }

  /// Whether any rule is enabled for a device.
  package func hasRules(for device: DeviceID) throws(StoreError) -> Bool {
    try database.read { db in
      try db.scalar(
        Int.self, of: "rule",
        sql: """
          SELECT 1 FROM rule WHERE is_enabled AND (
            device_id = ?1 OR group_id IN (SELECT group_id FROM group_member WHERE device_id = ?1)
            OR (device_id IS NULL AND group_id IS NULL AND EXISTS (SELECT 1 FROM device WHERE id = ?1)))
          LIMIT 1
          """, arguments: [device.rawValue]) != nil
    }
  }

  /// The programmes that have a queue on a device, which keeps its place.
  /// - Parameter forStarts: whether for rules that start at moments of their own, or for the others.
  package func programmes(withQueueOn device: DeviceID, forStarts: Bool) throws(StoreError) -> Set<String> {
    try database.read { db in
      Set(
        try db.scalars(
          String.self, of: "programme",
          sql: """
            SELECT p.name FROM programme p JOIN queue q ON q.programme_id = p.id
            WHERE q.device_id = ? AND q.for_starts = ?
            """, arguments: [device.rawValue, forStarts]))
    }
  }

  /// The whole schedule, read in one transaction. Damaged rows are noted; each costs the rule, the day part or the day that it is.
  /// - Parameters:
  ///   - siteZone: the zone of rules and devices without one.
  ///   - zones: the offsets of a zone; nil for one that this system does not know. The rules in it are broken, and the others play.
  ///   - device: the only device that is read, with the rules that are for it; nil reads all of both.
  package func schedule(
    siteZone: ZoneName, zones: (ZoneName) -> TimeZoneRules?, of device: DeviceID? = nil
  ) throws(StoreError) -> StoredSchedule {
    try database.read { db in
      try StoredSchedule(db, siteZone: siteZone, of: device, noting: database.notes)
    }.with(zones)
  }
}

/// Rules, devices and programmes as they stood at one moment.
package struct StoredSchedule: Sendable, Hashable {
  package var book: ScheduleBook
  /// By their names. The identifier of each is the number of its row as text, as `RuleTarget.device` has it.
  package var devices: [ScheduleDevice]
  /// By their names, with those that were made for one rule.
  package var programmes: [StoredProgramme]

  /// Every zone that the site, a device or a rule names.
  private var namedZones: Set<ZoneName> {
    var zones: Set<ZoneName> = [book.siteZone]
    zones.formUnion(devices.compactMap(\.zone))
    for rule in book.rules { zones.formUnion(rule.zones) }
    return zones
  }

  /// Reads it, without the offsets of its zones.
  init(_ db: GRDB.Database, siteZone: ZoneName, of device: DeviceID?, noting notes: DamageNotes) throws {
    book = ScheduleBook(
      rules: try RuleRows.all(db, for: device, noting: notes),
      dayparts: try DaypartRows.all(db, noting: notes),
      calendars: try CalendarRows.all(db, noting: notes), siteZone: siteZone)
    devices = try ScheduleDeviceRows.all(db, of: device, noting: notes)
    programmes = try ProgrammeRows.all(db, noting: notes)
  }

  /// The same with the offsets of the zones that it names, as far as they are known.
  func with(_ zones: (ZoneName) -> TimeZoneRules?) -> StoredSchedule {
    var schedule = self
    for zone in namedZones {
      if let rules = zones(zone) { schedule.book.zones[zone] = rules }
    }
    return schedule
  }
}

extension DeviceID {
  /// What rules and plans call the device: `ScheduleDevice.id`, `RuleTarget.device`.
  package var ruleName: String { String(rawValue) }

  /// Nil when it names no row.
  package init?(ruleName: String) {
    guard let number = Int64(ruleName) else { return nil }
    self.init(number)
  }
}

/// Reads devices as rules know them: those that a person named, chose or used. What only a scan has heard of may be a neighbour's.
enum ScheduleDeviceRows {
  static func all(
    _ db: GRDB.Database, of device: DeviceID?, noting notes: DamageNotes
  ) throws -> [ScheduleDevice] {
    let groups = try GroupRows.names(db, of: device, noting: notes)
    let working = try QueueStore.devicesWithWork(db, looping: [])
    return try Row.fetchCursor(
      db,
      sql: """
        SELECT id, coalesce(alias, name) AS label, zone FROM device WHERE is_picked = 1 AND (?1 IS NULL OR id = ?1)
        ORDER BY label COLLATE NOCASE, id
        """, arguments: [device?.rawValue]
    ).readable(noting: notes) { row in
      let row = StoredRow(row, of: "device")
      let id = DeviceID(try row.value("id"))
      var zone: ZoneName?
      do throws(RowDamage) { zone = try row.optionalText("zone", ZoneName.init) } catch {
        // A screen in the site's zone is better than none.
        notes.add(error)
      }
      return ScheduleDevice(
        id: id.ruleName, name: AnnouncedName.stored(try row.value("label"), of: id), groups: groups[id] ?? [],
        zone: zone, hasBase: working.contains(id))
    }
  }
}
