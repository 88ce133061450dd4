import CastProtocol

/// The seekable range of an endless medium, which grows in real time (protocol 12.5).
struct LiveStream: Sendable {
  /// Position of the live edge at `since`, in seconds.
  var origin: Double
  var since: Tick
  /// Seconds that are kept; nil keeps all.
  var window: Double?
  /// Position at which it ended, in seconds; nil while it continues.
  var end: Double?

  func edge(at now: Tick) -> Double { end ?? origin + max(0, (now - since).seconds) }

  func start(at now: Tick) -> Double { window.map { max(0, edge(at: now) - $0) } ?? 0 }

  /// The nearest seekable position.
  func nearest(_ position: Double, at now: Tick) -> Double {
    max(start(at: now), min(position, edge(at: now)))
  }

  /// `liveSeekableRange`.
  func json(at now: Tick) -> JSONValue {
    [
      "start": MediaStatusText.seconds(start(at: now)), "end": MediaStatusText.seconds(edge(at: now)),
      "isMovingWindow": .bool(window != nil && end == nil), "isLiveDone": .bool(end != nil),
    ]
  }
}

extension MediaApplication {
  /// The seekable range of a session; nil when it has an end, or this receiver does not report it (protocol 12.5).
  func liveRange(of session: MediaSession, at now: Tick) -> JSONValue? {
    guard let live = session.live else { return nil }
    switch configuration.media.liveRange {
    case .none: return nil
    case .manifests where !MediaFormats.isManifest(session.media["contentType"]?.string): return nil
    case .manifests, .all: return live.json(at: now)
    }
  }

  /// Ends the live stream: its duration becomes the current live edge.
  mutating func endLive(at now: Tick) {
    guard var playing = session, let edge = playing.live?.edge(at: now), playing.live?.end == nil,
      transition == nil
    else { return }
    playing.live?.end = edge
    playing.duration = edge
    playing.media["duration"] = MediaStatusText.seconds(edge)
    session = playing
    broadcastStatus(.media, at: now)
  }

  /// Moves a position that has left the window to the nearest seekable one.
  mutating func catchUp(_ playing: inout MediaSession, at now: Tick) {
    guard let live = playing.live else { return }
    let position = playing.position(at: now)
    let nearest = live.nearest(position, at: now)
    if nearest > position { playing.clock = PlaybackClock(standingAt: nearest, rate: playbackRate) }
  }
}
