package import CastProtocol
package import CastqPlaylists
package import CastqText

/// What castq believes the receiver holds, in the receiver's order.
package struct FeedWindow: Sendable, Hashable {
  /// One of our items on the receiver.
  package struct Item: Sendable, Hashable {
    package var turn: EntryTurn
    /// What it was made from.
    package var place: Place
    /// Failures before this turn.
    package var attempts: Int
    /// Nil until the receiver has reported its number.
    package var itemID: MediaQueueItemID?
    /// Whether it stands in for the list, of which nothing can be shown.
    package var isFallback: Bool
    /// Whether the receiver has perhaps asked for its file while nobody served it, or asks where nobody does.
    var wasUnserved = false

    package init(turn: EntryTurn, place: UpcomingEntry, attempts: Int, isFallback: Bool = false) {
      self.turn = turn
      self.attempts = attempts
      self.place = Place(place)
      self.isFallback = isFallback
    }

    /// How long it may play; nil is to the end.
    package var limit: MediaTime? { place.limit }
    /// Whether it shows a still picture.
    package var isImage: Bool { place.isImage }
  }

  /// What must be remembered of an upcoming entry while its item is on the receiver: not its metadata, so that a window
  /// costs next to nothing.
  package struct Place: Sendable, Hashable {
    package var queue: QueueID
    package var round: Int
    package var startTime: MediaTime?
    package var limit: MediaTime?
    /// How long its medium is; nil where the list does not say.
    package var length: MediaTime?
    package var isImage: Bool
    /// When it has to leave the screen; nil for no such moment.
    package var closes: WallTime?
    /// 0.5 to 2.
    package var rate: Double
    /// Whether it is paused when its turn comes (protocol 7.3).
    var startsPaused: Bool
    /// What is to happen when it cannot be played; nil is the feeder's own rule.
    package var onError: EntryErrorPolicy?
    /// The link it was sent with.
    package var link: EntryLink
    /// Whether what follows is held back until it is displayed.
    var isTrial: Bool

    init(_ upcoming: UpcomingEntry) {
      queue = upcoming.queue
      round = upcoming.round
      startTime = upcoming.draft.startTime
      limit = upcoming.draft.playbackDuration
      length = upcoming.draft.media.streamDuration.flatMap { $0 > .zero ? $0 : nil }
      closes = upcoming.draft.notAfter
      rate = upcoming.draft.playbackRate ?? 1
      startsPaused = !upcoming.draft.autoplay
      onError = upcoming.draft.onError
      isImage = upcoming.draft.media.isPicture
      link = upcoming.link
      isTrial = upcoming.isTrial
    }
  }

  /// Everything, played items included until they are removed.
  package private(set) var items: [Item] = []
  /// Index of the item that plays or is being loaded; nil before the first.
  package private(set) var currentIndex: Int?

  package init() {}

  /// One item, which plays.
  init(_ item: Item) {
    items = [item]
    currentIndex = 0
  }

  /// The item that plays or is being loaded.
  package var current: Item? { currentIndex.map { items[$0] } }

  /// Items that have not begun.
  package var ahead: ArraySlice<Item> { items[(currentIndex.map { $0 + 1 } ?? 0)...] }

  /// Items that are over.
  package var behind: ArraySlice<Item> { items[..<(currentIndex ?? 0)] }

  /// The item with this number.
  package func item(_ id: MediaQueueItemID) -> Item? { items.first { $0.itemID == id } }

  /// The item of this turn.
  package func item(_ turn: EntryTurn) -> Item? { items.first { $0.turn == turn } }

  /// The receiver plays or loads this item now.
  package mutating func moveTo(_ turn: EntryTurn) {
    guard let index = items.firstIndex(where: { $0.turn == turn }) else { return }
    currentIndex = index
  }

  /// Learns the number of a turn's item.
  package mutating func bind(_ turn: EntryTurn, to id: MediaQueueItemID) {
    for index in items.indices where items[index].itemID == id && items[index].turn != turn {
      items[index].itemID = nil
    }
    guard let index = items.firstIndex(where: { $0.turn == turn }) else { return }
    items[index].itemID = id
  }

  /// Puts items before the one with this number, or at the end.
  package mutating func insert(_ new: [Item], before id: MediaQueueItemID?) {
    let index = id.flatMap { id in items.firstIndex { $0.itemID == id } } ?? items.endIndex
    items.insert(contentsOf: new, at: index)
    if let current = currentIndex, index <= current { currentIndex = current + new.count }
  }

  /// Forgets items. When the current one is among them, there is none until the next `moveTo`.
  package mutating func remove(where isGone: (Item) -> Bool) {
    let current = self.current
    items.removeAll(where: isGone)
    currentIndex = current.flatMap { item in items.firstIndex { $0.turn == item.turn } }
  }

  /// What the receiver holds is not served where it says any more.
  mutating func serveElsewhere() {
    for index in items.indices { items[index].wasUnserved = true }
  }

  /// Takes over the receiver's order; numbers that are ours and missing are gone.
  package mutating func reorder(as ids: [MediaQueueItemID]) {
    let current = self.current
    let places = Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    items = items.enumerated().sorted { left, right in
      let leftPlace = left.element.itemID.flatMap { places[$0] } ?? Int.max
      let rightPlace = right.element.itemID.flatMap { places[$0] } ?? Int.max
      return (leftPlace, left.offset) < (rightPlace, right.offset)
    }.map(\.element)
    currentIndex = current.flatMap { item in items.firstIndex { $0.turn == item.turn } }
  }

  /// How many items of these sizes fit one message: at least one, however large.
  package static func fit(_ sizes: [Int], bytes: Int) -> Int {
    var total = 0
    var fitting = 0
    for size in sizes {
      total += size + 1
      if fitting > 0, total > bytes { break }
      fitting += 1
    }
    return fitting
  }
}
