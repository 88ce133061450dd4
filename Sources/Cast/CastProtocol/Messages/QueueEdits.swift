/// A queue to load with QUEUE_LOAD, for receivers that refuse a LOAD with a queue (protocol 7.1).
package struct QueueLoad: Sendable, Hashable {
  /// The items in order; their ids are not sent.
  package var items: [MediaQueueItem]
  /// Index of the first item to play, from 0; nil is the first.
  package var startIndex: Int?
  package var repeatMode: MediaRepeatMode?
  /// Start position of the first item, the first time only.
  package var currentTime: MediaTime?
  /// Application-defined data.
  package var customData: JSONValue?

  package init(
    items: [MediaQueueItem], startIndex: Int? = nil, repeatMode: MediaRepeatMode? = nil,
    currentTime: MediaTime? = nil, customData: JSONValue? = nil
  ) {
    self.items = items
    self.startIndex = startIndex
    self.repeatMode = repeatMode
    self.currentTime = currentTime
    self.customData = customData
  }
}

/// Items to insert into a queue (protocol 7.5).
package struct QueueInsert: Sendable, Hashable {
  /// The item to play after the insertion.
  package enum Current: Sendable, Hashable {
    /// An inserted item, by its index among them, from 0.
    case inserted(index: Int)
    /// An existing item of the queue.
    case existing(MediaQueueItemID)
  }

  /// The items in order; their ids are not sent.
  package var items: [MediaQueueItem]
  /// The item after the inserted ones; nil appends.
  package var insertBefore: MediaQueueItemID?
  /// Nil does not interrupt playback.
  package var current: Current?
  /// Start position of the new current item, the first time only.
  package var currentTime: MediaTime?

  package init(
    items: [MediaQueueItem], insertBefore: MediaQueueItemID? = nil, current: Current? = nil,
    currentTime: MediaTime? = nil
  ) {
    self.items = items
    self.insertBefore = insertBefore
    self.current = current
    self.currentTime = currentTime
  }
}

/// A change of items, of the current item or of the queue's modes; nil members change nothing (protocol 7.5).
package struct QueueUpdate: Sendable, Hashable {
  /// Complete items with their ids: it is not documented whether omitted values are kept or reset.
  package var items: [MediaQueueItem]?
  /// The item to play.
  package var currentItemID: MediaQueueItemID?
  /// Start position of the new current item, the first time only.
  package var currentTime: MediaTime?
  /// Number of items to skip, backwards when negative.
  package var jump: Int?
  package var repeatMode: MediaRepeatMode?
  /// True shuffles; the current index is reloaded, so often another item plays (protocol 21.9).
  package var shuffle: Bool?

  package init(
    items: [MediaQueueItem]? = nil, currentItemID: MediaQueueItemID? = nil, currentTime: MediaTime? = nil,
    jump: Int? = nil, repeatMode: MediaRepeatMode? = nil, shuffle: Bool? = nil
  ) {
    self.items = items
    self.currentItemID = currentItemID
    self.currentTime = currentTime
    self.jump = jump
    self.repeatMode = repeatMode
    self.shuffle = shuffle
  }
}

/// Items to remove from a queue (protocol 7.5). Unknown ids get no reply (protocol 21.8).
package struct QueueRemove: Sendable, Hashable {
  package var itemIDs: [MediaQueueItemID]
  /// The item to play if the current one is removed; nil is the next one.
  package var currentItemID: MediaQueueItemID?
  /// Start position of that item, the first time only.
  package var currentTime: MediaTime?

  package init(
    itemIDs: [MediaQueueItemID], currentItemID: MediaQueueItemID? = nil, currentTime: MediaTime? = nil
  ) {
    self.itemIDs = itemIDs
    self.currentItemID = currentItemID
    self.currentTime = currentTime
  }
}

/// Items to move, as a block in the given order; the others keep their order (protocol 7.5).
package struct QueueReorder: Sendable, Hashable {
  package var itemIDs: [MediaQueueItemID]
  /// The item after the moved ones; nil moves them to the end.
  package var insertBefore: MediaQueueItemID?

  package init(itemIDs: [MediaQueueItemID], insertBefore: MediaQueueItemID? = nil) {
    self.itemIDs = itemIDs
    self.insertBefore = insertBefore
  }
}
