/// The picture of the media an application plays, and what is still unknown of it.
package struct MediaMachine: Sendable {
  /// The merged picture; nil when nothing is loaded, or before the first status.
  package private(set) var status: MediaStatus?
  private var askedForMediaOf: MediaSessionID?
  private var failures = ItemFailures()
  /// Whether the application has told anything yet: the first "nothing is loaded" is news, too.
  private(set) var isKnown = false

  package init() {}

  /// What came of a MEDIA_STATUS.
  package struct Outcome: Sendable {
    /// The pictures to publish, oldest first; empty when nothing is new.
    package var published: [MediaStatus?] = []
    /// Statuses that were passed over because their media session is over.
    package var stale: [MediaSessionID] = []
    /// Items of the queue that are proved to have failed.
    var failed: [ItemFailures.Failure] = []
  }

  /// Merges the entries of one MEDIA_STATUS; no entries means that nothing is loaded (protocol 6.5).
  /// - Parameter isWhole: whether it answers a request for all media sessions: one that it does not list does not exist, whatever a
  ///   stray status said.
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
    // Several media sessions in one message are allowed by the format: the newest one has to come last.
    for update in updates.sorted(by: { $0.mediaSessionID.rawValue < $1.mediaSessionID.rawValue }) {
      // The farewell of an old session that comes after the new one began must not bring the old one back.
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
  /// - Returns: the failure, when the current status proves it already.
  mutating func complain(of id: MediaQueueItemID, _ error: CastError) -> [ItemFailures.Failure] {
    failures.complain(of: id, error, status: status)
  }

  /// Whether the receiver has to be asked what plays: once in each media session (protocol 6.5).
  package mutating func takeMediaQuestion() -> Bool {
    guard let status, status.mediaInformation == nil, !status.isEnded, !status.isLoading,
      askedForMediaOf != status.mediaSessionID
    else { return false }
    askedForMediaOf = status.mediaSessionID
    return true
  }

  /// Forgets everything: another application, or the same one started anew.
  package mutating func reset() { self = MediaMachine() }
}
