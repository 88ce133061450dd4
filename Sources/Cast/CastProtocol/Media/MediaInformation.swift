/// The media to play: its address, its type and its metadata (protocol 6.8).
///
/// It is identified in one of three ways: by the address of its content, by an application-defined identifier, or by a deep link
/// (`entity`) that the application opens.
public struct MediaInformation: Sendable, Hashable {
  /// Address of the media when `contentURL` is nil, else an application-defined identifier. Empty when there is none, which is not
  /// sent. Up to 1000 characters.
  public var contentID: String
  /// Address of the media; overrides `contentID`. Nil when `contentID` is the address, or there is none.
  public var contentURL: String?
  /// MIME type, which selects the receiver's player. Nil while a receiver does not know it.
  public var contentType: String?
  /// The type of the stream; default buffered.
  public var streamType: MediaStreamType
  /// Length; nil when unknown or endless. Receivers send −1 for a live stream, which is decoded as nil; nil is not sent, as
  /// required for loading live streams (protocol 12.5).
  public var streamDuration: MediaTime?
  /// Displayed metadata; nil for none.
  public var metadata: MediaMetadata?
  /// Text, audio and video tracks; receivers add those they find inside the stream.
  public var mediaTracks: [MediaTrack]
  /// The style of subtitles; nil leaves it to the receiver.
  public var textTrackStyle: MediaTextTrackStyle?
  /// Ad breaks.
  public var adBreaks: [AdBreakInfo]
  /// The clips of the breaks. Receivers may report only the current and the next one (protocol 9).
  public var adBreakClips: [AdBreakClipInfo]
  /// VMAP request for all breaks, which overrides `adBreaks`. Nil when they are listed, or there are none.
  public var vmapAdsRequest: VASTAdsRequest?
  /// Format of HLS audio segments; nil when it is no HLS, or to let the receiver detect it (protocol 12.3).
  public var hlsSegmentFormat: HLSSegmentFormat?
  /// Format of HLS video segments; nil when it is no HLS, or to let the receiver detect it (protocol 12.3).
  public var hlsVideoSegmentFormat: HLSVideoSegmentFormat?
  /// The category determined by the receiver; nil when not reported. Receivers report it, senders need not.
  public var mediaCategory: MediaCategory?
  /// Start of a live stream in seconds since 1970; nil when not reported.
  public var startAbsoluteTime: Double?
  /// Deep link that the receiver application opens; nil for none.
  public var entity: String?
  /// Deep link for an Android TV application, instead of `entity`; nil for none.
  public var atvEntity: String?
  /// The viewer's actions on the media, such as a like.
  public var userActionStates: [UserActionState] = []
  /// Application-defined data; nil when there is none.
  public var customData: JSONValue?
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// Media with an identifier, which is also its address if there is no other; everything else defaults to absent.
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

  /// Media at an address, which is also its identifier for older receivers. Everything else defaults to absent.
  public init(
    contentURL: String, contentType: String, streamType: MediaStreamType = .buffered,
    streamDuration: MediaTime? = nil, metadata: MediaMetadata? = nil, mediaTracks: [MediaTrack] = [],
    textTrackStyle: MediaTextTrackStyle? = nil, adBreaks: [AdBreakInfo] = [],
    adBreakClips: [AdBreakClipInfo] = [], customData: JSONValue? = nil
  ) {
    self.init(
      contentID: contentURL, contentURL: contentURL, contentType: contentType, streamType: streamType,
      streamDuration: streamDuration, metadata: metadata, mediaTracks: mediaTracks,
      textTrackStyle: textTrackStyle, adBreaks: adBreaks, adBreakClips: adBreakClips, customData: customData)
  }

  /// Media with a deep link that the receiver application opens; the default receiver supports none.
  /// - Parameters:
  ///   - entity: the link.
  ///   - atvEntity: the link for an Android TV application; nil when it is the same or there is none.
  ///   - metadata: displayed metadata; nil for none.
  ///   - customData: the application's own data; nil when there is none.
  public init(
    entity: String, atvEntity: String? = nil, metadata: MediaMetadata? = nil, customData: JSONValue? = nil
  ) {
    self.init(contentID: "", contentType: nil, metadata: metadata, customData: customData)
    self.entity = entity
    self.atvEntity = atvEntity
  }

  /// The address the receiver opens; empty for media with a deep link.
  public var url: String { contentURL ?? contentID }

  /// Whether it is a live stream, which has no end but a live edge (protocol 12.5).
  public var isLive: Bool { streamType == .live }

  package init?(json: JSONValue?) {
    guard var members = JSONMembers(json) else { return nil }
    self.init(
      contentID: members.take("contentId")?.string ?? "", contentURL: members.take("contentUrl")?.string,
      contentType: members.take("contentType")?.string,
      streamType: MediaStreamType(members.take("streamType")) ?? .buffered,
      streamDuration: MediaTime(members.take("duration"), .length),
      metadata: MediaMetadata(json: members.take("metadata")),
      mediaTracks: members.take("tracks").list(MediaTrack.init(json:)) ?? [],
      textTrackStyle: MediaTextTrackStyle(json: members.take("textTrackStyle")),
      adBreaks: members.take("breaks").list(AdBreakInfo.init(json:)) ?? [],
      adBreakClips: members.take("breakClips").list(AdBreakClipInfo.init(json:)) ?? [],
      customData: members.take("customData"))
    vmapAdsRequest = VASTAdsRequest(json: members.take("vmapAdsRequest"))
    hlsSegmentFormat = HLSSegmentFormat(members.take("hlsSegmentFormat"))
    hlsVideoSegmentFormat = HLSVideoSegmentFormat(members.take("hlsVideoSegmentFormat"))
    mediaCategory = MediaCategory(members.take("mediaCategory"))
    startAbsoluteTime = members.take("startAbsoluteTime")?.number(.moment)
    entity = members.take("entity")?.string
    atvEntity = members.take("atvEntity")?.string
    userActionStates = members.take("userActionStates").list(UserActionState.init(json:)) ?? []
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members([
      "contentId": contentID.isEmpty ? nil : .string(contentID), "contentUrl": JSONValue(contentURL),
      "contentType": JSONValue(contentType), "streamType": streamType.json,
      "duration": JSONValue(streamDuration?.seconds), "metadata": metadata?.json,
      "tracks": mediaTracks.isEmpty ? nil : .array(mediaTracks.map(\.json)),
      "textTrackStyle": textTrackStyle?.json,
      "breaks": adBreaks.isEmpty ? nil : .array(adBreaks.map(\.json)),
      "breakClips": adBreakClips.isEmpty ? nil : .array(adBreakClips.map(\.json)),
      "vmapAdsRequest": vmapAdsRequest?.json, "hlsSegmentFormat": hlsSegmentFormat?.json,
      "hlsVideoSegmentFormat": hlsVideoSegmentFormat?.json, "mediaCategory": mediaCategory?.json,
      "startAbsoluteTime": JSONValue(startAbsoluteTime), "entity": JSONValue(entity),
      "atvEntity": JSONValue(atvEntity),
      "userActionStates": userActionStates.isEmpty ? nil : .array(userActionStates.map(\.json)),
      "customData": customData,
    ]).keeping(unknownMembers)
  }
}
