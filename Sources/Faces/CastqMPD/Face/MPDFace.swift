import CastProtocol
import CastqFeeding
package import CastqPlaylists
import CastqText

/// Answers the requests of all clients, and keeps what they need to know of each partition.
package actor MPDFace {
  /// What is known of one partition.
  struct Board {
    var log = QueueLog()
    var repeatMode = QueueRepeat.off
    var isRandom = false
    var parts = StatusParts()
    /// Its addresses by what clients are told of them.
    var addresses = ToldAddresses()
    /// The entry that was on the screen last.
    var current: EntryID?
    /// Whether somebody has waited for its first status.
    var wasAwaited = false
    /// What went wrong after its command was answered; nil when it was cleared.
    var error: String?
  }

  nonisolated let source: any MPDSource
  nonisolated let folders: MediaFolders
  nonisolated let settings: MPDSettings
  let startedAt: WallTime
  var boards: [String: Board] = [:]
  var shelf = SongShelf()
  /// The addresses of stored lists that clients were told of.
  var listed = ToldAddresses()
  private var clients: [Int: Listening] = [:]
  private var lastClient = 0
  /// The devices of partitions by the names under which they were listed, so that clients stay when a device gets another name.
  private var devices: [String: Int64] = [:]
  /// The partitions of all clients so far. Most clients come for one command: the next one finds the status heard.
  private var watched: Set<String> = []
  /// Who waits for the first status of a partition.
  private var waiting: [String: [AsyncStream<Never>.Continuation]] = [:]

  private struct Listening {
    var partition: String
    let mailbox: MPDMailbox
  }

  package init(source: any MPDSource, folders: MediaFolders, settings: MPDSettings) {
    self.source = source
    self.folders = folders
    self.settings = settings
    startedAt = source.now
  }

  // MARK: - Clients

  /// Follows what happens, until the task is cancelled.
  package func run() async {
    for await news in source.news() {
      switch news {
      case .status(let partition, let document): adopt(StatusParts(document), of: partition)
      case .queue(let partition): if boards[partition] != nil { _ = try? await refresh(partition) }
      case .partitions:
        await rename()
        notify(nil, [.partition])
      }
    }
  }

  /// Gives partitions the names that their devices have now.
  private func rename() async {
    let before = devices
    guard let partitions = try? await partitions() else { return }
    let names = Dictionary(partitions.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
    let renamed = before.compactMapValues { names[$0] }.filter { $0.key != $0.value }
    guard !renamed.isEmpty else { return }
    func name(_ partition: String) -> String { renamed[partition] ?? partition }
    clients = clients.mapValues { Listening(partition: name($0.partition), mailbox: $0.mailbox) }
    boards = Dictionary(boards.map { (name($0.key), $0.value) }, uniquingKeysWith: { $1 })
    for (partition, ends) in waiting where renamed[partition] != nil {
      waiting[partition] = nil
      ends.forEach { $0.finish() }
    }
    await watch()
  }

  /// The partition of a client.
  func partition(of client: Int) -> String? { clients[client]?.partition }

  /// A client is there.
  /// - Returns: the number by which it is known.
  func join(_ partition: String, _ mailbox: MPDMailbox) async -> Int {
    lastClient += 1
    let number = lastClient
    clients[number] = Listening(partition: partition, mailbox: mailbox)
    await watch()
    return number
  }

  func leave(_ client: Int) { clients[client] = nil }

  func move(_ client: Int, to partition: String) async {
    clients[client]?.partition = partition
    await watch()
  }

  private func watch() async {
    let partitions = watched.union(clients.values.map(\.partition))
    guard partitions != watched else { return }
    watched = partitions
    await source.watch(partitions)
  }

  /// - Parameter partition: nil for all of them.
  func notify(_ partition: String?, _ subsystems: Set<MPDSubsystem>) {
    guard !subsystems.isEmpty else { return }
    for client in clients.values where partition == nil || client.partition == partition {
      client.mailbox.put(subsystems)
    }
  }

  // MARK: - Partitions

  /// The partition of a client that named none.
  /// - Throws: `missing` when no device is known.
  func home() async throws(MPDFailure) -> String {
    let partitions = try await partitions()
    guard let home = partitions.first(where: \.isDefault) ?? partitions.first else {
      throw MPDFailure(.missing, "no device is known")
    }
    return home.name
  }

  func partitions() async throws(MPDFailure) -> [MPDPartition] {
    do throws(Failure) {
      let partitions = try await source.partitions()
      for partition in partitions { devices[partition.name] = partition.id }
      return partitions
    } catch { throw MPDFailure(error) }
  }

  /// The partition whose device has this name; `default` is also that of the default device.
  func partition(named name: String) async throws(MPDFailure) -> String {
    if try await partitions().contains(where: { $0.name == name }) { return name }
    if name == "default" { return try await home() }
    do throws(Failure) { return try await source.partition(named: name) } catch {
      throw error.exit == .deviceUnknown
        ? MPDFailure(.missing, "partition does not exist") : MPDFailure(error)
    }
  }

  // MARK: - What is known

  /// The partition as it is now.
  @discardableResult
  func refresh(_ partition: String, altered: Set<EntryID> = []) async throws(MPDFailure) -> Board {
    let (order, settings): (QueueOrder, QueueSettings)
    let isNew = boards[partition] == nil
    do throws(Failure) {
      (order, settings) = try await source.order(of: partition)
      if isNew {
        let parts = StatusParts(try await source.status(of: partition))
        if boards[partition] == nil {
          boards[partition] = Board()
          adopt(parts, of: partition)
        }
      }
    } catch {
      throw MPDFailure(error)
    }
    var board = boards[partition] ?? Board()
    var subsystems: Set<MPDSubsystem> = []
    if board.log.adopt(order.rows.map(\.entry), altered: altered) { subsystems.insert(.playlist) }
    if board.repeatMode != settings.repeatMode || board.isRandom != settings.isShuffled {
      (board.repeatMode, board.isRandom) = (settings.repeatMode, settings.isShuffled)
      subsystems.insert(.options)
    }
    boards[partition] = board
    shelf.forget(altered, of: partition)
    if !isNew { notify(partition, subsystems) }
    return board
  }

  private func adopt(_ parts: StatusParts, of partition: String) {
    guard var board = boards[partition] else { return }
    let subsystems = board.parts.changes(to: parts)
    board.parts = parts
    if parts.state != .stop, let entry = parts.entry { board.current = entry }
    boards[partition] = board
    if !parts.isUnheard { waiting.removeValue(forKey: partition)?.forEach { $0.finish() } }
    notify(partition, subsystems)
  }

  /// Waits for the first status of a device that was not heard before, once, as long as clients wait for a device.
  private func hear(_ partition: String) async {
    guard boards[partition]?.parts.isUnheard == true, boards[partition]?.wasAwaited == false else { return }
    boards[partition]?.wasAwaited = true
    let (never, end) = AsyncStream.makeStream(of: Never.self)
    waiting[partition, default: []].append(end)
    let timer = Task { [settings] in
      try? await settings.sleep(settings.patience)
      end.finish()
    }
    for await _ in never {}
    timer.cancel()
  }

  /// The partition with its status as it was heard last.
  func present(_ partition: String) async throws(MPDFailure) -> Board {
    try await refresh(partition)
    do throws(Failure) {
      adopt(StatusParts(try await source.status(of: partition)), of: partition)
    } catch {
      throw MPDFailure(error)
    }
    await hear(partition)
    return boards[partition] ?? Board()
  }
}

/// How the face is served.
package struct MPDSettings: Sendable {
  /// How long a command waits for a device before it is answered nevertheless.
  package var patience = Duration.seconds(2)
  /// Silence after which a client that is not in `idle` is disconnected; it takes at most twice that.
  package var silence = Duration.seconds(60)
  /// Clients at a time.
  package var clients = 100
  /// Waits; the only source of time.
  package var sleep: @Sendable (Duration) async throws -> Void

  package init(sleep: @escaping @Sendable (Duration) async throws -> Void) { self.sleep = sleep }
}
