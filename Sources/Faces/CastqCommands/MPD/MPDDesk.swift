import CastGuard
import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqMPD
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText

/// Answers clients of the Music Player Daemon by the functions that answer people.
struct MPDDesk: MPDSource {
  let global: CallOptions
  private let board: StatusFeed
  private let executor = OperationExecutor()
  private let slots = Slots(32)
  private let workspace: Workspace
  private let interest = InterestLine()
  private let art: ArtBook
  private let covers: FileArt
  let storedLists: StoredLists

  /// - Parameter playlists: the folder of stored lists; nil is one beside the database.
  init(_ options: CallOptions, playlists: String?) throws(Failure) {
    let global = options.serving
    self.global = global
    let workspace = try Workspace(global)
    self.workspace = workspace
    art = ArtBook { await LocalPlaces.showing($0, global, workspace) }
    covers = FileArt(global, workspace, hasFrames: false)
    board = StatusFeed(global, workspace, executor, hasSecrets: true)
    storedLists = StoredLists(folder: playlists ?? MusicFolders.playlists(beside: global.databasePath))
  }

  var now: WallTime { .now }

  // MARK: - Reading

  func partitions() async throws(Failure) -> [MPDPartition] {
    let configured = try? global.configuredDefault()
    return try await ask { (here) throws(StoreError) in
      let usual = try? here.devices.device(matching: configured)
      return try here.devices.all().map {
        MPDPartition(id: $0.id.rawValue, name: $0.label, isDefault: $0.id == usual?.id)
      }
    }
  }

  func partition(named name: String) async throws(Failure) -> String {
    try await ask { (here) throws(StoreError) in try here.devices.device(matching: name).label }
  }

  func status(of partition: String) async throws(Failure) -> JSONValue {
    try await board.document(of: partition)
  }

  func order(of partition: String) async throws(Failure) -> (QueueOrder, QueueSettings) {
    try await ask { (here) throws(StoreError) in
      let device = try here.devices.device(matching: partition)
      return (try here.queue.order(of: device.id), try here.queue.settings(for: device.id))
    }
  }

  func entries(
    _ ids: [EntryID], of partition: String, _ facts: MPDFacts?
  ) async throws(Failure) -> [QueueEntry] {
    try await ask { (here) throws(StoreError) in
      let device = try here.devices.device(matching: partition)
      return try here.filled(try here.queue.entries(ids, of: device.id), lengths: facts?.lengths)
    }
  }

  func entry(
    playing addresses: [String], of partition: String
  ) async throws(Failure) -> QueueEntry? {
    try await ask { (here) throws(StoreError) in
      try here.queue.entry(playing: addresses, of: here.devices.device(matching: partition).id)
    }
  }

  func facts(of partition: String) async throws(Failure) -> MPDFacts {
    try await ask { (here) throws(StoreError) in
      let device = try here.devices.device(matching: partition)
      return MPDFacts(
        lengths: try here.history.lengths(of: device.id),
        files: try ProbeStore(here.database).fingerprint())
    }
  }

  func drafts(ofFiles paths: [String], on partition: String) async throws(Failure) -> [EntryDraft] {
    try await ask { (here) throws(StoreError) in
      _ = try here.devices.device(matching: partition)
      return try here.filled(
        drafts: paths.map { path in
          let type = ContentTypes.standard.fileType(path: path) ?? ""
          let media = MediaInformation(contentURL: FilePath.url(path), contentType: type)
          return EntryDraft(media: media, origin: .local)
        })
    }
  }

  /// Reads rows beside the threads that serve.
  func ask<Value: Sendable>(
    _ body: @escaping @Sendable (Workspace) throws(StoreError) -> Value
  ) async throws(Failure) -> Value {
    let workspace = workspace
    let result = await withTaskExecutorPreference(executor) {
      () async -> Result<Value, Failure> in
      do throws(Failure) { return .success(try workspace.ask(body)) } catch {
        return .failure(error.shown)
      }
    }
    return try result.get()
  }

  // MARK: - Changing

  func perform(_ verb: PlaybackVerb, on partition: String) async throws(Failure) {
    try await serve(partition) { call, site, device throws(Failure) in
      _ = try await LiveControl(global: call, workspace: site, device: device).perform(verb)
    }
  }

