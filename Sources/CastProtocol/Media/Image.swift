/// A picture that goes with media: cover, poster, thumbnail (protocol 6.8).
public struct Image: Sendable, Hashable {
  /// Where it is.
  public var url: String
  /// Width in pixels; nil when unknown.
  public var width: Int?
  /// Height in pixels; nil when unknown.
  public var height: Int?

  /// A picture at an address; sizes default to unknown.
  public init(url: String, width: Int? = nil, height: Int? = nil) {
    self.url = url
    self.width = width
    self.height = height
  }

  package init?(json: JSONValue) {
    guard let url = json["url"]?.string else { return nil }
    self.init(url: url, width: json["width"]?.int, height: json["height"]?.int)
  }

  package var json: JSONValue {
    .members(["url": .string(url), "width": JSONValue(width), "height": JSONValue(height)])
  }
}
