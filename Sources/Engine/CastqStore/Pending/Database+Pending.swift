package import CastqFeeding
import CastqFiles
package import CastqPlaylists
import GRDB
import Glibc
import Synchronization

/// What could not be written until the end of a feeder or of the process.
///
/// It goes to a file beside the database as soon as a feeder ends. The next process writes all of it in one transaction with the numbers of
/// its batches, and then empties the file: killed in between, it finds the numbers, and does not write it again.
extension Database {
  /// Opens the file of this process, and those of processes that have ended, and writes what is in them as far as that is possible.
  /// - Parameter device: the device that this process feeds, whose lock it has; nil is the daemon.
  package func openPending(for device: DeviceID?) throws(StoreError) -> [PendingNews] {
    try openPending(for: device) { _ in }
  }

  func openPending(
    for device: DeviceID?, _ step: (PendingStep) throws -> Void
  ) throws(StoreError) -> [PendingNews] {
    let path = PendingFiles.path(of: self.path, device: device)
    var news: [PendingNews] = []
    var own: PendingFile?
    do throws(OwnFileError) {
      own = try PendingFile(path: path, isOwn: true)
      if own == nil { news.append(.inUse(path: path)) }
    } catch {
      // A full disk is no reason not to feed.
      guard case .system = error.problem else { throw StoreError(error) }
      news.append(.noRoom(path: path))
    }
    var others: [PendingFile] = []
    for other in PendingFiles.all(of: self.path) where other != path {
      do throws(OwnFileError) {
        if let file = try PendingFile(path: other, isOwn: false) { others.append(file) }
      } catch {
        news.append(.refused(error))
      }
    }
    late.state.withLock { ($0.path, $0.own, $0.others) = (path, own, others) }
    for file in late.state.withLock(\.files) {
      if file.contents.isTorn { news.append(.torn(path: file.path)) }
      guard let words = file.contents.damage else { continue }
      news.append(.damaged(path: file.path, words: words, copy: file.setAside()))
    }
    if own?.reserve(devices: pickedDevices) == false { news.append(.noRoom(path: path)) }
    do throws(StoreError) {
      if let done = try takeInPending(step) { news.append(done) }
    } catch {
      news.append(.waits(writes: late.state.withLock(\.writes.count), path: path, error: error))
    }
    return news
  }

  /// Whether anything waits that could not be written.
  package var hasPending: Bool { !late.isEmpty }

  /// The steps of making up for what waits; a test ends the process between two of them.
  enum PendingStep: CaseIterable {
    case begun, written, committed, emptied
  }

  /// Writes what waits, all of it or nothing.
  /// - Returns: nil when nothing waited.
  @discardableResult
  package func takeInPending() throws(StoreError) -> PendingNews? { try takeInPending { _ in } }

  func takeInPending(_ step: (PendingStep) throws -> Void) throws(StoreError) -> PendingNews? {
    let waiting = late.state.withLock { $0 }
    let batches = waiting.batches
    do {
      var done: PendingNews?
      if !batches.isEmpty || !waiting.kept.isEmpty {
        try step(.begun)
        let (writes, dropped) = try together { () throws -> (Int, Int) in
          var count = (0, 0)
          for batch in batches where try markTakenIn(batch.id) {
            try perform(batch.writes, of: batch.queues, &count)
          }
          try perform(waiting.kept, of: [:], &count)
          try step(.written)
          return count
        }
        try step(.committed)
        if writes > 0 { done = .takenIn(writes: writes, dropped: dropped) }
      }
      for file in waiting.others { file.remove() }
      if let own = waiting.own, !own.contents.isEmpty { own.clear(reserving: pickedDevices) }
      try step(.emptied)
      late.state.withLock { state in
        state.others = []
        state.kept.removeFirst(waiting.kept.count)
        state.error = nil
      }
      return done
    } catch {
      let error = StoreError(error, path: path)
      late.state.withLock { $0.error = error }
      throw error
    }
  }

  /// Keeps what a feeder could not write until its end, and what the daemon could not write of a device.
  /// - Returns: false when this process has no file, and it is lost.
  package func keepPending(_ writes: [FeederWrite], of device: DeviceID, because error: StoreError?) -> Bool {
    guard late.state.withLock({ $0.path != nil }) else { return false }
    let queue = try? QueueStore(self).settings(for: device).queue
    late.state.withLock { state in
      state.kept += writes.map { DeviceWrite(device: device, write: $0) }
      state.queues[device] = queue ?? state.queues[device]
      state.error = error ?? state.error ?? .busy(path: path, holder: "another process is writing")
    }
    try? storePending()
    return true
  }

