import CastGuard
import CastProtocol
import CastqCore
import CastqDaemon
import CastqMPD
import CastqStore
import CastqDocuments

/// Answers clients of the Music Player Daemon by the commands that answer people.
struct MPDDesk: MPDSource {
  let global: GlobalOptions
  private let calls: CommandCall
  private let board: StatusFeed
  private let executor = CommandExecutor()
  private let slots = Slots(32)
  private let workspace: Workspace
  private let interest = InterestLine()
  private let art: ArtBook
  private let covers: CoverBook
  let storedLists: StoredLists

  /// - Parameter playlists: the folder of stored lists; nil is one beside the database.
  init(_ global: GlobalOptions, playlists: String?) throws(Failure) {
    self.global = global
    calls = CommandCall(global)
    let workspace = try Workspace(global)
    self.workspace = workspace
    art = ArtBook { await LocalPlaces.showing($0, global, workspace) }
    covers = CoverBook(global, workspace)
    board = StatusFeed(global, workspace, executor, hasSecrets: true)
    storedLists = StoredLists(folder: playlists ?? StoredLists.folder(beside: global.databasePath))
  }

  var now: WallTime { .now }

  // MARK: - Reading

  func partitions() async throws(ControlFailure) -> [MPDPartition] {
    let configured = try? global.configuredDefault()
    return try await ask { (here) throws(StoreError) in
      let usual = try? here.devices.device(matching: configured)
      return try here.devices.all().map {
        MPDPartition(id: $0.id.rawValue, name: $0.label, isDefault: $0.id == usual?.id)
      }
    }
  }

  func partition(named name: String) async throws(ControlFailure) -> String {
    try await ask { (here) throws(StoreError) in try here.devices.device(matching: name).label }
  }

  func status(of partition: String) async throws(ControlFailure) -> JSONValue {
    try await board.document(of: partition)
  }

  func order(of partition: String) async throws(ControlFailure) -> (QueueOrder, QueueSettings) {
    try await ask { (here) throws(StoreError) in
      let device = try here.devices.device(matching: partition)
      return (try here.queue.order(of: device.id), try here.queue.settings(for: device.id))
    }
  }

  func entries(
    _ ids: [EntryID], of partition: String, _ facts: MPDFacts?
  ) async throws(ControlFailure) -> [QueueEntry] {
    try await ask { (here) throws(StoreError) in
      let device = try here.devices.device(matching: partition)
      return try here.filled(try here.queue.entries(ids, of: device.id), lengths: facts?.lengths)
    }
  }

  func entry(
    playing addresses: [String], of partition: String
  ) async throws(ControlFailure) -> QueueEntry? {
    try await ask { (here) throws(StoreError) in
      try here.queue.entry(playing: addresses, of: here.devices.device(matching: partition).id)
    }
  }

  func facts(of partition: String) async throws(ControlFailure) -> MPDFacts {
    try await ask { (here) throws(StoreError) in
      let device = try here.devices.device(matching: partition)
      return MPDFacts(
        lengths: try here.history.lengths(of: device.id),
        files: try ProbeStore(here.database).fingerprint())
    }
  }

  func drafts(ofFiles paths: [String], on partition: String) async throws(ControlFailure) -> [EntryDraft] {
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
  ) async throws(ControlFailure) -> Value {
    let workspace = workspace
    let result = await withTaskExecutorPreference(executor) {
      () async -> Result<Value, ControlFailure> in
      do throws(Failure) { return .success(try workspace.ask(body)) } catch {
        return .failure(error.shown)
      }
    }
    return try result.get()
  }

  // MARK: - Changing

  func perform(_ call: MPDCall, on partition: String) async throws(ControlFailure) -> JSONValue {
    await slots.enter()
    let options = call.options + ["--device=\(partition)"]
    let result = await withTaskExecutorPreference(executor) {
      await Result.catching { () async throws(ControlFailure) in
        try await calls.document(call.name, options: options, call.arguments)
      }
    }
    slots.leave()
    await poke(partition)
    let text = try result.get()
    return (try? JSONValue(parsing: text)) ?? .null
  }

  /// The queue as a playlist that other players read, too.
  func export(_ partition: String) async throws(ControlFailure) -> String {
    await slots.enter()
    let result = await withTaskExecutorPreference(executor) {
      await Result.catching { () async throws(ControlFailure) in
        try await calls.document(["export"], options: ["--device=\(partition)"], format: "--format=m3u8")
      }
    }
    slots.leave()
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
    do throws(ControlFailure) {
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
  ) async throws(ControlFailure) {
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
          case .plan, .history, .health, .outcome: break
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
    await covers.cover(of: path).map { ("image/jpeg", $0) }
  }
}

/// Whose devices somebody looks at.
private final class InterestLine: Sendable {
  let stream: AsyncStream<WebInterest>
  private let continuation: AsyncStream<WebInterest>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func put(_ interest: WebInterest) { continuation.yield(interest) }
}
