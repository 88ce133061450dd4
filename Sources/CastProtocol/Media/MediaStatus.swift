/// The merged picture of a media session: everything the receiver has told since the session began (protocol 6.5).
public struct MediaStatus: Sendable, Hashable {
  /// The media session; changes with every load.
  public var mediaSessionID: MediaSessionID
  /// What the player does.
  public var playerState: MediaPlayerState
  /// Why it is idle; nil when it is not, or before anything was loaded.
  public var idleReason: MediaPlayerIdleReason?
  /// Position when the status was sent; −1 never appears here: nil stands for "none" (a post-roll). `streamPosition(after:)` moves
  /// it on.
  public var streamPosition: MediaTime?
  /// 1 is normal; 0 inside an ad.
  public var playbackRate: Double
  /// What the application can do now (protocol 6.7); empty before it has told.
  public var supportedMediaCommands: MediaCommand
  /// Loudness of the stream; nil when not told.
  public var volume: Volume?
  /// What plays; nil until the receiver has told.
  public var mediaInformation: MediaInformation?
  /// Active tracks; nil when not told.
  public var activeTrackIDs: [Int]?
  /// The item that plays; nil when not told.
  public var currentItemID: MediaQueueItemID?
  /// The item that is being loaded; the current one is still the old one. Nil when nothing is being loaded.
  public var loadingItemID: MediaQueueItemID?
  /// The item that is fetched in advance; nil when none is.
  public var preloadedItemID: MediaQueueItemID?
  /// The window of the queue around the current item: never the whole queue (protocol 7.6).
  public var queueItems: [MediaQueueItem]
  /// What is known of the queue as a whole; nil when not told.
  public var queueData: MediaQueueData?
  /// What happens at the end of the queue; nil when not told.
  public var queueRepeatMode: MediaRepeatMode?
  /// What goes on beside the player's state; nil unless something is being loaded.
  public var extendedStatus: MediaExtendedStatus?
  /// Where playback is inside an ad break; nil outside.
  public var adBreakStatus: AdBreakStatus?
  /// Where a live stream can be sought in; nil for everything else.
  public var liveSeekableRange: MediaLiveSeekableRange?
  /// Picture size and dynamic range; nil when not told.
  public var videoInfo: VideoInfo?
  /// The receiver application's own data; nil when there is none.
  public var customData: JSONValue?
  /// Members this version does not know, each as it was last told.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A session of which nothing is known yet.
  public init(mediaSessionID: MediaSessionID) {
    self.mediaSessionID = mediaSessionID
    playerState = .idle
    playbackRate = 1
    supportedMediaCommands = []
    queueItems = []
  }

  /// True while something is being loaded (extended status LOADING).
  public var isLoading: Bool { extendedStatus?.playerState == .loading }

  /// What is being loaded; nil when nothing is, or the receiver does not say.
  public var loadingMedia: MediaInformation? { extendedStatus?.mediaInformation }

  /// Idle with nothing to come: the end of a queue, a stop or a failure. Idle while loading is not the end (protocol 21.4).
  public var isEnded: Bool { playerState == .idle && !isLoading && loadingItemID == nil && idleReason != nil }

  /// Whether the application says that it can do all of these now. Advice: some do more than they say.
  public func isMediaCommandSupported(_ command: MediaCommand) -> Bool {
    supportedMediaCommands.isSuperset(of: command)
  }
}

/// One MEDIA_STATUS entry as it came: sparse, its members kept for the one place that merges (protocol 6.5).
package struct MediaStatusUpdate: Sendable, Hashable {
  package var mediaSessionID: MediaSessionID
  /// The entry itself.
  package var json: JSONValue

  /// Nil when there is no media session in it: entries with id 0 stand for "nothing" (protocol 6.5).
  package init?(json: JSONValue) {
    guard let id = json["mediaSessionId"]?.integer(.identifier) else { return nil }
    mediaSessionID = MediaSessionID(id)
    self.json = json
  }
}
