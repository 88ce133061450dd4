package import CastProtocol
package import CastqFeeding
package import CastqText

/// A report as comma-separated values and as JSON.
package struct ReportDocument {
  package enum Cell {
    case text(String?)
    case count(Int)
    /// Seconds of time, shown as a clock shows them.
    case clock(Double?)
    /// Seconds to the millisecond.
    case exact(Double?)
    /// 0 to 1, shown in percent.
    case part(Double?)
    case time(WallTime?)
  }

  package struct Column {
    package let key: String
    package let title: String
  }

  package let name: String
  /// What the rows are; nil for a list.
  package let by: ReportKey?
  package let columns: [Column]
  /// Each as long as the columns.
  package var rows: [[Cell]] = []
  /// What the bars of the table show, a number from 0 for each row; empty for none.
  package var bars: [Double] = []
  package var total: [Cell]?
  package let period: Period

  // MARK: documents

  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "report": .string(name), "by": JSONOutput.text(by?.rawValue), "since": JSONOutput.time(period.since),
      "until": JSONOutput.time(period.until), "rows": .array(documents),
    ]
    if let total { members["total"] = document(total) }
    return .object(members)
  }

  package var documents: [JSONValue] { rows.map(document) }

  private func document(_ row: [Cell]) -> JSONValue {
    .object(
      Dictionary(zip(columns, row).map { ($0.key, value($1)) }, uniquingKeysWith: { $1 }))
  }

  private func value(_ cell: Cell) -> JSONValue {
    switch cell {
    case .text(let text): JSONOutput.text(text)
    case .count(let count): .integer(Int64(count))
    case .clock(let number), .exact(let number): JSONOutput.number(number)
    case .part(let part): JSONValue(part.map { ($0 * 10_000).rounded() / 10_000 }) ?? .null
    case .time(let time): JSONOutput.time(time)
    }
  }

  /// A row of titles, then the rows, without the total.
  package var csv: [String] {
    [columns.map(\.key).joined(separator: ",")]
      + rows.map { row in
        row.map { cell in
          switch cell {
          case .text(let text): CSVField.text(text ?? "")
          case .time(let time): time.map(RFC3339.text) ?? ""
          case .count, .clock, .exact, .part: value(cell) == .null ? "" : value(cell).text
          }
        }.joined(separator: ",")
      }
  }
}
