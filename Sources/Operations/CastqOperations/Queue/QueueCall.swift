import CastGuard
package import CastProtocol
import CastqDaemon
package import CastqFeeding
package import CastqPlaylists
package import CastqStore
package import CastqText

/// What was put into a queue.
package struct AddedEntries {
  package let device: KnownDevice
  /// What was read, with its problems.
  package let list: SourceList
  package let added: [QueueEntry]
  /// Who plays them; nil where nothing is to be started.
  fileprivate var feeder: FeederCall?
  /// Why they are not played; nil is no reason.
  package var failure: Failure?

  package init(
    _ added: [QueueEntry], of list: SourceList, on device: KnownDevice, _ feeder: FeederCall? = nil
  ) {
    self.device = device
    self.list = list
    self.added = added
    self.feeder = feeder
  }

  /// A document for each entry.
  package var entries: [JSONValue] {
    zip(added, list.typedFiles).map { JSONOutput.added($0, source: $1, on: device) }
  }

  package var json: JSONValue {
    var document: [String: JSONValue] = [
      "device": .string(device.label), "added": .array(entries),
      "skipped": .array(list.errors.map(JSONOutput.issue)),
    ]
    if let failure { document["error"] = failure.typed.shown.json }
    return .object(document)
  }
}

/// Changes of the queue of one device: one function for every face.
package struct QueueCall {
  package let global: CallOptions
  package let workspace: Workspace
  package let device: KnownDevice

  package init(_ global: CallOptions, _ workspace: Workspace, _ device: KnownDevice) {
    self.global = global
    self.workspace = workspace
    self.device = device
  }

  /// Opens the database and resolves the selected device, which has a queue.
  /// - Parameters:
  ///   - adding: whether an unknown address is added as a device.
  ///   - isReader: whether the queue is only read, which works on a read-only database, too.
  package init(_ global: CallOptions, adding: Bool = false, isReader: Bool = false) async throws(Failure) {
    let workspace = try Workspace(global, isReader: isReader)
    self.init(global, workspace, try await workspace.device(global, adding: adding))
    try workspace.requireQueue(of: device)
  }

  /// Reads what somebody wants to play. Nothing is changed.
  /// - Parameter isStrict: whether problems of single entries are looked for, too.
  package func read(_ request: SourceRequest, isStrict: Bool) async -> SourceList {
    var list = await SourceList(
      request, resolvers: Resolvers.rules(global), allowing: LocalPlaces(global),
      music: MusicFolders(global), timeout: global.deviceTimeout)
    if isStrict { list.add(FileCheck.issues(of: list.typedDrafts)) }
    return list
  }

  /// Puts entries into the queue, in one transaction.
  /// - Parameters:
  ///   - plays: whether `start` is to follow; what would keep it from playing is found out before anything is added.
  ///   - isStrict: whether one problem keeps all of them out.
  package func add(
    _ list: SourceList, _ placement: QueueStore.Placement, plays: Bool, isStrict: Bool
  ) async throws(Failure) -> AddedEntries {
    try list.requireSomething()
    if isStrict, var failure = list.failure {
      failure.message = "nothing was enqueued (--strict): \(failure.message)"
      throw failure
    }
    let feeder = plays ? try await FeederCall.background(workspace, device, global) : nil
    try feeder?.checkOptions()
    let added = try workspace.ask { (here) throws(StoreError) in
      try here.queue.enqueue(
        list.playlist, for: device.id, placement: placement, seed: .random(in: 0...UInt64.max), at: .now)
    }
    return AddedEntries(added, of: list, on: device, feeder)
  }

  /// Replaces the queue with a list, in one transaction, and starts nothing.
  /// - Parameter isStrict: whether one problem keeps all of it out.
  package func replace(with list: SourceList, isStrict: Bool) throws(Failure) -> AddedEntries {
    // A list without entries is a mistake, unless it says how a queue goes on, as that of an empty queue does.
    if list.failure != nil || list.playlist.repeatMode == nil { try list.requireSomething() }
    if isStrict, var failure = list.failure {
      failure.message = "nothing was imported (--strict): \(failure.message)"
      throw failure
    }
    return AddedEntries(try workspace.replaceQueue(of: device, with: list), of: list, on: device)
  }

  /// Has the queue fed, if that was asked for.
  package func start(_ added: AddedEntries) async throws(Failure) {
    guard let feeder = added.feeder else { return await FeederCall.poke(workspace, device, global) }
    do throws(Failure) { try await feeder.start(FeedRequest()) } catch {
      var failure = error
      if failure.code == Failure.scheduled { failure.add("; what was named is enqueued") }
      throw failure
    }
  }

  /// The queue as a playlist, and what its format cannot hold.
  package func exported(as format: PlaylistFormat) throws(Failure) -> PlaylistWriter {
    let playlist = try workspace.ask { (here) throws(StoreError) in
      let settings = try here.queue.settings(for: device.id)
      let fallback = try here.queue.fallback(for: device.id)
      return Playlist(
        name: settings.name, repeatMode: settings.repeatMode, isShuffled: settings.isShuffled,
        drafts: try here.queue.entries(for: device.id).map(\.draft),
        fallback: fallback.isEmpty ? nil : fallback, foreign: try here.queue.foreignFields(of: device.id))
    }
    return PlaylistWriter(playlist, as: format)
  }

  package func remove(_ entries: [EntryArgument]) async throws(Failure) {
    try await workspace.naming(entries, on: device) { entries throws(Failure) in
      try workspace.ask { (here) throws(StoreError) in try here.queue.remove(entries, from: device.id) }
    }
  }

  /// - Parameter position: from 1.
  package func move(_ entry: EntryArgument, to position: Int) async throws(Failure) {
    try await workspace.naming([entry], on: device) { entries throws(Failure) in
      try workspace.ask { (here) throws(StoreError) in
        try here.queue.move(entries[0], toPosition: position, on: device.id)
      }
    }
  }
}
