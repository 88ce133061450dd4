import ArgumentParser
import CastGuard
import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText

/// `castq run [SOURCE…]`
struct RunCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Feed the device until its queue is drained; with sources, replace the queue first.",
    discussion: """
      Exits 0 when everything played or 'castq stop' ended it, 76 when entries failed after their retries and the rest \
      played, 75 when another feeder holds the device, 69 when the device is unreachable, and then keeps the new queue.
      """)

  @OptionGroup var given: GivenOptions
  @OptionGroup var input: SourceOptions

  @Flag(help: "Restart the queue at its end, for ever.")
  var loop = false

  @Flag(help: "Play in a shuffled order.")
  var shuffle = false

  @Option(
    name: .customLong("for"), help: ArgumentHelp("Stop after this long.", valueName: "duration"),
    transform: DurationArgument.init)
  var duration: DurationArgument?

  @Option(
    help: ArgumentHelp("Stop at this time, such as 18:00 or +2h.", valueName: "time"),
    transform: TimeArgument.init)
  var until: TimeArgument?

  @Flag(help: "Reload edited playlist files and apply the edits from the next entry on.")
  var watch = false

  @Option(
    help: ArgumentHelp(
      "Keep calling an unreachable device for this long before giving up.", valueName: "duration"),
    transform: DurationArgument.init)
  var waitForDevice: DurationArgument?

  func validate() throws {
    if watch, input.sources.isEmpty || input.sources == ["-"] {
      throw ValidationError("--watch needs a playlist file")
    }
  }

  func run() async throws {
    // Before the queue is replaced: a run that is over at once would leave the screen dark.
    let end = try until.map { try $0.toCome("--until ", in: .site(global)) }
    let workspace = try Workspace(global)
    let device = try await workspace.device(global, adding: true)
    var list: SourceList?
    if !input.sources.isEmpty {
      list = await SourceList(
        input.request, resolvers: Resolvers.rules(global), allowing: LocalPlaces(global),
        music: MusicFolders(global), timeout: global.deviceTimeout)
      list?.printIssues(quietly: global.quiet)
      try list?.requireSomething()
    }
    let subtitles = list.map { SubtitleCheck($0, global) }
    defer { subtitles?.end() }
    let remarks = Task { if let problem = await subtitles?.problem() { Console.say(problem) } }
    defer { remarks.cancel() }
    let following = watch ? list.map { (input.request, $0) } : nil
    let feeder = try await FeederCall.foreground(workspace, device, global)
    try feeder.checkOptions()
    let tally = try RunTally(workspace, device, continues: list == nil)
    let first = try list.flatMap { (list) throws(Failure) in
      try workspace.replaceQueue(of: device, with: list).first?.id
    }
    try beginShuffled(device, workspace)
    let request = FeedRequest(
      isNewQueue: list != nil, member: first, loops: loop, patience: waitForDevice?.seconds ?? 0)
    var result = await feeder.run(request, limit: limit(end), following: following)
    if list != nil, result.ended == .unreachable {
      result.failure?.add("; the new list waits in its queue")
    }
    // The list may end before the servers have answered; each request has its own time limit.
    if result.signal == nil { await remarks.value }
    try await tally.finish(
      result, of: first, list: list?.failure, global)
  }

  private func beginShuffled(_ device: KnownDevice, _ workspace: Workspace) throws(Failure) {
    guard shuffle else { return }
    try workspace.ask { (here) throws(StoreError) in
      try here.queue.setShuffle(true, seed: .random(in: 0...UInt64.max), for: device.id)
    }
  }

  /// Seconds from now; nil means no limit.
  private func limit(_ end: WallTime?) -> Double? {
    [duration?.seconds, end.map { max($0 - WallTime.now, 0) }].compactMap { $0 }.min()
  }
}

