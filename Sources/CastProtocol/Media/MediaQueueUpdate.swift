/// One step of a change of a mirrored queue (protocol 17.2).
public enum MediaQueueEdit: Sendable, Hashable {
  /// Everything may be different: the queue was read anew, or there is another one.
  case reloaded
  /// Items were inserted; where they are now.
  case inserted(Range<Int>)
  /// What is known of these items changed: it was fetched, or what was known is out of date. Ascending.
  case updated([Int])
  /// Items are gone; where they were, ascending.
  case removed([Int])
  /// The same items are in another order.
  case reordered
}

/// A change of a mirrored queue, and what the queue is after it.
public struct MediaQueueUpdate: Sendable, Hashable {
  /// What happened, in order; never empty.
  public var edits: [MediaQueueEdit]
  /// The ids of the queue after it, in order.
  public var itemIDs: [MediaQueueItemID]
  /// Whether the ids were the whole queue then.
  public var isComplete: Bool

  package init(edits: [MediaQueueEdit], itemIDs: [MediaQueueItemID], isComplete: Bool) {
    self.edits = edits
    self.itemIDs = itemIDs
    self.isComplete = isComplete
  }
}
