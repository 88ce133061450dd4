// The queue in a status. It is a window around the current item, which a receiver may make as small as it likes (protocol 7.6,
// 17.3): "no next item" at its edge means that none is known.

extension MediaStatus {
  /// The item of the window with this id; nil when it is not in the window, and nil for nil.
  public func queueItem(_ id: MediaQueueItemID?) -> MediaQueueItem? {
    guard let id else { return nil }
    return queueItems.first { $0.itemID == id }
  }

  /// The current item; nil when it is not in the window.
  public var currentQueueItem: MediaQueueItem? { queueItem(currentItemID) }

  /// The item that is being loaded; nil when none is, or it is not in the window.
  public var loadingQueueItem: MediaQueueItem? { queueItem(loadingItemID) }

  /// The item that is being preloaded; nil when none is, or it is not in the window.
  public var preloadedQueueItem: MediaQueueItem? { queueItem(preloadedItemID) }

  /// The item after the current one; nil when none is known.
  public var nextQueueItem: MediaQueueItem? { neighbour(1) }

  /// The item before the current one; nil when none is known.
  public var previousQueueItem: MediaQueueItem? { neighbour(-1) }

  /// Whether an item after the current one is known. A queue that repeats continues in any case.
  public var queueHasNextItem: Bool { nextQueueItem != nil }

  /// Whether an item before the current one is known.
  public var queueHasPreviousItem: Bool { previousQueueItem != nil }

  /// Whether an item is being loaded.
  public var queueHasLoadingItem: Bool { loadingItemID != nil }

  /// Number of items in the window.
  public var queueItemCount: Int { queueItems.count }

  private func neighbour(_ distance: Int) -> MediaQueueItem? {
    guard let currentItemID, let index = queueItems.firstIndex(where: { $0.itemID == currentItemID }),
      queueItems.indices.contains(index + distance)
    else { return nil }
    return queueItems[index + distance]
  }
}
