import CastqPlaylists
import CastqSchedule
import CastqText
import GRDB

/// Reads the rows of the schedule as a file has them.
enum SiteRows {
  static func site(_ db: GRDB.Database, noting notes: DamageNotes) throws -> SiteSchedule {
    var site = SiteSchedule()
    site.sections = Set(SiteSchedule.Section.allCases)
    let programmes = try ProgrammeRows.all(db, noting: notes)
    for programme in programmes where programme.isNamed {
      site.programmes[programme.name] = .init(
        source: programme.source, isShuffled: programme.isShuffled, filler: programme.filler)
    }
    for daypart in try DaypartRows.all(db, noting: notes) { site.dayparts[daypart.name] = daypart }
    for calendar in try CalendarRows.all(db, noting: notes) {
      site.calendars[calendar.name] = Dictionary(
        calendar.days.map { ($0, calendar.label(of: $0) ?? "") }
      ) { $1 }
    }
    let labels = try ScheduleStore.deviceLabels(db)
    for name in try names(of: "device_group", db) { site.groups[name] = [] }
    for (device, groups) in try GroupRows.names(db, noting: notes) {
      guard let label = labels[device.ruleName] else { continue }
      for group in groups { site.groups[group]?.insert(label) }
    }
    for (id, zone) in try zones(db, noting: notes) {
      if let label = labels[id] { site.devices[label] = .some(zone) }
    }
    // A programme without a name of its own is called by its source.
    let sources = Dictionary(programmes.filter { !$0.isNamed }.map { ($0.name, $0.source) }) { $1 }
    let unnamed = Set(try db.scalars(Int64.self, of: "rule", sql: "SELECT id FROM rule WHERE is_named = 0"))
    for rule in try RuleRows.all(db, noting: notes) where !unnamed.contains(rule.id.number) {
      site.rules[rule.name] = rule.inFile(labels: labels, sources: sources)
    }
    return site
  }

  /// The names of the rows.
  static func names(_ db: GRDB.Database, noting notes: DamageNotes) throws -> SiteNames {
    var names = SiteNames()
    for programme in try ProgrammeRows.all(db, noting: notes) where programme.isNamed {
      names.add(.programmes, programme.name)
    }
    for (section, table) in [
      (SiteSchedule.Section.dayparts, "daypart"), (.calendars, "calendar"), (.groups, "device_group"),
    ] {
      for name in try self.names(of: table, db) { names.add(section, name) }
    }
    let rows = try Row.fetchCursor(db, sql: "SELECT id, name, alias FROM device")
    for (name, alias) in try rows.readable(
      noting: notes,
      { row in
        let row = StoredRow(row, of: "device")
        let id = DeviceID(try row.value("id"))
        let (name, alias): (String, String?) = (try row.value("name"), try row.optional("alias"))
        return (AnnouncedName.stored(name, of: id), alias.map { AnnouncedName.stored($0, of: id) })
      })
    {
      names.add(.devices, name, as: alias ?? name)
      if let alias { names.add(.devices, alias) }
    }
    return names
  }

  private static func names(of table: String, _ db: GRDB.Database) throws -> [String] {
    try db.scalars(String.self, of: table, sql: "SELECT name FROM \(table) ORDER BY name COLLATE NOCASE")
  }

  /// The zones of devices that have one of their own, by what rules call the device.
  private static func zones(_ db: GRDB.Database, noting notes: DamageNotes) throws -> [(String, ZoneName)] {
    let rows = try Row.fetchCursor(db, sql: "SELECT id, zone FROM device WHERE zone IS NOT NULL")
    return try rows.readable(noting: notes) { row in
      let row = StoredRow(row, of: "device")
      return (DeviceID(try row.value("id")).ruleName, try row.text("zone", ZoneName.init))
    }
  }
}

extension ScheduleRule {
  /// The rule with names in place of numbers.
  fileprivate func inFile(labels: [String: String], sources: [String: String]) -> ScheduleRule {
    var rule = self
    if case .device(let id) = target { rule.target = .device(labels[id] ?? id) }
    rule.programme = sources[programme] ?? programme
    for (time, exception) in exceptions {
      if case .replace(let name) = exception { rule.exceptions[time] = .replace(sources[name] ?? name) }
    }
    return rule
  }
}
