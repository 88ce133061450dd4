/// Where a receiver fetches the ads of a clip or of a whole programme (protocol 9).
public struct VASTAdsRequest: Sendable, Hashable {
  /// Address of the VAST document; nil when `adsResponse` carries it.
  public var adTagURL: String?
  /// The VAST document itself; wins over the address. Nil when it is to be fetched.
  public var adsResponse: String?
  /// Members this version does not know.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A request by address or with the document at hand.
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
