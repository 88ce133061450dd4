import CastProtocol
import CastqText
import GRDB

/// A column value that does not fit the schema. Names the column, never the value, which may be secret.
struct RowDamage: Error, Sendable, Hashable, CustomStringConvertible {
  var table: String
  /// The row's number; nil if that is unreadable, too.
  var row: Int64?
  var column: String

  var description: String {
    "table \(table), row \(row.map(String.init) ?? "of unknown number"), column \(column) has an invalid value"
  }
}

/// What names a column of a result.
protocol ResultColumn {
  var name: String { get }
  /// Its place from 0, where the query determines it; nil looks for the name, which takes longer than reading the value.
  var place: Int? { get }
}

extension String: ResultColumn {
  var name: String { self }
  var place: Int? { nil }
}

/// A row whose columns are looked up by their names.
typealias StoredRow = ResultRow<String>

/// A row of `EntryColumn.list`.
typealias EntryRow = ResultRow<EntryColumn>

/// A row that begins with `PlayColumn.list`.
typealias PlayRow = ResultRow<PlayColumn>

/// One row of a result, with checked access to its columns.
///
/// The file may be damaged or edited by another program, so each value is checked against the schema. GRDB's subscripts trap on
/// a mismatch and print the whole row.
struct ResultRow<Column: ResultColumn> {
  private let row: Row
  private let table: String
  private let id: Column

  /// - Parameters:
  ///   - table: the table of the columns, for messages.
  ///   - id: the column with the row's number.
  init(_ row: Row, of table: String, id: Column) {
    self.row = row
    self.table = table
    self.id = id
  }

  /// A column that is never NULL.
  func value<Value: StoredValue>(_ column: Column, as type: Value.Type = Value.self) throws(RowDamage)
    -> Value
  {
    guard let value: Value = try optional(column) else { throw damage(column) }
    return value
  }

  /// A column that may be NULL.
  func optional<Value: StoredValue>(
    _ column: Column, as type: Value.Type = Value.self
  ) throws(RowDamage) -> Value? {
    let stored = try stored(column)
    if case .null = stored { return nil }
    guard let value = Value(stored: stored) else { throw damage(column) }
    return value
  }

  /// A column by its place from 0, for long results: a name is looked up for each row anew. Nil for NULL and for damage.
  func value<Value: StoredValue>(at place: Int) -> Value? {
    guard let value = try? row.decode(StoredColumn?.self, atIndex: place) else { return nil }
    return Value(stored: value.storage)
  }

  /// A column with an enum value, never NULL.
  func choice<Word: RawRepresentable<String>>(_ column: Column) throws(RowDamage) -> Word {
    guard let word: Word = try optionalChoice(column) else { throw damage(column) }
    return word
  }

  /// A column with an enum value or NULL.
  func optionalChoice<Word: RawRepresentable<String>>(_ column: Column) throws(RowDamage) -> Word? {
    guard let text: String = try optional(column) else { return nil }
    guard let word = Word(rawValue: text) else { throw damage(column) }
    return word
  }

  /// A column with a protocol word, which may be unknown; nil if it is NULL.
  func word<Word: WireWord>(_ column: Column) throws(RowDamage) -> Word? {
    try optional(column, as: String.self).map { Word(word: $0) }
  }

  /// A column with JSON; nil if it is NULL.
  func json(_ column: Column) throws(RowDamage) -> JSONValue? {
    guard let text: String = try optional(column) else { return nil }
    guard let value = try? JSONValue(parsing: text) else { throw damage(column) }
    return value
  }

  /// The damage of a column with an invalid value.
  func damage(_ column: Column) -> RowDamage {
    var number: Int64?
    if case .int64(let stored) = try? stored(id) { number = stored }
    return RowDamage(table: table, row: number, column: column.name)
  }

  private func stored(_ column: Column) throws(RowDamage) -> DatabaseValue.Storage {
    do {
      let value =
        if let place = column.place {
          try row.decode(StoredColumn?.self, atIndex: place)
        } else {
          try row.decode(StoredColumn?.self, forColumn: column.name)
        }
      return value?.storage ?? .null
    } catch {
      throw RowDamage(table: table, row: nil, column: column.name)
    }
  }
}

extension StoredRow {
  init(_ row: Row, of table: String) { self.init(row, of: table, id: "id") }
}

extension PlayRow {
  init(_ row: Row) { self.init(row, of: "play", id: .id) }
}

