/// A queue to load in the classic form, for receivers that refuse a LOAD with a queue (protocol 7.1).
package struct QueueLoad: Sendable, Hashable {
  /// The items in order; ids of theirs are not sent.
  package var items: [MediaQueueItem]
  /// Index of the first item to play, from 0; nil is the first.
  package var startIndex: Int?
  package var repeatMode: MediaRepeatMode?
  /// Where the first item starts, the first time only.
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

/// Items to add to a queue (protocol 7.5).
package struct QueueInsert: Sendable, Hashable {
  /// What is to become the current item with the insertion.
  package enum Current: Sendable, Hashable {
    /// An item of those inserted, by its index among them, from 0.
    case inserted(index: Int)
    /// An item that is in the queue already.
    case existing(MediaQueueItemID)
  }

  /// The items in order; ids of theirs are not sent.
  package var items: [MediaQueueItem]
  /// What follows the inserted items; nil appends.
  package var insertBefore: MediaQueueItemID?
  /// Nil does not disturb what plays.
  package var current: Current?
  /// Where the new current item starts, the first time only.
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
  /// Complete items with their ids: it is not documented whether what an item leaves out is kept or reset.
  package var items: [MediaQueueItem]?
  /// The item to play.
  package var currentItemID: MediaQueueItemID?
  /// Where the new current item starts, the first time only.
  package var currentTime: MediaTime?
  /// Items to go forward, or back when negative.
  package var jump: Int?
  package var repeatMode: MediaRepeatMode?
  /// True shuffles; the current position is loaded anew, so often another item plays (protocol 21.9).
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

/// Items to take out of a queue (protocol 7.5). Ids that are not there get no answer at all (protocol 21.8).
package struct QueueRemove: Sendable, Hashable {
  package var itemIDs: [MediaQueueItemID]
  /// What plays next when the current item is among them; nil is the one after it.
  package var currentItemID: MediaQueueItemID?
  /// Where that one starts, the first time only.
  package var currentTime: MediaTime?

  package init(
    itemIDs: [MediaQueueItemID], currentItemID: MediaQueueItemID? = nil, currentTime: MediaTime? = nil
  ) {
    self.itemIDs = itemIDs
    self.currentItemID = currentItemID
    self.currentTime = currentTime
  }
}

/// Items to move, as a block in the order given; the others keep theirs (protocol 7.5).
package struct QueueReorder: Sendable, Hashable {
  package var itemIDs: [MediaQueueItemID]
  /// What follows the moved items; nil moves them to the end.
  package var insertBefore: MediaQueueItemID?

  package init(itemIDs: [MediaQueueItemID], insertBefore: MediaQueueItemID? = nil) {
    self.itemIDs = itemIDs
    self.insertBefore = insertBefore
  }
}
