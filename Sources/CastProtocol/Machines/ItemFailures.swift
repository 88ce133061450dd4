/// Which items of a queue could not be played.
///
/// An ERROR that names an item is no verdict: it may name the item that comes next, or the film whose ad was not found, and both
/// play (protocol 21.22). An item has failed when a status says so, or when the queue has gone past it; what plays has not.
struct ItemFailures: Sendable {
  private struct Complaint: Sendable {
    let id: MediaQueueItemID
    var error: CastError
    /// What has played ever since the receiver complained; nil when something else began to load meanwhile.
    var playing: MediaQueueItemID?
    /// Whether the failure was told: errors come twice, and statuses, too.
    var isTold = false
  }

  /// An item that failed, and the receiver's words.
  struct Failure: Sendable {
    let id: MediaQueueItemID
    let error: CastError
  }

  /// More than a window of a queue has items; a receiver that complains of everything must not fill our memory.
  private static let limit = 32

  private var complaints: [Complaint] = []
  private var session: MediaSessionID?

  /// The receiver has named an item in an error.
  /// - Returns: the failure, when the status that came before has said already that the item is over.
  mutating func complain(of id: MediaQueueItemID, _ error: CastError, status: MediaStatus?) -> [Failure] {
    session = status?.mediaSessionID ?? session
    if let index = complaints.firstIndex(where: { $0.id == id }) {
      // The first words are the ones that belong to what happened.
      if complaints[index].playing == nil { complaints[index].playing = status?.playingItemID }
    } else {
      if complaints.count >= Self.limit { complaints.removeFirst() }
      complaints.append(Complaint(id: id, error: error, playing: status?.playingItemID))
    }
    // What the status shows was so before the error: it refutes nothing.
    return failures { status?.isDead($0.id) == true }
  }

  /// A status has come; nil is that nothing is loaded.
  /// - Returns: what it proves to have failed, each item once.
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

  /// Tells those that are proved now, each once.
  private mutating func failures(where isProved: (Complaint) -> Bool) -> [Failure] {
    var failures: [Failure] = []
    for index in complaints.indices where !complaints[index].isTold && isProved(complaints[index]) {
      complaints[index].isTold = true
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

  /// The item that is on, playing, paused or buffering; nil while something loads, or nothing is on.
  fileprivate var playingItemID: MediaQueueItemID? {
    switch playerState {
    case .playing, .paused, .buffering: isLoading || loadingItemID != nil ? nil : currentItemID
    default: nil
    }
  }
}
