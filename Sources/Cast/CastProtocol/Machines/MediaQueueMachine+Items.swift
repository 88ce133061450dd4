// The items: fetched in batches, and only on request.

extension MediaQueueMachine {
  /// Maximum number of items requested at a time: more would evict each other from the cache.
  private var wantedLimit: Int { cache.size }

  /// If many items are requested in a row, such as when a list scrolls, the last ones are fetched.
  mutating func want(_ id: MediaQueueItemID) {
    guard case .synced = sync, !cache.contains(id), fetch?.ids.contains(id) != true else { return }
    wanted.removeAll { $0 == id }
    wanted.append(id)
    if wanted.count > wantedLimit { wanted.removeFirst(wanted.count - wantedLimit) }
    collect()
  }

  private mutating func collect() {
    guard !isCollecting, fetch == nil, !wanted.isEmpty else { return }
    isCollecting = true
    actions.append(.startTimer(.collecting, after: Self.collecting))
  }

  /// Fetches the collected items.
  mutating func flush() {
    isCollecting = false
    guard case .synced = sync, fetch == nil else { return }
    let present = Set(itemIDs)
    wanted.removeAll { !present.contains($0) || cache.contains($0) }
    let batch = Array(wanted.suffix(min(maxFetchCount, wantedLimit)))
    guard !batch.isEmpty else { return }
    wanted.removeLast(batch.count)
    fetches += 1
    fetch = (fetches, batch)
    actions.append(.fetchItems(fetches, batch))
  }

  mutating func takeItems(_ number: Int, _ result: Result<[MediaQueueItem], CastError>) {
    guard let asked = fetch, asked.number == number else { return }
    fetch = nil
    // A failed item is fetched again on the next request.
    if case .success(let items) = result { takeItems(items, asked.ids) }
    collect()
  }

  private mutating func takeItems(_ items: [MediaQueueItem], _ asked: [MediaQueueItemID]) {
    var missing = Set(asked)
    var indexes: [Int] = []
    for item in items {
      guard let id = item.itemID, missing.contains(id) else { continue }
      missing.remove(id)
      guard let index = itemIDs.firstIndex(of: id) else { continue }
      cache.keep(item, as: id)
      indexes.append(index)
    }
    // Receivers return as many items as they like (protocol 7.7): the rest is requested while replies contain any.
    if missing.count < asked.count {
      let rest = asked.filter { missing.contains($0) && !wanted.contains($0) }
      wanted = Array((rest + wanted).suffix(wantedLimit))
    }
    if !indexes.isEmpty { publish([.updated(indexes.sorted())]) }
  }

  /// Ignores replies for items that are removed or outdated.
  mutating func forget(_ ids: Set<MediaQueueItemID>) {
    wanted.removeAll { ids.contains($0) }
    fetch?.ids.removeAll { ids.contains($0) }
  }
}
