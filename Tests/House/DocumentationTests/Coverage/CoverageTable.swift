import Foundation

/// The tables of the article about the protocol's coverage.
enum CoverageTable {
  struct Row: Sendable {
    var type: String
    var isReply: Bool
    /// Below `Tests/Golden`.
    var golden: String
    var folder: String
    /// All cells as they stand there.
    var cells: [String]
  }

  static let columns = ["message", "direction", "section", "in the SDK", "golden file", "simulator"]

  /// - Parameter text: the article. The line under a heading names the folder of the rows below.
  static func rows(in text: String) -> [Row] {
    var rows: [Row] = []
    var folder = ""
    for line in text.split(separator: "\n") {
      if let match = line.firstMatch(of: /^Golden files in `(\w+)`/) { folder = String(match.1) }
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("| `"), cells.count == columns.count else { continue }
      rows.append(
        Row(
          type: cells[0].filter { $0 != "`" }, isReply: cells[1].hasPrefix("from"),
          golden: cells[4].filter { $0 != "`" }, folder: folder, cells: cells))
    }
    return rows
  }
}
