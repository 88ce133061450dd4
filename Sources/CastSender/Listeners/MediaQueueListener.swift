/// Hears what happens to a copy of a queue (protocol 17.2). For each change `willChange` comes first, while the queue still shows
/// what was; then what happened, step by step, when it shows what is; then `didChange`. Methods are called in the order of the
/// changes, on no particular thread, and the session waits for them: hand on what takes time. All have an empty default.
public protocol MediaQueueListener: AnyObject, Sendable {
  /// Something is about to change.
  func mediaQueueWillChange(_ queue: MediaQueue)
  /// Everything may be different.
  func mediaQueueDidReloadItems(_ queue: MediaQueue)
  /// Items were inserted; where they are now.
  func mediaQueue(_ queue: MediaQueue, didInsertItemsIn range: Range<Int>)
  /// What is known of these items changed: they were fetched, or have to be fetched anew. Ascending.
  func mediaQueue(_ queue: MediaQueue, didUpdateItemsAt indexes: [Int])
  /// Items are gone; where they were, ascending.
  func mediaQueue(_ queue: MediaQueue, didRemoveItemsAt indexes: [Int])
  /// The same items are in another order.
  func mediaQueueDidReorderItems(_ queue: MediaQueue)
  /// The change is complete.
  func mediaQueueDidChange(_ queue: MediaQueue)
}

extension MediaQueueListener {
  /// Does nothing.
  public func mediaQueueWillChange(_ queue: MediaQueue) {}
  /// Does nothing.
  public func mediaQueueDidReloadItems(_ queue: MediaQueue) {}
  /// Does nothing.
  public func mediaQueue(_ queue: MediaQueue, didInsertItemsIn range: Range<Int>) {}
  /// Does nothing.
  public func mediaQueue(_ queue: MediaQueue, didUpdateItemsAt indexes: [Int]) {}
  /// Does nothing.
  public func mediaQueue(_ queue: MediaQueue, didRemoveItemsAt indexes: [Int]) {}
  /// Does nothing.
  public func mediaQueueDidReorderItems(_ queue: MediaQueue) {}
  /// Does nothing.
  public func mediaQueueDidChange(_ queue: MediaQueue) {}
}
