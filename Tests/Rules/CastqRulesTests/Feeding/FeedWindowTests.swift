import CastProtocol
import CastqFeeding
import CastqPlaylists
import Testing

@Suite("The window on the receiver")
struct FeedWindowTests {
  private func item(_ entry: Int64, id: Int? = nil) -> FeedWindow.Item {
    let place = UpcomingEntry(entry: EntryID(entry), turn: 0, round: 0, attempts: 0, draft: video("v"))
    var item = FeedWindow.Item(turn: turn(entry), place: place, attempts: 0)
    item.itemID = id.map { MediaQueueItemID($0) }
    return item
  }

  private func turn(_ entry: Int64) -> EntryTurn { EntryTurn(entry: EntryID(entry), turn: 1) }

  /// Items 1 to 5 with numbers 11 to 15; the third plays.
  private var window: FeedWindow {
    var window = FeedWindow()
    window.insert((1...5).map { item($0, id: Int($0) + 10) }, before: nil)
    window.moveTo(turn(3))
    return window
  }

  private func entries(_ items: some Collection<FeedWindow.Item>) -> [Int64] {
    items.map(\.turn.entry.rawValue)
  }

  @Test("the item that plays stays the current one, whatever happens around it")
  func current() {
    var window = window
    #expect(entries(window.behind) == [1, 2])
    #expect(entries(window.ahead) == [4, 5])
    window.insert([item(8)], before: MediaQueueItemID(12))
    window.insert([item(9)], before: MediaQueueItemID(13))
    #expect(window.current?.turn == turn(3))
    #expect(entries(window.items) == [1, 8, 2, 9, 3, 4, 5])
    window.insert([item(6), item(7)], before: MediaQueueItemID(99))
    window.remove { [1, 4].contains($0.turn.entry.rawValue) }
    #expect(window.current?.turn == turn(3))
    #expect(entries(window.ahead) == [5, 6, 7])
    window.reorder(as: [15, 13, 12].map { MediaQueueItemID($0) })
    #expect(window.current?.turn == turn(3))
    #expect(entries(window.items) == [5, 3, 2, 8, 9, 6, 7])
    window.moveTo(turn(77))
    #expect(window.current?.turn == turn(3))
    window.remove { _ in true }
    #expect(window.current == nil)
    #expect(window.ahead.isEmpty)
  }

  @Test("a number belongs to one item alone")
  func binding() {
    var window = window
    window.insert([item(6)], before: nil)
    window.bind(turn(6), to: MediaQueueItemID(15))
    #expect(window.item(MediaQueueItemID(15))?.turn == turn(6))
    #expect(window.item(turn(5))?.itemID == nil)
    window.bind(turn(99), to: MediaQueueItemID(14))
    #expect(window.item(MediaQueueItemID(14)) == nil)
  }

  @Test("a list of numbers that repeats or lies does no harm")
  func strangeOrder() {
    var window = window
    window.reorder(as: [13, 13, 99, 11, 13].map { MediaQueueItemID($0) })
    #expect(entries(window.items) == [3, 1, 2, 4, 5])
    #expect(window.current?.turn == turn(3))
    window.reorder(as: [])
    #expect(entries(window.items) == [3, 1, 2, 4, 5])
  }

  @Test(
    "a message takes as many items as fit, and always one",
    arguments: [(1, 1), (250, 2), (300, 3), (10_000, 9)])
  func budget(bytes: Int, fitting: Int) {
    let sizes = [Int](repeating: 99, count: 9)
    #expect(FeedWindow.fit(sizes, bytes: bytes) == fitting)
    #expect(FeedWindow.fit([99], bytes: bytes) == 1)
    #expect(FeedWindow.fit([], bytes: bytes) == 0)
  }
}