/// A value as SQLite has it, read from the statement itself: GRDB reads a `DatabaseValue` in thrice the time.
private struct StoredColumn: DatabaseValueConvertible, StatementColumnConvertible {
  let storage: DatabaseValue.Storage

  init(sqliteStatement: SQLiteStatement, index: CInt) {
    storage = DatabaseValue(sqliteStatement: sqliteStatement, index: index).storage
  }

  private init(_ storage: DatabaseValue.Storage) { self.storage = storage }

  var databaseValue: DatabaseValue { storage.value?.databaseValue ?? .null }

  static func fromDatabaseValue(_ value: DatabaseValue) -> StoredColumn? { StoredColumn(value.storage) }
}

/// The type of a column.
protocol StoredValue {
  /// Nil for a value of another type, or outside the range that this program writes.
  init?(stored: DatabaseValue.Storage)
}

extension String: StoredValue {
  init?(stored: DatabaseValue.Storage) {
    guard case .string(let text) = stored else { return nil }
    self = text
  }
}

/// Row numbers and bit sets: every value is valid.
extension Int64: StoredValue {
  init?(stored: DatabaseValue.Storage) {
    guard case .int64(let number) = stored else { return nil }
    self = number
  }
}

/// Counts, limited so that sums do not overflow.
extension Int: StoredValue {
  init?(stored: DatabaseValue.Storage) {
    guard case .int64(let number) = stored, (-(1 << 53)...(1 << 53)).contains(number) else { return nil }
    self = Int(number)
  }
}

extension Bool: StoredValue {
  init?(stored: DatabaseValue.Storage) {
    guard case .int64(let number) = stored, number == 0 || number == 1 else { return nil }
    self = number == 1
  }
}

extension Double: StoredValue {
  init?(stored: DatabaseValue.Storage) {
    switch stored {
    case .double(let number) where number.isFinite: self = number
    case .int64(let number): self = Double(number)
    default: return nil
    }
  }
}

/// Up to thirty thousand years.
extension MediaTime: StoredValue {
  init?(stored: DatabaseValue.Storage) {
    guard let seconds = Double(stored: stored), abs(seconds) <= 1e12 else { return nil }
    self.init(seconds: seconds)
  }
}

/// Every point in time that the program can write.
extension WallTime: StoredValue {
  init?(stored: DatabaseValue.Storage) {
    guard case .int64(let number) = stored else { return nil }
    self.init(milliseconds: number)
    guard milliseconds == number else { return nil }
  }
}

extension GRDB.Database {
  /// Reads the first row of a query that is asked often: GRDB compiles it once for a connection. Compiling takes longer than most queries
  /// do. The row is read where it is: GRDB looks up each name in a copied one by comparing all of them in lower case.
  /// - Parameters:
  ///   - sql: one of few texts, since each stays compiled; values are arguments.
  ///   - value: reads the row; it must not ask the same query.
  /// - Returns: nil if there is no row, or no value in it.
  func first<Value>(
    sql: String, arguments: StatementArguments = [], _ value: (Row) throws -> Value?
  ) throws -> Value? {
    let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    // A row is gone with its cursor.
    return try withExtendedLifetime(rows) { try rows.next().flatMap(value) }
  }

  /// Changes rows by a statement that is asked often.
  /// - Parameter sql: one of few texts, as for `first`.
  func change(sql: String, arguments: StatementArguments = []) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// The first column of the first row of a query, which has one of few texts; nil if there is no row or it is NULL.
  func scalar<Value: StoredValue>(
    _ type: Value.Type = Value.self, of table: String, sql: String, arguments: StatementArguments = []
  ) throws -> Value? {
    try first(sql: sql, arguments: arguments) { try Self.first(of: $0, table) }
  }

  /// The first column of each row of a query, without NULLs.
  func scalars<Value: StoredValue>(
    _ type: Value.Type = Value.self, of table: String, sql: String, arguments: StatementArguments = []
  ) throws -> [Value] {
    let rows = try Row.fetchCursor(self, sql: sql, arguments: arguments)
    var values: [Value] = []
    while let row = try rows.next() {
      if let value: Value = try Self.first(of: row, table) { values.append(value) }
    }
    return values
  }

  private static func first<Value: StoredValue>(of row: Row, _ table: String) throws -> Value? {
    let stored = try row.decode(DatabaseValue.self, atIndex: 0).storage
    if case .null = stored { return nil }
    guard let value = Value(stored: stored) else {
      throw RowDamage(table: table, row: nil, column: row.columnNames.first ?? "")
    }
    return value
  }
}
