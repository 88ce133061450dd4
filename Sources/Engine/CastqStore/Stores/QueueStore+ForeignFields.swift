import CastProtocol
package import CastqPlaylists
import GRDB

/// What the lists of a queue say of themselves to other players: it is the queue's, whichever entries it still has.
extension QueueStore {
  /// A damaged value is noted, and is as none.
  package func foreignFields(of queue: some QueueReference) throws(StoreError) -> ForeignFields {
    try database.read { db in try Self.foreignFields(of: queue, db, noting: database.notes) }
  }

  private static func foreignFields(
    of queue: some QueueReference, _ db: GRDB.Database, noting notes: DamageNotes?
  ) throws -> ForeignFields {
    let found = try db.first(
      sql: "SELECT id, foreign_fields FROM queue WHERE id = ? AND foreign_fields IS NOT NULL",
      arguments: [queue.number]
    ) { row -> ForeignFields? in
      let stored = StoredRow(row, of: "queue")
      do throws(RowDamage) {
        guard let fields = try stored.json("foreign_fields").flatMap(ForeignFields.init(json:)) else {
          throw stored.damage("foreign_fields")
        }
        return fields
      } catch {
        notes?.add(error)
        return nil
      }
    }
    return found ?? ForeignFields()
  }

  /// Keeps what another list says, beside what those before it have said.
  static func add(_ fields: ForeignFields, to queue: some QueueReference, _ db: GRDB.Database) throws {
    if fields.isEmpty { return }
    try set(foreignFields(of: queue, db, noting: nil).joined(with: fields), of: queue, db)
  }

  static func set(_ fields: ForeignFields, of queue: some QueueReference, _ db: GRDB.Database) throws {
    try db.execute(
      sql: "UPDATE queue SET foreign_fields = ? WHERE id = ?",
      arguments: [fields.isEmpty ? nil : fields.json.text, queue.number])
  }
}
