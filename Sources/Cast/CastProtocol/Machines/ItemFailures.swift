/// The items of a queue that could not be played.
///
/// An ERROR that names an item does not prove a failure: it may name the next item, or the film whose ad was not found, and both
/// play (protocol 21.22). An item has failed when a status reports so, or when the queue has passed it; an item that plays has not.
struct ItemFailures: Sendable {
  private struct Complaint: Sendable {
    let id: MediaQueueItemID
    var error: CastError
    /// The item that has played since the error; nil when another one began to load meanwhile.
    var playing: MediaQueueItemID?
    /// Whether the failure was reported: errors and statuses are repeated.
    var isReported = false
  }

  /// An item that failed, and the receiver's error.
  struct Failure: Sendable {
    let id: MediaQueueItemID
    let error: CastError
  }

  /// More than a queue window holds; a receiver that sends errors without end must not exhaust the memory.
  private static let limit = 32

  private var complaints: [Complaint] = []
  private var session: MediaSessionID?

  /// Records that the receiver named an item in an error.
  /// - Returns: the failure, if the current status already proves it.
  mutating func complain(of id: MediaQueueItemID, _ error: CastError, status: MediaStatus?) -> [Failure] {
    session = status?.mediaSessionID ?? session
    if let index = complaints.firstIndex(where: { $0.id == id }) {
      // The first error is the cause of the failure.
      if complaints[index].playing == nil { complaints[index].playing = status?.playingItemID }
    } else {
      if complaints.count >= Self.limit { complaints.removeFirst() }
      complaints.append(Complaint(id: id, error: error, playing: status?.playingItemID))
    }
    // The status is older than the error, and cannot refute it.
    return failures { status?.isDead($0.id) == true }
  }

  /// Applies a status; nil when nothing is loaded.
  /// - Returns: the failures that it proves, each item once.
  mutating func settle(_ status: MediaStatus?) -> [Failure] {
    guard let status, session == nil || status.mediaSessionID == session else {
      self = ItemFailures()
      return []
    }
    let playing = status.playingItemID
    complaints.removeAll { $0.id == playing }
    guard playing == nil else { return failures { $0.playing != playing } }
    for index in complaints.indices { complaints[index].playing = nil }
    return failures { status.isDead($0.id) }
  }

  /// Reports the errors that are now confirmed.
  private mutating func failures(where isProved: (Complaint) -> Bool) -> [Failure] {
    var failures: [Failure] = []
    for index in complaints.indices where !complaints[index].isReported && isProved(complaints[index]) {
      complaints[index].isReported = true
      failures.append(Failure(id: complaints[index].id, error: complaints[index].error))
    }
    return failures
  }
}

extension MediaStatus {
  /// Whether the item ended with an error.
  fileprivate func isDead(_ id: MediaQueueItemID) -> Bool {
    playerState == .idle && idleReason == .error && currentItemID == id
  }

  /// The item that plays, is paused or buffers; nil while an item loads, and when none is current.
  fileprivate var playingItemID: MediaQueueItemID? {
    switch playerState {
    case .playing, .paused, .buffering: isLoading || loadingItemID != nil ? nil : currentItemID
    case .idle, .loading, .unknown: nil
    }
  }
}
