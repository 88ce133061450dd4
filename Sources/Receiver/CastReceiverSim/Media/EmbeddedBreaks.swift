import CastProtocol

/// A break that is part of the stream itself: the stream plays through it, and only the status reports it (protocol 9). An expanded
/// break counts in the content's time and length, a collapsed one does not.
struct EmbeddedBreak: Sendable, Equatable {
  struct Clip: Sendable, Equatable {
    var id: String
    /// Seconds into the stream.
    var start: Double
    var end: Double
    /// Seconds into the clip; nil is never.
    var whenSkippable: Double?
  }

  var place: Int
  var id: String
  var clips: [Clip]
  var isExpanded: Bool

  var start: Double { clips.first?.start ?? 0 }
  var end: Double { clips.last?.end ?? 0 }

  /// The embedded breaks of a medium that have clips and a length.
  static func all(in media: [String: JSONValue], hidesCollapsed: Bool) -> [EmbeddedBreak] {
    // Collapsed breaks shift what follows them away from the content's time.
    var hidden = 0.0
    let breaks = (media["breaks"]?.array ?? []).enumerated().sorted {
      ($0.element["position"]?.double ?? 0, $0.offset) < ($1.element["position"]?.double ?? 0, $1.offset)
    }
    return breaks.compactMap { place, value in
      guard value["isEmbedded"]?.bool == true, let id = value["id"]?.string,
        let position = value["position"]?.double, position >= 0,
        let clipIDs = value["breakClipIds"]?.array?.compactMap(\.string), !clipIDs.isEmpty
      else { return nil }
      let share = (value["duration"]?.double ?? 0) / Double(clipIDs.count)
      let isExpanded = value["expanded"]?.bool == true || !hidesCollapsed
      let start = position + hidden
      var time = start
      let clips = clipIDs.map { clipID in
        let clip = AdBreaks.clip(clipID, in: media)
        let length = max(0, min(clip?["duration"]?.double ?? share, 86_400))
        defer { time += length }
        return Clip(
          id: clipID, start: time, end: time + length, whenSkippable: clip?["whenSkippable"]?.double)
      }
      guard time > start else { return nil }
      if !isExpanded { hidden += time - start }
      return EmbeddedBreak(place: place, id: id, clips: clips, isExpanded: isExpanded)
    }
  }

  /// The break and the clip at a stream position; nil between breaks.
  static func at(_ position: Double, among breaks: [EmbeddedBreak]) -> (EmbeddedBreak, Clip)? {
    for found in breaks where position >= found.start && position < found.end {
      if let clip = found.clips.first(where: { position >= $0.start && position < $0.end }) {
        return (found, clip)
      }
    }
    return nil
  }
}

extension MediaApplication {
  /// When playback next reaches the start, the end or the skip offset of an embedded clip.
  func nextEmbeddedEdge(_ session: MediaSession) -> Tick? {
    let edges = embeddedBreaks(session.media).flatMap { found in
      found.clips.flatMap { clip in
        [clip.start, clip.end] + (clip.whenSkippable.map { [min(clip.start + $0, clip.end)] } ?? [])
      }
    }
    return edges.filter { $0 > session.clock.base + 0.0005 }
      .compactMap { session.clock.reaches($0) }.filter { $0 > (embeddedToldAt ?? .zero) }.min()
  }

  func embeddedBreaks(_ media: [String: JSONValue]) -> [EmbeddedBreak] {
    guard configuration.ads.playsBreaks else { return [] }
    return EmbeddedBreak.all(in: media, hidesCollapsed: configuration.ads.hidesCollapsedBreaks)
  }

  /// The timeline of a medium without its collapsed breaks.
  func timeline(of media: [String: JSONValue]) -> ContentTimeline {
    ContentTimeline(
      hidden: embeddedBreaks(media).filter { !$0.isExpanded && $0.end > $0.start }.map { $0.start...$0.end })
  }

  /// The embedded clip that may be skipped now; nil when there is none.
  func skippableEmbedded(_ session: MediaSession, at now: Tick) -> EmbeddedBreak.Clip? {
    let position = session.position(at: now) + 0.0005
    guard session.breakRun == nil,
      let (_, clip) = EmbeddedBreak.at(position, among: embeddedBreaks(session.media)),
      let skip = clip.whenSkippable, position - clip.start >= skip
    else { return nil }
    return clip
  }

  /// Broadcasts the status at an edge; an ended break is marked as watched.
  mutating func tellEmbeddedEdge(at now: Tick) {
    embeddedToldAt = now
    guard var playing = session else { return }
    let position = playing.position(at: now)
    for found in embeddedBreaks(playing.media) where position + 0.001 >= found.end {
      AdBreaks.markWatched(found.place, in: &playing.media)
    }
    session = playing
    broadcastStatus(.sparse, at: now)
  }

  /// `breakStatus` in an embedded break; nil between breaks.
  func embeddedStatus(of session: MediaSession, at now: Tick) -> JSONValue? {
    // Slightly ahead, so that a status at an edge reports what begins there.
    let position = session.position(at: now) + 0.0005
    guard let (found, clip) = EmbeddedBreak.at(position, among: embeddedBreaks(session.media)) else {
      return nil
    }
    return .members([
      "breakId": .string(found.id), "breakClipId": .string(clip.id),
      "currentBreakTime": MediaStatusText.seconds(max(0, position - found.start)),
      "currentBreakClipTime": MediaStatusText.seconds(max(0, position - clip.start)),
      "whenSkippable": JSONValue(clip.whenSkippable),
      "numberBreakClips": configuration.ads.countsClips ? JSONValue(found.clips.count) : nil,
    ])
  }

  /// SKIP_AD in an embedded break seeks to the end of the clip; false when it is not allowed.
  mutating func skipEmbedded(_ number: Int, at now: Tick) -> Bool {
    guard let playing = session, let clip = skippableEmbedded(playing, at: now) else { return false }
    session?.clock = PlaybackClock(standingAt: clip.end, rate: playbackRate)
    if !playing.isPaused { session?.clock.run(from: now) }
    broadcastStatus(.sparse, number, at: now)
    return true
  }
}