  func enqueue(
    _ sources: [String], at position: Int?, on partition: String
  ) async throws(Failure) -> [EntryID] {
    try await serve(partition) { call, site, device throws(Failure) in
      let queue = QueueCall(call, site, device)
      let list = await queue.read(SourceRequest(sources: sources), isStrict: false)
      return try await queue.add(
        list, position.map { .at($0) } ?? .end, plays: false, isStrict: false
      ).added.map(\.id)
    }
  }

  func remove(_ entries: [EntryID], from partition: String) async throws(Failure) {
    try await serve(partition) { call, site, device throws(Failure) in
      try await QueueCall(call, site, device).remove(entries.map(EntryArgument.entry))
    }
  }

  /// The queue as a playlist that other players read, too.
  func export(_ partition: String) async throws(Failure) -> String {
    try await serve(partition) { call, site, device throws(Failure) in
      try QueueCall(call, site, device).exported(as: .m3u8).text
    }
  }

  /// Changes something beside the threads that serve; the feeder finds new rows at once, and so do those who follow them.
  private func serve<Value: Sendable>(
    _ partition: String,
    _ body: @escaping @Sendable (CallOptions, Workspace, KnownDevice) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    await slots.enter()
    var call = global
    call.device = [partition]
    let (workspace, options) = (workspace, call)
    let result = await withTaskExecutorPreference(executor) { () async -> Result<Value, Failure> in
      do throws(Failure) {
        return .success(try await body(options, workspace, try await workspace.device(options)))
      } catch { return .failure(error.shown) }
    }
    slots.leave()
    await poke(partition)
    return try result.get()
  }

  /// The feeder finds new rows at once, and so do those who follow them.
  private func poke(_ partition: String) async {
    if let device = try? workspace.devices.device(matching: partition) {
      await FeederCall.poke(workspace, device, global)
    }
    await board.readRows()
  }

  func arrange(
    _ partition: String, _ change: @escaping @Sendable ([EntryID]) throws(MPDFailure) -> [EntryID]
  ) async throws(MPDFailure) {
    let outcome: Result<Bool, MPDFailure>
    do throws(Failure) {
      outcome = try await ask { (here) throws(StoreError) in
        let device = try here.devices.device(matching: partition)
        var refusal: MPDFailure?
        let isDone = try here.queue.arrange(device.id) { order in
          do throws(MPDFailure) { return try change(order) } catch {
            refusal = error
            return nil
          }
        }
        return refusal.map { .failure($0) } ?? .success(isDone)
      }
    } catch {
      throw MPDFailure(error)
    }
    guard try outcome.get() else { throw MPDFailure(.system, "the queue has changed meanwhile: try again") }
    await poke(partition)
  }

  func setSection(
    _ section: MPDSection, of entry: EntryID, on partition: String
  ) async throws(Failure) {
    let start = section.start.map { MediaTime(seconds: $0) }
    let length = section.end.map { MediaTime(seconds: $0 - (section.start ?? 0)) }
    try await ask { (here) throws(StoreError) in
      let device = try here.devices.device(matching: partition)
      try here.queue.setSection(from: start, for: length, of: entry, on: device.id)
    }
    await poke(partition)
  }

  // MARK: - News

  func news() -> AsyncStream<MPDNews> {
    let board = board
    return AsyncStream(bufferingPolicy: .bufferingNewest(4096)) { continuation in
      let task = Task {
        for await news in board.news(watching: interest.stream) {
          switch news {
          case .status(let device, let document):
            continuation.yield(.status(partition: device.label, document))
          case .queue(let device, _): continuation.yield(.queue(partition: device.label))
          case .devices: continuation.yield(.partitions)
          case .plan, .history, .health, .outcome, .progress: break
          }
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  func watch(_ partitions: Set<String>) async {
    interest.put(.devices(Set(partitions.map { $0.lowercased() })))
  }

  func picture(_ address: String, of entry: EntryDraft?) async -> (type: String, bytes: [UInt8])? {
    if let entry {
      art.keep(address, named: entry.pictureOrigin(Resolvers.rules(global)))
    } else {
      for (address, origin) in await board.artwork() { art.keep(address, named: origin) }
    }
    return try? await art.picture(WebArt.digest(of: address))
  }

  func cover(ofFile path: String) async -> (type: String, bytes: [UInt8])? {
    await covers.picture(of: path).map { ("image/jpeg", $0) }
  }
}

/// Whose devices somebody looks at.
private final class InterestLine: Sendable {
  let stream: AsyncStream<WatchInterest>
  private let continuation: AsyncStream<WatchInterest>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func put(_ interest: WatchInterest) { continuation.yield(interest) }
}
