import CastProtocol
import CastqPlaylists
import CastqSchedule
import CastqText
import GRDB

/// Writes what a file says into the rows, within a transaction.
struct SiteWriting {
  private let file: SiteSchedule
  private let db: GRDB.Database
  private let now: WallTime
  private let labels: [String: String]
  /// What rules call a device, by its label in lower case.
  private let devices: [String: String]

  init(_ file: SiteSchedule, _ db: GRDB.Database, at now: WallTime) throws {
    self.file = file
    self.db = db
    self.now = now
    labels = try ScheduleStore.deviceLabels(db)
    devices = Dictionary(labels.map { ($1.lowercased(), $0) }) { $1 }
  }

  /// Writes the changes. Rules go first and come last, so that what they name is there.
  func apply(_ difference: SiteDifference, seed: () -> UInt64) throws {
    var wanted: [SiteMember] = []
    var unwanted: [SiteMember] = []
    for (member, change) in difference.changes {
      switch change {
      case .add, .change: wanted.append(member)
      case .remove: unwanted.append(member)
      }
    }
    for member in unwanted where member.section == .rules || member.section == .shares {
      try removeRule(member.name)
    }
    for member in wanted where member.section == .programmes { try write(programme: member.name, seed) }
    for member in wanted { try write(member) }
    for member in unwanted.reversed() { try remove(member) }
    try noteUsers(of: difference)
    try ScheduleStore.removeUnusedProgrammes(db)
  }

  /// Rules that the file does not change may name something that it does.
  private func noteUsers(of difference: SiteDifference) throws {
    var causes: [RuleID: [String]] = [:]
    for (member, change) in difference.changes {
      guard case .change = change, let table = member.section.table,
        let id = try table.id(of: member.name, db)
      else { continue }
      let cause = try ScheduleStore.cause(of: table, id, db)
      for rule in try ScheduleStore.users(of: table, id, db) { causes[rule, default: []].append(cause) }
    }
    for (member, _) in difference.changes where member.section == .rules || member.section == .shares {
      if let id = try ScheduleTable.rule.id(of: member.name, db) { causes[RuleID(id)] = nil }
    }
    for (rule, causes) in causes.sorted(by: { $0.key < $1.key }) {
      try noteChange(
        of: rule, from: try ScheduleStore.rule(rule, db), because: causes.joined(separator: ", "))
    }
  }

  private func write(_ member: SiteMember) throws {
    switch member.section {
    // A filler may be a programme that stands behind.
    case .programmes: try writeFiller(of: member.name)
    case .dayparts:
      if let daypart = file.dayparts[member.name] { try keep(.daypart, member) { try write(daypart) } }
    case .calendars:
      if let days = file.calendars[member.name] { try write(days, calendar: member.name) }
    case .groups:
      if let devices = file.groups[member.name] {
        try keep(.group, member) { try write(devices, group: member.name) }
      }
    case .devices: if let zone = file.devices[member.name] { try write(zone, device: member.name) }
    case .rules, .shares: if let rule = file.rules[member.name] { try write(rule) }
    }
  }

  private func keep(_ table: ScheduleTable, _ member: SiteMember, _ body: () throws -> Void) throws {
    try NamedHistory.keep(table, member.name, at: now, db, body)
  }

  private func remove(_ member: SiteMember) throws {
    guard let table = member.section.table else { return }
    // Programmes have no history of their own.
    if table == .programme { return try table.remove(member.name, db) }
    try keep(table, member) { try table.remove(member.name, db) }
  }

  // MARK: - What rules name

  private func write(programme name: String, _ seed: () -> UInt64) throws {
    guard let programme = file.programmes[name] else { return }
    guard let id = try ScheduleTable.programme.id(of: name, db) else {
      return try db.execute(
        sql: "INSERT INTO programme (name, source, is_shuffled, seed, created_at) VALUES (?, ?, ?, ?, ?)",
        arguments: [
          name, programme.source, programme.isShuffled, Int64(bitPattern: seed()), now.milliseconds,
        ])
    }
    try db.execute(
      sql: """
        UPDATE programme SET source = ?1, source_digest = CASE WHEN source = ?1 THEN source_digest END, problem = NULL,
          is_shuffled = ?2, is_named = 1 WHERE id = ?3
        """, arguments: [programme.source, programme.isShuffled, id])
  }

  private func writeFiller(of name: String) throws {
    guard let programme = file.programmes[name] else { return }
    let id = try ScheduleTable.programme.required(name, db)
    let filler = try programme.filler.map { try ScheduleTable.programme.required($0, db) }
    guard filler != id else {
      throw StoreError.refused(ScheduleRefusal("in_use", "the programme \(name) cannot be its own filler"))
    }
    try db.execute(sql: "UPDATE programme SET filler_id = ? WHERE id = ?", arguments: [filler, id])
  }

  private func write(_ daypart: Daypart) throws {
    // The calendars of its exceptions may stand behind it.
    for exception in daypart.exceptions {
      if case .calendar(let name) = exception.days, let days = file.calendars[name] {
        if try ScheduleTable.calendar.id(of: name, db) == nil { try write(days, calendar: name) }
      }
    }
    let calendars = try DaypartRows.calendars(of: daypart, db)
    try DaypartRows.write(
      daypart, calendars: calendars, as: try ScheduleTable.daypart.id(of: daypart.name, db), db)
  }

