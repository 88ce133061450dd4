/// An action of another sender, a voice assistant or a remote control on what this session controls (protocol 14.4). If another
/// application replaces this session's, or it is stopped, the session ends with the corresponding error instead.
public enum ForeignAction: Sendable, Equatable {
  /// Other media was loaded into the application.
  case loaded(MediaStatus)
  /// The media was stopped.
  case stoppedMedia
  /// Playback was paused.
  case paused
  /// Playback was resumed.
  case resumed
  /// The device's volume or mute state was changed.
  case changedVolume(DeviceVolume)
}

/// Distinguishes actions of others from this session's requests, and from spontaneous changes.
///
/// No message names the author of a change. A change is attributed to this session if one of its recent requests explains it; a
/// later effect of a request is attributed to others.
struct ForeignActionWatch: Sendable {
  /// Maximum delay between a request and its effect. Receivers reply within a second, unless they are busy.
  static let memory = Duration.seconds(10)

  private enum Deed: Hashable { case load, stop, pause, play, volume, edit }
  private var ours: [Deed: Tick] = [:]
  /// Maximum delay between a load of this session and the start of its media session.
  static let loadMemory = Duration.seconds(60)
  /// Number of this session's loads whose media session has not started.
  private var openLoads = 0

  /// Records a request of this session.
  mutating func weAsk(_ request: SenderRequest, at now: Tick) {
    switch request {
    case .receiver(.setVolume): ours[.volume] = now
    case .media(let request, _):
      switch request {
      case .load, .queueLoad, .resumeSession:
        ours[.load] = now
        openLoads += 1
      case .stop: ours[.stop] = now
      case .pause: ours[.pause] = now
      case .play, .seek: ours[.play] = now
      case .queueUpdate, .queueNext, .queuePrevious, .queueRemove, .queueInsert: ours[.edit] = now
      case .getStatus, .setVolume, .setPlaybackRate, .skipAd, .editTracksInfo, .editAudioTracks,
        .queueReorder, .queueShuffle, .queueGetItemIDs, .queueGetItems, .queueGetItemRange, .precache,
        .preload, .userAction, .setCredentials, .storeSession:
        break
      }
    case .receiver, .platform, .message: break
    }
  }

  private func isOurs(_ deeds: Deed..., at now: Tick) -> Bool {
    deeds.contains { deed in ours[deed].map { now - $0 <= Self.memory } ?? false }
  }

  private func isLoading(at now: Tick) -> Bool {
    openLoads > 0 && ours[.load].map { now - $0 <= Self.loadMemory } ?? false
  }

  /// Compares two media statuses; nil if nothing is loaded.
  mutating func changes(
    from old: MediaStatus?, to new: MediaStatus?, at now: Tick
  ) -> [ForeignAction] {
    guard let new else {
      guard let old, !old.isEnded, !isOurs(.stop, .load, .edit, at: now) else { return [] }
      return [.stoppedMedia]
    }
    guard let old, old.mediaSessionID == new.mediaSessionID else {
      return newSession(new, after: old, at: now)
    }
    if new.isEnded, !old.isEnded, new.idleReason == .cancelled {
      return isOurs(.stop, .load, .edit, at: now) ? [] : [.stoppedMedia]
    }
    // Only for the same item: the next one may start according to its own autoplay.
    guard old.currentItemID == new.currentItemID else { return [] }
    switch (old.playerState, new.playerState) {
    case (.playing, .paused), (.buffering, .paused):
      return isOurs(.pause, .load, .edit, .play, at: now) ? [] : [.paused]
    case (.paused, .playing), (.paused, .buffering):
      return isOurs(.play, .load, .edit, at: now) ? [] : [.resumed]
    default: return []
    }
  }

  private mutating func newSession(
    _ new: MediaStatus, after old: MediaStatus?, at now: Tick
  ) -> [ForeignAction] {
    if isLoading(at: now) {
      openLoads -= 1
      return []
    }
    openLoads = 0
    // Some receivers renumber the items of a queue with each item (protocol 18, quirk 1).
    if let known = old?.queueItem(new.currentItemID) {
      let media = new.mediaInformation ?? new.loadingMedia
      if media == nil || media?.url == known.mediaInformation?.url { return [] }
    }
    // A queue that was never reported cannot be compared.
    if let old, old.queueItems.isEmpty, !old.isEnded { return [] }
    return new.isEnded ? [] : [.loaded(new)]
  }

  /// Compares two statuses of the device; nil before the first.
  func changes(from old: ReceiverStatus?, to new: ReceiverStatus, at now: Tick) -> [ForeignAction] {
    guard let before = old?.volume, let after = new.volume, !isOurs(.volume, at: now) else { return [] }
    // Receivers add single-precision noise (protocol 18, quirk 38).
    let isSame = abs(before.level - after.level) < 0.01 && before.isMuted == after.isMuted
    return isSame ? [] : [.changedVolume(after)]
  }
}
