import ArgumentParser
import CastProtocol
import CastqCore
import CastqStore

/// `castq history`
struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "history", abstract: "Show what was played.")

  @OptionGroup var global: GlobalOptions

  @Option(
    help: ArgumentHelp("Only plays since then, such as 2026-11-20T09:00:00Z or -24h.", valueName: "time"))
  var since: TimeArgument?

  @Option(help: ArgumentHelp("Only plays before then.", valueName: "time"))
  var until: TimeArgument?

  @Option(help: "finished, interrupted, cancelled, skipped, failed or unknown.")
  var outcome: PlayOutcome?

  @Option(help: ArgumentHelp("Only the newest so many.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Print comma-separated values.")
  var csv = false

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit wants a number from 1") }
    if csv, global.isMachineReadable { throw ValidationError("choose one of --csv, --json and --jsonl") }
  }

  func run() async throws {
    let workspace = try Workspace(global)
    var filter = HistoryStore.Filter()
    if global.deviceSelector != nil { filter.device = try workspace.device(global).id }
    filter.since = since?.time
    filter.until = until?.time
    filter.outcome = outcome
    filter.limit = limit
    let plays = try workspace.ask { (here) throws(StoreError) in try here.history.plays(matching: filter) }
    if global.jsonl {
      for play in plays { Console.print(JSONOutput.play(play).text) }
    } else if global.json {
      let document: JSONValue = ["plays": .array(plays.map(JSONOutput.play))]
      Console.print(document.text)
    } else if csv {
      HistoryTable.csv(plays).forEach(Console.print)
    } else {
      HistoryTable.lines(plays).forEach(Console.print)
    }
  }
}

extension PlayOutcome: ExpressibleByArgument {}
