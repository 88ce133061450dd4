public import CastProtocol

// The receiver's queue (protocol 7).

extension RemoteMediaClient {
  /// Inserts items without interrupting playback.
  /// - Parameters:
  ///   - items: at least one; item ids are not sent, the receiver assigns them.
  ///   - beforeItemWithID: the item after the new ones; nil appends, and so does an id that the receiver does not know.
  ///   - customData: for the receiver application; nil sends none.
  @discardableResult
  public func queueInsertItems(
    _ items: [MediaQueueItem], beforeItemWithID: MediaQueueItemID? = nil, customData: JSONValue? = nil
  ) -> Request<MediaStatus?> {
    guard !items.isEmpty else { return refused("QUEUE_INSERT", .nothingToLoad) }
    return status(.queueInsert(QueueInsert(items: items, insertBefore: beforeItemWithID)), customData)
  }

  /// Inserts an item and plays it, in one step.
  /// - Parameters:
  ///   - item: what to play; its item id is not sent.
  ///   - beforeItemWithID: the item after the new one; nil appends.
  ///   - playPosition: its start position this time; nil is the item's own start time, and any but a finite
  ///     number fails with `invalidRequest`.
  ///   - customData: for the receiver application; nil sends none.
  @discardableResult
  public func queueInsertAndPlayItem(
    _ item: MediaQueueItem, beforeItemWithID: MediaQueueItemID? = nil, playPosition: MediaTime? = nil,
    customData: JSONValue? = nil
  ) -> Request<MediaStatus?> {
    let insert = QueueInsert(
      items: [item], insertBefore: beforeItemWithID, current: .inserted(index: 0), currentTime: playPosition)
    return status(.queueInsert(insert), customData)
  }

  /// Updates items of the queue; takes effect when they are loaded the next time.
  /// - Parameters:
  ///   - items: complete, with their ids: it is not documented whether omitted values are kept or reset.
  ///   - customData: for the receiver application; nil sends none.
  @discardableResult
  public func queueUpdateItems(_ items: [MediaQueueItem], customData: JSONValue? = nil)
    -> Request<MediaStatus?>
  {
    guard items.allSatisfy({ $0.itemID != nil }) else { return refused("QUEUE_UPDATE", .itemsWithoutIDs) }
    return status(.queueUpdate(QueueUpdate(items: items)), customData)
  }

  /// Removes items; if the current one is among them the next one plays, and without a next one the media session ends.
  ///
  /// If the receiver knows none of the ids it does not reply (protocol 21.8): expect `timeout`.
  @discardableResult
  public func queueRemoveItems(withIDs ids: [MediaQueueItemID], customData: JSONValue? = nil)
    -> Request<MediaStatus?>
  {
    status(.queueRemove(QueueRemove(itemIDs: ids)), customData)
  }

  /// Moves items as one block, in the given order.
  /// - Parameters:
  ///   - ids: the items to move, in their new order.
  ///   - beforeItemWithID: the item after the block; nil moves it to the end.
  ///   - customData: for the receiver application; nil sends none.
  @discardableResult
  public func queueReorderItems(
    withIDs ids: [MediaQueueItemID], beforeItemWithID: MediaQueueItemID? = nil, customData: JSONValue? = nil
  ) -> Request<MediaStatus?> {
    status(.queueReorder(QueueReorder(itemIDs: ids, insertBefore: beforeItemWithID)), customData)
  }

  /// Moves one item.
  /// - Parameters:
  ///   - id: the item to move.
  ///   - beforeItemWithID: the item after it; nil moves it to the end.
  ///   - customData: for the receiver application; nil sends none.
  @discardableResult
  public func queueMoveItem(
    withID id: MediaQueueItemID, beforeItemWithID: MediaQueueItemID? = nil, customData: JSONValue? = nil
  ) -> Request<MediaStatus?> {
    queueReorderItems(withIDs: [id], beforeItemWithID: beforeItemWithID, customData: customData)
  }

