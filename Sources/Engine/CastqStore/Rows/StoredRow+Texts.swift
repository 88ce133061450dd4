import CastqText
import GRDB

extension StoredRow {
  /// A column with a text that has to be parsed, never NULL.
  func text<Value>(_ column: String, _ parse: (String) throws(TextError) -> Value) throws(RowDamage) -> Value
  {
    guard let value = try optionalText(column, parse) else { throw damage(column) }
    return value
  }

  /// A column with a text that has to be parsed; nil if it is NULL.
  func optionalText<Value>(
    _ column: String, _ parse: (String) throws(TextError) -> Value
  ) throws(RowDamage) -> Value? {
    guard let text: String = try optional(column) else { return nil }
    do throws(TextError) { return try parse(text) } catch { throw damage(column) }
  }

  /// A number that must be in a range; nil if it is NULL.
  func optionalNumber(_ column: String, _ range: ClosedRange<Int>) throws(RowDamage) -> Int? {
    guard let number: Int = try optional(column) else { return nil }
    guard range.contains(number) else { throw damage(column) }
    return number
  }
}
