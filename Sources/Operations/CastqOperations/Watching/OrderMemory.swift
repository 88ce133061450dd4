package import CastqFeeding
package import CastqPlaylists
import Synchronization

/// The orders of lists that pages were given, by their versions, so that a move can be compared with what was seen.
package final class OrderMemory: Sendable {
  private let kept = Mutex<[DeviceID: [QueueOrder]]>([:])
  /// Orders that are kept of one list, and entries of all together; the oldest go first.
  private static let (most, mostRows) = (64, 200_000)

  /// Versions that were given since the last time somebody asked for them.
  private let given = Mutex<[DeviceID: Set<Int64>]>([:])

  /// Keeps an order that a page is given.
  package func keep(_ order: QueueOrder, of device: DeviceID) {
    given.withLock { _ = $0[device, default: []].insert(order.version) }
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

  /// The versions that pages were given since the last call. Whoever says that lists have changed compares them: a list that was put in
  /// another order and back looks unchanged, and a page that has read it in between has the other one.
  func takeGiven() -> [DeviceID: Set<Int64>] {
    given.withLock { given in
      defer { given = [:] }
      return given
    }
  }

  /// The order with a version; nil when it is forgotten.
  package func order(_ version: Int64, of device: DeviceID) -> QueueOrder? {
    kept.withLock { $0[device]?.last { $0.version == version } }
  }
}
