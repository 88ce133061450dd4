import ArgumentParser
import CastqFeeding
import CastqOperations

/// What the reports of numbers have in common.
struct ReportOptions: ParsableArguments {
  @Option(help: "What the rows are: media, device, day, hour or rule.")
  var by: ReportKey?

  @Flag(help: "Print comma-separated values.")
  var csv = false

  /// - Parameter keys: those that the report has.
  func check(_ global: CallOptions, keys: Set<ReportKey>) throws {
    if csv, global.isMachineReadable { throw ValidationError("choose one of --csv, --json and --jsonl") }
    guard let by, !keys.contains(by) else { return }
    let known = ReportKey.allCases.filter(keys.contains).map(\.rawValue).joined(separator: ", ")
    throw ValidationError("this report has no rows by \(by.rawValue); it has \(known)")
  }
}

extension ReportKey: ExpressibleByArgument {}

extension ReportRun {
  func print(_ document: ReportDocument, _ options: ReportOptions) throws {
    if global.json {
      Console.print(document.json)
    } else if global.jsonl {
      document.documents.forEach { Console.print($0) }
    } else if options.csv {
      document.csv.forEach { Console.print($0) }
    } else {
      document.lines(on: Console.dataTerminal).forEach { Console.print($0) }
      if document.rows.isEmpty, !global.quiet, Console.talksToTerminal {
        Console.say("castq: there is nothing to report\(asked.words)")
      }
    }
    try workspace.reportDamage()
  }
}
