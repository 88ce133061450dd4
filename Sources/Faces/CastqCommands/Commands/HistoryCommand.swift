import ArgumentParser
import CastProtocol
import CastqFeeding
import CastqOperations
import CastqStore
import CastqText

/// `castq history`
struct HistoryCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show what was played.",
    discussion: """
      A time is 14:00 (the last one), 'yesterday 14:00', 2026-11-20, '2026-11-20 14:00', 2026-11-20T14:00:00Z, or an \
      age: -24h, -1w. A time without an offset is in the zone of the site, or of --tz. A date means its midnight, so \
      '--since yesterday --until today' is all of yesterday. Plays that overlap the range are shown.
      """)

  @OptionGroup var given: GivenOptions

  @OptionGroup var period: PeriodOptions

  @Option(help: "finished, interrupted, cancelled, skipped, failed or unknown.")
  var outcome: PlayOutcome?

  @Option(help: ArgumentHelp("Only the newest N plays.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Print new plays as they occur, until interrupted.")
  var follow = false

  @Flag(help: "Print comma-separated values.")
  var csv = false

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit needs a number from 1") }
    if follow, csv || global.json {
      throw ValidationError("--follow excludes --json and --csv")
    }
    if csv, global.isMachineReadable { throw ValidationError("choose one of --csv, --json and --jsonl") }
  }

  func run() async throws {
    let period = try period.read(global, isShown: !global.isMachineReadable)
    let workspace = try Workspace(global, isReader: true)
    let filter = try await workspace.filter(global, period, outcome: outcome, limit: limit)
    if follow { return try await follow(filter, workspace, period.zone) }
    let plays = try workspace.ask { (here) throws(StoreError) in try here.history.plays(matching: filter) }
    if global.jsonl {
      for play in plays { Console.print(JSONOutput.play(play)) }
    } else if global.json {
      Console.print(JSONOutput.plays(plays))
    } else if csv {
      HistoryTable(zone: period.zone).csv(plays).forEach(Console.print)
    } else if plays.isEmpty {
      if !global.quiet, Console.talksToTerminal { Console.say("castq: nothing was played\(period.words)") }
    } else {
      let terminal = Console.dataTerminal
      var table = HistoryTable(zone: period.zone)
      // Who reads it on a terminal has named the device, or has no other.
      table.isOfOneDevice =
        try terminal != nil && Set(plays.map(\.device)).count == 1
        && (filter.devices.count == 1 || workspace.allDevices().count < 2)
      table.lines(plays, on: terminal).forEach(Console.print)
      Console.print(period.zone.legend)
    }
    try workspace.reportDamage()
  }

  /// Prints the matching plays, then each new play when it starts and again when it ends.
  private func follow(_ filter: HistoryStore.Filter, _ workspace: Workspace, _ zone: Zone) async throws {
    let isJSON = global.jsonl
    let reported = ReportedPlays()
    try await untilInterrupted(prints: true) {
      func printNews() throws(Failure) {
        var filter = filter
        (filter.afterPlay, filter.order) = (reported.settled, .written)
        let plays = try workspace.ask { (here) throws(StoreError) in try here.history.plays(matching: filter)
        }
        for play in reported.news(in: plays) {
          if isJSON {
            Console.print(JSONOutput.play(play).text)
          } else {
            HistoryTable(zone: zone).row(play, on: Console.dataTerminal).map(Console.print)
          }
        }
      }
      try printNews()
      for await _ in workspace.changes() { try printNews() }
    }
  }
}

extension PlayOutcome: ExpressibleByArgument {}
