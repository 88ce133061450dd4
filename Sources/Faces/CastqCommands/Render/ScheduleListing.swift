import CastProtocol
import CastqOperations
import CastqOutput
import CastqText

extension ScheduleOutput {
  /// Titles and values in two columns; nil leaves a line out.
  static func details(_ rows: [(title: String, value: String?)]) -> [String] {
    let width = rows.filter { $0.value != nil }.map(\.title.count).max() ?? 0
    return rows.compactMap { title, value in
      value.map {
        TerminalText.sanitized(
          AddressText.withoutSecrets(title + String(repeating: " ", count: width - title.count + 2) + $0))
      }
    }
  }
}

extension ScheduleCall {
  /// Prints a listing: one document, one a line, or a table.
  /// - Parameters:
  ///   - none: what to say on a terminal when there is nothing to list.
  ///   - legend: the last line of the table; nil prints none.
  func print(
    _ documents: [JSONValue], as key: String, _ table: Table, none: String, legend: String? = nil
  ) throws {
    if global.jsonl {
      for document in documents { Console.print(document) }
    } else if global.json {
      Console.print(JSONValue.object([key: .array(documents)]))
    } else {
      table.lines(on: Console.dataTerminal).forEach(Console.print)
      if let legend, !documents.isEmpty { Console.print(legend) }
    }
    try workspace.reportDamage()
    if documents.isEmpty, !global.isMachineReadable, !global.quiet, Console.talksToTerminal {
      Console.say("castq: \(none)")
    }
  }
}
