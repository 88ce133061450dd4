public import CastProtocol

/// Receives the events of a session's media (protocol 17.1). Methods are called in the order of the events, on no particular
/// thread; the session waits for them, so they must return soon. All have an empty default.
public protocol RemoteMediaClientListener: AnyObject, Sendable {
  /// Media was loaded, by this sender or another.
  func remoteMediaClient(_ client: RemoteMediaClient, didStartMediaSessionWithID id: MediaSessionID)
  /// The merged media status changed; nil when nothing is loaded any more.
  func remoteMediaClient(_ client: RemoteMediaClient, didUpdate mediaStatus: MediaStatus?)
  /// The metadata of the media changed; nil when there is none.
  func remoteMediaClient(_ client: RemoteMediaClient, didUpdate mediaMetadata: MediaMetadata?)
  /// The queue items in the status changed, or which one is current.
  func remoteMediaClientDidUpdateQueue(_ client: RemoteMediaClient)
  /// Another item is being preloaded, or none any more.
  func remoteMediaClientDidUpdatePreloadStatus(_ client: RemoteMediaClient)
  /// The ids of the whole queue were received, in order.
  func remoteMediaClient(_ client: RemoteMediaClient, didReceiveQueueItemIDs ids: [MediaQueueItemID])
  /// Items of the queue were received.
  func remoteMediaClient(_ client: RemoteMediaClient, didReceiveQueueItems items: [MediaQueueItem])
  /// Items were inserted, by this sender or another.
  /// - Parameters:
  ///   - client: the client of the queue.
  ///   - ids: the new items, in order.
  ///   - beforeItemWithID: the item after them; nil when they were appended.
  func remoteMediaClient(
    _ client: RemoteMediaClient, didInsertQueueItemsWithIDs ids: [MediaQueueItemID],
    beforeItemWithID: MediaQueueItemID?)
  /// Items changed, or their order.
  func remoteMediaClient(_ client: RemoteMediaClient, didUpdateQueueItemsWithIDs ids: [MediaQueueItemID])
  /// Items were removed.
  func remoteMediaClient(_ client: RemoteMediaClient, didRemoveQueueItemsWithIDs ids: [MediaQueueItemID])
  /// An item could not be played; the receiver continues with the next one (protocol 21.6). Called once, when a status confirms it:
  /// errors also name items that play nevertheless (protocol 21.22).
  func remoteMediaClient(
    _ client: RemoteMediaClient, didFailToPlayQueueItemWithID id: MediaQueueItemID, error: CastError)
  /// The application requests the viewer's credentials again (protocol 6.3).
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
  /// Notifies about an event's effect on the media.
  /// - Parameter previous: the media status before the event.
  func dispatchEvent(_ event: SessionEvent, previous: MediaStatus?, from client: RemoteMediaClient) {
    switch event {
    case .mediaStatus(let status): dispatchStatus(status, previous: previous, from: client)
    case .queueItemIDs(let ids, _): remoteMediaClient(client, didReceiveQueueItemIDs: ids)
    case .queueItems(let items, _): remoteMediaClient(client, didReceiveQueueItems: items)
    case .queueChange(let change): dispatchChange(change, from: client)
    case .queueItemFailed(let id, let error):
      remoteMediaClient(client, didFailToPlayQueueItemWithID: id, error: error)
    case .credentialsWanted(let wish): remoteMediaClient(client, wantsCredentials: wish)
    case .ended: if previous != nil { dispatchStatus(nil, previous: previous, from: client) }
    case .connecting, .launching, .waitingForConsent, .active, .suspended, .retrying, .resuming, .resumed,
      .queueItemError,
      .foreignAction,
      .receiverStatus, .channelMessage, .multizone:
      break
    }
  }

  private func dispatchStatus(_ status: MediaStatus?, previous: MediaStatus?, from client: RemoteMediaClient)
  {
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

  private func dispatchChange(_ change: MediaQueueChange, from client: RemoteMediaClient) {
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
