/// One step of a change of a queue's copy (protocol 17.2).
public enum MediaQueueEdit: Sendable, Hashable {
  /// The whole queue may have changed: it was fetched again, or replaced.
  case reloaded
  /// Items were inserted, at these new indexes.
  case inserted(Range<Int>)
  /// The known data of these items changed: they were fetched, or are outdated. Ascending.
  case updated([Int])
  /// Items were removed, from these old indexes, ascending.
  case removed([Int])
  /// The same items are in another order.
  case reordered
}

/// A change of a queue's copy, and the queue after it.
public struct MediaQueueUpdate: Sendable, Hashable {
  /// The steps, in order; never empty.
  public var edits: [MediaQueueEdit]
  /// The ids of the queue after it, in order.
  public var itemIDs: [MediaQueueItemID]
  /// Whether the ids were the whole queue at that time.
  public var isComplete: Bool

  package init(edits: [MediaQueueEdit], itemIDs: [MediaQueueItemID], isComplete: Bool) {
    self.edits = edits
    self.itemIDs = itemIDs
    self.isComplete = isComplete
  }
}
