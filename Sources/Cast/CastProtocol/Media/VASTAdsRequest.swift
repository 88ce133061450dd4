/// The source of the ads of a clip or of whole media (protocol 9).
public struct VASTAdsRequest: Sendable, Hashable {
  /// Address of the VAST document; nil when `adsResponse` contains it.
  public var adTagURL: String?
  /// The VAST document itself; overrides the address. Nil when it must be fetched.
  public var adsResponse: String?
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A request by address or with the document.
  public init(adTagURL: String? = nil, adsResponse: String? = nil) {
    self.adTagURL = adTagURL
    self.adsResponse = adsResponse
  }

  package init?(json: JSONValue?) {
    guard var members = JSONMembers(json) else { return nil }
    self.init(adTagURL: members.take("adTagUrl")?.string, adsResponse: members.take("adsResponse")?.string)
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members(["adTagUrl": JSONValue(adTagURL), "adsResponse": JSONValue(adsResponse)])
      .keeping(unknownMembers)
  }
}
