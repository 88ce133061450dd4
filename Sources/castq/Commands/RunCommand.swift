import ArgumentParser
import CastProtocol
import CastSender
import CastqCore
import CastqDaemon
import CastqStore

/// `castq run [SOURCE…]`
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Feed the device until its queue is drained; with sources, replace the queue first.",
    discussion: """
      Exits 0 when everything played or 'castq stop' ended it, 76 when entries failed after their retries and the rest \
      played, 75 when another feeder holds the device, 69 when the device is unreachable, and then keeps the new queue.
      """)

  @OptionGroup var global: GlobalOptions
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

  @Option(name: .customLong("announce"), help: .hidden)
  var announcement: Int32?

  @Option(name: .customLong("await"), help: .hidden)
  var awaited: Int64?

  @Option(name: .customLong("from"), help: .hidden)
  var first: Int64?

  @Option(name: .customLong("position"), help: .hidden, transform: DurationArgument.init)
  var position: DurationArgument?

  func validate() throws {
    if watch, input.sources.isEmpty || input.sources == ["-"] {
      throw ValidationError("--watch needs a playlist file")
    }
  }

  func run() async throws {
    let announcer = announcement.map { Announcer(descriptor: $0, awaiting: awaited.map(EntryID.init)) }
    do {
      try await feed(announcer)
    } catch let failure as Failure {
      announcer?.announce(failure)
      throw failure
    }
  }

  private func feed(_ announcer: Announcer?) async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.device(global, adding: true)
    var list: SourceList?
    if !input.sources.isEmpty {
      list = await SourceList(input, timeout: global.deviceTimeout)
      list?.printIssues(quietly: global.quiet)
      try list?.requireSomething()
    }
    let subtitles = list.map { SubtitleCheck($0, global) }
    defer { subtitles?.end() }
    let remarks = Task { await subtitles?.report() }
    defer { remarks.cancel() }
    let following = watch ? list.map { (input, $0) } : nil
    var result: RunResult
    let tally: RunTally
    if announcer == nil, let daemon = try await DaemonCall(workspace, device, global) {
      try daemon.checkApplication()
      tally = try RunTally(workspace, device, continues: list == nil)
      if let list { try workspace.replaceQueue(of: device, with: list) }
      try beginShuffled(device, workspace)
      result = await daemon.run(
        FeedRequest(isNewQueue: list != nil, loops: loop, patience: waitForDevice?.seconds ?? 0),
        limit: limit,
        following: following)
    } else {
      let feeding = try Feeding(workspace: workspace, device: device, global: global)
      tally = try RunTally(workspace, device, continues: list == nil)
      if let list { try workspace.replaceQueue(of: device, with: list) }
      try begin(on: device, workspace)
      try beginShuffled(device, workspace)
      let resume = position.flatMap { position in
        first.map { ResumePoint(entry: EntryID($0), position: MediaTime(seconds: position.seconds)) }
      }
      result = await feeding.run(
        limit: limit, announcer: announcer, following: following, resume: resume,
        startsOver: list != nil || first != nil, loops: loop, patience: waitForDevice?.duration ?? .zero)
    }
    if list != nil, result.ended == .unreachable {
      result.failure?.message += "; the new list waits in its queue"
    }
    // The list may end before the servers have answered; each request has its own time limit.
    if result.signal == nil { await remarks.value }
    try tally.finish(result, list: list?.failure, isMachineReadable: global.isMachineReadable)
  }

  private func begin(on device: KnownDevice, _ workspace: Workspace) throws(Failure) {
    guard let first else { return }
    try workspace.ask { (here) throws(StoreError) in
      // A killed feeder leaves an entry in state playing. Reset it before moving the list.
      try here.queue.recover(device.id)
      try here.queue.moveList(to: EntryID(first), on: device.id)
    }
  }

  private func beginShuffled(_ device: KnownDevice, _ workspace: Workspace) throws(Failure) {
    guard shuffle else { return }
    try workspace.ask { (here) throws(StoreError) in
      try here.queue.setShuffle(true, seed: .random(in: 0...UInt64.max), for: device.id)
    }
  }

  /// Seconds from now; nil means no limit.
  private var limit: Double? {
    [duration?.seconds, until.map { max($0.next() - WallTime.now, 0) }].compactMap { $0 }.min()
  }
}

