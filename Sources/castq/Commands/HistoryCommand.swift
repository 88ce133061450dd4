import ArgumentParser
import CastProtocol
import CastqCore
import CastqStore

/// `castq history`
struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "history", abstract: "Show what was played.")

  @OptionGroup var global: GlobalOptions

  // A moment may begin with a minus sign, as an option does.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only plays since then, such as 2026-11-20T09:00:00Z or -24h.", valueName: "time"))
  var since: TimeArgument?

  @Option(parsing: .unconditional, help: ArgumentHelp("Only plays before then.", valueName: "time"))
  var until: TimeArgument?

  @Option(help: "finished, interrupted, cancelled, skipped, failed or unknown.")
  var outcome: PlayOutcome?

  @Option(help: ArgumentHelp("Only the newest so many.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Go on with every new play until interrupted.")
  var follow = false

  @Flag(help: "Print comma-separated values.")
  var csv = false

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit wants a number from 1") }
    if follow, csv || global.json {
      throw ValidationError("--follow goes with --jsonl, or with lines for people")
    }
    if csv, global.isMachineReadable { throw ValidationError("choose one of --csv, --json and --jsonl") }
  }

  func run() async throws {
    let workspace = try Workspace(global)
    var filter = HistoryStore.Filter()
    if global.deviceSelector != nil { filter.device = try await workspace.device(global).id }
    filter.since = since?.time
    filter.until = until?.time
    filter.outcome = outcome
    filter.limit = limit
    if follow { return try await follow(filter, workspace) }
    let plays = try workspace.ask { (here) throws(StoreError) in try here.history.plays(matching: filter) }
    if global.jsonl {
      for play in plays { Console.print(JSONOutput.play(play)) }
    } else if global.json {
      let document: JSONValue = ["plays": .array(plays.map(JSONOutput.play))]
      Console.print(document)
    } else if csv {
      HistoryTable.csv(plays).forEach(Console.print)
    } else {
      HistoryTable.lines(plays).forEach(Console.print)
    }
  }

  /// What is there, then each play when it begins and again when it has ended.
  private func follow(_ filter: HistoryStore.Filter, _ workspace: Workspace) async throws {
    let isJSON = global.jsonl
    let told = ToldPlays()
    try await untilInterrupted {
      func tell() throws(Failure) {
        var filter = filter
        filter.afterPlay = told.settled
        let plays = try workspace.ask { (here) throws(StoreError) in try here.history.plays(matching: filter)
        }
        for play in told.news(in: plays) {
          if isJSON {
            Console.print(JSONOutput.play(play).text)
          } else {
            HistoryTable.row(play).map(Console.print)
          }
        }
      }
      try tell()
      for await _ in workspace.changes() { try tell() }
    }
  }
}

extension PlayOutcome: ExpressibleByArgument {}
