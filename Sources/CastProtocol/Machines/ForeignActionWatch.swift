/// What somebody else did to what is ours: another sender, a voice, a remote control (protocol 14.4). That another application took
/// the place of ours, or that ours was stopped, ends the session; its error says which.
public enum ForeignAction: Sendable, Equatable {
  /// Something else was loaded into our application.
  case loaded(MediaStatus)
  /// What played was stopped.
  case stoppedMedia
  /// What played was paused.
  case paused
  /// What was paused plays again.
  case resumed
  /// The device was made louder, softer, or mute.
  case changedVolume(DeviceVolume)
}

/// Tells what others do from what we do, and from what happens by itself.
///
/// No message says who did something. A change is ours when we asked for something that explains it not long before; what a
/// receiver does later than that is taken for another's.
struct ForeignActionWatch: Sendable {
  /// How long after our request a change can be its effect. Receivers answer within a second, when they are not busy.
  static let memory = Duration.seconds(10)

  private enum Deed: Hashable { case load, stop, pause, play, volume, edit }
  private var ours: [Deed: Tick] = [:]
  /// How long after a load of ours its media session may begin.
  static let loadMemory = Duration.seconds(60)
  /// Media sessions that loads of ours have yet to begin.
  private var openLoads = 0

  /// We ask for something.
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

  /// Compares two pictures of the media session; nil where nothing is loaded.
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
    // Only what is surely the same item: the next one may begin as its own autoplay says.
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
    // Some receivers number anew with each item of the same queue (protocol 18, quirk 1).
    if let known = old?.queueItem(new.currentItemID) {
      let media = new.mediaInformation ?? new.loadingMedia
      if media == nil || media?.url == known.mediaInformation?.url { return [] }
    }
    // Nothing is known of a queue that was never shown.
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
