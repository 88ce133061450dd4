/// What has come from a broker and was not read yet. Messages beyond the bounds are dropped, the newest first; a change of the connection
/// never is. Only the newest one is kept, so that they cannot pile up either: whoever reads it does everything again anyway.
package struct BrokerBacklog<Change: Sendable, Message: Sendable>: Sendable {
  package enum Item: Sendable {
    case change(Change)
    case message(Message)
  }

  /// The most messages.
  package static var most: Int { 4096 }
  /// The most bytes of all messages.
  package static var mostBytes: Int { 16 << 20 }

  /// Behind `start`: what was read stays until half of it is.
  private var items: [(item: Item, size: Int)?] = []
  private var start = 0
  private var messages = 0
  private var bytes = 0
  /// Where the change is.
  private var change: Int?

  package init() {}

  /// Whether nothing waits.
  package var isEmpty: Bool { messages == 0 && change == nil }

  /// - Parameter size: in bytes.
  /// - Returns: whether there was room for it.
  @discardableResult
  package mutating func add(_ message: Message, size: Int) -> Bool {
    guard messages < Self.most, bytes + size <= Self.mostBytes else { return false }
    messages += 1
    bytes += size
    items.append((.message(message), size))
    return true
  }

  package mutating func note(_ change: Change) {
    if let old = self.change { items[old] = nil }
    self.change = items.count
    items.append((.change(change), 0))
  }

  /// The oldest; nil when there is none.
  package mutating func next() -> Item? {
    while start < items.count {
      defer { compact() }
      let next = items[start]
      items[start] = nil
      start += 1
      guard let next else { continue }
      bytes -= next.size
      switch next.item {
      case .change: change = nil
      case .message: messages -= 1
      }
      return next.item
    }
    return nil
  }

  private mutating func compact() {
    guard start == items.count || start > Self.most else { return }
    items.removeFirst(start)
    change = change.map { $0 - start }
    start = 0
  }
}
