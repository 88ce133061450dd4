import CastProtocol

/// The result of one load, until it ends or another load replaces it (protocol 6.2).
struct MediaSession: Sendable {
  var id: Int
  var queue: MediaQueueModel
  /// The item that plays; not always the one at the queue's index.
  var currentItemID: Int
  /// The medium as statuses report it, with what the receiver has determined.
  var media: [String: JSONValue] = [:]
  var clock = PlaybackClock()
  /// Seconds; nil for an endless stream.
  var duration: Double?
  var isImage = false
  var isPaused = false
  /// Whether the item has run once: its first PLAY after `autoplay:false` buffers.
  var hasRun = false
  /// True from such a PLAY until the first frame.
  var isBuffering = false
  var activeTrackIDs: [Int] = []
  var preloadedItemID: Int?
  /// Text tracks that were switched off, to be switched on again (protocol 10.2).
  var earlierTextTracks: [Int] = []
  /// Present for endless media.
  var live: LiveStream?
  var timeline = ContentTimeline()
  /// The picture that the medium asks for; nil when it asks for none.
  var video: VideoPicture?
  var growth: Growth?
  /// Position at which the item ends early, where `playbackDuration` is honoured; for images the time shown.
  var limit: Double?
  var breakRun: BreakRun?
  /// Where the item breaks off or stalls, while that lies ahead.
  var flaw: MediaFlaw?
  /// The stall of the medium; absent while it plays.
  var stall: Stall?

  /// Position in the stream, never past its end.
  func position(at now: Tick) -> Double {
    let position = clock.position(at: now)
    return max(0, min(position, endPosition ?? position))
  }

  /// Where the current item ends, in seconds; nil when it never does.
  var endPosition: Double? {
    guard let limit else { return duration }
    return isImage ? limit : min(limit, duration ?? limit)
  }

  func playerState(at now: Tick) -> String {
    if let breakRun { return breakRun.isPaused ? "PAUSED" : "PLAYING" }
    if isPaused { return "PAUSED" }
    if stall != nil { return "BUFFERING" }
    if isBuffering, let start = clock.startedAt, now < start { return "BUFFERING" }
    return "PLAYING"
  }

  /// `currentTime` of a status: constant during a break, and -1 in a post-roll (protocol 21.12).
  func currentTime(at now: Tick) -> Double {
    guard let breakRun else { return timeline.shown(position(at: now)) }
    return breakRun.isPostRoll ? -1 : timeline.shown(breakRun.returnsTo)
  }
}

/// A time in which no data of the medium arrives.
struct Stall: Sendable {
  /// Nil is for ever.
  var ends: Tick?
}

/// A file whose length becomes known only while it plays (protocol 21.15).
struct Growth: Sendable {
  var since: Tick
  var lasts: Duration
  var next: Tick
}

/// An item that loads. Until it has arrived, every message but a new load waits (protocol 21.2).
struct Transition: Sendable {
  var fetch: SimFetchID
  /// The load to answer when the first item plays; nil when an item of a running queue loads.
  var request: LoadRequest?
  /// Seconds at which the item starts; nil is the beginning, or the live edge.
  var start: Double?
  var autoplay: Bool
  var activeTrackIDs: [Int]
  /// The facts of the medium while its ads are fetched (VMAP, protocol 9).
  var facts: MediaFacts?
  /// The effect of a fault; nil for none.
  var fate: MediaApplication.Fate?
  /// A failure, and when it is reported.
  var failure: (reason: FetchFailure, told: Tick)?
}

/// A load request that is not answered yet.
struct LoadRequest: Sendable {
  var number: Int
  var requester: Requester
}

/// The actions of the media application.
enum MediaOutput: Sendable {
  case broadcast(JSONValue)
  case reply(JSONValue, to: Requester)
  case fetch(SimFetchID, url: String, contentType: String?)
  case cancelFetch(SimFetchID)
  case startTimer(Duration)
  case cancelTimer
  /// Close the application.
  case exit
}
