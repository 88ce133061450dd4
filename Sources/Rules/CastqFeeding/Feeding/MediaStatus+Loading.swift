package import CastProtocol

extension MediaStatus {
  /// Whether an item of this media session is being loaded: the current one, or one that takes its place (protocol 21.4).
  package var isLoadingItem: Bool {
    playerState == .loading || loadingItemID != nil || (playerState == .idle && isLoading)
  }

  /// Whether an idle status is the beginning of its current item and not its end: after `next` or a jump while an item is BUFFERING
  /// the framework reports IDLE INTERRUPTED twice, the second time for the item that it loads (protocol 21.23). A load that begins
  /// another media session names that session.
  package var beginsCurrentItem: Bool {
    playerState == .idle && idleReason == .interrupted && isLoading && loadingItemID == nil
      && (extendedStatus?.mediaSessionID ?? mediaSessionID) == mediaSessionID
  }
}
