package import CastqPlaylists
package import CastqText
import GRDB

/// The times in which devices that were fed did not answer: what a report of availability rests on.
///
/// An outage that is open when castq ends stays open: nobody has heard of the device since.
package struct OutageStore: Sendable {
  private let database: Database

  package init(_ database: Database) { self.database = database }

  /// Opens an outage. While one is open the first stays, with its cause.
  /// - Parameters:
  ///   - lastHeard: the last moment at which the device was heard.
  ///   - cause: the words of the loss.
  package func begin(_ device: KnownDevice, lastHeard: WallTime, cause: String) throws(StoreError) {
    try database.write { db in
      try db.execute(
        sql: """
          INSERT INTO outage (device_id, device_name, began_at, cause)
          SELECT id, ?2, ?3, ?4 FROM device
          WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM outage WHERE device_id = ?1 AND ended_at IS NULL)
          """,
        arguments: [device.id.rawValue, device.label, lastHeard.milliseconds, cause])
    }
  }

  /// Closes the outage of a device; without an open one nothing is written.
  /// - Parameters:
  ///   - now: a clock that was set back meanwhile makes it end where it began.
  ///   - hasAnswered: whether the device answers again; otherwise nobody calls it any more, and the cause says so.
  package func end(_ device: DeviceID, at now: WallTime, hasAnswered: Bool = true) throws(StoreError) {
    guard try isOpen(device) else { return }
    try database.write { db in try Self.close(device.rawValue, at: now, hasAnswered: hasAnswered, in: db) }
  }

  /// What stands behind the cause where the device did not answer at the end. Rows have it: it stays as it is.
  static let unanswered = "; castq stopped calling it"

  private static func close(
    _ device: Int64, at now: WallTime, hasAnswered: Bool, in db: GRDB.Database
  ) throws {
    try db.execute(
      sql: """
        UPDATE outage SET ended_at = max(began_at, ?), cause = cause || ? WHERE device_id = ? AND ended_at IS NULL
        """,
      arguments: [now.milliseconds, hasAnswered ? "" : unanswered, device])
  }

  /// Closes the outages of devices that nobody feeds any more, where their feeding ended: from then on castq does not know. For the start
  /// of a process and for a device whose work is done.
  /// - Parameter fed: the devices that are fed; their outages stay open until they answer.
  package func closeAll(besides fed: Set<DeviceID>, at now: WallTime) throws(StoreError) {
    try database.write { db in
      let open = try db.scalars(
        Int64.self, of: "outage", sql: "SELECT DISTINCT device_id FROM outage WHERE ended_at IS NULL")
      for device in open where !fed.contains(DeviceID(device)) {
        try Self.close(device, at: now, hasAnswered: false, in: db)
      }
    }
  }

  /// Whether an outage of the device is open.
  package func isOpen(_ device: DeviceID) throws(StoreError) -> Bool {
    try database.read { db in
      try db.scalar(
        Bool.self, of: "outage", sql: "SELECT 1 FROM outage WHERE device_id = ? AND ended_at IS NULL",
        arguments: [device.rawValue]) ?? false
    }
  }
}
