/// One clip of an ad break (protocol 9).
public struct AdBreakClipInfo: Sendable, Hashable {
  /// Unique within one `MediaInformation`.
  public var identifier: String
  /// The displayed title; nil for none.
  public var title: String?
  /// Identifier or address of the clip; nil for a clip inside the main stream or one from VAST.
  public var contentID: String?
  /// Address of the clip; overrides `contentID`. Nil when `contentID` is the address, or there is none.
  public var contentURL: String?
  /// MIME type; nil for a clip inside the main stream or one from VAST.
  public var contentType: String?
  /// Length; nil when unknown.
  public var duration: MediaTime?
  /// Address that a viewer can open; nil for none.
  public var clickThroughURL: String?
  /// Address of an image that a sender displays meanwhile; nil for none.
  public var posterURL: String?
  /// Time into the clip after which it may be skipped; nil means never, 0 at once.
  public var whenSkippable: MediaTime?
  /// Format of HLS audio segments; nil when it is no HLS, or to let the receiver detect it (protocol 12.3).
  public var hlsSegmentFormat: HLSSegmentFormat?
  /// Format of HLS video segments; nil when it is no HLS, or to let the receiver detect it (protocol 12.3).
  public var hlsVideoSegmentFormat: HLSVideoSegmentFormat?
  /// VAST request for the clip; nil when the clip is given here.
  public var vastAdsRequest: VASTAdsRequest?
  /// Application-defined data; nil when there is none.
  public var customData: JSONValue?
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A clip inside the main stream, or one with only an identifier so far.
  public init(identifier: String) { self.identifier = identifier }

  /// A separate clip at an address.
  /// - Parameters:
  ///   - identifier: unique within one `MediaInformation`.
  ///   - contentURL: the address of the clip.
  ///   - contentType: MIME type.
  ///   - title: the displayed title; nil for none.
  ///   - duration: nil when unknown; receivers find out.
  ///   - whenSkippable: time into the clip after which it may be skipped; nil means never.
  public init(
    identifier: String, contentURL: String, contentType: String, title: String? = nil,
    duration: MediaTime? = nil, whenSkippable: MediaTime? = nil
  ) {
    self.identifier = identifier
    // Older receivers use the identifier only; newer ones prefer the address.
    contentID = contentURL
    self.contentURL = contentURL
    self.contentType = contentType
    self.title = title
    self.duration = duration
    self.whenSkippable = whenSkippable
  }

  /// A clip from an ad server.
  public init(identifier: String, vastAdsRequest: VASTAdsRequest) {
    self.identifier = identifier
    self.vastAdsRequest = vastAdsRequest
  }

  /// The address the receiver opens; nil for a clip inside the main stream or one from VAST.
  public var url: String? { contentURL ?? contentID }

  package init?(json: JSONValue) {
    guard var members = JSONMembers(json), let identifier = members.take("id")?.string else { return nil }
    self.identifier = identifier
    title = members.take("title")?.string
    contentID = members.take("contentId")?.string
    contentURL = members.take("contentUrl")?.string
    contentType = members.take("contentType")?.string
    duration = MediaTime(members.take("duration"), .length)
    clickThroughURL = members.take("clickThroughUrl")?.string
    posterURL = members.take("posterUrl")?.string
    whenSkippable = MediaTime(members.take("whenSkippable"), .length)
    hlsSegmentFormat = HLSSegmentFormat(members.take("hlsSegmentFormat"))
    hlsVideoSegmentFormat = HLSVideoSegmentFormat(members.take("hlsVideoSegmentFormat"))
    vastAdsRequest = VASTAdsRequest(json: members.take("vastAdsRequest"))
    customData = members.take("customData")
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members([
      "id": .string(identifier), "title": JSONValue(title), "contentId": JSONValue(contentID),
      "contentUrl": JSONValue(contentURL), "contentType": JSONValue(contentType),
      "duration": JSONValue(duration?.seconds), "clickThroughUrl": JSONValue(clickThroughURL),
      "posterUrl": JSONValue(posterURL), "whenSkippable": JSONValue(whenSkippable?.seconds),
      "hlsSegmentFormat": hlsSegmentFormat?.json, "hlsVideoSegmentFormat": hlsVideoSegmentFormat?.json,
      "vastAdsRequest": vastAdsRequest?.json, "customData": customData,
    ]).keeping(unknownMembers)
  }
}
