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
    abstract: "Feed the device until nothing is left; with sources, replace the queue by them first.",
    discussion: """
      Exits 0 when everything played or 'castq stop' ended it, 76 when entries failed after their retries and the rest \
      played, 75 when another feeder holds the device.
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var input: SourceOptions

  @Flag(help: "Start again at the end, for ever.")
  var loop = false

  @Flag(help: "Play in a shuffled order.")
  var shuffle = false

  @Option(name: .customLong("for"), help: ArgumentHelp("Stop after this long.", valueName: "duration"))
  var duration: DurationArgument?

  @Option(help: ArgumentHelp("Stop then, such as 18:00 or +2h.", valueName: "time"))
  var until: TimeArgument?

  @Flag(help: "Follow edits of the playlist files and apply them from the next entry on.")
  var watch = false

  @Option(name: .customLong("announce"), help: .hidden)
  var announcement: Int32?

  @Option(name: .customLong("from"), help: .hidden)
  var first: Int64?

  @Option(name: .customLong("position"), help: .hidden)
  var position: DurationArgument?

  func validate() throws {
    if watch, input.sources.isEmpty || input.sources == ["-"] {
      throw ValidationError("--watch wants a playlist file to watch")
    }
  }

  func run() async throws {
    let announcer = announcement.map(Announcer.init(descriptor:))
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
      list?.say(quietly: global.quiet)
      try list?.requireSomething()
    }
    if announcer == nil, let daemon = try await DaemonCall(workspace, device, global) {
      return try await feed(list, on: device, by: daemon, workspace)
    }
    let feeding = try Feeding(workspace: workspace, device: device, global: global)
    if let list { try workspace.replaceQueue(of: device, with: list) }
    if let first {
      try workspace.ask { (here) throws(StoreError) in
        // A feeder that was killed may have left an entry behind as playing, which is no place to move from.
        try here.queue.recover(device.id)
        try here.queue.moveList(to: EntryID(first), on: device.id)
      }
    }
    try await withWishes(for: device, workspace) {
      let resume = position.flatMap { position in
        first.map { ResumePoint(entry: EntryID($0), position: MediaTime(seconds: position.seconds)) }
      }
      try await feeding.run(
        limit: limit, announcer: announcer, following: watch ? list.map { (input, $0) } : nil, resume: resume,
        startsOver: list != nil || first != nil)
    }
    if let failure = list?.failure { throw Silent(failure) }
  }

  /// The daemon does it, and the command waits.
  private func feed(
    _ list: SourceList?, on device: KnownDevice, by daemon: DaemonCall, _ workspace: Workspace
  ) async throws {
    if let list { try workspace.replaceQueue(of: device, with: list) }
    try await withWishes(for: device, workspace) {
      try await daemon.run(
        FeedRequest(isNewQueue: list != nil), limit: limit, following: watch ? list.map { (input, $0) } : nil)
    }
    if let failure = list?.failure { throw Silent(failure) }
  }

  /// Seconds from now; nil is for ever.
  private var limit: Double? {
    [duration?.seconds, until.map { max($0.time - WallTime.now, 0) }].compactMap { $0 }.min()
  }

  /// Feeds with what --loop and --shuffle ask for.
  private func withWishes(
    for device: KnownDevice, _ workspace: Workspace, _ feed: () async throws -> Void
  ) async throws {
    let before = try workspace.ask { (here) throws(StoreError) in
      let settings = try here.queue.settings(for: device.id)
      if loop { try here.queue.setRepeat(.all, for: device.id) }
      if shuffle { try here.queue.setShuffle(true, seed: .random(in: 0...UInt64.max), for: device.id) }
      return settings
    }
    let result: Result<Void, any Error>
    do { result = .success(try await feed()) } catch { result = .failure(error) }
    // --loop is a wish for this run, not for the next one.
    if loop {
      try workspace.ask { (here) throws(StoreError) in
        try here.queue.setRepeat(before.repeatMode, for: device.id)
      }
    }
    try result.get()
  }
}

/// `castq cast SOURCE…`
struct CastCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cast", abstract: "Replace the queue and start now; return when the first item plays.",
    discussion: """
      The queue is fed on by a process in the background, which ends by itself when the queue is drained, and by \
      'castq stop'. When somebody feeds the device already, that feeder starts over with the new queue.
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
    list.say(quietly: global.quiet)
    try list.requireSomething()
    do {
      try await start(list, on: device, in: workspace)
    } catch let failure as Failure where failure.code == Failure.feederGone {
      // It ended while it was asked: the device is free now.
      try await start(list, on: device, in: workspace)
    }
    if let failure = list.failure { throw Silent(failure) }
  }

  private func start(_ list: SourceList, on device: KnownDevice, in workspace: Workspace) async throws {
    if let daemon = try await DaemonCall(workspace, device, global) {
      try workspace.replaceQueue(of: device, with: list)
      let request = FeedRequest(isNewQueue: true)
      if wait { return try await daemon.run(request, limit: nil) }
      return tell(try await daemon.feed(request))
    }
    switch Result(catching: { () throws(Failure) in
      try Feeding(workspace: workspace, device: device, global: global)
    }) {
    case .failure(let busy) where busy.code == Failure.busy && !global.noDaemon:
      return try await handOver(list, on: device, in: workspace, busy: busy)
    case .failure(let failure): throw failure
    case .success(let feeding):
      try workspace.replaceQueue(of: device, with: list)
      if wait { return try await feeding.run(limit: nil, announcer: nil) }
      feeding.release()
    }
    tell(
      try await BackgroundFeeder(workspace: workspace, global: global, device: device).start())
  }

  /// Whoever feeds the device goes on with the new queue.
  private func handOver(
    _ list: SourceList, on device: KnownDevice, in workspace: Workspace, busy: Failure
  ) async throws(Failure) {
    guard FeederLock.holder(database: workspace.database, device: device.id)?.socket != nil else {
      throw busy
    }
    try workspace.replaceQueue(of: device, with: list)
    let live = LiveControl(global: global, workspace: workspace, device: device)
    guard let started = try await live.askFeeder(.restart(waits: wait)) else {
      throw Failure(Failure.feederGone, busy.message, exit: .tryAgain)
    }
    if !wait { tell(started) }
  }

  private func tell(_ started: JSONValue) {
    if global.isMachineReadable { Console.print(started) }
  }
}