  private func write(_ days: [LocalDate: String], calendar name: String) throws {
    try NamedHistory.keep(.calendar, name, at: now, db) {
      try db.execute(sql: "INSERT INTO calendar (name) VALUES (?) ON CONFLICT DO NOTHING", arguments: [name])
      try CalendarWriting.replaceDays(of: try ScheduleTable.calendar.required(name, db), with: days, db)
    }
  }

  private func write(_ members: Set<String>, group name: String) throws {
    try db.execute(
      sql: "INSERT INTO device_group (name) VALUES (?) ON CONFLICT DO NOTHING", arguments: [name])
    let id = try ScheduleTable.group.required(name, db)
    try db.execute(sql: "DELETE FROM group_member WHERE group_id = ?", arguments: [id])
    for member in members.sorted() {
      let device = try self.device(member)
      try db.execute(
        sql: "INSERT INTO group_member (group_id, device_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
        arguments: [id, device.rawValue])
      try ScheduleStore.pick(device, db)
    }
  }

  private func write(_ zone: ZoneName?, device name: String) throws {
    let id = try device(name)
    let text = try db.scalar(
      String.self, of: "device", sql: "SELECT zone FROM device WHERE id = ?", arguments: [id.rawValue])
    let before = text.flatMap { try? ZoneName($0) }
    try ZoneHistory.keep(from: before, to: zone, of: id, at: now, db)
    try db.execute(sql: "UPDATE device SET zone = ? WHERE id = ?", arguments: [zone?.text, id.rawValue])
  }

  /// The device with a label. Another process may have renamed it since the file was read.
  private func device(_ label: String) throws -> DeviceID {
    guard let name = devices[label.lowercased()], let id = DeviceID(ruleName: name) else {
      throw StoreError.unknownDevice(label, known: labels.values.sorted())
    }
    return id
  }

  // MARK: - Rules

  private func write(_ rule: ScheduleRule) throws {
    var rule = rule
    if case .device(let label) = rule.target {
      let device = try device(label)
      rule.target = .device(device.ruleName)
      try ScheduleStore.pick(device, db)
    }
    let programme = try programme(rule.programme, trigger: rule.triggerName)
    let known = try ScheduleTable.rule.id(of: rule.name, db).map(RuleID.init)
    let before = try known.map { try ScheduleStore.rule($0, db) }
    if let before, before.kind.isShare != rule.kind.isShare {
      // A share and a rule have one space of names; it is another rule from now on.
      try removeRule(before.name)
    } else if let before {
      (rule.id, rule.name) = (before.id, before.name)
      try RuleWriting.update(rule, programme: programme, db)
      try db.change(sql: "DELETE FROM rule_exception WHERE rule_id = ?", arguments: [rule.id.number])
      try writeExceptions(of: rule)
      return try noteChange(of: before.id, from: before)
    }
    rule.id = try RuleWriting.insert(rule, programme: programme, isNamed: true, db)
    try writeExceptions(of: rule)
    try noteChange(of: rule.id, from: nil)
  }

  private func removeRule(_ name: String) throws {
    let rule = try ScheduleStore.rule(RuleID(try ScheduleTable.rule.required(name, db)), db)
    try ScheduleStore.noteRemoval(of: rule, at: now, labels: labels, db)
    try db.change(sql: "DELETE FROM rule WHERE id = ?", arguments: [rule.id.number])
  }

  /// A named programme, else one that is made for the source.
  private func programme(_ text: String, trigger: String? = nil) throws -> Int64 {
    let named = try db.scalar(
      Int64.self, of: "programme", sql: "SELECT id FROM programme WHERE name = ? AND is_named = 1",
      arguments: [text])
    return try named ?? ScheduleStore.programme(.source(text), trigger: trigger, at: now, db)
  }

  private func writeExceptions(of rule: ScheduleRule) throws {
    for (original, exception) in rule.exceptions {
      var (action, local, programme): (String, String?, Int64?) = ("skip", nil, nil)
      switch exception {
      case .skip: break
      case .move(let time): (action, local) = ("move", time.text)
      case .replace(let name): (action, programme) = ("replace", try self.programme(name))
      }
      try db.change(
        sql: """
          INSERT INTO rule_exception (rule_id, original_local, action, new_local, programme_id) VALUES (?, ?, ?, ?, ?)
          """, arguments: [rule.id.number, original.text, action, local, programme])
    }
  }

  private func noteChange(of id: RuleID, from before: ScheduleRule?, because cause: String? = nil) throws {
    try ScheduleStore.noteChange(of: id, from: before, because: cause, at: now, labels: labels, db)
  }
}

extension SiteSchedule.Section {
  /// The table of what rules name; nil for rules, and for devices.
  fileprivate var table: ScheduleTable? {
    switch self {
    case .programmes: .programme
    case .dayparts: .daypart
    case .calendars: .calendar
    case .groups: .group
    case .devices, .rules, .shares: nil
    }
  }
}
