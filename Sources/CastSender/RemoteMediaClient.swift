public import CastProtocol

/// Commands the media of a session. Every method returns when the receiver has answered, after the status it answered with was
/// published to the session's subscribers; it throws `CastError` when the receiver refuses, stays silent or goes away.
///
/// Cancelling the task that waits ends the waiting, not the command: what was sent stays sent, and may still happen.
/// Commands other than `load`, `queueLoad` and `requestStatus` need something loaded and are refused with `noMediaSession`
/// otherwise, without asking the receiver.
public struct RemoteMediaClient: Sendable {
  private let session: Session

  init(session: Session) { self.session = session }
}

extension RemoteMediaClient {
  /// Loads media in place of what plays and returns when it plays (or is paused, without autoplay).
  ///
  /// Fails with `mediaLoadFailed` when the receiver cannot load it and `cancelled` when another load took its place.
  /// - Parameters:
  ///   - media: what to play; may be nil when the queue has items.
  ///   - queueData: a queue around it; nil makes a queue of one.
  @discardableResult
  public func load(
    _ media: MediaInformation?, queueData: MediaQueueData? = nil, options: MediaLoadOptions = .init()
  ) async throws(CastError) -> MediaStatus {
    throw CastError(.sessionIsNotActive, "")
  }

  /// Loads a queue in place of what plays and returns when its first item plays.
  ///
  /// When the first item fails, the receiver answers only once the next one plays (protocol 21.6).
  /// - Parameter items: at least one, without item ids.
  @discardableResult
  public func queueLoad(_ items: [MediaQueueItem], options: MediaQueueLoadOptions = .init())
    async throws(CastError) -> MediaStatus
  { throw CastError(.sessionIsNotActive, "") }

  /// Inserts items without disturbing what plays.
  /// - Parameters:
  ///   - items: at least one, without item ids: the receiver gives them.
  ///   - beforeItemWithID: what follows the new items; nil appends, and so does an id the receiver does not know.
  @discardableResult
  public func queueInsertItems(
    _ items: [MediaQueueItem], beforeItemWithID: MediaQueueItemID? = nil, customData: JSONValue? = nil
  ) async throws(CastError) -> MediaStatus? { throw CastError(.sessionIsNotActive, "") }

  /// Plays the item with this id; an id the receiver does not know changes nothing.
  @discardableResult
  public func queueJumpToItem(
    withID id: MediaQueueItemID, playPosition: MediaTime? = nil, customData: JSONValue? = nil
  ) async throws(CastError) -> MediaStatus? { throw CastError(.sessionIsNotActive, "") }

  /// Plays the next item. Past the end of a queue that does not repeat, the media session ends (protocol 21.13).
  @discardableResult
  public func queueNextItem() async throws(CastError) -> MediaStatus? {
    throw CastError(.sessionIsNotActive, "")
  }

  /// Plays the item before.
  @discardableResult
  public func queuePreviousItem() async throws(CastError) -> MediaStatus? {
    throw CastError(.sessionIsNotActive, "")
  }

  /// Says what happens at the end of the queue.
  ///
  /// A receiver that was given a single item by `load` does not answer (protocol 21.8): expect `timeout`.
  @discardableResult
  public func queueSetRepeatMode(_ mode: MediaRepeatMode) async throws(CastError) -> MediaStatus? {
    throw CastError(.sessionIsNotActive, "")
  }

  /// Removes items; when the current one is among them the next one plays, and without a next one the media session ends.
  ///
  /// When the receiver knows none of the ids it does not answer (protocol 21.8): expect `timeout`.
  @discardableResult
  public func queueRemoveItems(withIDs ids: [MediaQueueItemID]) async throws(CastError) -> MediaStatus? {
    throw CastError(.sessionIsNotActive, "")
  }

  /// Moves items as one block, in the given order.
  /// - Parameter beforeItemWithID: what follows the block; nil moves it to the end.
  @discardableResult
  public func queueReorderItems(withIDs ids: [MediaQueueItemID], beforeItemWithID: MediaQueueItemID? = nil)
    async throws(CastError) -> MediaStatus?
  { throw CastError(.sessionIsNotActive, "") }

  /// The ids of the whole queue, in order; a status shows only the items around the current one.
  public func queueFetchItemIDs() async throws(CastError) -> [MediaQueueItemID] {
    throw CastError(.sessionIsNotActive, "")
  }

  /// Full items of the queue; ask for 20 at most at a time (protocol 7.7). Unknown ids are left out of the answer.
  public func queueFetchItems(withIDs ids: [MediaQueueItemID]) async throws(CastError) -> [MediaQueueItem] {
    throw CastError(.sessionIsNotActive, "")
  }
}

extension RemoteMediaClient {
  /// Goes on playing.
  @discardableResult
  public func play() async throws(CastError) -> MediaStatus? { throw CastError(.sessionIsNotActive, "") }

  /// Pauses.
  @discardableResult
  public func pause() async throws(CastError) -> MediaStatus? { throw CastError(.sessionIsNotActive, "") }

  /// Ends the media session and drops the receiver's queue; the application goes on running.
  @discardableResult
  public func stop() async throws(CastError) -> MediaStatus? { throw CastError(.sessionIsNotActive, "") }

  /// Goes to a position.
  /// - Parameter resumeState: what to do afterwards; nil leaves playing or paused as it is.
  @discardableResult
  public func seek(to position: MediaTime, resumeState: MediaResumeState? = nil)
    async throws(CastError) -> MediaStatus?
  { throw CastError(.sessionIsNotActive, "") }

  /// Goes forward, or back when the offset is negative.
  @discardableResult
  public func seek(by offset: MediaTime, resumeState: MediaResumeState? = nil)
    async throws(CastError) -> MediaStatus?
  { throw CastError(.sessionIsNotActive, "") }

  /// Plays at another speed, 0.5 to 2; it sticks to later items (protocol 21.12).
  @discardableResult
  public func setPlaybackRate(_ rate: Double) async throws(CastError) -> MediaStatus? {
    throw CastError(.sessionIsNotActive, "")
  }

  /// Asks for the status anew; nil when nothing is loaded.
  @discardableResult
  public func requestStatus() async throws(CastError) -> MediaStatus? {
    throw CastError(.sessionIsNotActive, "")
  }

  /// Loudness of the stream alone, 0 to 1; values beyond are brought into range. Not the device's volume.
  @discardableResult
  public func setStreamVolume(_ level: Double) async throws(CastError) -> MediaStatus? {
    throw CastError(.sessionIsNotActive, "")
  }

  /// Mutes the stream alone.
  @discardableResult
  public func setStreamMuted(_ isMuted: Bool) async throws(CastError) -> MediaStatus? {
    throw CastError(.sessionIsNotActive, "")
  }
}
