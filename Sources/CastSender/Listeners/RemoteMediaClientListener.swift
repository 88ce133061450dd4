public import CastProtocol

/// Hears what happens to the media of a session (protocol 17.1). Methods are called in the order of the events, on no particular
/// thread, and the session waits for them: hand on what takes time. All have an empty default.
public protocol RemoteMediaClientListener: AnyObject, Sendable {
  /// Something was loaded, by us or by others.
  func remoteMediaClient(_ client: RemoteMediaClient, didStartMediaSessionWithID id: MediaSessionID)
  /// The picture of the media session changed; nil when nothing is loaded any more.
  func remoteMediaClient(_ client: RemoteMediaClient, didUpdate mediaStatus: MediaStatus?)
  /// What a person is told about the media changed; nil when there is nothing to tell.
  func remoteMediaClient(_ client: RemoteMediaClient, didUpdate mediaMetadata: MediaMetadata?)
  /// The window of the queue changed, or which item is current.
  func remoteMediaClientDidUpdateQueue(_ client: RemoteMediaClient)
  /// Another item is fetched in advance, or none any more.
  func remoteMediaClientDidUpdatePreloadStatus(_ client: RemoteMediaClient)
  /// The ids of the whole queue came, in order.
  func remoteMediaClient(_ client: RemoteMediaClient, didReceiveQueueItemIDs ids: [MediaQueueItemID])
  /// Items of the queue came.
  func remoteMediaClient(_ client: RemoteMediaClient, didReceiveQueueItems items: [MediaQueueItem])
  /// Items were inserted, by us or by others.
  /// - Parameters:
  ///   - client: whose queue it is.
  ///   - ids: the new items, in order.
  ///   - beforeItemWithID: what follows them; nil when they were appended.
  func remoteMediaClient(
    _ client: RemoteMediaClient, didInsertQueueItemsWithIDs ids: [MediaQueueItemID],
    beforeItemWithID: MediaQueueItemID?)
  /// Items changed, or their order.
  func remoteMediaClient(_ client: RemoteMediaClient, didUpdateQueueItemsWithIDs ids: [MediaQueueItemID])
  /// Items are gone.
  func remoteMediaClient(_ client: RemoteMediaClient, didRemoveQueueItemsWithIDs ids: [MediaQueueItemID])
  /// An item could not be played; the receiver continues by itself (protocol 21.6). Called once, when a status proves it: errors
  /// also name items that play all the same (protocol 21.22).
  func remoteMediaClient(
    _ client: RemoteMediaClient, didFailToPlayQueueItemWithID id: MediaQueueItemID, error: CastError)
  /// The application wants to be told anew who is watching (protocol 6.3).
  func remoteMediaClient(_ client: RemoteMediaClient, wantsCredentials wish: CredentialsRefresh)
}

extension RemoteMediaClientListener {
  /// Does nothing.
  public func remoteMediaClient(_ client: RemoteMediaClient, didStartMediaSessionWithID id: MediaSessionID) {}
  /// Does nothing.
  public func remoteMediaClient(_ client: RemoteMediaClient, didUpdate mediaStatus: MediaStatus?) {}
  /// Does nothing.
  public func remoteMediaClient(_ client: RemoteMediaClient, didUpdate mediaMetadata: MediaMetadata?) {}
  /// Does nothing.
  public func remoteMediaClientDidUpdateQueue(_ client: RemoteMediaClient) {}
  /// Does nothing.
  public func remoteMediaClientDidUpdatePreloadStatus(_ client: RemoteMediaClient) {}
  /// Does nothing.
  public func remoteMediaClient(_ client: RemoteMediaClient, didReceiveQueueItemIDs ids: [MediaQueueItemID]) {
  }
  /// Does nothing.
  public func remoteMediaClient(_ client: RemoteMediaClient, didReceiveQueueItems items: [MediaQueueItem]) {}
  /// Does nothing.
  public func remoteMediaClient(
    _ client: RemoteMediaClient, didInsertQueueItemsWithIDs ids: [MediaQueueItemID],
    beforeItemWithID: MediaQueueItemID?
  ) {}
  /// Does nothing.
  public func remoteMediaClient(
    _ client: RemoteMediaClient, didUpdateQueueItemsWithIDs ids: [MediaQueueItemID]
  ) {}
  /// Does nothing.
  public func remoteMediaClient(
    _ client: RemoteMediaClient, didRemoveQueueItemsWithIDs ids: [MediaQueueItemID]
  ) {}
  /// Does nothing.
  public func remoteMediaClient(
    _ client: RemoteMediaClient, didFailToPlayQueueItemWithID id: MediaQueueItemID, error: CastError
  ) {}
  /// Does nothing.
  public func remoteMediaClient(_ client: RemoteMediaClient, wantsCredentials wish: CredentialsRefresh) {}
}

extension RemoteMediaClientListener {
  /// Tells what an event means for the media.
  /// - Parameter previous: the picture before the event.
  func take(_ event: SessionEvent, previous: MediaStatus?, from client: RemoteMediaClient) {
    switch event {
    case .mediaStatus(let status): take(status, previous: previous, from: client)
    case .queueItemIDs(let ids, _): remoteMediaClient(client, didReceiveQueueItemIDs: ids)
    case .queueItems(let items, _): remoteMediaClient(client, didReceiveQueueItems: items)
    case .queueChange(let change): take(change, from: client)
    case .queueItemFailed(let id, let error):
      remoteMediaClient(client, didFailToPlayQueueItemWithID: id, error: error)
    case .credentialsWanted(let wish): remoteMediaClient(client, wantsCredentials: wish)
    case .ended: if previous != nil { take(nil, previous: previous, from: client) }
    case .connecting, .launching, .waitingForConsent, .active, .suspended, .retrying, .resuming, .resumed,
      .queueItemError,
      .foreignAction,
      .receiverStatus, .channelMessage, .multizone:
      break
    }
  }

  private func take(_ status: MediaStatus?, previous: MediaStatus?, from client: RemoteMediaClient) {
    if let status, status.mediaSessionID != previous?.mediaSessionID {
      remoteMediaClient(client, didStartMediaSessionWithID: status.mediaSessionID)
    }
    remoteMediaClient(client, didUpdate: status)
    let metadata = status?.mediaInformation?.metadata
    if metadata != previous?.mediaInformation?.metadata {
      remoteMediaClient(client, didUpdate: metadata)
    }
    if status?.queueItems ?? [] != previous?.queueItems ?? []
      || status?.currentItemID != previous?.currentItemID
      || status?.loadingItemID != previous?.loadingItemID
    {
      remoteMediaClientDidUpdateQueue(client)
    }
    if status?.preloadedItemID != previous?.preloadedItemID {
      remoteMediaClientDidUpdatePreloadStatus(client)
    }
  }

  private func take(_ change: MediaQueueChange, from client: RemoteMediaClient) {
    switch change.kind {
    case .insert:
      remoteMediaClient(
        client, didInsertQueueItemsWithIDs: change.itemIDs, beforeItemWithID: change.insertBefore)
    case .remove: remoteMediaClient(client, didRemoveQueueItemsWithIDs: change.itemIDs)
    case .itemsChange, .update: remoteMediaClient(client, didUpdateQueueItemsWithIDs: change.itemIDs)
    case .noChange, .unknown: break
    }
  }
}
