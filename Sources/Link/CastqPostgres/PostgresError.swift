/// What a PostgreSQL server or the way to it refused.
package struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The server's own words, or those of libpq; one line.
  package let words: String
  private let cause: Cause

  /// Who refused what.
  private enum Cause: Sendable, Hashable {
    /// The server said nothing.
    case silence
    /// The server refused the connection, for which libpq gives its words alone.
    case connection
    /// The server refused a statement, with these five characters of SQLSTATE.
    case statement(String)
    /// The tables of the centre are newer than this program.
    case newerTables
  }

  /// - Parameter state: the five characters of SQLSTATE; nil when the server said nothing.
  package init(words: String, state: String?) {
    self.words = words
    cause = state.map(Cause.statement) ?? .silence
  }

  /// The refusal of tables that are newer than this program.
  init(newerTables version: Int) {
    words =
      "its tables have version \(version), and this castq-link reads up to \(Centre.version): install a newer castq-link"
    cause = .newerTables
  }

  /// The refusal of tables that are older than this program.
  init(olderTables version: Int) {
    words = "its tables have version \(version), and this castq-link needs \(Centre.version)"
    cause = .statement("42P01")
  }

  /// A connection that was not made.
  /// - Parameters:
  ///   - report: what libpq says of it.
  ///   - names: the role and the database that were sent; an empty one does not count.
  ///   - wantsPassword: whether the server asked for a password, and there was none.
  init(connecting report: String, names: [String], wantsPassword: Bool) {
    words = report
    // A severity, which is in the language of the server, and two blanks stand before a server's own words,
    // and before no others. They have no SQLSTATE: one that refuses somebody for good names whom or what, and
    // one that starts, ends or is full names nobody.
    let said = report.firstRange(of: ":  ").map { report[$0.upperBound...] } ?? ""
    let isRefusal = !said.contains(Self.fullForOne) && names.contains { Self.quotes($0, in: said) }
    cause = isRefusal || wantsPassword ? .connection : .silence
  }

  /// Too many connections of one role, or to one database (SQLSTATE 53300).
  private static let fullForOne = "too many connections for "

  /// Whether a name stands between quotation marks, as some language writes them.
  private static func quotes(_ name: String, in text: Substring) -> Bool {
    guard !name.isEmpty else { return false }
    return text.ranges(of: name).contains { range in
      let before = text[..<range.lowerBound].last(where: { !$0.isWhitespace })
      let after = text[range.upperBound...].first(where: { !$0.isWhitespace })
      guard let before, let after else { return false }
      return marks.contains(before) && marks.contains(after)
    }
  }

  private static let marks = Set<Character>("\"'«»‹›„“”‚‘’「」『』")

  /// The five characters of SQLSTATE; nil where it was no statement that the server refused.
  private var state: String? { if case .statement(let state) = cause { state } else { nil } }

  /// Whether the server said nothing.
  package var isOfSilence: Bool { cause == .silence }

  /// Whether the server refused the connection, as for a wrong password, or for a role or a database that it
  /// does not have.
  package var isOfConnection: Bool { cause == .connection }

  /// Whether the tables of the centre are newer than this program.
  package var isOfNewerTables: Bool { cause == .newerTables }

  package var description: String { words }

  /// Whether it is the data of the statement that the server refused, so that repeating it is useless.
  package var isOfData: Bool { state.map { $0.hasPrefix("22") || $0.hasPrefix("23") } ?? false }

  /// Whether a time is none that the server accepts.
  package var isOfTime: Bool { state == "22008" }

  /// Whether the server lacks the tables of the centre, or has those of an older castq.
  package var isOfSchema: Bool { state.map { ["42P01", "42703", "42883", "3F000"].contains($0) } ?? false }

  /// Whether a table that was to be made is there already.
  package var isOfDuplicateTable: Bool { state == "42P07" }

  /// Whether the server denied the role something.
  package var isOfPermissions: Bool { state.map { $0 == "42501" || $0.hasPrefix("28") } ?? false }
}
