/// Picture size and dynamic range of what plays (protocol 6.5).
public struct VideoInfo: Sendable, Hashable {
  /// Dynamic range.
  public enum HDRType: WireWord {
    /// Standard.
    case sdr
    /// High dynamic range.
    case hdr
    /// Dolby Vision.
    case dolbyVision
    /// A word this version does not know.
    case unknown(String)
    package static let words: [(word: String, value: Self)] = [
      ("sdr", .sdr), ("hdr", .hdr), ("dv", .dolbyVision),
    ]
  }

  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// Dynamic range; nil when not told.
  public var hdrType: HDRType?
  /// Members this version does not know.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A picture of this size.
  public init(width: Int, height: Int, hdrType: HDRType? = nil) {
    self.width = width
    self.height = height
    self.hdrType = hdrType
  }

  /// Nil without both lengths.
  package init?(json: JSONValue?) {
    guard var members = JSONMembers(json), let width = members.take("width")?.integer(.pixels),
      let height = members.take("height")?.integer(.pixels)
    else { return nil }
    self.init(width: width, height: height, hdrType: HDRType(members.take("hdrType")))
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members(["width": JSONValue(width), "height": JSONValue(height), "hdrType": hdrType?.json])
      .keeping(unknownMembers)
  }

  /// From 3840 pixels of width or 2160 of height, so that wide films and pictures on their side count, too.
  public var is4K: Bool { width >= 3840 || height >= 2160 }

  /// From 1280 pixels of width or 720 of height; 4K is HD, too.
  public var isHD: Bool { width >= 1280 || height >= 720 }

  /// More than the standard dynamic range. False when not told.
  public var isHDR: Bool { hdrType == .hdr || hdrType == .dolbyVision }
}
