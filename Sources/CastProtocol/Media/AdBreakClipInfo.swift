/// One clip of an ad break (protocol 9).
public struct AdBreakClipInfo: Sendable, Hashable {
  /// Unique within one `MediaInformation`.
  public var identifier: String
  /// What a person reads; nil when there is nothing to read.
  public var title: String?
  /// Where the clip is; nil for a clip inside the main stream or one that VAST names.
  public var contentID: String?
  /// Where the clip is; wins over `contentID`. Nil when `contentID` is the address, or there is none.
  public var contentURL: String?
  /// MIME type; nil for a clip inside the main stream or one that VAST names.
  public var contentType: String?
  /// Length; nil when unknown.
  public var duration: MediaTime?
  /// What a viewer is led to; nil when nowhere.
  public var clickThroughURL: String?
  /// What a sender shows meanwhile; nil when there is no picture.
  public var posterURL: String?
  /// Time into the clip after which it may be skipped; nil means never, 0 at once.
  public var whenSkippable: MediaTime?
  /// Format of HLS audio segments; nil when it is no HLS, or the receiver shall find out (protocol 12.3).
  public var hlsSegmentFormat: HLSSegmentFormat?
  /// Format of HLS video segments; nil when it is no HLS, or the receiver shall find out (protocol 12.3).
  public var hlsVideoSegmentFormat: HLSVideoSegmentFormat?
  /// Where VAST is asked for the clip; nil when the clip is named here.
  public var vastAdsRequest: VASTAdsRequest?
  /// The application's own data; nil when there is none.
  public var customData: JSONValue?
  /// Members this version does not know.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A clip inside the main stream, or one of which only the identifier is known yet.
  public init(identifier: String) { self.identifier = identifier }

  /// A clip of its own at an address.
  /// - Parameters:
  ///   - identifier: unique within one `MediaInformation`.
  ///   - contentURL: where the clip is.
  ///   - contentType: MIME type.
  ///   - title: what a person reads; nil when there is nothing to read.
  ///   - duration: nil when unknown; receivers find out.
  ///   - whenSkippable: time into the clip after which it may be skipped; nil means never.
  public init(
    identifier: String, contentURL: String, contentType: String, title: String? = nil,
    duration: MediaTime? = nil, whenSkippable: MediaTime? = nil
  ) {
    self.identifier = identifier
    // Older receivers know the identifier only; newer ones let the address win.
    contentID = contentURL
    self.contentURL = contentURL
    self.contentType = contentType
    self.title = title
    self.duration = duration
    self.whenSkippable = whenSkippable
  }

  /// A clip that an ad server names.
  public init(identifier: String, vastAdsRequest: VASTAdsRequest) {
    self.identifier = identifier
    self.vastAdsRequest = vastAdsRequest
  }

  /// The address the receiver opens; nil for a clip inside the main stream or one that VAST names.
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
