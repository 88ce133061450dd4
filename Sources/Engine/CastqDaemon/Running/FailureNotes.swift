import CastGuard
import CastProtocol
import CastSender
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Logging

/// Finds out why a receiver could not load media, and adds it to the reason in history.
struct FailureNotes {
  /// What is probed, and by whose words.
  private struct Address: Hashable {
    let text: String
    let origin: FetchOrigin
  }

  /// A probe of an address.
  private struct Look {
    var at: Tick
    var words: Task<String?, Never>
  }

  /// How long a result is reused. A probe takes a few seconds, so a note of a minute ago has been written.
  private static let memory = Duration.seconds(60)
  private static let mostLooks = 64

  private let history: HistoryStore
  private let executor: StoreExecutor
  private let prepared: PreparedMedia?
  private let queue: QueueStore
  private let allowed: LocalPlaces
  private let logger: Logger
  /// The access log of the server of local files.
  private let log: @Sendable () async -> JSONValue
  private var looks: [Address: Look] = [:]
  private var notes: [(at: Tick, task: Task<Void, Never>)] = []

  /// - Parameters:
  ///   - settings: what was prepared, and places that may be asked whoever names them.
  ///   - host: has the access log.
  init(_ database: Database, _ settings: DeviceSettings, _ host: FeederHost, logger: Logger) {
    prepared = settings.prepared
    log = { await host.mediaDocument() }
    allowed = settings.allowed
    history = HistoryStore(database)
    queue = QueueStore(database)
    executor = database.executor
    self.logger = logger
  }

  /// Probes the address of a failed play, while the list continues.
  /// - Parameter address: what the device was given; nil is what the row says.
  mutating func explain(_ turn: EntryTurn, at address: String?, now: Tick) {
    let found = address
    guard let address = found ?? ((try? history.address(of: turn)) ?? nil) else { return }
    // A file that castq did not send at all has its reason already.
    if FilePath.isURL(address), (try? history.reason(of: turn))?.receiver == nil { return }
    looks = looks.filter { now - $0.value.at < Self.memory }
    notes.removeAll { now - $0.at >= Self.memory }
    let key = Address(text: address, origin: origin(of: turn, isFound: found != nil))
    guard looks[key] != nil || looks.count < Self.mostLooks else { return }
    // What a local file is made of is in the database, which this may ask.
    let local = prepared?.words(about: address)
    let published = prepared?.published(for: address) ?? address
    let look =
      looks[key]
      ?? Look(
        at: now,
        words: Task { [log, allowed] in
          if let local { return local }
          let rule = FetchGuard(key.origin, allowing: allowed)
          return await Self.failure(at: published, under: rule, log)?.words
        })
    looks[key] = look
    let note = Task { [history, executor, logger] in
      // A probe that was cancelled has found nothing out.
      guard let words = await look.words.value, !look.words.isCancelled else { return }
      // A store error loses the note only, not the play.
      do throws(StoreError) {
        try await executor.run { () throws(StoreError) in try history.annotate(turn, words) }
      } catch {
        logger.debug("note about failed media was not saved", metadata: ["castq.error": "\(error)"])
      }
    }
    notes.append((now, note))
  }

  /// Whose words name the address of a play.
  /// - Parameter isFound: whether a program has found it behind the page that the entry names.
  private func origin(of turn: EntryTurn, isFound: Bool) -> FetchOrigin {
    let entry = (try? queue.entry(turn.entry)) ?? nil
    if isFound { return .resolver(host: entry.flatMap { try? WebAddress($0.draft.media.url).host }) }
    // The row of an entry may be gone before its last play is explained.
    return entry?.draft.fetchOrigin ?? ((try? history.source(of: turn)) ?? nil).fetchOrigin
  }

  private static func failure(
    at address: String, under rule: FetchGuard, _ log: @Sendable () async -> JSONValue
  ) async -> FailedLoad? {
    guard FilePath.isURL(address) else { return await MediaLook.failure(at: address, under: rule) }
    return FailedLoad(published: address, log: await log())
  }

  /// Waits for pending probes, which are short; cancels them if the run was stopped.
  func finish(after end: RunEnd?) async {
    switch end {
    case .stopped, .halted: for look in looks.values { look.words.cancel() }
    case nil, .drained, .takenOver, .superseded, .stoppedElsewhere, .refused, .unreachable, .entryFailed,
      .failed, .busy:
      break
    }
    for note in notes { await note.task.value }
  }
}
