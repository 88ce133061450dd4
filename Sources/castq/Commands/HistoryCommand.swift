import ArgumentParser
import CastProtocol
import CastqCore
import CastqStore

/// `castq history`
struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show what was played.",
    discussion: """
      A time is 14:00 (the last one), 'yesterday 14:00', 2026-11-20, '2026-11-20 14:00', 2026-11-20T14:00:00Z, or so \
      long ago: -24h, -1w. Without an offset it is a time of the zone that --tz names. A day is its midnight, so \
      '--since yesterday --until today' is all of yesterday. A play of which a part lies in between is shown.
      """)

  @OptionGroup var global: GlobalOptions

  // A moment may begin with a minus sign, as an option does.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only what played since then, such as -24h or yesterday.", valueName: "time"),
    transform: TimeArgument.init)
  var since: TimeArgument?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only what began before then.", valueName: "time"),
    transform: TimeArgument.init)
  var until: TimeArgument?

  @Option(
    help: ArgumentHelp("Read and write times of this zone; local unless given.", valueName: "zone"),
    transform: Zone.init)
  var tz: Zone = .local

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
    if let since = since?.last(in: tz), let until = until?.last(in: tz), since >= until {
      throw ValidationError(
        "nothing lies between --since, which is \(tz.text(since)), and --until, which is \(tz.text(until))")
    }
  }

  func run() async throws {
    let workspace = try Workspace(global, isReader: true)
    var filter = HistoryStore.Filter()
    if global.deviceSelector != nil { filter.device = try await workspace.device(global).id }
    filter.since = since?.last(in: tz)
    filter.until = until?.last(in: tz)
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
      HistoryTable(zone: tz).csv(plays).forEach(Console.print)
    } else {
      HistoryTable(zone: tz).lines(plays, width: Console.dataWidth).forEach(Console.print)
      if plays.isEmpty { sayNothingPlayed(filter) }
    }
    try workspace.reportDamage()
  }

  /// An empty answer names the time that was asked for, as it was understood.
  private func sayNothingPlayed(_ filter: HistoryStore.Filter) {
    guard !global.quiet, Console.talksToTerminal else { return }
    let since = filter.since.map { " since \(tz.text($0))" } ?? ""
    let until = filter.until.map { " before \(tz.text($0))" } ?? ""
    Console.say("castq: nothing was played\(since)\(until)")
  }

  /// What is there, then each play when it begins and again when it has ended.
  private func follow(_ filter: HistoryStore.Filter, _ workspace: Workspace) async throws {
    let isJSON = global.jsonl
    let zone = tz
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
            HistoryTable(zone: zone).row(play).map(Console.print)
          }
        }
      }
      try tell()
      for await _ in workspace.changes() { try tell() }
    }
  }
}

extension PlayOutcome: ExpressibleByArgument {}
