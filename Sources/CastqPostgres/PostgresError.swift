/// What a PostgreSQL server or the way to it refused.
package struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The server's own words, or those of libpq; one line.
  package let words: String
  /// The five characters of SQLSTATE; nil when the server said nothing.
  package let state: String?
  /// Whether the tables of the centre are newer than this program.
  package let isOfNewerTables: Bool

  package init(words: String, state: String?) {
    self.words = words
    self.state = state
    isOfNewerTables = false
  }

  /// The refusal of tables that are newer than this program.
  init(newerTables version: Int) {
    words =
      "its tables have version \(version), and this castq-link reads up to \(Centre.version): install a newer castq-link"
    state = nil
    isOfNewerTables = true
  }

  package var description: String { words }

  /// Whether it is the data of the statement that the server refused, so that repeating it is useless.
  package var isOfData: Bool { state.map { $0.hasPrefix("22") || $0.hasPrefix("23") } ?? false }

  /// Whether the server lacks the tables of the centre, or has those of an older castq.
  package var isOfSchema: Bool { state.map { ["42P01", "42703", "42883", "3F000"].contains($0) } ?? false }

  /// Whether a table that was to be made is there already.
  package var isOfDuplicateTable: Bool { state == "42P07" }

  /// Whether the server denied the role something.
  package var isOfPermissions: Bool { state.map { $0 == "42501" || $0.hasPrefix("28") } ?? false }
}
