import CastqCore
import CastqStore
import Synchronization

/// The orders of lists that pages were given, by their versions, so that a move can be compared with what was seen.
final class OrderMemory: Sendable {
  private let kept = Mutex<[DeviceID: [QueueOrder]]>([:])
  /// Orders that are kept of one list, and entries of all together; the oldest go first.
  private static let (most, mostRows) = (64, 200_000)

  /// The order of each list that was read last, with the token of the database at that time.
  private let read = Mutex<[DeviceID: (token: Int64, order: QueueOrder)]>([:])

  /// The order of a list as it is now. The rows, which may be tens of thousands, are read only if anybody has written since.
  /// - Parameter workspace: always the same one, which writes nothing itself: its own writes would not be seen.
  func present(of device: DeviceID, in workspace: Workspace) throws(StoreError) -> QueueOrder {
    // Asked before the rows are read: what is written in between is another token for whoever comes next.
    let token = try workspace.database.changeToken()
    if let known = read.withLock({ $0[device] }), known.token == token { return known.order }
    let order = try workspace.queue.order(of: device)
    read.withLock { $0[device] = (token, order) }
    keep(order, of: device)
    return order
  }

  func keep(_ order: QueueOrder, of device: DeviceID) {
    kept.withLock { kept in
      var orders = kept[device] ?? []
      guard orders.last?.version != order.version else { return }
      orders.removeAll { $0.version == order.version }
      orders.append(order)
      while orders.count > 1,
        orders.count > Self.most || orders.reduce(0, { $0 + $1.rows.count }) > Self.mostRows
      {
        orders.removeFirst()
      }
      kept[device] = orders
    }
  }

  /// The order with a version; nil when it is forgotten.
  func order(_ version: Int64, of device: DeviceID) -> QueueOrder? {
    kept.withLock { $0[device]?.last { $0.version == version } }
  }
}
