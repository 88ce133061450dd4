import CastqText
import GRDB

/// Writes the days of calendars.
enum CalendarWriting {
  /// Gives a calendar these days and no others.
  static func replaceDays(of calendar: Int64, with days: [LocalDate: String], _ db: GRDB.Database) throws {
    try db.execute(sql: "DELETE FROM calendar_day WHERE calendar_id = ?", arguments: [calendar])
    let statement = try db.cachedStatement(
      sql: "INSERT INTO calendar_day (calendar_id, day, label) VALUES (?, ?, ?)")
    for (day, label) in days { try statement.execute(arguments: [calendar, day.text, label]) }
  }
}
