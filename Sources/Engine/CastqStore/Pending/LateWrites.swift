import CastqFeeding
import CastqPlaylists
import Synchronization

/// What feeders of this process, and processes before, could not write. It is written in its order, and before everything that comes later.
final class LateWrites: Sendable {
  struct State {
    /// Where this process's file is, or is to be; nil for a process that keeps nothing.
    var path: String?
    /// That file; nil where it could not be opened yet.
    var own: PendingFile?
    /// Files of processes that have ended.
    var others: [PendingFile] = []
    /// What is in no file yet.
    var kept: [DeviceWrite] = []
    /// What travels in the tags of queues, for the devices of `kept`.
    var queues: [DeviceID: String] = [:]
    /// Why it was not written the last time.
    var error: StoreError?

    var files: [PendingFile] { others + (own.map { [$0] } ?? []) }
    var batches: [PendingBatch] { files.flatMap(\.contents.batches) }
    var writes: [DeviceWrite] { batches.flatMap(\.writes) + kept }
  }

  let state = Mutex(State())

  /// Whether anything waits.
  var isEmpty: Bool { state.withLock { $0.kept.isEmpty && $0.batches.isEmpty } }
}
