public import CastProtocol

/// The choice of audio and subtitles, with their style (protocol 10).
public struct TrackChooserModel: Sendable, Hashable {
  /// A track, or none of its kind.
  public struct Row: Sendable, Hashable {
    /// The number that identifies the track; nil is the row `Off` of the subtitles.
    public let trackID: Int?
    /// Its name, else its language, else its number.
    public let label: String
    /// Its language, such as `de-CH`; nil when unknown, and for `Off`.
    public let languageCode: String?
    /// Whether it is active.
    public let isSelected: Bool
  }

  /// The audio tracks; empty when the media has none to choose from.
  public let audio: [Row]
  /// `Off` and the text tracks; empty when the media has none.
  public let text: [Row]
  /// The style of the subtitles; nil leaves it to the receiver.
  public let textStyle: MediaTextTrackStyle?
  /// Whether anything may be chosen.
  public let isInputEnabled: Bool
  /// Whether a choice is pending.
  public let isPending: Bool

  /// Whether there is anything to choose.
  public var hasChoices: Bool { !text.isEmpty || audio.count > 1 }

  init(_ facts: PresentationFacts, permission: Permission) {
    let media = facts.media?.mediaInformation
    let tracks = media?.mediaTracks ?? []
    let active = Set(facts.media?.activeTrackIDs ?? [])
    audio = Self.rows(tracks.filter { $0.kind == .audio }, active)
    let texts = Self.rows(tracks.filter(\.isPresentedText), active)
    let off = Row(
      trackID: nil, label: "Off", languageCode: nil, isSelected: !texts.contains(where: \.isSelected))
    text = texts.isEmpty ? [] : [off] + texts
    textStyle = media?.textTrackStyle
    isInputEnabled = permission.isAllowed
    isPending = facts.isPending {
      switch $0 {
      case .selectAudioTrack, .selectTextTrack, .toggleCaptions, .setTextTrackStyle: true
      default: false
      }
    }
  }

  private static func rows(_ tracks: [MediaTrack], _ active: Set<Int>) -> [Row] {
    tracks.map { track in
      let language = track.languageCode.flatMap { $0.isEmpty ? nil : $0 }
      let name = track.name.flatMap { $0.isEmpty ? nil : $0 }
      let label =
        switch (name, language) {
        case (let name?, let language?): "\(name) (\(language))"
        case (let name?, nil): name
        case (nil, let language?): language
        case (nil, nil): "Track \(track.identifier)"
        }
      return Row(
        trackID: track.identifier, label: label, languageCode: language,
        isSelected: active.contains(track.identifier))
    }
  }
}

extension MediaTrack {
  /// Text for a viewer; chapters, descriptions and data are for programs.
  var isPresentedText: Bool {
    guard kind == .text else { return false }
    switch textSubtype {
    case .chapters, .metadata, .descriptions: return false
    case .subtitles, .captions, .unknown, nil: return true
    }
  }
}

extension PresentationFacts {
  /// The active tracks after the choice of one of a kind; the others stay as they are (protocol 10.2).
  func activeTracks(choosing id: Int?, among isKind: (MediaTrack) -> Bool) -> [Int]? {
    let tracks = media?.mediaInformation?.mediaTracks ?? []
    if let id, !tracks.contains(where: { $0.identifier == id && isKind($0) }) { return nil }
    let replaced = Set(tracks.filter(isKind).map(\.identifier))
    return (media?.activeTrackIDs ?? []).filter { !replaced.contains($0) } + (id.map { [$0] } ?? [])
  }
}
