/// The timers of a queue's copy.
package enum MediaQueueTimer: Sendable, Hashable {
  /// Wanted items are collected until it fires.
  case collecting
}

/// A copy of the receiver's whole queue: the ids in order, and the items that were asked for (protocol 7.6, 7.7, 17.2).
///
///     detached --attached--> vacant <--nothing is loaded, or it has ended-- (any)
///     vacant --something is loaded--> asking --ids--> synced
///                 synced --a change that is not the next one, or a sign of one nobody announced--> asking
///                 asking --no answer--> waiting --next status--> asking --no answer again--> windowed
///     asking --the receiver does not know the request--> windowed
///     (any) --clear--> cleared --reload, or another media session--> asking
///
/// The ids of a status are only a window, and never taken for the queue, except in `windowed`, which says so: `isComplete` is
/// false. At most one question about ids and one about items is open. A change may overtake the ids it belongs to: those that
/// come while the ids are asked for are kept and counted against the number of the answer. Answers to questions of an earlier
/// media session are known by the question's own number and passed over.
package struct MediaQueueMachine: Sendable {
  package enum Event: Sendable, Equatable {
    /// From now on it is told everything; this is how things stand.
    case attached(isActive: Bool, MediaStatus?)
    /// Something happened in the session.
    case session(SessionEvent)
    /// The end of a question about ids; the number is the question's.
    case itemIDs(Int, Result<MediaQueueIDs, CastError>)
    /// The end of a question about items.
    case items(Int, Result<[MediaQueueItem], CastError>)
    /// Somebody wants an item that is not known.
    case wanted(MediaQueueItemID)
    /// Items that were wanted have been collected long enough.
    case timerFired(MediaQueueTimer)
    /// Forget the items, and read the queue anew.
    case reload
    /// Forget everything until there is reason to ask again.
    case clear
    case setCacheSize(Int)
    case setMaxFetchCount(Int)
  }

  package enum Action: Sendable, Equatable {
    /// QUEUE_GET_ITEM_IDS; the number comes back with the answer.
    case fetchItemIDs(Int)
    /// QUEUE_GET_ITEMS.
    case fetchItems(Int, [MediaQueueItemID])
    case startTimer(MediaQueueTimer, after: Duration)
    case cancelTimer(MediaQueueTimer)
    case update(MediaQueueUpdate)
    /// The session has ended: nothing will change any more.
    case finish
  }

  enum Sync: Sendable, Equatable {
    case detached
    case vacant
    /// The ids were asked for; what has changed since, oldest first, nil when there was more than can be kept track of.
    case asking(changes: [MediaQueueChange]?)
    /// There was no answer; the next status is the time to ask once more.
    case waiting
    /// The number of the newest change; nil when the receiver does not count.
    case synced(Int?)
    /// The receiver does not tell its ids; whether it is worth asking again when it tells of a change.
    case windowed(isHopeless: Bool)
    case cleared
  }

  /// Items kept, unless something else is said; the figure commonly used (protocol 7.7).
  package static let defaultCacheSize = 20
  /// Items fetched at once, unless something else is said (protocol 7.7).
  package static let defaultMaxFetchCount = 20
  /// More ids than fit into one message: no honest queue is longer.
  package static let limit = 16_384
  /// Changes kept while the ids are asked for.
  static let changeLimit = 64
  /// How long wanted items are collected before they are asked for together.
  package static let collecting = Duration.milliseconds(20)

  /// The ids of the queue, in order, each once.
  package internal(set) var itemIDs: [MediaQueueItemID] = []
  /// Whether the ids were given up for incomplete because there were too many.
  var isCut = false
  package internal(set) var cache = MediaQueueCache(size: defaultCacheSize)
  package internal(set) var maxFetchCount = defaultMaxFetchCount

  var sync = Sync.detached
  var isActive = false
  var mediaSession: MediaSessionID?
  /// Questions without an answer since the last ids.
  var failures = 0
  /// The number of the newest question about ids.
  var question = 0
  /// The number of the open question about items, and what was asked; nil when none is open.
  var fetch: (number: Int, ids: [MediaQueueItemID])?
  var fetches = 0
  /// Wanted items, newest last.
  var wanted: [MediaQueueItemID] = []
  var isCollecting = false
  var window = MediaQueueWindow()
  /// The items of the window that stands for the queue; empty unless it does.
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

  /// The item if it is known, which counts as a use of it.
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

  // MARK: - Where things stand

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
      // Another application, or the same one joined anew: whatever was known is of the past (protocol 7.7).
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
    // While something is being loaded the receiver answers nothing else (protocol 21.2).
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
    if isNews { tell([.reloaded]) }
  }

  /// What was known is of another queue.
  private mutating func restart() {
    forgetQuestions()
    cache.dropAll()
    sync = .vacant
    if !itemIDs.isEmpty {
      itemIDs = []
      isCut = false
      tell([.reloaded])
    }
    if isActive, window.isLoading == false { ask() }
  }

  /// Asks for the ids, unless nobody could answer. What is known stays until the answer is there.
  mutating func ask() {
    guard isActive, mediaSession != nil else { return }
    question += 1
    sync = .asking(changes: [])
    actions.append(.fetchItemIDs(question))
  }

  /// The copy may be wrong: its items are forgotten, and the ids read anew (protocol 7.7).
  mutating func distrust() {
    forgetQuestions()
    cache.dropAll()
    sync = .vacant
    ask()
  }

  /// Answers to open questions are of no use any more.
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
    tell([.reloaded])
  }

  mutating func tell(_ edits: [MediaQueueEdit]) {
    actions.append(.update(MediaQueueUpdate(edits: edits, itemIDs: itemIDs, isComplete: isComplete)))
  }
}
