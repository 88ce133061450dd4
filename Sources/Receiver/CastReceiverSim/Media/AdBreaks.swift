import CastProtocol

/// One ad break while it plays (protocol 9; recording `breaks`).
struct BreakRun: Sendable {
  /// The break's own id, or `seek-…` for one that a seek has passed.
  var id: String
  var clipIDs: [String]
  var clip = 0
  /// Seconds of the clips before the current one.
  var elapsed = 0.0
  var clock = PlaybackClock()
  /// Nil while the clip loads.
  var clipDuration: Double?
  var fetch: SimFetchID?
  var isPaused: Bool
  /// Position at which the content continues, in seconds.
  var returnsTo: Double
  var isPostRoll: Bool
  /// Whether the current fetch is for the document that describes the clip.
  var isAskingForClip = false
  /// Whether a status has reported that the clip may be skipped.
  var announcedSkip = false

  var clipID: String? { clipIDs.indices.contains(clip) ? clipIDs[clip] : nil }

  func clipTime(at now: Tick) -> Double { min(clock.position(at: now), clipDuration ?? 0) }
}

/// The breaks a medium carries, read from its description.
enum AdBreaks {
  struct Break: Sendable {
    /// Index in the `breaks` array.
    var place: Int
    var id: String
    var clipIDs: [String]
    /// Seconds into the content; 0 before it, -1 after it.
    var position: Double
  }

  /// The breaks to show: not watched, not part of the stream itself, with at least one clip.
  static func pending(in media: [String: JSONValue], watchedToo: Bool = false) -> [Break] {
    (media["breaks"]?.array ?? []).enumerated().compactMap { place, value in
      guard watchedToo || value["isWatched"]?.bool != true, value["isEmbedded"]?.bool != true,
        let id = value["id"]?.string,
        let position = value["position"]?.double,
        let clips = value["breakClipIds"]?.array?.compactMap(\.string), !clips.isEmpty
      else { return nil }
      return Break(place: place, id: id, clipIDs: clips, position: position)
    }
  }

  static func clip(_ id: String?, in media: [String: JSONValue]) -> JSONValue? {
    media["breakClips"]?.array?.first { $0["id"]?.string == id }
  }

  /// Completes a clip from its ad document.
  static func complete(_ id: String?, with document: VASTDocument, in media: inout [String: JSONValue]) {
    guard var clips = media["breakClips"]?.array,
      let place = clips.firstIndex(where: { $0["id"]?.string == id })
    else { return }
    clips[place] = document.completing(clips[place])
    media["breakClips"] = .array(clips)
  }

  /// Breaks that follow a pre-roll too closely are dropped (protocol 9).
  static func dropAfterPreRoll(in media: inout [String: JSONValue]) {
    for found in pending(in: media) where found.position > 0 && found.position < 1 {
      markWatched(found.place, in: &media)
    }
  }

  static func markWatched(_ place: Int, in media: inout [String: JSONValue]) {
    guard var breaks = media["breaks"]?.array, breaks.indices.contains(place),
      case .object(var members) = breaks[place]
    else { return }
    members["isWatched"] = true
    breaks[place] = .object(members)
    media["breaks"] = .array(breaks)
  }

  static func has(in media: [String: JSONValue]) -> Bool { !(media["breaks"]?.array ?? []).isEmpty }
}
