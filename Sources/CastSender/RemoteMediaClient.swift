public import CastProtocol

/// Commands the media of a session. Every method returns when the receiver has answered, after the status it answered with was
/// published to the session's subscribers; it throws `CastError` when the receiver refuses, stays silent or goes away.
///
/// Cancelling the task that waits ends the waiting, not the command: what was sent stays sent, and may still happen.
/// Commands other than `load`, `queueLoad` and `requestStatus` need something loaded and are refused with `noMediaSession`
/// otherwise, without asking the receiver. The status they return is nil when nothing is loaded any more.
/// Custom data goes to the receiver application as it is; nil sends none.
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
    guard media != nil || queueData?.items.isEmpty == false else { throw .nothingToLoad }
    return try await loadedStatus(of: .load(options.request(media, queueData)))
  }

  /// Loads a queue in place of what plays and returns when its first item plays.
  ///
  /// When the first item fails, the receiver answers only once the next one plays (protocol 21.6).
  /// - Parameter items: at least one; item ids are not sent, the receiver gives them.
  @discardableResult
  public func queueLoad(_ items: [MediaQueueItem], options: MediaQueueLoadOptions = .init())
    async throws(CastError) -> MediaStatus
  {
    guard !items.isEmpty else { throw .nothingToLoad }
    return try await loadedStatus(of: .queueLoad(options.request(items)))
  }

  /// Goes on playing.
  @discardableResult
  public func play(customData: JSONValue? = nil) async throws(CastError) -> MediaStatus? {
    try await status(of: .play, customData)
  }

  /// Pauses.
  @discardableResult
  public func pause(customData: JSONValue? = nil) async throws(CastError) -> MediaStatus? {
    try await status(of: .pause, customData)
  }

  /// Ends the media session and drops the receiver's queue; the application goes on running.
  @discardableResult
  public func stop(customData: JSONValue? = nil) async throws(CastError) -> MediaStatus? {
    try await status(of: .stop, customData)
  }

  /// Goes to a position.
  /// - Parameter resumeState: what to do afterwards; nil leaves playing or paused as it is.
  @discardableResult
  public func seek(
    to position: MediaTime, resumeState: MediaResumeState? = nil, customData: JSONValue? = nil
  ) async throws(CastError) -> MediaStatus? {
    try await status(of: .seek(SeekOptions(.position(position), resumeState: resumeState)), customData)
  }

  /// Goes forward, or back when the offset is negative.
  @discardableResult
  public func seek(
    by offset: MediaTime, resumeState: MediaResumeState? = nil, customData: JSONValue? = nil
  ) async throws(CastError) -> MediaStatus? {
    try await status(of: .seek(SeekOptions(.offset(offset), resumeState: resumeState)), customData)
  }

  /// Plays at another speed, 0.5 to 2; it sticks to later items (protocol 21.12).
  @discardableResult
  public func setPlaybackRate(_ rate: Double, customData: JSONValue? = nil)
    async throws(CastError) -> MediaStatus?
  {
    try await status(of: .setPlaybackRate(.rate(rate)), customData)
  }

  /// Asks for the status anew; nil when nothing is loaded.
  @discardableResult
  public func requestStatus() async throws(CastError) -> MediaStatus? {
    try await status(of: .getStatus(), nil)
  }

  /// Loudness of the stream alone, 0 to 1; values beyond are brought into range. Not the device's volume.
  @discardableResult
  public func setStreamVolume(_ level: Double, customData: JSONValue? = nil)
    async throws(CastError) -> MediaStatus?
  {
    try await status(of: .setVolume(Volume(level: min(max(level, 0), 1))), customData)
  }

  /// Mutes the stream alone.
  @discardableResult
  public func setStreamMuted(_ isMuted: Bool, customData: JSONValue? = nil)
    async throws(CastError) -> MediaStatus?
  {
    try await status(of: .setVolume(Volume(isMuted: isMuted)), customData)
  }
}

extension RemoteMediaClient {
  /// Inserts items without disturbing what plays.
  /// - Parameters:
  ///   - items: at least one; item ids are not sent, the receiver gives them.
  ///   - beforeItemWithID: what follows the new items; nil appends, and so does an id the receiver does not know.
  @discardableResult
  public func queueInsertItems(
    _ items: [MediaQueueItem], beforeItemWithID: MediaQueueItemID? = nil, customData: JSONValue? = nil
  ) async throws(CastError) -> MediaStatus? {
    guard !items.isEmpty else { throw .nothingToLoad }
    return try await status(
      of: .queueInsert(QueueInsert(items: items, insertBefore: beforeItemWithID)), customData)
  }

