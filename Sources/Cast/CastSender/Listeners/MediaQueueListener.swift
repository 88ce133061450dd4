/// Receives the changes of a queue's copy (protocol 17.2). For each change `willChange` is called first, while the queue is
/// unchanged; then the methods for each step, when it is changed; then `didChange`. Methods are called in the order of the changes,
/// on no particular thread; the session waits for them, so they must return soon. All have an empty default.
public protocol MediaQueueListener: AnyObject, Sendable {
  /// The queue is about to change.
  func mediaQueueWillChange(_ queue: MediaQueue)
  /// The whole queue may have changed.
  func mediaQueueDidReloadItems(_ queue: MediaQueue)
  /// Items were inserted, at these new indexes.
  func mediaQueue(_ queue: MediaQueue, didInsertItemsIn range: Range<Int>)
  /// The known data of these items changed: they were fetched, or must be fetched again. Ascending.
  func mediaQueue(_ queue: MediaQueue, didUpdateItemsAt indexes: [Int])
  /// Items were removed, from these old indexes, ascending.
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
