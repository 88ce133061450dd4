import CastGuard
import ArgumentParser
import CastProtocol
import CastqCore

/// `castq check SOURCE…`
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Parse and validate sources; every problem as file:line:column: message.",
    discussion:
      "With --device it also says what that device plays as it is, and what has to be converted for it.")

  @OptionGroup var global: GlobalOptions
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
    let resolvers = Resolvers.rules(global)
    let allowed = LocalPlaces(global)
    var list = await SourceList(
      input, readsSubtitles: preferredSubtitles, resolvers: resolvers, allowing: allowed,
      timeout: global.deviceTimeout, asksServers: online)
    if list.drafts.isEmpty, list.errors.isEmpty {
      // As the commands that take a list end.
      list.add([
        PlaylistIssue(.error, file: input.sources[0], line: 1, message: "there is nothing to play in it")
      ])
    }
    list.add(Resolvers.issues(of: list.typedDrafts, resolvers))
    list.add(FileCheck.issues(of: list.typedDrafts))
    list.add(DemandedHeaders.issues(of: list.typedDrafts, in: list.playlist.foreign))
    if online { list.add(await askServers(list.typedDrafts, resolvers, allowed)) }
    if probe { list.add(try await probeFiles(list.typedDrafts)) }
    let answers = try await askDevice(list)
    list.add(answers.issues)
    if !global.device.isEmpty, !online, let note = DeviceCheck.unseen(of: list.typedDrafts, resolvers) {
      list.add([note])
    }
    if global.jsonl {
      for issue in list.issues { Console.print(JSONOutput.issue(issue)) }
    } else if global.json {
      var document: [String: JSONValue] = [
        "entries": .integer(Int64(list.drafts.count)), "issues": .array(list.issues.map(JSONOutput.issue)),
      ]
      if let decisions = answers.decisions { document["decisions"] = .array(decisions) }
      Console.print(.object(document))
    } else {
      for issue in list.issues { Console.print(issue.located) }
    }
    if let failure = list.subtitleFailure { throw failure }
    if let failure = list.failure { throw Silent(failure) }
  }

  /// What the configuration prefers: it is a hint at the languages of files that do not say theirs.
  private var preferredSubtitles: SubtitleChoice {
    (try? ConfigurationFile(global).read().get().standard.subtitles) ?? .first
  }

  /// What the device named on the command line plays; nothing without one. A device of the environment is not meant.
  private func askDevice(_ list: SourceList) async throws -> (
    issues: [PlaylistIssue], decisions: [JSONValue]?
  ) {
    guard !global.device.isEmpty, list.subtitleFailure == nil else { return ([], nil) }
    let workspace = try Workspace(global)
    let device = try await workspace.device(global)
    let configuration = try global.configuration(for: device)
    let check = DeviceCheck(workspace, device, configuration)
    if !check.canRead {
      Console.say(
        "castq: ffprobe is not installed, so only the names of files say what is in them; install ffmpeg")
    }
    let bar = bar("looked at", "entries")
    let answers = await check.answers(list.typedDrafts) { bar.show($0, of: $1) }
    bar.clear()
    return (
      answers.compactMap { $0.issue(for: device, allowed: configuration.preparation.allow) },
      answers.map { $0.document(for: device) }
    )
  }

  private func probeFiles(_ drafts: [EntryDraft]) async throws -> [PlaylistIssue] {
    let check = try ProbeCheck(global)
    let bar = bar("read", "files")
    defer { bar.clear() }
    return await check.issues(of: drafts) { bar.show($0, of: $1) }
  }

  private func askServers(
    _ drafts: [EntryDraft], _ resolvers: ResolverRules, _ allowed: LocalPlaces
  ) async -> [PlaylistIssue] {
    let bar = bar("asked for", "addresses")
    defer { bar.clear() }
    let check = OnlineCheck(perServer: parallel ?? 1, resolvers: resolvers, allowed: allowed)
    return await check.issues(of: drafts) {
      bar.show($0, of: $1)
    }
  }

  private func bar(_ verb: String, _ things: String) -> ProgressBar {
    ProgressBar(verb, things, isShown: Console.talksToTerminal && !global.quiet)
  }
}
