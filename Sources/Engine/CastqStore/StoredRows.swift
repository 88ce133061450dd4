package import CastProtocol
package import CastqFeeding
package import CastqPlaylists
package import CastqSchedule
package import CastqText
import Synchronization

/// The rows of one device in the database.
package struct StoredRows: FeederStore {
  fileprivate let device: KnownDevice
  fileprivate let queue: QueueStore

  package init(device: KnownDevice, database: Database) {
    self.device = device
    queue = QueueStore(database)
  }

  package var base: QueueID { QueueID(device.id) }

  package func choose(_ choice: ListChoice, at now: WallTime) throws(StoreError) -> ListAnswer {
    try queue.choose(choice, for: device.id, at: now)
  }

  package func find(_ choice: ListChoice) throws(StoreError) -> ListAnswer {
    try queue.find(choice, for: device.id)
  }

  package func lengths(
    of programmes: [RuleID: String], at now: WallTime
  ) throws(StoreError) -> [RuleID: Int64] {
    try queue.nextLengths(of: programmes, on: device.id, at: now)
  }

  package func cut(of list: QueueID) throws(StoreError) -> ResumePoint? { try queue.cut(of: list) }

  package func upcoming(
    of list: QueueID, limit: Int, besides: UpcomingPlace?, at now: WallTime, isLooping: Bool,
    remembering memory: Int?
  ) throws(StoreError) -> (list: UpcomingList, copies: QueueSnapshots?) {
    try queue.advance(
      list, limit: limit, besides: besides, at: now, looping: isLooping, remembering: memory)
  }

  package func upcomingFallback(
    of list: QueueID, limit: Int, besides: UpcomingPlace?, isLooping: Bool, remembering memory: Int?
  ) throws(StoreError) -> (places: [UpcomingEntry], copies: QueueSnapshots?) {
    try queue.advanceFallback(
      list, limit: limit, besides: besides, looping: isLooping, remembering: memory)
  }

  package func held(_ turns: [EntryTurn], isLooping: Bool) throws(StoreError) -> [HeldTurn] {
    try queue.held(turns, on: device.id, looping: isLooping)
  }

  package func recover(keeping kept: [EntryTurn]) throws(StoreError) -> ResumePoint? {
    try queue.recover(device.id, keeping: kept)
  }

  package func perform(_ write: FeederWrite) throws(StoreError) { try queue.perform(write, on: device) }

  package func commitProgress() throws(StoreError) { try queue.commitProgress(of: device.id) }

  package func closeLostPlays() throws(StoreError) { try queue.closeLostPlays(of: device.id) }

  package func copies(of list: QueueID, limit: Int, isLooping: Bool) throws(StoreError)
    -> QueueSnapshots
  {
    try queue.remembered(for: list, limit: limit, looping: isLooping)
  }

  package func probe(_ list: QueueID, isLooping: Bool) throws(StoreError) {
    try queue.advance(list, limit: 1, besides: nil, looping: isLooping)
  }

  package var refusesWrites: Bool { queue.database.refusesWrites }

  package var lateFailure: StoreError? {
    let late = queue.database.late
    guard !late.isEmpty else { return nil }
    return late.state.withLock(\.error)
      ?? .busy(path: queue.database.path, holder: "another process is writing")
  }

  package var late: [FeederWrite] {
    queue.database.late.state.withLock(\.writes).filter { $0.device == device.id }.map(\.write)
  }

  package func performLate() throws(StoreError) -> Int {
    guard case .takenIn(let writes, _)? = try queue.database.takeInPending() else { return 0 }
    return writes
  }

  package func keepLate(_ writes: [FeederWrite], because failure: StoreError?) -> Bool {
    queue.database.keepPending(writes, of: device.id, because: failure)
  }
}

extension FeederRows<StoredRows> {
  /// - Parameters:
  ///   - limit: maximum number of queued writes.
  ///   - now: the present moment.
  package init(
    device: KnownDevice, database: Database, limit: Int = PendingWrites.limit, at now: Tick = .zero
  ) {
    self.init(StoredRows(device: device, database: database), limit: limit, at: now)
  }

  /// Answers a query of a live command. What a person chooses is in the queue of the device, also while the item of a share is on.
  package func answer(_ question: EntryQuestion, at wall: WallTime) -> Result<EntryID?, Failure> {
    let queue =
      switch question {
      case .existing, .first: store.base
      case .before: lists.now.queue
      }
    return store.queue.answer(question, of: queue, at: wall, looping: isLooping)
  }

  /// Marks the list as stopped by a person.
  package func noteStopped(at wall: WallTime) throws(StoreError) {
    do throws(StoreError) { try store.queue.stop(store.device.id, at: wall) } catch {
      guard error.isOutage, store.keepLate([.stop(at: wall)], because: error) else { throw error }
    }
  }
}

extension StoreError: FeederStoreFailure {
  package var isOfOneRow: Bool { if case .corrupt = self { true } else { false } }
  package var failure: Failure { Failure(self) }
  package static var unknownRows: StoreError { .failed(path: "the queue", words: "its rows are unknown") }
}
