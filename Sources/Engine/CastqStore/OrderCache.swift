import CastqFeeding
import CastqPlaylists
import GRDB
import Synchronization

/// The order of each list as it was read last, with the state of the file in which it was read. A list may have tens of thousands of
/// rows, and the pages of a queue ask for its version much more often than anybody writes.
///
/// It belongs to one connection, since states of the file are compared on one connection only.
final class OrderCache: Sendable {
  /// A state of the file as one connection sees it. Two that are equal are the same rows: `data_version` is another one when another
  /// connection has committed, and `total_changes` when this one has changed a row, whether or not that was undone.
  private struct FileState: Equatable {
    let foreign: Int64
    let own: Int

    /// The state that a transaction sees: the question begins its snapshot if nothing has.
    init(_ db: GRDB.Database) throws {
      foreign = try db.scalar(Int64.self, of: "data_version", sql: "PRAGMA data_version") ?? 0
      own = db.totalChangesCount
    }
  }

  private struct Read {
    let state: FileState
    let order: QueueOrder
  }

  private let read = Mutex<[Int64: Read]>([:])
  /// Entries that are kept of all lists together.
  private static let most = 200_000

  /// The order of a list in the snapshot of the transaction. The rows are read only if anything was written since the last time.
  /// - Parameter db: in a transaction that has written nothing: what it wrote might be undone.
  func order(_ queue: some QueueReference, _ db: GRDB.Database) throws -> QueueOrder {
    let state = try FileState(db)
    if let known = read.withLock({ $0[queue.number] }), known.state == state { return known.order }
    let order = try QueueStore.order(queue, db)
    read.withLock { read in
      read[queue.number] = nil
      if read.values.reduce(order.rows.count, { $0 + $1.order.rows.count }) > Self.most { read = [:] }
      read[queue.number] = Read(state: state, order: order)
    }
    return order
  }
}