  /// Plays the item with this id; an id that the receiver does not know changes nothing.
  /// - Parameters:
  ///   - id: what to play.
  ///   - playPosition: its start position this time; nil is the item's own start time, and any but a finite
  ///     number fails with `invalidRequest`.
  ///   - customData: for the receiver application; nil sends none.
  @discardableResult
  public func queueJumpToItem(
    withID id: MediaQueueItemID, playPosition: MediaTime? = nil, customData: JSONValue? = nil
  ) -> Request<MediaStatus?> {
    status(.queueUpdate(QueueUpdate(currentItemID: id, currentTime: playPosition)), customData)
  }

  /// Plays the item this many places ahead, or back when negative.
  @discardableResult
  public func queueJump(by count: Int, customData: JSONValue? = nil) -> Request<MediaStatus?> {
    status(.queueUpdate(QueueUpdate(jump: count)), customData)
  }

  /// Plays the next item. Past the end of a queue that does not repeat, the media session ends (protocol 21.13).
  @discardableResult
  public func queueNextItem(customData: JSONValue? = nil) -> Request<MediaStatus?> {
    queueJump(by: 1, customData: customData)
  }

  /// Plays the previous item.
  @discardableResult
  public func queuePreviousItem(customData: JSONValue? = nil) -> Request<MediaStatus?> {
    queueJump(by: -1, customData: customData)
  }

  /// Sets what happens at the end of the queue.
  ///
  /// A receiver with a single item from `load` does not reply (protocol 21.8): expect `timeout`.
  @discardableResult
  public func queueSetRepeatMode(_ mode: MediaRepeatMode, customData: JSONValue? = nil)
    -> Request<MediaStatus?>
  {
    status(.queueUpdate(QueueUpdate(repeatMode: mode)), customData)
  }

  /// Shuffles the queue without interrupting playback. Requires three items (protocol 21.9).
  @discardableResult
  public func queueShuffle(customData: JSONValue? = nil) -> Request<MediaStatus?> {
    let request = status(.queueShuffle, customData)
    // Receivers do not announce the new order.
    session.companions.knownMediaQueue?.reload()
    return request
  }

  /// Sets the shuffle mode of the queue. Receivers reload the current index, so that often another item plays (protocol 21.9).
  @discardableResult
  public func queueSetShuffle(_ isShuffled: Bool, customData: JSONValue? = nil) -> Request<MediaStatus?> {
    status(.queueUpdate(QueueUpdate(shuffle: isShuffled)), customData)
  }
}

// MARK: - Fetching the queue

extension RemoteMediaClient {
  /// Fetches the ids of the whole queue, in order; a status contains only the items around the current one (protocol 7.6).
  public func queueFetchItemIDs() -> Request<[MediaQueueItemID]> {
    submit(.queueGetItemIDs) { if case .queueItemIDs(let answer) = $0 { answer.ids } else { nil } }
  }

  /// Fetches items of the queue, at most 20 per request (protocol 7.7). Unknown ids are missing from the reply.
  public func queueFetchItems(withIDs ids: [MediaQueueItemID]) -> Request<[MediaQueueItem]> {
    submit(.queueGetItems(ids)) { if case .queueItems(let items) = $0 { items } else { nil } }
  }

  /// Fetches the neighbours of an item. Most receivers refuse it (protocol 21.8): then fetch by ids.
  public func queueFetchItems(around id: MediaQueueItemID, nextCount: Int, previousCount: Int)
    -> Request<[MediaQueueItem]>
  {
    submit(.queueGetItemRange(id, nextCount: max(nextCount, 0), previousCount: max(previousCount, 0))) {
      if case .queueItems(let items) = $0 { items } else { nil }
    }
  }
}

extension CastError {
  fileprivate static let itemsWithoutIDs = CastError(
    .invalidRequest, "updated items need the ids that the receiver assigned; read them from a status")
}
