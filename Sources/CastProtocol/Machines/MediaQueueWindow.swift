/// What statuses tell of a queue: the items around the current one (protocol 7.6), and signs of changes that nobody announces:
/// receivers shuffle without a QUEUE_CHANGE, on request and at the end of a round (measured on the genuine framework).
package struct MediaQueueWindow: Sendable {
  /// What a status has told that the one before has not.
  struct News {
    /// The items may be in another order now.
    var isOrderUncertain = false
  }

  private(set) var items: [MediaQueueItem] = []
  /// Whether the status was of something that is being loaded; nil before the first one.
  private(set) var isLoading: Bool?
  private var session: MediaSessionID?
  private var ids: [MediaQueueItemID] = []
  private var isShuffled: Bool?
  /// Receivers show items without their places when the order was changed, and with them otherwise.
  private var hasPlaces = false
  private var hasShownPlaces = false
  /// Whether a change was announced since the last status: it explains what the next one shows.
  private var isExplained = false
  /// The window was compared with ids that were read after it: asking again would tell nothing new.
  private var isSettled = false

  /// A change was announced.
  mutating func noteChange() { isExplained = true }

  /// The ids were read.
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

  /// Whether the window is a part of this queue. Only asked of a window that is news: one that was there before the ids were
  /// read, or before a change, is a picture of the past.
  mutating func fits(_ queue: [MediaQueueItemID]) -> Bool {
    guard !isSettled, let first = ids.first else { return true }
    isSettled = true
    guard let start = queue.firstIndex(of: first) else { return false }
    return queue[start...].starts(with: ids)
  }
}
