import GRDB
import Synchronization

/// Unreadable rows that queries have skipped. Commands and the daemon report them.
final class DamageNotes: Sendable {
  private let notes = Mutex<[RowDamage]>([])
  /// Maximum number of notes.
  static let limit = 100

  func add(_ damage: RowDamage) {
    notes.withLock { notes in
      if notes.count < Self.limit, !notes.contains(damage) { notes.append(damage) }
    }
  }

  /// Removes and returns all notes.
  func removeAll() -> [RowDamage] {
    notes.withLock { notes in
      defer { notes = [] }
      return notes
    }
  }

  /// The first unreadable row of a table; nil if there is none.
  func first(in table: String) -> RowDamage? { notes.withLock { $0.first { $0.table == table } } }
}

extension RowCursor {
  /// The value of each row. An unreadable row is noted and skipped; without notes it is an error.
  func readable<Value>(noting notes: DamageNotes?, _ value: (Row) throws -> Value) throws -> [Value] {
    var values: [Value] = []
    while let row = try next() {
      do {
        values.append(try value(row))
      } catch let damage as RowDamage {
        guard let notes else { throw damage }
        notes.add(damage)
      }
    }
    return values
  }
}
