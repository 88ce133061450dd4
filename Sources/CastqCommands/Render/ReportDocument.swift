import CastProtocol
import CastqCore

/// A report as comma-separated values and as JSON.
struct ReportDocument {
  enum Cell {
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

  struct Column {
    let key: String
    let title: String
  }

  let name: String
  /// What the rows are; nil for a list.
  let by: ReportKey?
  let columns: [Column]
  /// Each as long as the columns.
  var rows: [[Cell]] = []
  /// What the bars of the table show, a number from 0 for each row; empty for none.
  var bars: [Double] = []
  var total: [Cell]?
  let period: Period

  // MARK: documents

  var json: JSONValue {
    var members: [String: JSONValue] = [
      "report": .string(name), "by": JSONOutput.text(by?.rawValue), "since": JSONOutput.time(period.since),
      "until": JSONOutput.time(period.until), "rows": .array(documents),
    ]
    if let total { members["total"] = document(total) }
    return .object(members)
  }

  var documents: [JSONValue] { rows.map(document) }

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
  var csv: [String] {
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
