import CastProtocol

/// What follows the last item of a queue (protocol 7.4).
enum QueueRepeat: String, Sendable {
  case off = "REPEAT_OFF"
  case all = "REPEAT_ALL"
  case single = "REPEAT_SINGLE"
  case allShuffled = "REPEAT_ALL_AND_SHUFFLE"

  var wraps: Bool { self == .all || self == .allShuffled }
}

/// The items of one media session and the current index.
///
/// The index does not follow the item: after QUEUE_SHUFFLE the playing item may be at another one (recording `queue`).
struct MediaQueueModel: Sendable {
  struct Item: Sendable {
    var id: Int
    /// Every member but `itemId`.
    var body: [String: JSONValue]

    var json: JSONValue { .object(body.merging(["itemId": .integer(Int64(id))]) { $1 }) }

    /// The item as it is shown after the order has changed (recording `queue`, REORDER).
    var stripped: JSONValue {
      .object(
        body.filter { $0.key != "media" && $0.key != "orderId" }
          .merging(["itemId": .integer(Int64(id))]) { $1 })
    }
  }

  /// Where playback goes next.
  enum Step: Sendable, Equatable {
    case item(Int)
    /// Reshuffle, then the first item.
    case reshuffle
    case end
  }

  private(set) var items: [Item]
  var index: Int
  var repeatMode: QueueRepeat
  private(set) var isShuffled = false
  let startIndex: Int
  /// The members of `queueData` besides its state; nil after a plain LOAD.
  let data: [String: JSONValue]?
  private var sequence = 0

  init(
    items: [Item], index: Int, repeatMode: QueueRepeat, data: [String: JSONValue]?
  ) {
    self.items = items
    self.index = index
    self.repeatMode = repeatMode
    self.data = data
    startIndex = index
    renumber()
  }

  var ids: [Int] { items.map(\.id) }

  var current: Item? { items.indices.contains(index) ? items[index] : nil }

  func position(of id: Int) -> Int? { items.firstIndex { $0.id == id } }

  /// The next number of the queue's history (protocol 7.7).
  mutating func nextSequence() -> Int {
    sequence += 1
    return sequence
  }

  var sequenceNumber: Int { sequence }

  /// The previous, the current and the next item (protocol 21.10).
  func window(before: Int, after: Int) -> ArraySlice<Item> {
    let low = min(max(0, index - before), items.count)
    let high = min(items.count, index + 1 + after)
    return items[low..<max(low, high)]
  }

  /// Where playback goes when the current item has ended.
  var following: Step { repeatMode == .single ? .item(index) : jump(by: 1) }

  /// Where playback goes when the current item cannot be played: it is not repeated.
  var afterFailure: Step { jump(by: 1) }

  func jump(by count: Int) -> Step {
    let (target, overflow) = index.addingReportingOverflow(count)
    if !overflow, items.indices.contains(target) { return .item(target) }
    guard repeatMode.wraps, !items.isEmpty, !overflow else { return .end }
    if repeatMode == .allShuffled, target >= items.count { return .reshuffle }
    return .item((target % items.count + items.count) % items.count)
  }

  mutating func update(_ id: Int, body: [String: JSONValue], merging: Bool) {
    guard let position = position(of: id) else { return }
    items[position].body = merging ? items[position].body.merging(body) { $1 } : body
  }

  mutating func amend(_ position: Int, _ change: (inout [String: JSONValue]) -> Void) {
    guard items.indices.contains(position) else { return }
    change(&items[position].body)
  }

  /// Inserts before the item of that id, or at the end. Returns where.
  mutating func insert(_ new: [Item], before id: Int?) -> Int {
    let place = id.flatMap(position(of:)) ?? items.count
    items.insert(contentsOf: new, at: place)
    if place <= index { index += new.count }
    renumber()
    return place
  }

  /// Removes items; the index stays at the current item, or moves to its successor.
  mutating func remove(_ ids: Set<Int>) {
    let before = items.prefix(index).count { ids.contains($0.id) }
    items.removeAll { ids.contains($0.id) }
    index -= before
  }

  /// Moves items as one block, in the given order (protocol 7.5).
  mutating func reorder(_ ids: [Int], before id: Int?, keeping current: Int) {
    let byID = Dictionary(items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let moving = ids.compactMap { byID[$0] }
    let moved = Set(ids)
    var anchor = id.flatMap(position(of:))
    while let place = anchor, items.indices.contains(place), moved.contains(items[place].id) {
      anchor = place + 1
    }
    let follower = anchor.flatMap { items.indices.contains($0) ? items[$0].id : nil }
    items.removeAll { moved.contains($0.id) }
    let place = follower.flatMap(position(of:)) ?? items.count
    items.insert(contentsOf: moving, at: place)
    index = position(of: current) ?? min(index, max(0, items.count - 1))
    renumber()
  }

  /// Puts the items in the order of these ids; false when they are not the same items.
  mutating func shuffle(to order: [Int]) -> Bool {
    guard order.count == items.count, Set(order) == Set(ids) else { return false }
    let byID = Dictionary(items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    items = order.compactMap { byID[$0] }
    isShuffled = true
    return true
  }

  mutating func shuffle(using generator: inout SeededGenerator) {
    items.shuffle(using: &generator)
    isShuffled = true
  }

  /// Undoes a shuffle by `orderId`; items without one go last.
  mutating func unshuffle() {
    items = items.enumerated().sorted { left, right in
      let leftOrder = left.element.body["orderId"]?.integer(.index) ?? Int.max
      let rightOrder = right.element.body["orderId"]?.integer(.index) ?? Int.max
      return (leftOrder, left.offset) < (rightOrder, right.offset)
    }.map(\.element)
    isShuffled = false
  }

  private mutating func renumber() {
    guard !isShuffled else {
      var next = (items.compactMap { $0.body["orderId"]?.integer(.index) }.max() ?? -1) + 1
      for position in items.indices where items[position].body["orderId"] == nil {
        items[position].body["orderId"] = .integer(Int64(next))
        next += 1
      }
      return
    }
    for position in items.indices { items[position].body["orderId"] = .integer(Int64(position)) }
  }
}
