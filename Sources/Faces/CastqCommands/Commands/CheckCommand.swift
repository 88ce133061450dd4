import ArgumentParser
import CastqOperations
import CastqText

/// `castq check SOURCE…`
struct CheckCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Parse and validate sources; every problem as file:line:column: message.",
    discussion:
      "With --device it also says what that device plays as it is, and what has to be converted for it.")

  @OptionGroup var given: GivenOptions
  @OptionGroup var input: SourceOptions
  @Flag(help: "Ask the servers, too: what cannot be fetched, is no media, or may not be read by receivers.")
  var online = false
  @Flag(
    help:
      "Read the local files, too, with ffprobe: what is no media is an error; titles and lengths are kept for the queue."
  )
  var probe = false
  @Option(help: ArgumentHelp("Requests to one server at a time, 1 to 16; 1 by default.", valueName: "n"))
  var parallel: Int?

  func validate() throws {
    if input.sources.isEmpty { throw ValidationError("name at least one SOURCE") }
    if let parallel {
      if !(1...16).contains(parallel) { throw ValidationError("--parallel is 1 to 16") }
      if !online { throw ValidationError("--parallel needs --online") }
    }
  }

  func run() async throws {
    try global.checkConfiguration()
    var check = MediaCheck(call: global, request: input.request)
    check.requestsToServers = online ? parallel ?? 1 : nil
    check.readsFiles = probe
    let report = try await watched(check)
    report.notes.forEach { Console.say("castq: \($0)") }
    if global.jsonl {
      for issue in report.list.issues { Console.print(JSONOutput.issue(issue)) }
    } else if global.json {
      Console.print(report.json)
    } else {
      for issue in report.list.issues { Console.print(issue.located) }
    }
    if let failure = report.list.subtitleFailure { throw failure }
    if let failure = report.list.failure { throw Silent(failure) }
  }

  /// Shows how far it is, and erases that.
  private func watched(_ check: MediaCheck) async throws(Failure) -> MediaCheck.Report {
    let isShown = Console.talksToTerminal && !global.quiet
    defer { ProgressBar("", "", isShown: isShown).clear() }
    return try await check.report { stage, done, all in
      ProgressBar(stage.verb, stage.things, isShown: isShown).show(done, of: all)
    }
  }
}
