package import CastqPlaylists

/// The order of a list and the states of its entries at one moment, with a version that names it.
package struct QueueOrder: Sendable, Hashable {
  package struct Row: Sendable, Hashable {
    package let entry: EntryID
    package let state: EntryState

    package init(entry: EntryID, state: EntryState) {
      self.entry = entry
      self.state = state
    }
  }

  package let rows: [Row]
  /// Names exactly this order, from 0 to 2^53 - 1; the same on every computer and after every restart. It does not grow.
  package let version: Int64

  package init(rows: [Row], repeatMode: QueueRepeat, isShuffled: Bool) {
    self.rows = rows
    // FNV-1a: what counts is that another order has another number.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for row in rows {
      withUnsafeBytes(of: row.entry.rawValue.littleEndian) { $0.forEach(add) }
      row.state.rawValue.utf8.forEach(add)
    }
    repeatMode.rawValue.utf8.forEach(add)
    add(isShuffled ? 1 : 0)
    version = Int64((hash ^ hash >> 53) & (1 << 53 - 1))
  }

  package func contains(_ entry: EntryID) -> Bool { rows.contains { $0.entry == entry } }

  /// Whether an entry was moved, played or removed after a version was seen. What others do to other entries does not count.
  package func hasChanged(_ entry: EntryID, since seen: QueueOrder) -> Bool {
    guard version != seen.version else { return false }
    guard let now = rows.first(where: { $0.entry == entry }),
      let then = seen.rows.first(where: { $0.entry == entry })
    else { return true }
    if now.state != then.state, now.state == .playing || now.state.isEnded { return true }
    return moved(since: seen).contains(entry)
  }

  /// The entries that were moved: of those in both lists, all but the longest row of them that stands in the same order.
  package func moved(since seen: QueueOrder) -> Set<EntryID> {
    let places = Dictionary(rows.enumerated().map { ($1.entry, $0) }) { $1 }
    let common = seen.rows.compactMap { row in places[row.entry].map { (entry: row.entry, place: $0) } }
    // The last one of the best row of each length, and what stands before each.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: common.count)
    for index in common.indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if common[ends[middle]].place < common[index].place { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? ends[low - 1] : nil
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var moved = Set(common.map(\.entry))
    var next = ends.last
    while let index = next {
      moved.remove(common[index].entry)
      next = before[index]
    }
    return moved
  }
}
