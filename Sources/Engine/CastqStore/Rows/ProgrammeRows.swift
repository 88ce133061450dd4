package import CastqText
import GRDB

/// The number of a programme's row.
package struct ProgrammeID: Sendable, Hashable {
  package let number: Int64

  package init(_ number: Int64) { self.number = number }
}

/// Something that can be played: a row of `programme`.
package struct StoredProgramme: Sendable, Hashable {
  package let id: ProgrammeID
  package var name: String
  /// A list, a folder or an address, as `enqueue` takes it.
  package var source: String
  /// That of the list when it was read last; nil when it never was.
  package var digest: String?
  package var isShuffled: Bool
  package var seed: UInt64
  /// The programme that is shown while nothing of this one can be, by its name; nil is what lies below.
  package var filler: String?
  /// Whether a person made it; the others are made for a rule that names a source, and go with it.
  package var isNamed: Bool
  /// Why the source could not be read last; nil when it could.
  package var problem: String?
  package var createdAt: WallTime
}

/// Reads programmes.
enum ProgrammeRows {
  /// Every programme, by name.
  static func all(_ db: GRDB.Database, noting notes: DamageNotes?) throws -> [StoredProgramme] {
    try fetch(db, "ORDER BY p.name COLLATE NOCASE, p.id", noting: notes)
  }

  static func fetch(
    _ db: GRDB.Database, _ clause: String, _ arguments: StatementArguments = [], noting notes: DamageNotes?
  ) throws -> [StoredProgramme] {
    try Row.fetchCursor(
      db,
      sql: """
        SELECT p.*, f.name AS filler_name FROM programme p LEFT JOIN programme f ON f.id = p.filler_id \(clause)
        """, arguments: arguments
    ).readable(noting: notes) { row in
      let row = StoredRow(row, of: "programme")
      return StoredProgramme(
        id: ProgrammeID(try row.value("id")), name: try row.value("name"), source: try row.value("source"),
        digest: try row.optional("source_digest"), isShuffled: try row.value("is_shuffled"),
        seed: UInt64(bitPattern: try row.value("seed", as: Int64.self)),
        filler: try row.optional("filler_name"), isNamed: try row.value("is_named"),
        problem: try row.optional("problem"), createdAt: try row.value("created_at"))
    }
  }
}
