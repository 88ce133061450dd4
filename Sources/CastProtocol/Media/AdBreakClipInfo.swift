/// Where a receiver fetches the ads of a clip or of a whole programme (protocol 9).
public struct VASTAdsRequest: Sendable, Hashable {
  /// Address of the VAST document; nil when `adsResponse` carries it.
  public var adTagURL: String?
  /// The VAST document itself; wins over the address.
  public var adsResponse: String?

  /// A request by address or with the document at hand.
  public init(adTagURL: String? = nil, adsResponse: String? = nil) {
    self.adTagURL = adTagURL
    self.adsResponse = adsResponse
  }

  package init?(json: JSONValue?) {
    guard let json, json.object != nil else { return nil }
    self.init(adTagURL: json["adTagUrl"]?.string, adsResponse: json["adsResponse"]?.string)
  }

  package var json: JSONValue {
    .members(["adTagUrl": JSONValue(adTagURL), "adsResponse": JSONValue(adsResponse)])
  }
}

/// One clip of an ad break (protocol 9).
public struct AdBreakClipInfo: Sendable, Hashable {
  /// Unique within one `MediaInformation`.
  public var identifier: String
  /// What a person reads.
  public var title: String?
  /// Where the clip is; nil for a clip inside the main stream or one that VAST names.
  public var contentID: String?
  /// Where the clip is; wins over `contentID`.
  public var contentURL: String?
  /// MIME type.
  public var contentType: String?
  /// Length; nil when unknown.
  public var duration: MediaTime?
  /// What a viewer is led to.
  public var clickThroughURL: String?
  /// What a sender shows meanwhile.
  public var posterURL: String?
  /// Time into the clip after which it may be skipped; nil means never, 0 at once.
  public var whenSkippable: MediaTime?
  /// Format of HLS segments.
  public var hlsSegmentFormat: String?
  /// Where VAST is asked for the clip.
  public var vastAdsRequest: VASTAdsRequest?
  /// The application's own data.
  public var customData: JSONValue?
  /// Members this version does not know.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A clip of which only the identifier is known yet.
  public init(identifier: String) { self.identifier = identifier }

  package init?(json: JSONValue) {
    guard var members = JSONMembers(json), let identifier = members.take("id")?.string else { return nil }
    self.identifier = identifier
    title = members.take("title")?.string
    contentID = members.take("contentId")?.string
    contentURL = members.take("contentUrl")?.string
    contentType = members.take("contentType")?.string
    duration = MediaTime(members.take("duration"))
    clickThroughURL = members.take("clickThroughUrl")?.string
    posterURL = members.take("posterUrl")?.string
    whenSkippable = MediaTime(members.take("whenSkippable"))
    hlsSegmentFormat = members.take("hlsSegmentFormat")?.string
    vastAdsRequest = VASTAdsRequest(json: members.take("vastAdsRequest"))
    customData = members.take("customData")
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members([
      "id": .string(identifier), "title": JSONValue(title), "contentId": JSONValue(contentID),
      "contentUrl": JSONValue(contentURL), "contentType": JSONValue(contentType), "duration": duration?.json,
      "clickThroughUrl": JSONValue(clickThroughURL), "posterUrl": JSONValue(posterURL),
      "whenSkippable": whenSkippable?.json, "hlsSegmentFormat": JSONValue(hlsSegmentFormat),
      "vastAdsRequest": vastAdsRequest?.json, "customData": customData,
    ]).keeping(unknownMembers)
  }
}
