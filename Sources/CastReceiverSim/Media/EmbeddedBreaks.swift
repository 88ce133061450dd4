import CastProtocol

/// A break that is part of the stream itself: the content's clock runs on through it, and only the status tells of it
/// (protocol 9). Expanded or not, the simulator's streams count it in their length.
struct EmbeddedBreak: Sendable, Equatable {
  struct Clip: Sendable, Equatable {
    var id: String
    /// Seconds into the content.
    var start: Double
    var end: Double
    /// Seconds into the clip; nil is never.
    var whenSkippable: Double?
  }

  var place: Int
  var id: String
  var clips: [Clip]

  var start: Double { clips.first?.start ?? 0 }
  var end: Double { clips.last?.end ?? 0 }

  /// The breaks of a medium that are part of it and can be told: with clips, and with a length.
  static func all(in media: [String: JSONValue]) -> [EmbeddedBreak] {
    (media["breaks"]?.array ?? []).enumerated().compactMap { place, value in
      guard value["isEmbedded"]?.bool == true, let id = value["id"]?.string,
        let position = value["position"]?.double, position >= 0,
        let clipIDs = value["breakClipIds"]?.array?.compactMap(\.string), !clipIDs.isEmpty
      else { return nil }
      let share = (value["duration"]?.double ?? 0) / Double(clipIDs.count)
      var time = position
      let clips = clipIDs.map { clipID in
        let clip = AdBreaks.clip(clipID, in: media)
        let length = max(0, min(clip?["duration"]?.double ?? share, 86_400))
        defer { time += length }
        return Clip(
          id: clipID, start: time, end: time + length, whenSkippable: clip?["whenSkippable"]?.double)
      }
      return time > position ? EmbeddedBreak(place: place, id: id, clips: clips) : nil
    }
  }

  /// The break and the clip at a position; nil between breaks.
  static func at(_ position: Double, in media: [String: JSONValue]) -> (EmbeddedBreak, Clip)? {
    for found in all(in: media) where position >= found.start && position < found.end {
      if let clip = found.clips.first(where: { position >= $0.start && position < $0.end }) {
        return (found, clip)
      }
    }
    return nil
  }
}

extension MediaApplication {
  /// When the content next runs into, through or out of a break that is part of it.
  func nextEmbeddedEdge(_ session: MediaSession) -> Tick? {
    let edges = EmbeddedBreak.all(in: session.media).flatMap { $0.clips.flatMap { [$0.start, $0.end] } }
    return edges.filter { $0 > session.clock.base + 0.0005 }
      .compactMap { session.clock.reaches($0) }.filter { $0 > (embeddedToldAt ?? .zero) }.min()
  }

  /// Tells everybody where the content is now; a break that is over has been watched.
  mutating func tellEmbeddedEdge(at now: Tick) {
    embeddedToldAt = now
    guard var playing = session else { return }
    let position = playing.position(at: now)
    for found in EmbeddedBreak.all(in: playing.media) where position + 0.001 >= found.end {
      AdBreaks.markWatched(found.place, in: &playing.media)
    }
    session = playing
    broadcastStatus(.sparse, at: now)
  }

  /// `breakStatus` of a break that is part of the stream; nil between breaks.
  func embeddedStatus(of session: MediaSession, at now: Tick) -> JSONValue? {
    // A hair beyond, so that a status at an edge tells of what begins there.
    let position = session.position(at: now) + 0.0005
    guard let (found, clip) = EmbeddedBreak.at(position, in: session.media) else { return nil }
    return .members([
      "breakId": .string(found.id), "breakClipId": .string(clip.id),
      "currentBreakTime": MediaStatusText.seconds(max(0, position - found.start)),
      "currentBreakClipTime": MediaStatusText.seconds(max(0, position - clip.start)),
      "whenSkippable": JSONValue(clip.whenSkippable),
    ])
  }

  /// SKIP_AD in a break that is part of the stream goes to the end of the clip; false when it is not allowed.
  mutating func skipEmbedded(_ number: Int, at now: Tick) -> Bool {
    guard let playing = session, playing.breakRun == nil,
      let (_, clip) = EmbeddedBreak.at(playing.position(at: now), in: playing.media),
      let skip = clip.whenSkippable, playing.position(at: now) - clip.start >= skip
    else { return false }
    session?.clock = PlaybackClock(standingAt: clip.end, rate: playbackRate)
    if !playing.isPaused { session?.clock.run(from: now) }
    broadcastStatus(.sparse, number, at: now)
    return true
  }
}
