/// The merged media status of an application.
package struct MediaMachine: Sendable {
  /// The merged status; nil when nothing is loaded, or before the first status.
  package private(set) var status: MediaStatus?
  private var askedForMediaOf: MediaSessionID?
  private var failures = ItemFailures()
  /// Whether the application has sent a status: the first "nothing is loaded" is published, too.
  private(set) var isKnown = false

  package init() {}

  /// The result of a MEDIA_STATUS.
  package struct Outcome: Sendable {
    /// The statuses to publish, oldest first; empty when nothing changed.
    package var published: [MediaStatus?] = []
    /// Statuses that were ignored because their media session has ended.
    package var stale: [MediaSessionID] = []
    /// Items of the queue with a confirmed failure.
    var failed: [ItemFailures.Failure] = []
  }

  /// Merges the entries of one MEDIA_STATUS; no entries means that nothing is loaded (protocol 6.5).
  /// - Parameter isWhole: whether it replies to a request for all media sessions: sessions that it does not list do not exist,
  ///   whatever a stray status reported.
  package mutating func apply(_ updates: [MediaStatusUpdate], isWhole: Bool = false) -> Outcome {
    var outcome = merge(updates, isWhole: isWhole)
    outcome.failed = failures.settle(status)
    isKnown = true
    return outcome
  }

  private mutating func merge(_ updates: [MediaStatusUpdate], isWhole: Bool) -> Outcome {
    var outcome = Outcome()
    guard !updates.isEmpty else {
      if status != nil || !isKnown { outcome.published.append(nil) }
      status = nil
      return outcome
    }
    if isWhole, !updates.contains(where: { $0.mediaSessionID == status?.mediaSessionID }) { status = nil }
    // The format allows several media sessions in one message: the newest one must be last.
    for update in updates.sorted(by: { $0.mediaSessionID.rawValue < $1.mediaSessionID.rawValue }) {
      // A late final status of an old session must not replace the new session.
      if let status, update.mediaSessionID.rawValue < status.mediaSessionID.rawValue,
        MediaPlayerState(update.json["playerState"]) == .idle
      {
        outcome.stale.append(update.mediaSessionID)
        continue
      }
      let merged = MediaStatusReducer.merge(update, into: status)
      status = merged
      outcome.published.append(merged)
    }
    return outcome
  }

  /// Records that the receiver named an item in an error.
  /// - Returns: the failure, if the current status already proves it.
  mutating func complain(of id: MediaQueueItemID, _ error: CastError) -> [ItemFailures.Failure] {
    failures.complain(of: id, error, status: status)
  }

  /// Whether the status must be requested: once in each media session (protocol 6.5).
  package mutating func takeMediaQuestion() -> Bool {
    guard let status, status.mediaInformation == nil, !status.isEnded, !status.isLoading,
      askedForMediaOf != status.mediaSessionID
    else { return false }
    askedForMediaOf = status.mediaSessionID
    return true
  }

  /// Resets the state for another application, or a relaunched one.
  package mutating func reset() { self = MediaMachine() }
}
