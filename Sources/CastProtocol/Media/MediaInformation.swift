/// What is played: where it is, what it is, and what goes with it (protocol 6.8).
public struct MediaInformation: Sendable, Hashable {
  /// Address of the media when `contentURL` is nil, else an identifier of the application's own.
  public var contentID: String
  /// Address of the media; wins over `contentID`.
  public var contentURL: String?
  /// MIME type; decides which player the receiver takes. Nil while a receiver does not know it.
  public var contentType: String?
  /// How the media arrives; default buffered.
  public var streamType: MediaStreamType
  /// Length; nil when unknown or endless.
  public var streamDuration: MediaTime?
  /// What a person is told.
  public var metadata: MediaMetadata?
  /// Text, audio and video tracks.
  public var mediaTracks: [MediaTrack]
  /// How subtitles look.
  public var textTrackStyle: MediaTextTrackStyle?
  /// Ad breaks.
  public var adBreaks: [AdBreakInfo]
  /// The clips that the breaks play.
  public var adBreakClips: [AdBreakClipInfo]
  /// Where VMAP is asked for all breaks; then `adBreaks` are ignored.
  public var vmapAdsRequest: VASTAdsRequest?
  /// Format of HLS audio segments, such as `fmp4` (protocol 12.3).
  public var hlsSegmentFormat: String?
  /// Format of HLS video segments, such as `mpeg2_ts` (protocol 12.3).
  public var hlsVideoSegmentFormat: String?
  /// Start of a live stream in seconds since 1970.
  public var startAbsoluteTime: Double?
  /// Deep link for an assistant or an Android TV application.
  public var entity: String?
  /// The application's own data.
  public var customData: JSONValue?
  /// Members this version does not know.
  public var unknownMembers: [String: JSONValue] = [:]

  /// Media at an address; everything else defaults to absent.
  public init(
    contentID: String, contentURL: String? = nil, contentType: String?,
    streamType: MediaStreamType = .buffered,
    streamDuration: MediaTime? = nil, metadata: MediaMetadata? = nil, mediaTracks: [MediaTrack] = [],
    textTrackStyle: MediaTextTrackStyle? = nil, adBreaks: [AdBreakInfo] = [],
    adBreakClips: [AdBreakClipInfo] = [],
    customData: JSONValue? = nil
  ) {
    self.contentID = contentID
    self.contentURL = contentURL
    self.contentType = contentType
    self.streamType = streamType
    self.streamDuration = streamDuration
    self.metadata = metadata
    self.mediaTracks = mediaTracks
    self.textTrackStyle = textTrackStyle
    self.adBreaks = adBreaks
    self.adBreakClips = adBreakClips
    self.customData = customData
  }

  /// The address the receiver opens.
  public var url: String { contentURL ?? contentID }

  package init?(json: JSONValue?) {
    guard var members = JSONMembers(json) else { return nil }
    self.init(
      contentID: members.take("contentId")?.string ?? "", contentURL: members.take("contentUrl")?.string,
      contentType: members.take("contentType")?.string,
      streamType: MediaStreamType(members.take("streamType")) ?? .buffered,
      streamDuration: MediaTime(members.take("duration")).flatMap { $0 < 0 ? nil : $0 },
      metadata: MediaMetadata(json: members.take("metadata")),
      mediaTracks: members.take("tracks").list(MediaTrack.init(json:)) ?? [],
      textTrackStyle: MediaTextTrackStyle(json: members.take("textTrackStyle")),
      adBreaks: members.take("breaks").list(AdBreakInfo.init(json:)) ?? [],
      adBreakClips: members.take("breakClips").list(AdBreakClipInfo.init(json:)) ?? [],
      customData: members.take("customData"))
    vmapAdsRequest = VASTAdsRequest(json: members.take("vmapAdsRequest"))
    hlsSegmentFormat = members.take("hlsSegmentFormat")?.string
    hlsVideoSegmentFormat = members.take("hlsVideoSegmentFormat")?.string
    startAbsoluteTime = members.take("startAbsoluteTime")?.double
    entity = members.take("entity")?.string
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members([
      "contentId": .string(contentID), "contentUrl": JSONValue(contentURL),
      "contentType": JSONValue(contentType),
      "streamType": streamType.json, "duration": streamDuration?.json, "metadata": metadata?.json,
      "tracks": mediaTracks.isEmpty ? nil : .array(mediaTracks.map(\.json)),
      "textTrackStyle": textTrackStyle?.json,
      "breaks": adBreaks.isEmpty ? nil : .array(adBreaks.map(\.json)),
      "breakClips": adBreakClips.isEmpty ? nil : .array(adBreakClips.map(\.json)),
      "vmapAdsRequest": vmapAdsRequest?.json, "hlsSegmentFormat": JSONValue(hlsSegmentFormat),
      "hlsVideoSegmentFormat": JSONValue(hlsVideoSegmentFormat),
      "startAbsoluteTime": JSONValue(startAbsoluteTime),
      "entity": JSONValue(entity), "customData": customData,
    ]).keeping(unknownMembers)
  }
}
