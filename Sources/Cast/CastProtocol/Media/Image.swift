/// An image of media: cover, poster, thumbnail (protocol 6.8). At most one of several may omit its size.
public struct Image: Sendable, Hashable {
  /// Its address.
  public var url: String
  /// Width in pixels; nil when unknown.
  public var width: Int?
  /// Height in pixels; nil when unknown.
  public var height: Int?
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// An image at an address; sizes default to unknown.
  public init(url: String, width: Int? = nil, height: Int? = nil) {
    self.url = url
    self.width = width
    self.height = height
  }

  package init?(json: JSONValue) {
    guard var members = JSONMembers(json), let url = members.take("url")?.string else { return nil }
    self.init(
      url: url, width: members.take("width")?.integer(.pixels),
      height: members.take("height")?.integer(.pixels))
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members(["url": .string(url), "width": JSONValue(width), "height": JSONValue(height)])
      .keeping(unknownMembers)
  }
}
