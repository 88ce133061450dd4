import CastProtocol

/// What an EDIT_TRACKS_INFO does to the active tracks and the text style (protocol 10.2).
enum TrackSelection {
  enum Outcome: Sendable, Equatable {
    case refused(String)
    case change(active: [Int], style: JSONValue?)
  }

  /// Evaluates a request against the tracks of the medium. `language` takes precedence over `activeTrackIds`, and that over
  /// `enableTextTracks`.
  ///
  /// - Parameter earlier: the text tracks that were active last, to be switched on again.
  static func evaluate(_ request: JSONValue, tracks: [JSONValue], active: [Int], earlier: [Int]) -> Outcome {
    var chosen = active
    if let language = request["language"]?.string {
      guard let match = tracks.first(where: { speaks($0, language) })?["trackId"]?.int else {
        return .refused("LANGUAGE_NOT_SUPPORTED")
      }
      chosen = active.filter { type(of: $0, in: tracks) != "TEXT" } + [match]
    } else if let wanted = request["activeTrackIds"] {
      guard let ids = integers(wanted), ids.allSatisfy({ id in type(of: id, in: tracks) != nil }),
        isCompatible(ids, tracks)
      else { return .refused("INVALID_PARAMS") }
      chosen = ids
    } else if let enabled = request["enableTextTracks"]?.bool {
      let others = active.filter { type(of: $0, in: tracks) != "TEXT" }
      let now = Self.texts(of: active, in: tracks)
      let texts = now.isEmpty ? Self.texts(of: earlier, in: tracks) : now
      let first = tracks.first { $0["type"]?.string == "TEXT" }?["trackId"]?.int
      chosen = enabled ? others + (texts.isEmpty ? [first].compactMap { $0 } : texts) : others
    }
    if let style = request["textTrackStyle"], style.object == nil { return .refused("INVALID_PARAMS") }
    return .change(active: chosen, style: request["textTrackStyle"])
  }

  static func texts(of ids: [Int], in tracks: [JSONValue]) -> [Int] {
    ids.filter { type(of: $0, in: tracks) == "TEXT" }
  }

  /// The active tracks with the audio track of another language; nil when there is none. Without a language it is the first audio
  /// track (protocol 6.3).
  static func audio(_ request: JSONValue, tracks: [JSONValue], active: [Int]) -> [Int]? {
    let sounds = tracks.filter { $0["type"]?.string == "AUDIO" }
    let language = request["language"]?.string
    let chosen = sounds.first { track in language.map { speaks(track, $0, as: "AUDIO") } ?? true }
    guard let id = chosen?["trackId"]?.int else { return nil }
    return active.filter { type(of: $0, in: tracks) != "AUDIO" } + [id]
  }

  /// Whether at most one track of each kind is active.
  static func isCompatible(_ ids: [Int], _ tracks: [JSONValue]) -> Bool {
    let types = ids.compactMap { type(of: $0, in: tracks) }
    return Set(types).count == types.count && Set(ids).count == ids.count
  }

  /// An array of whole numbers; nil for anything else.
  static func integers(_ value: JSONValue) -> [Int]? {
    guard let elements = value.array else { return nil }
    let numbers = elements.compactMap(\.int)
    return numbers.count == elements.count ? numbers : nil
  }

  private static func type(of id: Int, in tracks: [JSONValue]) -> String? {
    tracks.first { $0["trackId"]?.int == id }.map { $0["type"]?.string ?? "TEXT" }
  }

  private static func speaks(_ track: JSONValue, _ language: String, as kind: String = "TEXT") -> Bool {
    guard track["type"]?.string == kind, let spoken = track["language"]?.string?.lowercased() else {
      return false
    }
    let wanted = language.lowercased()
    return spoken == wanted || spoken.hasPrefix(wanted + "-") || wanted.hasPrefix(spoken + "-")
  }
}
