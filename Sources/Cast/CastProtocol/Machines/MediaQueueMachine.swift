/// The timers of a queue's copy.
package enum MediaQueueTimer: Sendable, Hashable {
  /// Requested items are collected until it fires.
  case collecting
}

/// A copy of the receiver's whole queue: the ids in order, and the items that were requested (protocol 7.6, 7.7, 17.2).
///
///     detached --attached--> vacant <--nothing is loaded, or it has ended-- (any)
///     vacant --something is loaded--> asking --ids--> synced
///                 synced --a change that is not the next one, or a sign of one nobody announced--> asking
///                 asking --no answer--> waiting --next status--> asking --no answer again--> windowed
///     asking --the receiver does not know the request--> windowed
///     (any) --clear--> cleared --reload, or another media session--> asking
///
/// The ids of a status are only a window, and never taken for the queue, except in `windowed`, where `isComplete` is false. At most
/// one request for ids and one for items is open. A change may overtake the ids it belongs to: changes that arrive while the ids
/// are being fetched are kept, and compared with the sequence number of the reply. Replies to requests of an earlier media session
/// are recognized by the request's number and ignored.
package struct MediaQueueMachine: Sendable {
  package enum Event: Sendable, Equatable {
    /// The machine receives all events from now on; these are the current values.
    case attached(isActive: Bool, MediaStatus?)
    /// An event of the session.
    case session(SessionEvent)
    /// The outcome of a request for ids, with the request's number.
    case itemIDs(Int, Result<MediaQueueIDs, CastError>)
    /// The outcome of a request for items.
    case items(Int, Result<[MediaQueueItem], CastError>)
    /// An item that is not known was requested.
    case wanted(MediaQueueItemID)
    /// The collection time for requested items has ended.
    case timerFired(MediaQueueTimer)
    /// Discards the items, and fetches the queue again.
    case reload
    /// Discards everything until a reload.
    case clear
    case setCacheSize(Int)
    case setMaxFetchCount(Int)
  }

  package enum Action: Sendable, Equatable {
    /// Sends QUEUE_GET_ITEM_IDS; the number is returned with the reply.
    case fetchItemIDs(Int)
    /// Sends QUEUE_GET_ITEMS.
    case fetchItems(Int, [MediaQueueItemID])
    case startTimer(MediaQueueTimer, after: Duration)
    case cancelTimer(MediaQueueTimer)
    case update(MediaQueueUpdate)
    /// The session has ended: no more changes.
    case finish
  }

  enum Sync: Sendable, Equatable {
    case detached
    case vacant
    /// The ids were requested; the changes since, oldest first, nil when there were too many to keep.
    case asking(changes: [MediaQueueChange]?)
    /// There was no reply; the next status triggers another request.
    case waiting
    /// The sequence number of the newest change; nil when the receiver does not count.
    case synced(Int?)
    /// The receiver does not return its ids; whether to request them again after a change.
    case windowed(isHopeless: Bool)
    case cleared
  }

  /// Default number of items kept, the usual value (protocol 7.7).
  package static let defaultCacheSize = 20
  /// Default number of items per request (protocol 7.7).
  package static let defaultMaxFetchCount = 20
  /// More ids than fit into one message: no valid queue is longer.
  package static let limit = 16_384
  /// Maximum number of changes kept while the ids are being fetched.
  static let changeLimit = 64
  /// How long requested items are collected before they are fetched together.
  package static let collecting = Duration.milliseconds(20)

  /// The ids of the queue, in order, each once.
  package internal(set) var itemIDs: [MediaQueueItemID] = []
  /// Whether the ids were marked incomplete because there were too many.
  var isCut = false
  package internal(set) var cache = MediaQueueCache(size: defaultCacheSize)
  package internal(set) var maxFetchCount = defaultMaxFetchCount

  var sync = Sync.detached
  var isActive = false
  var mediaSession: MediaSessionID?
  /// Number of requests without a reply since the last ids.
  var failures = 0
  /// The number of the newest request for ids.
  var question = 0
  /// The number of the open request for items, and the items; nil when none is open.
  var fetch: (number: Int, ids: [MediaQueueItemID])?
  var fetches = 0
  /// Requested items, newest last.
  var wanted: [MediaQueueItemID] = []
  var isCollecting = false
  var window = MediaQueueWindow()
  /// The items of the window in state `windowed`; empty otherwise.
  var shown: [MediaQueueItem] = []
  var actions: [Action] = []

  package init() {}

  /// Whether the ids are known to be the whole queue.
  package var isComplete: Bool {
    switch sync {
    case .vacant: isActive && mediaSession == nil
    case .synced: !isCut
    case .detached, .asking, .waiting, .windowed, .cleared: false
    }
  }

  /// The item if it is known; counts as a use.
  package mutating func item(_ id: MediaQueueItemID) -> MediaQueueItem? {
    if case .windowed = sync { return shown.first { $0.itemID == id && $0.mediaInformation != nil } }
    return cache.use(id)
  }

  package mutating func handle(_ event: Event, at now: Tick) -> [Action] {
    actions = []
    switch event {
    case .attached(let isActive, let status): attach(isActive, status)
    case .session(let event): if sync != .detached { take(event) }
    case .itemIDs(let number, let result): if number == question { takeIDs(result) }
    case .items(let number, let result): takeItems(number, result)
    case .wanted(let id): want(id)
    case .timerFired(.collecting): if isCollecting { flush() }
    case .reload: reload()
    case .clear: clear()
    case .setCacheSize(let size): cache.size = max(size, 1)
    case .setMaxFetchCount(let count): maxFetchCount = max(count, 1)
    }
    return actions
  }

  // MARK: - Session events

  private mutating func attach(_ isActive: Bool, _ status: MediaStatus?) {
    guard sync == .detached else { return }
    sync = .vacant
    self.isActive = isActive
    if let status { take(status) }
  }

  private mutating func take(_ event: SessionEvent) {
    switch event {
    case .connecting, .launching, .waitingForConsent, .suspended, .retrying, .resuming: isActive = false
    case .active(let application), .resumed(let application, _):
      // Another application, or the same one joined again: all known data is outdated (protocol 7.7).
      isActive = application != nil
      failures = 0
      if mediaSession != nil { restart() }
    case .mediaStatus(nil): vacate()
    case .mediaStatus(let status?): take(status)
    case .queueChange(let change): take(change)
    case .ended:
      isActive = false
      vacate()
      actions.append(.finish)
    case .receiverStatus, .queueItemIDs, .queueItems, .queueItemError, .queueItemFailed, .channelMessage,
      .multizone,
      .credentialsWanted, .foreignAction:
      break
    }
  }

  private mutating func take(_ status: MediaStatus) {
    if status.isEnded { return vacate() }
    let news = window.take(status)
    if status.mediaSessionID != mediaSession {
      mediaSession = status.mediaSessionID
      failures = 0
      restart()
    }
    switch sync {
    // During a load the receiver replies to nothing else (protocol 21.2).
    case .vacant, .waiting: if !status.isLoading { ask() }
    case .synced: if news.isOrderUncertain || !window.fits(itemIDs) { distrust() }
    case .windowed: takeWindow()
    case .detached, .asking, .cleared: break
    }
  }

  /// Nothing is loaded: there is no queue.
  private mutating func vacate() {
    mediaSession = nil
    failures = 0
    window = MediaQueueWindow()
    forgetQuestions()
    cache.dropAll()
    let isNews = !itemIDs.isEmpty || isCut
    itemIDs = []
    isCut = false
    sync = .vacant
    if isNews { publish([.reloaded]) }
  }

  /// Discards the data of another queue.
  private mutating func restart() {
    forgetQuestions()
    cache.dropAll()
    sync = .vacant
    if !itemIDs.isEmpty {
      itemIDs = []
      isCut = false
      publish([.reloaded])
    }
    if isActive, window.isLoading == false { ask() }
  }

  /// Requests the ids, unless no application can reply. The known ids remain until the reply.
  mutating func ask() {
    guard isActive, mediaSession != nil else { return }
    question += 1
    sync = .asking(changes: [])
    actions.append(.fetchItemIDs(question))
  }

  /// The copy may be wrong: discards its items, and fetches the ids again (protocol 7.7).
  mutating func distrust() {
    forgetQuestions()
    cache.dropAll()
    sync = .vacant
    ask()
  }

  /// Ignores the replies to open requests.
  mutating func forgetQuestions() {
    fetch = nil
    wanted = []
    if isCollecting { actions.append(.cancelTimer(.collecting)) }
    isCollecting = false
    shown = []
  }

  private mutating func reload() {
    guard sync != .detached else { return }
    failures = 0
    distrust()
  }

  private mutating func clear() {
    guard sync != .detached else { return }
    forgetQuestions()
    cache.dropAll()
    sync = .cleared
    guard !itemIDs.isEmpty else { return }
    itemIDs = []
    isCut = false
    publish([.reloaded])
  }

  mutating func publish(_ edits: [MediaQueueEdit]) {
    actions.append(.update(MediaQueueUpdate(edits: edits, itemIDs: itemIDs, isComplete: isComplete)))
  }
}
