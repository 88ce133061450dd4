/// The part of the queue in statuses: the items around the current one (protocol 7.6), and indications of unannounced changes:
/// receivers shuffle without a QUEUE_CHANGE, on request and at the end of a round (measured on the genuine framework).
package struct MediaQueueWindow: Sendable {
  /// The difference between a status and the previous one.
  struct News {
    /// The order of the items may have changed.
    var isOrderUncertain = false
  }

  private(set) var items: [MediaQueueItem] = []
  /// Whether the status was that of an item being loaded; nil before the first one.
  private(set) var isLoading: Bool?
  private var session: MediaSessionID?
  private var ids: [MediaQueueItemID] = []
  private var isShuffled: Bool?
  /// Receivers omit the order ids of items after the order was changed, and include them otherwise.
  private var hasPlaces = false
  private var hasShownPlaces = false
  /// Whether a change was announced since the last status: it explains the difference.
  private var isExplained = false
  /// The window was compared with ids that were fetched after it: fetching again would return the same.
  private var isSettled = false

  /// Records an announced change.
  mutating func noteChange() { isExplained = true }

  /// Records that the ids were fetched.
  mutating func settle() { isSettled = true }

  mutating func take(_ status: MediaStatus) -> News {
    var news = News()
    if status.mediaSessionID != session { self = MediaQueueWindow() }
    session = status.mediaSessionID
    isLoading = status.isLoading
    items = status.queueItems
    let ids = items.compactMap(\.itemID)
    let hasPlaces = items.contains { $0.orderID != nil }
    let hasChanged = ids != self.ids || hasPlaces != self.hasPlaces
    if hasChanged { isSettled = false }
    if hasChanged, !ids.isEmpty, !hasPlaces, hasShownPlaces, !isExplained { news.isOrderUncertain = true }
    if let shuffle = status.queueData?.shuffle {
      if let isShuffled, isShuffled != shuffle, !isExplained { news.isOrderUncertain = true }
      isShuffled = shuffle
    }
    self.ids = ids
    self.hasPlaces = hasPlaces
    hasShownPlaces = hasShownPlaces || hasPlaces
    isExplained = false
    return news
  }

  /// Whether the window is a part of this queue. Only called for a changed window: one from before the ids were fetched, or before
  /// a change, is outdated.
  mutating func fits(_ queue: [MediaQueueItemID]) -> Bool {
    guard !isSettled, let first = ids.first else { return true }
    isSettled = true
    guard let start = queue.firstIndex(of: first) else { return false }
    return queue[start...].starts(with: ids)
  }
}
