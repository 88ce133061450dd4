/// The items of a queue that are known in full; the least recently used are evicted (protocol 17.2).
package struct MediaQueueCache: Sendable {
  private struct Entry: Sendable {
    var item: MediaQueueItem
    var lastUse: UInt64
  }
  private var entries: [MediaQueueItemID: Entry] = [:]
  private var uses: UInt64 = 0
  /// Number of items kept; 1 or more. A smaller value drops items at once.
  package var size: Int { didSet { shrink() } }

  package init(size: Int) { self.size = max(size, 1) }

  package func contains(_ id: MediaQueueItemID) -> Bool { entries[id] != nil }

  /// The item, without counting as a use.
  package func peek(_ id: MediaQueueItemID) -> MediaQueueItem? { entries[id]?.item }

  /// The item, which becomes the most recently used one.
  package mutating func use(_ id: MediaQueueItemID) -> MediaQueueItem? {
    guard entries[id] != nil else { return nil }
    uses += 1
    entries[id]?.lastUse = uses
    return entries[id]?.item
  }

  package mutating func keep(_ item: MediaQueueItem, as id: MediaQueueItemID) {
    uses += 1
    entries[id] = Entry(item: item, lastUse: uses)
    shrink()
  }

  /// - Returns: whether it was present.
  @discardableResult
  package mutating func drop(_ id: MediaQueueItemID) -> Bool { entries.removeValue(forKey: id) != nil }

  package mutating func dropAll() { entries = [:] }

  private mutating func shrink() {
    guard entries.count > size else { return }
    let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(entries.count - size)
    for entry in oldest { entries[entry.key] = nil }
  }
}
