public import CastProtocol
import Logging
import Synchronization

/// A copy of the receiver's whole queue that keeps in step with it, whoever changes it (protocol 7.6, 7.7, 17.2).
///
///     let queue = session.remoteMediaClient.mediaQueue
///     for row in 0..<queue.itemCount {
///       show(queue.item(at: row)?.mediaInformation?.metadata)   // nil at first: it is fetched, and told of
///     }
///     for await update in queue.updates { … }
///
/// The ids are fetched as soon as something is loaded and the queue is used; items only when somebody asks for them, many at a
/// time. Queues of receivers that do not tell their ids are shown as far as statuses show them: `isComplete` is false then.
public final class MediaQueue: Sendable {
  private weak let session: Session?
  private let driver: MachineDriver<MediaQueue>
  private let listeners = ListenerSet<any MediaQueueListener>()
  private let streams = UpdateStreams<MediaQueueUpdate>(limit: 4096)
  /// What has been told: listeners see the queue as it is between what they are told.
  private let shown = Mutex<[MediaQueueItemID]>([])

  init(session: Session) {
    self.session = session
    driver = MachineDriver(MediaQueueMachine(), time: session.time)
    driver.begin(for: self)
  }

  // MARK: - The queue

  /// How many items are in the queue; 0 while nothing is loaded, and until the receiver has told.
  public var itemCount: Int { shown.withLock(\.count) }

  /// The ids of the queue, in order, each once.
  public var itemIDs: [MediaQueueItemID] { shown.withLock { $0 } }

  /// Whether the ids are known to be the whole queue as it is now. False before the receiver has told them, while they are being
  /// read anew, after `clear()`, without a session, and for receivers that do not tell them (protocol 7.7).
  public var isComplete: Bool { driver.withMachine { $0.isComplete } }

  /// The item at a place.
  /// - Parameters:
  ///   - index: the place, from 0; any number is fine.
  ///   - fetchIfNeeded: whether to ask the receiver for an item that is not known. Items that are wanted within 20 ms are
  ///     asked for together; when more are wanted than the cache holds, those that were wanted last. What comes is told as
  ///     `didUpdateItemsAt`.
  /// - Returns: nil when the item is not known yet, or the place is not in the queue.
  public func item(at index: Int, fetchIfNeeded: Bool = true) -> MediaQueueItem? {
    let id = shown.withLock { $0.indices.contains(index) ? $0[index] : nil }
    return id.flatMap { item(withID: $0, fetchIfNeeded: fetchIfNeeded) }
  }

  /// The item with an id; nil when it is not known yet, or not in the queue. See `item(at:fetchIfNeeded:)`.
  public func item(withID id: MediaQueueItemID, fetchIfNeeded: Bool = true) -> MediaQueueItem? {
    if let item = driver.withMachine({ $0.item(id) }) { return item }
    if fetchIfNeeded { driver.handle(.wanted(id)) }
    return nil
  }

  /// Where an item is; nil when it is not in the queue.
  public func indexOfItem(withID id: MediaQueueItemID) -> Int? {
    shown.withLock { $0.firstIndex(of: id) }
  }

  /// Forgets all items and reads the queue anew.
  public func reload() { driver.handle(.reload) }

  /// Forgets the queue here; the receiver's is not touched. It stays empty until `reload()`, or until something else is loaded.
  public func clear() { driver.handle(.clear) }

  // MARK: - How much

  /// Items that are kept, those used last; 20 by default, at least 1. Smaller drops items at once.
  public var cacheSize: Int {
    get { driver.withMachine { $0.cache.size } }
    set { driver.handle(.setCacheSize(newValue)) }
  }

  /// Items that are asked for at once, at most; 20 by default, at least 1. Never more than `cacheSize` are (protocol 7.7).
  public var maxFetchCount: Int {
    get { driver.withMachine { $0.maxFetchCount } }
    set { driver.handle(.setMaxFetchCount(newValue)) }
  }