  /// Plays the item with this id; an id the receiver does not know changes nothing.
  /// - Parameter playPosition: where it starts this time; nil is where the item itself says.
  @discardableResult
  public func queueJumpToItem(
    withID id: MediaQueueItemID, playPosition: MediaTime? = nil, customData: JSONValue? = nil
  ) async throws(CastError) -> MediaStatus? {
    try await status(
      of: .queueUpdate(QueueUpdate(currentItemID: id, currentTime: playPosition)), customData)
  }

  /// Plays the next item. Past the end of a queue that does not repeat, the media session ends (protocol 21.13).
  @discardableResult
  public func queueNextItem(customData: JSONValue? = nil) async throws(CastError) -> MediaStatus? {
    try await status(of: .queueUpdate(QueueUpdate(jump: 1)), customData)
  }

  /// Plays the item before.
  @discardableResult
  public func queuePreviousItem(customData: JSONValue? = nil) async throws(CastError) -> MediaStatus? {
    try await status(of: .queueUpdate(QueueUpdate(jump: -1)), customData)
  }

  /// Says what happens at the end of the queue.
  ///
  /// A receiver that was given a single item by `load` does not answer (protocol 21.8): expect `timeout`.
  @discardableResult
  public func queueSetRepeatMode(_ mode: MediaRepeatMode, customData: JSONValue? = nil)
    async throws(CastError) -> MediaStatus?
  {
    try await status(of: .queueUpdate(QueueUpdate(repeatMode: mode)), customData)
  }

  /// Removes items; when the current one is among them the next one plays, and without a next one the media session ends.
  ///
  /// When the receiver knows none of the ids it does not answer (protocol 21.8): expect `timeout`.
  @discardableResult
  public func queueRemoveItems(withIDs ids: [MediaQueueItemID], customData: JSONValue? = nil)
    async throws(CastError) -> MediaStatus?
  {
    try await status(of: .queueRemove(QueueRemove(itemIDs: ids)), customData)
  }

  /// Moves items as one block, in the given order.
  /// - Parameter beforeItemWithID: what follows the block; nil moves it to the end.
  @discardableResult
  public func queueReorderItems(
    withIDs ids: [MediaQueueItemID], beforeItemWithID: MediaQueueItemID? = nil, customData: JSONValue? = nil
  ) async throws(CastError) -> MediaStatus? {
    try await status(
      of: .queueReorder(QueueReorder(itemIDs: ids, insertBefore: beforeItemWithID)), customData)
  }

  /// The ids of the whole queue, in order; a status shows only the items around the current one.
  public func queueFetchItemIDs() async throws(CastError) -> [MediaQueueItemID] {
    guard case .queueItemIDs(let ids) = try await session.perform(.media(.queueGetItemIDs)) else {
      throw .unexpectedReply("QUEUE_GET_ITEM_IDS")
    }
    return ids
  }

  /// Full items of the queue; ask for 20 at most at a time (protocol 7.7). Unknown ids are left out of the answer.
  public func queueFetchItems(withIDs ids: [MediaQueueItemID]) async throws(CastError) -> [MediaQueueItem] {
    guard case .queueItems(let items) = try await session.perform(.media(.queueGetItems(ids))) else {
      throw .unexpectedReply("QUEUE_GET_ITEMS")
    }
    return items
  }
}

extension RemoteMediaClient {
  private func status(of request: MediaRequest, _ customData: JSONValue?) async throws(CastError)
    -> MediaStatus?
  {
    guard case .mediaStatus(let status) = try await session.perform(.media(request, customData: customData))
    else { throw .unexpectedReply(request.type) }
    return status
  }

  private func loadedStatus(of request: MediaRequest) async throws(CastError) -> MediaStatus {
    guard let status = try await status(of: request, nil) else { throw .unexpectedReply(request.type) }
    return status
  }
}

extension CastError {
  fileprivate static let nothingToLoad = CastError(
    .invalidRequest, "there is nothing to load: give media, or a queue with at least one item")

  fileprivate static func unexpectedReply(_ request: String) -> CastError {
    CastError(.protocolError, "the receiver answered \(request) with something else", request: request)
  }
}
