import GRDB
import Synchronization

/// Rows that could not be read and were left out, so that one of them does not hide the others; somebody has to say so.
final class DamageNotes: Sendable {
  private let notes = Mutex<[RowDamage]>([])
  /// More would not be read by anybody.
  private static let limit = 100

  func add(_ damage: RowDamage) {
    notes.withLock { notes in
      if notes.count < Self.limit, !notes.contains(damage) { notes.append(damage) }
    }
  }

  /// What was noted and has not been taken yet.
  func take() -> [RowDamage] {
    notes.withLock { notes in
      defer { notes = [] }
      return notes
    }
  }

  /// Whether a row of this table could not be read.
  func first(in table: String) -> RowDamage? { notes.withLock { $0.first { $0.table == table } } }
}

extension RowCursor {
  /// What each row says. A row that cannot be read is noted and left out; without notes it is an error.
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
