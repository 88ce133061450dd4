import CastqSchedule
import CastqText
import GRDB

/// Reads and writes day parts with their exceptions.
enum DaypartRows {
  /// Every day part, by name. One with a damaged exception is left out: the others would say less than is known.
  static func all(_ db: GRDB.Database, noting notes: DamageNotes) throws -> [Daypart] {
    var exceptions: [Int64: [Daypart.Exception]] = [:]
    var damaged: Set<Int64> = []
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT e.*, c.name AS calendar_name FROM daypart_exception e LEFT JOIN calendar c ON c.id = e.calendar_id
        ORDER BY e.daypart_id, e.ordinal
        """)
    while let row = try rows.next() {
      let row = StoredRow(row, of: "daypart_exception", id: "daypart_id")
      let daypart: Int64? = try? row.value("daypart_id")
      do throws(RowDamage) {
        exceptions[try row.value("daypart_id"), default: []].append(try exception(row))
      } catch {
        notes.add(error)
        if let daypart { damaged.insert(daypart) }
      }
    }
    return try Row.fetchCursor(db, sql: "SELECT * FROM daypart ORDER BY name COLLATE NOCASE")
      .readable(noting: notes) { row in
        let row = StoredRow(row, of: "daypart")
        let id: Int64 = try row.value("id")
        let daypart = Daypart(
          name: try row.value("name"), part: try part(row), exceptions: exceptions[id] ?? [])
        return damaged.contains(id) ? nil : daypart
      }.compactMap { $0 }
  }

  /// The numbers of the calendars that the exceptions name, in their order; nil for days of the week.
  static func calendars(of daypart: Daypart, _ db: GRDB.Database) throws -> [Int64?] {
    try daypart.exceptions.map { exception in
      guard case .calendar(let name) = exception.days else { return nil }
      return try ScheduleTable.calendar.required(name, db)
    }
  }

  /// - Parameters:
  ///   - calendars: as `calendars(of:)` has them.
  ///   - known: the row that is changed; nil makes one.
  static func write(
    _ daypart: Daypart, calendars: [Int64?], as known: Int64?, _ db: GRDB.Database
  ) throws {
    let times = [daypart.part.startText, daypart.part.endText]
    if let known {
      try db.execute(sql: "DELETE FROM daypart_exception WHERE daypart_id = ?", arguments: [known])
      try db.execute(
        sql: "UPDATE daypart SET start_local = ?, end_local = ? WHERE id = ?",
        arguments: StatementArguments(times) + [known])
    } else {
      try db.execute(
        sql: "INSERT INTO daypart (start_local, end_local, name) VALUES (?, ?, ?)",
        arguments: StatementArguments(times) + [daypart.name])
    }
    let id = known ?? db.lastInsertedRowID
    for (ordinal, (exception, calendar)) in zip(daypart.exceptions, calendars).enumerated() {
      var days: String?
      if case .weekdays(let weekdays) = exception.days { days = weekdays.text }
      try db.execute(
        sql: """
          INSERT INTO daypart_exception (daypart_id, ordinal, days, calendar_id, start_local, end_local)
          VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [id, ordinal, days, calendar, exception.part?.startText, exception.part?.endText])
    }
  }

  private static func exception(_ row: StoredRow) throws(RowDamage) -> Daypart.Exception {
    let isClosed = try row.optional("start_local", as: String.self) == nil
    let part = isClosed ? nil : try part(row)
    if let days = try row.optionalText("days", Weekdays.init) { return .init(.weekdays(days), part) }
    guard let name: String = try row.optional("calendar_name") else { throw row.damage("calendar_id") }
    return .init(.calendar(name), part)
  }

  private static func part(_ row: StoredRow) throws(RowDamage) -> DayPart {
    let end: String = try row.value("end_local")
    return try row.text("start_local") { (start) throws(TextError) in try DayPart("\(start)-\(end)") }
  }
}
