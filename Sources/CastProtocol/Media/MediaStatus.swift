/// Loudness: of a stream inside the application, or of a device.
public struct Volume: Sendable, Hashable {
  /// 0 to 1; nil when not told.
  public var level: Double?
  /// Nil when not told.
  public var isMuted: Bool?

  /// A volume of which either part may be left out.
  public init(level: Double? = nil, isMuted: Bool? = nil) {
    self.level = level
    self.isMuted = isMuted
  }

  package init?(json: JSONValue?) {
    guard let json, json.object != nil else { return nil }
    self.init(level: json["level"]?.double, isMuted: json["muted"]?.bool)
  }

  package var json: JSONValue { .members(["level": JSONValue(level), "muted": JSONValue(isMuted)]) }
}

/// Picture size and dynamic range of what plays (protocol 6.5).
public struct VideoInfo: Sendable, Hashable {
  /// Dynamic range.
  public enum HDRType: WireWord {
    /// Standard.
    case sdr
    /// High dynamic range.
    case hdr
    /// Dolby Vision.
    case dolbyVision
    /// A word this version does not know.
    case unknown(String)
    package static let words: [(word: String, value: Self)] = [
      ("sdr", .sdr), ("hdr", .hdr), ("dv", .dolbyVision),
    ]
  }

  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// Dynamic range; nil when not told.
  public var hdrType: HDRType?

  package init?(json: JSONValue?) {
    guard let json, let width = json["width"]?.int, let height = json["height"]?.int else { return nil }
    self.width = width
    self.height = height
    hdrType = HDRType(json["hdrType"])
  }
}

/// The part of a live stream that can be sought in (protocol 12.5).
public struct MediaLiveSeekableRange: Sendable, Hashable {
  /// Earliest time.
  public var startTime: MediaTime
  /// Latest time: the live edge.
  public var endTime: MediaTime
  /// Whether both ends move on with time.
  public var isMovingWindow: Bool
  /// Whether the live stream has ended.
  public var isLiveDone: Bool

  package init?(json: JSONValue?) {
    guard let json, let start = MediaTime(json["start"]), let end = MediaTime(json["end"]) else { return nil }
    startTime = start
    endTime = end
    isMovingWindow = json["isMovingWindow"]?.bool ?? false
    isLiveDone = json["isLiveDone"]?.bool ?? false
  }
}

/// The merged picture of a media session: everything the receiver has told since the session began (protocol 6.5).
public struct MediaStatus: Sendable, Hashable {
  /// The media session; changes with every load.
  public var mediaSessionID: MediaSessionID
  /// What the player does.
  public var playerState: MediaPlayerState
  /// Why it is idle; nil when it is not, or before anything was loaded.
  public var idleReason: MediaPlayerIdleReason?
  /// Position when the status was sent; −1 never appears here: nil stands for "none" (a post-roll).
  public var streamPosition: MediaTime?
  /// 1 is normal; 0 inside an ad.
  public var playbackRate: Double
  /// Bits of protocol 6.7.
  public var supportedMediaCommands: Int
  /// Loudness of the stream.
  public var volume: Volume?
  /// What plays; nil until the receiver has told.
  public var mediaInformation: MediaInformation?
  /// Active tracks; nil when not told.
  public var activeTrackIDs: [Int]?
  /// The item that plays.
  public var currentItemID: MediaQueueItemID?
  /// The item that is being loaded; the current one is still the old one.
  public var loadingItemID: MediaQueueItemID?
  /// The item that is fetched in advance.
  public var preloadedItemID: MediaQueueItemID?
  /// The window of the queue around the current item: never the whole queue (protocol 7.6).
  public var queueItems: [MediaQueueItem]
  /// What is known of the queue as a whole.
  public var queueData: MediaQueueData?
  /// What happens at the end of the queue.
  public var queueRepeatMode: MediaRepeatMode?
  /// True while something is being loaded (extended status LOADING).
  public var isLoading: Bool
  /// What is being loaded.
  public var loadingMedia: MediaInformation?
  /// Where playback is inside an ad break; nil outside.
  public var adBreakStatus: AdBreakStatus?
  /// Only live.
  public var liveSeekableRange: MediaLiveSeekableRange?
  /// Picture size and dynamic range.
  public var videoInfo: VideoInfo?
  /// The receiver application's own data.
  public var customData: JSONValue?

  /// A session of which nothing is known yet.
  public init(mediaSessionID: MediaSessionID) {
    self.mediaSessionID = mediaSessionID
    playerState = .idle
    playbackRate = 1
    supportedMediaCommands = 0
    queueItems = []
    isLoading = false
  }

  /// The item of the window with this id.
  public func queueItem(_ id: MediaQueueItemID?) -> MediaQueueItem? {
    guard let id else { return nil }
    return queueItems.first { $0.itemID == id }
  }

  /// Idle with nothing to come: the end of a queue, a stop or a failure. Idle while loading is not the end (protocol 21.4).
  public var isEnded: Bool { playerState == .idle && !isLoading && loadingItemID == nil && idleReason != nil }
}

/// One MEDIA_STATUS entry as it came: sparse, its members kept for the one place that merges (protocol 6.5).
package struct MediaStatusUpdate: Sendable, Hashable {
  package var mediaSessionID: MediaSessionID
  /// The entry itself.
  package var json: JSONValue

  /// Nil when there is no media session in it: entries with id 0 stand for "nothing" (protocol 6.5).
  package init?(json: JSONValue) {
    guard let id = json["mediaSessionId"]?.int, id > 0 else { return nil }
    mediaSessionID = MediaSessionID(id)
    self.json = json
  }
}
