/// The merged status of a media session: everything that the receiver has reported since its start (protocol 6.5).
public struct MediaStatus: Sendable, Hashable {
  /// The media session id; changes with every load.
  public var mediaSessionID: MediaSessionID
  /// The player state.
  public var playerState: MediaPlayerState
  /// Why it is idle; nil when it is not, or before anything was loaded.
  public var idleReason: MediaPlayerIdleReason?
  /// Position when the status was sent; −1 never occurs here: nil stands for "none" (a post-roll). `streamPosition(after:)`
  /// extrapolates it.
  public var streamPosition: MediaTime?
  /// 1 is normal; 0 inside an ad.
  public var playbackRate: Double
  /// Commands that the application supports now (protocol 6.7); empty before it has reported them.
  public var supportedMediaCommands: MediaCommand
  /// Volume of the stream; nil when not reported.
  public var volume: Volume?
  /// The media; nil until the receiver has reported it.
  public var mediaInformation: MediaInformation? {
    get { boxedMedia?.value }
    set { boxedMedia = newValue.map(Boxed.init) }
  }
  private var boxedMedia: Boxed<MediaInformation>?
  /// Active tracks; nil when not reported.
  public var activeTrackIDs: [Int]?
  /// The current item; nil when not reported.
  public var currentItemID: MediaQueueItemID?
  /// The item that is being loaded, while the current one is still the old one. Nil when nothing is being loaded.
  public var loadingItemID: MediaQueueItemID?
  /// The item that is being preloaded; nil when none is.
  public var preloadedItemID: MediaQueueItemID?
  /// The window of the queue around the current item: never the whole queue (protocol 7.6).
  public var queueItems: [MediaQueueItem]
  /// Properties of the queue as a whole; nil when not reported.
  public var queueData: MediaQueueData? {
    get { boxedQueue?.value }
    set { boxedQueue = newValue.map(Boxed.init) }
  }
  private var boxedQueue: Boxed<MediaQueueData>?
  /// What happens at the end of the queue; nil when not reported.
  public var queueRepeatMode: MediaRepeatMode?
  /// The extended status; nil unless a load is in progress.
  public var extendedStatus: MediaExtendedStatus? {
    get { boxedExtension?.value }
    set { boxedExtension = newValue.map(Boxed.init) }
  }
  private var boxedExtension: Boxed<MediaExtendedStatus>?
  /// The position in an ad break; nil outside of breaks.
  public var adBreakStatus: AdBreakStatus?
  /// The seekable range of a live stream; nil for all other media.
  public var liveSeekableRange: MediaLiveSeekableRange?
  /// Picture size and dynamic range; nil when not reported.
  public var videoInfo: VideoInfo?
  /// Data of the receiver application; nil when there is none.
  public var customData: JSONValue?
  /// Members unknown to this version, with their last values.
  public var unknownMembers: [String: JSONValue] = [:]

  /// The status of a session without any information.
  public init(mediaSessionID: MediaSessionID) {
    self.mediaSessionID = mediaSessionID
    playerState = .idle
    playbackRate = 1
    supportedMediaCommands = []
    queueItems = []
  }

  /// Whether a load is in progress (extended status LOADING).
  public var isLoading: Bool { extendedStatus?.playerState == .loading }

  /// What is being loaded; nil when nothing is, or the receiver does not say.
  public var loadingMedia: MediaInformation? { extendedStatus?.mediaInformation }

  /// Whether it is idle and nothing follows: the end of a queue, a stop or a failure. Idle while loading is not the end (protocol
  /// 21.4).
  public var isEnded: Bool { playerState == .idle && !isLoading && loadingItemID == nil && idleReason != nil }

  /// Whether the application reports support for all of these commands. They are hints: some applications support more.
  public func isMediaCommandSupported(_ command: MediaCommand) -> Bool {
    supportedMediaCommands.isSuperset(of: command)
  }
}

/// One MEDIA_STATUS entry as received: sparse, with its members kept for merging (protocol 6.5).
package struct MediaStatusUpdate: Sendable, Hashable {
  package var mediaSessionID: MediaSessionID
  /// The entry itself.
  package var json: JSONValue

  /// Nil without a media session: entries with id 0 stand for "nothing" (protocol 6.5).
  package init?(json: JSONValue) {
    guard let id = json["mediaSessionId"]?.integer(.identifier) else { return nil }
    mediaSessionID = MediaSessionID(id)
    self.json = json
  }
}