  // MARK: - Who hears of it

  /// Every change from now on; each call makes a sequence of its own. It ends with the session, and when its reader falls 4096
  /// changes behind.
  public var updates: AsyncStream<MediaQueueUpdate> { streams.add() }

  /// Adds a listener; it is held weakly, and may be added or removed at any time, also while listeners are told.
  public func add(_ listener: any MediaQueueListener) {
    listeners.add(ObjectIdentifier(listener)) { [weak listener] in listener }
  }

  /// Removes a listener; one that is not there is no mistake.
  public func remove(_ listener: any MediaQueueListener) { listeners.remove(ObjectIdentifier(listener)) }

  // MARK: - The session

  /// Begins to keep in step.
  func attach(to session: Session) {
    // The picture is read inside: whatever the session tells afterwards comes afterwards.
    driver.handle(
      {
        let picture = session.picture
        return .attached(
          isActive: picture.state == .active && picture.application != nil, picture.mediaStatus)
      }())
    if session.state == .ended { take(.ended(nil)) }
  }

  func take(_ event: SessionEvent) { driver.handle(.session(event)) }

  func end() async { await driver.end() }
}

extension MediaQueue: MachineOwner {
  typealias Machine = MediaQueueMachine

  func carryOut(_ action: MediaQueueMachine.Action) {
    switch action {
    case .fetchItemIDs(let number):
      session?.submit(.media(.queueGetItemIDs)) { [weak self] result in
        let answer = Self.answer(result) { if case .queueItemIDs(let answer) = $0 { answer } else { nil } }
        self?.driver.handle(.itemIDs(number, answer))
      }
    case .fetchItems(let number, let ids):
      session?.submit(.media(.queueGetItems(ids))) { [weak self] result in
        let answer = Self.answer(result) { if case .queueItems(let items) = $0 { items } else { nil } }
        self?.driver.handle(.items(number, answer))
      }
    case .update(let update): tell(update)
    case .finish: streams.finish()
    // The driver's.
    case .startTimer, .cancelTimer: break
    }
  }

  private static func answer<Value>(_ result: Result<Reply, CastError>, read: (Reply) -> Value?)
    -> Result<Value, CastError>
  {
    result.flatMap { reply in
      read(reply).map { .success($0) } ?? .failure(.oddQueueAnswer)
    }
  }

  private func tell(_ update: MediaQueueUpdate) {
    listeners.tell { $0.mediaQueueWillChange(self) }
    shown.withLock { $0 = update.itemIDs }
    session?.logger.speaking(for: .mediaQueue).debug(
      "copy of the queue changed", metadata: ["cast.items": "\(update.itemIDs.count)"])
    for edit in update.edits {
      listeners.tell { listener in
        switch edit {
        case .reloaded: listener.mediaQueueDidReloadItems(self)
        case .inserted(let range): listener.mediaQueue(self, didInsertItemsIn: range)
        case .updated(let indexes): listener.mediaQueue(self, didUpdateItemsAt: indexes)
        case .removed(let indexes): listener.mediaQueue(self, didRemoveItemsAt: indexes)
        case .reordered: listener.mediaQueueDidReorderItems(self)
        }
      }
    }
    listeners.tell { $0.mediaQueueDidChange(self) }
    streams.yield(update)
  }
}

extension MediaQueueMachine: DrivenMachine {
  static func timerOrder(_ action: Action) -> TimerOrder<MediaQueueTimer>? {
    switch action {
    case .startTimer(let timer, let wait): .start(timer, after: wait)
    case .cancelTimer(let timer): .cancel(timer)
    case .fetchItemIDs, .fetchItems, .update, .finish: nil
    }
  }

  static func fired(_ timer: MediaQueueTimer) -> Event { .timerFired(timer) }
}

extension CastError {
  fileprivate static let oddQueueAnswer = CastError(
    .invalidResponse, "the receiver answered a queue request with another kind of reply; reload the queue"
  )
}
