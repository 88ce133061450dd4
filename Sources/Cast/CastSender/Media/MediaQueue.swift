public import CastProtocol
import Logging
import Synchronization

/// A synchronized copy of the receiver's whole queue, including changes by other senders (protocol 7.6, 7.7, 17.2).
///
///     let queue = session.remoteMediaClient.mediaQueue
///     for row in 0..<queue.itemCount {
///       show(queue.item(at: row)?.mediaInformation?.metadata)   // nil at first: it is fetched, and told of
///     }
///     for await update in queue.updates { … }
///
/// The ids are fetched as soon as media is loaded and the queue is used; items only on request, many at a time. If a receiver does
/// not support fetching ids, the queue contains the items of its statuses: `isComplete` is then false.
public final class MediaQueue: Sendable {
  private weak let session: Session?
  private let driver: MediaQueueDriver
  private let listeners = ListenerSet<any MediaQueueListener>()
  private let streams = UpdateStreams<MediaQueueUpdate>(limit: 4096)
  /// The ids as of the latest notification, which listeners read.
  private let shown = Mutex<[MediaQueueItemID]>([])

  init(session: Session) {
    self.session = session
    driver = MediaQueueDriver(time: session.time)
    driver.begin(for: self)
  }

  // MARK: - The queue

  /// Number of items in the queue; 0 while nothing is loaded, and until the receiver has reported it.
  public var itemCount: Int { shown.withLock(\.count) }

  /// The ids of the queue, in order, each once.
  public var itemIDs: [MediaQueueItemID] { shown.withLock { $0 } }

  /// Whether the ids are known to be the whole current queue. False until the receiver has reported them, while they are being
  /// fetched again, after `clear()`, without a session, and for receivers that do not report them (protocol 7.7).
  public var isComplete: Bool { driver.withMachine { $0.isComplete } }

  /// The item at an index.
  /// - Parameters:
  ///   - index: the index, from 0; any number is allowed.
  ///   - fetchIfNeeded: whether to fetch an item that is not known. Items that are requested within 20 ms are fetched together; if
  ///     there are more than the cache holds, the last ones are. The result is reported as `didUpdateItemsAt`.
  /// - Returns: nil when the item is not known yet, or the index is not in the queue.
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

  /// The index of an item; nil when it is not in the queue.
  public func indexOfItem(withID id: MediaQueueItemID) -> Int? {
    shown.withLock { $0.firstIndex(of: id) }
  }

  /// Discards all items and fetches the queue again.
  public func reload() { driver.handle(.reload) }

  /// Clears the copy; the receiver's queue is unchanged. It stays empty until `reload()`, or until other media is loaded.
  public func clear() { driver.handle(.clear) }

  // MARK: - Limits

  /// Number of items kept, those used last; 20 by default, at least 1. A smaller value drops items at once.
  public var cacheSize: Int {
    get { driver.withMachine { $0.cache.size } }
    set { driver.handle(.setCacheSize(newValue)) }
  }

  /// Maximum number of items per request; 20 by default, at least 1. Never more than `cacheSize` are fetched (protocol 7.7).
  public var maxFetchCount: Int {
    get { driver.withMachine { $0.maxFetchCount } }
    set { driver.handle(.setMaxFetchCount(newValue)) }
  }

  // MARK: - Notifications

  /// All changes from now on; each call creates a sequence. It ends with the session, and when its reader falls 4096 changes
  /// behind.
  public var updates: AsyncStream<MediaQueueUpdate> { streams.add() }

  /// Adds a listener; it is held weakly, and may be added or removed at any time, also during a notification.
  public func add(_ listener: any MediaQueueListener) {
    listeners.add(ObjectIdentifier(listener)) { [weak listener] in listener }
  }

  /// Removes a listener; does nothing if it was not added.
  public func remove(_ listener: any MediaQueueListener) { listeners.remove(ObjectIdentifier(listener)) }

  // MARK: - The session

  /// Starts to follow the session.
  func attach(to session: Session) {
    // The status is read inside: all events of the session come later.
    driver.handle(
      {
        let picture = session.picture
        return .attached(
          isActive: picture.state == .active && picture.application != nil, picture.mediaStatus)
      }())
    if session.state == .ended { handle(.ended(nil)) }
  }

  func handle(_ event: SessionEvent) { driver.handle(.session(event)) }

  func end() async { await driver.end() }

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
    case .update(let update): publishUpdate(update)
    case .finish: streams.finish()
    // Handled by the driver.
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

  private func publishUpdate(_ update: MediaQueueUpdate) {
    listeners.notify { $0.mediaQueueWillChange(self) }
    shown.withLock { $0 = update.itemIDs }
    session?.logger.speaking(for: .mediaQueue).debug(
      "copy of the queue changed", metadata: ["cast.items": "\(update.itemIDs.count)"])
    for edit in update.edits {
      listeners.notify { listener in
        switch edit {
        case .reloaded: listener.mediaQueueDidReloadItems(self)
        case .inserted(let range): listener.mediaQueue(self, didInsertItemsIn: range)
        case .updated(let indexes): listener.mediaQueue(self, didUpdateItemsAt: indexes)
        case .removed(let indexes): listener.mediaQueue(self, didRemoveItemsAt: indexes)
        case .reordered: listener.mediaQueueDidReorderItems(self)
        }
      }
    }
    listeners.notify { $0.mediaQueueDidChange(self) }
    streams.yield(update)
  }
}

extension CastError {
  fileprivate static let oddQueueAnswer = CastError(
    .invalidResponse, "the receiver answered a queue request with another kind of reply; reload the queue"
  )
}