  /// Puts what is kept into the file.
  private func storePending() throws(OwnFileError) {
    let state = late.state.withLock { $0 }
    guard !state.kept.isEmpty else { return }
    var own = state.own
    if own == nil, let path = state.path { own = try PendingFile(path: path, isOwn: true) }
    guard let own, own.contents.damage == nil else {
      throw OwnFileError(path: state.path ?? path, problem: .system(EBUSY))
    }
    late.state.withLock { $0.own = own }
    try own.append(PendingBatch(id: RandomText.hex(bytes: 16), queues: state.queues, writes: state.kept))
    late.state.withLock { $0.kept.removeFirst(state.kept.count) }
  }

  /// Tries for the last time to write what waits, leaves the rest in the file, and removes a file in which nothing is.
  /// - Returns: what is to be told; nil when nothing waited.
  package func closePending() -> PendingNews? {
    guard let path = late.state.withLock({ $0.path }) else { return nil }
    let progress = self.progress.all
    defer { late.state.withLock { $0 = LateWrites.State() } }
    var news: PendingNews?
    do throws(StoreError) {
      // With it goes the progress that waits for a commit.
      if !progress.isEmpty, late.isEmpty { try write { _ in } }
      news = try takeInPending()
    } catch {
      late.state.withLock { $0.kept = progress + $0.kept }
      let writes = late.state.withLock(\.writes.count)
      do throws(OwnFileError) {
        try storePending()
        news = .kept(writes: writes, path: path)
      } catch let problem {
        news = .missing(
          writes: late.state.withLock(\.kept.count), words: "\(error); \(problem)")
      }
    }
    if let own = late.state.withLock({ $0.own }), own.contents.isEmpty { own.remove() }
    return news
  }

  // MARK: - In the transaction

  /// False when the batch was taken in before.
  private func markTakenIn(_ id: String) throws -> Bool {
    try write { db in
      // Long ago its file was emptied.
      try db.execute(
        sql: "DELETE FROM pending_batch WHERE number <= (SELECT max(number) FROM pending_batch) - 1000")
      try db.execute(sql: "INSERT OR IGNORE INTO pending_batch (id) VALUES (?)", arguments: [id])
      return db.changesCount > 0
    }
  }

  private func perform(
    _ writes: [DeviceWrite], of queues: [DeviceID: String], _ count: inout (Int, Int)
  ) throws {
    let (devices, queue) = (DeviceStore(self), QueueStore(self))
    var known: [DeviceID: KnownDevice?] = [:]
    for each in writes {
      count.0 += 1
      let id = each.device
      if known[id] == nil {
        let isSame = try queues[id].map { name in try queue.queueName(of: id) == name } ?? true
        known[id] = .some(isSame ? try devices.device(id) : nil)
      }
      guard let device = known[id] ?? nil else {
        count.1 += 1
        continue
      }
      do throws(StoreError) { try queue.perform(each.write, on: device) } catch {
        if error.isOutage, !error.isOfOneRow { throw error }
        // It is of what is not there any more.
        count.1 += 1
      }
    }
  }

  /// The devices that may be fed.
  private var pickedDevices: Int {
    let count = try? read { db in
      try db.scalar(Int.self, of: "device", sql: "SELECT count(*) FROM device WHERE is_picked = 1")
    }
    return (count ?? nil) ?? 1
  }
}

extension WaitingProgress {
  /// What waits, as writes.
  fileprivate var all: [DeviceWrite] {
    waiting.map { turn, waiting in
      DeviceWrite(
        device: waiting.device,
        write: .record([RecordedFact(fact: .progressed(turn, waiting.play), effect: nil)]))
    }
  }
}

extension QueueStore {
  /// What travels in the tags of a device's queue; nil when it has none.
  fileprivate func queueName(of device: DeviceID) throws(StoreError) -> String? {
    try database.read { db in
      try db.scalar(
        String.self, of: "queue", sql: "SELECT identity FROM queue WHERE id = ?",
        arguments: [device.rawValue])
    }
  }
}