/// `castq cast SOURCE…`
struct CastCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cast", abstract: "Replace the queue and start now; return when the first item plays.",
    discussion: """
      A background process feeds the queue; it exits when the queue is drained or on 'castq stop'. \
      If a feeder already runs for the device, it restarts with the new queue.
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var input: SourceOptions

  @Flag(help: "Return when the queue is drained.")
  var wait = false

  func validate() throws {
    if input.sources.isEmpty { throw ValidationError("name at least one SOURCE") }
  }

  func run() async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.device(global, adding: true)
    let list = await SourceList(input, timeout: global.deviceTimeout)
    list.printIssues(quietly: global.quiet)
    try list.requireSomething()
    let subtitles = SubtitleCheck(list, global)
    defer { subtitles.end() }
    do {
      try await start(list, on: device, in: workspace)
      await subtitles.report()
    } catch let failure as Failure where failure.code == Failure.feederGone {
      // The feeder ended during the request, so the device is free now.
      try await start(list, on: device, in: workspace)
    } catch var failure as Failure where failure.code == Failure.loadFailed {
      // Receivers report the same error for every problem with an address.
      if let address = workspace.failedAddress(on: device), let words = await MediaLook.words(at: address) {
        failure.message += "; \(words)"
      }
      throw failure
    }
    if let failure = list.failure { throw Silent(failure) }
  }

  private func start(_ list: SourceList, on device: KnownDevice, in workspace: Workspace) async throws {
    let tally = try RunTally(workspace, device, continues: false)
    func finish(_ result: RunResult) throws {
      try tally.finish(result, list: list.failure, isMachineReadable: global.isMachineReadable)
    }
    if let daemon = try await DaemonCall(workspace, device, global) {
      try daemon.checkApplication()
      try workspace.replaceQueue(of: device, with: list)
      let request = FeedRequest(isNewQueue: true)
      if wait { return try finish(await daemon.run(request, limit: nil)) }
      return try printOutcome(try await daemon.feed(request), device, workspace)
    }
    switch Result(catching: { () throws(Failure) in
      try Feeding(workspace: workspace, device: device, global: global)
    }) {
    case .failure(let busy) where busy.code == Failure.busy && !global.noDaemon:
      return try await handOver(list, on: device, in: workspace, busy: busy)
    case .failure(let failure): throw failure
    case .success(let feeding):
      try workspace.replaceQueue(of: device, with: list)
      if wait { return try finish(await feeding.run(limit: nil, startsOver: true)) }
      feeding.release()
    }
    let first = try workspace.ask { (here) throws(StoreError) in
      try here.queue.upcoming(for: device.id, limit: 1, besides: nil, at: .now).first?.entry
    }
    let feeder = BackgroundFeeder(workspace: workspace, global: global, device: device, awaited: first)
    let started: JSONValue
    do throws(Failure) {
      started = try await feeder.start()
    } catch {
      guard error.code == Failure.busy else { throw error }
      // Another feeder acquired the lock after its release above.
      return try await handOver(nil, on: device, in: workspace, busy: error)
    }
    try printOutcome(started, device, workspace)
  }

  /// Restarts the feeder that holds the device, with the new queue.
  /// - Parameter list: nil if the queue already holds it.
  private func handOver(
    _ list: SourceList?, on device: KnownDevice, in workspace: Workspace, busy: Failure
  ) async throws(Failure) {
    guard DatabaseLock.holder(.feeder(device.id), of: workspace.database)?.socket != nil else {
      throw busy
    }
    if let list { try workspace.replaceQueue(of: device, with: list) }
    let live = LiveControl(global: global, workspace: workspace, device: device)
    guard let started = try await live.askFeeder(.restart(waits: wait)) else {
      throw Failure(Failure.feederGone, busy.message, exit: .tryAgain)
    }
    if !wait { try printOutcome(started, device, workspace) }
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
  /// The address of the last failed play; nil if none failed or history cannot be read.
  fileprivate func failedAddress(on device: KnownDevice) -> String? {
    var failed = HistoryStore.Filter()
    (failed.device, failed.outcome, failed.limit) = (device.id, .failed, 1)
    return try? history.plays(matching: failed).last?.url
  }
}