/// `castq cast SOURCE…`
struct CastCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "cast", abstract: "Replace the queue and start now; return when the first item plays.",
    discussion: """
      A background process feeds the queue; it exits when the queue is drained or on 'castq stop'. \
      If a feeder already runs for the device, it restarts with the new queue.
      """)

  @OptionGroup var given: GivenOptions
  @OptionGroup var input: SourceOptions

  @Flag(help: "Return when the queue is drained.")
  var wait = false

  @Flag(help: "Restart the queue at its end, for ever.")
  var loop = false

  @Flag(help: "Play in a shuffled order.")
  var shuffle = false

  @Option(
    help: ArgumentHelp("Start the first item at this position, such as 1:30:00.", valueName: "position"),
    transform: DurationArgument.init)
  var start: DurationArgument?

  func validate() throws {
    if input.sources.isEmpty { throw ValidationError("name at least one SOURCE") }
    if wait, loop {
      throw ValidationError("a queue that loops never drains: --loop and --wait exclude each other")
    }
    if global.device.count > 1, input.sources.contains("-") {
      throw ValidationError("standard input can be read once: write the list to a file for several devices")
    }
  }

  func run() async throws {
    // To wait for one list after the other would be no cast to all.
    if wait { try global.checkOne() }
    try await global.forEach(cast)
  }

  private func cast(_ global: CallOptions) async throws {
    let workspace = try Workspace(global)
    let device = try await DeviceSearch(
      workspace: workspace, global: global, mayAsk: !input.sources.contains("-")
    ).device()
    // A feeder that has to be started is ready when the sources are read.
    async let found = Self.feeder(workspace, device, global, waits: wait)
    let list = await SourceList(
      input.request, resolvers: Resolvers.rules(global), allowing: LocalPlaces(global),
      music: MusicFolders(global), timeout: global.deviceTimeout)
    list.printIssues(quietly: global.quiet)
    try list.requireSomething()
    let subtitles = SubtitleCheck(list, global)
    defer { subtitles.end() }
    let feeder = try await found
    try feeder.checkOptions()
    let tally = try RunTally(workspace, device, continues: false)
    let entries = try workspace.replaceQueue(of: device, with: list, loops: loop, shuffles: shuffle)
    let first = entries.first?.id
    var request = FeedRequest(isNewQueue: true, member: first)
    if let start {
      request.position = MediaTime(seconds: start.seconds)
      request.first = try workspace.ask { (here) throws(StoreError) in
        try here.queue.look(into: device.id, limit: 1, besides: nil, at: .now).first?.entry
      }
    }
    if wait {
      let result = await feeder.run(request, limit: nil)
      return try await tally.finish(
        result, of: first, list: list.failure, global)
    }
    let remark = Task { [request] in
      await ConversionRemark(workspace, device, global).show(request.first ?? first)
    }
    do throws(Failure) {
      let outcome = await Result.catching { () async throws(Failure) in try await feeder.start(request) }
      remark.cancel()
      await remark.value
      try printOutcome(try outcome.get(), device, workspace)
      if let problem = await subtitles.problem() { Console.say(problem) }
    } catch {
      var failure = error
      if failure.code == Failure.loadFailed, let why = await Self.why(device, workspace, feeder, global) {
        failure.add("; \(why)")
      }
      throw failure
    }
    if let failure = list.failure { throw Silent(failure) }
  }

  /// What feeds the list: with `--wait` this process, unless another one feeds the device.
  private static func feeder(
    _ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions, waits: Bool
  ) async throws(Failure) -> FeederCall {
    guard waits else { return try await FeederCall.background(workspace, device, global) }
    do throws(Failure) { return try await FeederCall.foreground(workspace, device, global) } catch {
      guard error.code == Failure.busy, let feeder = try await FeederCall.feeder(workspace, device, global)
      else { throw error }
      return feeder
    }
  }

  /// Why the device refused the last entry, in words; nil if that is unknown, or castq refused it by itself.
  private static func why(
    _ device: KnownDevice, _ workspace: Workspace, _ feeder: FeederCall, _ global: CallOptions
  ) async -> String? {
    guard let play = workspace.failedPlay(on: device) else { return nil }
    guard FilePath.isURL(play.url) else {
      let entry = (try? workspace.queue.entry(play.turn.entry)) ?? nil
      let rule = FetchGuard(
        entry?.draft.fetchOrigin ?? play.source.fetchOrigin, allowing: LocalPlaces(global))
      return await MediaLook.failure(at: play.url, under: rule)?.words
    }
    guard play.reason?.receiver != nil else { return nil }
    guard let log = (try? await feeder.ask(.fetches, timeout: .seconds(2))) ?? nil else {
      // The feeder has ended with its list, and wrote what it found out before.
      return workspace.failedPlay(on: device)?.reason?.note
    }
    let configuration = (try? global.configuration(for: device)) ?? DaemonConfiguration()
    let published = PreparedMedia(device, configuration, workspace.database).published(for: play.url)
    return FailedLoad(published: published, log: log).words
  }

  /// Prints the first entry, with title and address from the queue.
  private func printOutcome(
    _ started: JSONValue, _ device: KnownDevice, _ workspace: Workspace
  ) throws(Failure) {
    guard global.isMachineReadable else { return }
    let id = started["entry"]?.int.map { EntryID(Int64($0)) }
    let entry = try id.flatMap { (id) throws(Failure) in
      try workspace.ask { (here) throws(StoreError) in try here.queue.entry(id) }
    }
    let document: JSONValue = [
      "device": .string(device.label), "entry": started["entry"] ?? .null,
      "title": JSONOutput.text(entry?.title ?? started["title"]?.string),
      "url": JSONOutput.text(entry?.draft.media.url), "player_state": started["player_state"] ?? .null,
    ]
    Console.print(document)
  }
}

extension Workspace {
  /// The last failed play; nil if none failed or history cannot be read.
  fileprivate func failedPlay(on device: KnownDevice) -> PlayRecord? {
    var failed = HistoryStore.Filter()
    (failed.device, failed.outcome, failed.limit, failed.order) = (device.id, .failed, 1, .written)
    return try? history.plays(matching: failed).last
  }
}
