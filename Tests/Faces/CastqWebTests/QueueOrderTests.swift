import CastqFeeding
import CastqPlaylists
import Testing

@Suite("The order of a list and its versions")
struct QueueOrderTests {
  private func order(_ entries: [Int64], playing: Int64? = nil) -> QueueOrder {
    QueueOrder(
      rows: entries.map {
        QueueOrder.Row(entry: EntryID($0), state: $0 == playing ? .playing : .pending)
      }, repeatMode: .off, isShuffled: false)
  }

  @Test("a version names one order: another order, state or entry has another")
  func versions() {
    let first = order([1, 2, 3])
    #expect(first.version == order([1, 2, 3]).version)
    for other in [order([1, 3, 2]), order([1, 2]), order([1, 2, 3], playing: 2), order([1, 2, 3, 4])] {
      #expect(first.version != other.version)
    }
    #expect((0..<(1 << 53)).contains(first.version))
  }

  @Test(
    "one entry that was moved is the only one that has moved",
    arguments: [
      ([1, 2, 3, 4, 5], [5, 1, 2, 3, 4], [5]), ([1, 2, 3, 4, 5], [2, 3, 4, 5, 1], [1]),
      ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5], []), ([1, 2, 3], [9, 1, 8, 2, 3, 7], []),
      ([1, 2, 3, 4], [1, 4], []),
      ([1, 2, 3, 4, 5, 6], [1, 5, 2, 3, 4, 6], [5]),
    ] as [([Int64], [Int64], [Int64])])
  func moves(_ then: [Int64], _ now: [Int64], _ moved: [Int64]) {
    #expect(order(now).moved(since: order(then)) == Set(moved.map(EntryID.init)))
  }

  @Test("an entry has changed when it was moved, played or removed, and not when others were")
  func changes() {
    let seen = order([1, 2, 3, 4])
    #expect(order([2, 3, 1, 4]).hasChanged(EntryID(1), since: seen))
    #expect(!order([2, 3, 1, 4]).hasChanged(EntryID(4), since: seen))
    #expect(order([1, 2, 3, 4], playing: 2).hasChanged(EntryID(2), since: seen))
    #expect(!order([1, 2, 3, 4], playing: 2).hasChanged(EntryID(3), since: seen))
    #expect(order([1, 2, 3]).hasChanged(EntryID(4), since: seen))
  }
}
