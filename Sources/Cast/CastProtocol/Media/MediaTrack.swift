/// One text, audio or video track of media (protocol 10.1).
public struct MediaTrack: Sendable, Hashable {
  /// The type of a track.
  public enum Kind: WireWord {
    /// Subtitles, captions and other text.
    case text
    /// Audio.
    case audio
    /// Video.
    case video
    /// A value unknown to this version.
    case unknown(String)
    package static let words: [(word: String, value: Self)] = [
      ("TEXT", .text), ("AUDIO", .audio), ("VIDEO", .video),
    ]
  }

  /// The purpose of a text track.
  public enum TextSubtype: WireWord {
    /// A translation of the dialogue.
    case subtitles
    /// The dialogue and sounds, for viewers who cannot hear.
    case captions
    /// Descriptions of the video, to be read out.
    case descriptions
    /// Chapter titles.
    case chapters
    /// Data for programs.
    case metadata
    /// A value unknown to this version.
    case unknown(String)
    package static let words: [(word: String, value: Self)] = [
      ("SUBTITLES", .subtitles), ("CAPTIONS", .captions), ("DESCRIPTIONS", .descriptions),
      ("CHAPTERS", .chapters),
      ("METADATA", .metadata),
    ]
  }

  /// Unique within one `MediaInformation`; receivers may renumber tracks, so use the ids of a status.
  public var identifier: Int
  /// The type of the track.
  public var kind: Kind
  /// The purpose of a text track; nil for other types.
  public var textSubtype: TextSubtype?
  /// Address of a side-loaded track; nil for a track inside the stream.
  public var contentIdentifier: String?
  /// MIME type of a side-loaded track: `text/vtt`, `application/ttml+xml`, `application/mp4` (TTML in MP4) or `text/cea608`. Nil
  /// for a track inside the stream.
  public var contentType: String?
  /// RFC 5646 language, such as `de-CH`; required for subtitles, else nil when not reported.
  public var languageCode: String?
  /// The displayed name in a list of tracks; nil for none.
  public var name: String?
  /// DASH roles, such as `main` or `commentary`.
  public var roles: [String]
  /// Whether the receiver found the track inside the stream; nil when it does not report it. Receivers report it, senders need not.
  public var isInband: Bool?
  /// Properties of an audio track reported by the receiver; nil when it does not report them.
  public var audioTrackInfo: AudioTrackInfo?
  /// Application-defined data; nil when there is none.
  public var customData: JSONValue?
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A track; everything optional defaults to absent.
  public init(
    identifier: Int, kind: Kind, textSubtype: TextSubtype? = nil, contentIdentifier: String? = nil,
    contentType: String? = nil, languageCode: String? = nil, name: String? = nil, roles: [String] = [],
    isInband: Bool? = nil, audioTrackInfo: AudioTrackInfo? = nil, customData: JSONValue? = nil
  ) {
    self.identifier = identifier
    self.kind = kind
    self.textSubtype = textSubtype
    self.contentIdentifier = contentIdentifier
    self.contentType = contentType
    self.languageCode = languageCode
    self.name = name
    self.roles = roles
    self.isInband = isInband
    self.audioTrackInfo = audioTrackInfo
    self.customData = customData
  }

  package init?(json: JSONValue) {
    guard var members = JSONMembers(json), let identifier = members.take("trackId")?.integer(.trackID),
      let kind = Kind(members.take("type"))
    else { return nil }
    self.init(
      identifier: identifier, kind: kind, textSubtype: TextSubtype(members.take("subtype")),
      contentIdentifier: members.take("trackContentId")?.string,
      contentType: members.take("trackContentType")?.string,
      languageCode: members.take("language")?.string, name: members.take("name")?.string,
      roles: members.take("roles").list(\.string) ?? [], isInband: members.take("isInband")?.bool,
      audioTrackInfo: AudioTrackInfo(json: members.take("audioTrackInfo")),
      customData: members.take("customData"))
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members([
      "trackId": .integer(Int64(identifier)), "type": kind.json, "subtype": textSubtype?.json,
      "trackContentId": JSONValue(contentIdentifier), "trackContentType": JSONValue(contentType),
      "language": JSONValue(languageCode), "name": JSONValue(name),
      "roles": roles.isEmpty ? nil : .array(roles.map(JSONValue.string)),
      "isInband": JSONValue(isInband), "audioTrackInfo": audioTrackInfo?.json, "customData": customData,
    ]).keeping(unknownMembers)
  }
}
