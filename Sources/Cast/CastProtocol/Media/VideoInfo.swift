/// Size and dynamic range of the video that plays (protocol 6.5).
public struct VideoInfo: Sendable, Hashable {
  /// Dynamic range.
  public enum HDRType: WireWord {
    /// Standard.
    case sdr
    /// High dynamic range.
    case hdr
    /// Dolby Vision.
    case dolbyVision
    /// A value unknown to this version.
    case unknown(String)
    package static let words: [(word: String, value: Self)] = [
      ("sdr", .sdr), ("hdr", .hdr), ("dv", .dolbyVision),
    ]
  }

  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int
  /// Dynamic range; nil when not reported.
  public var hdrType: HDRType?
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A video of this size.
  public init(width: Int, height: Int, hdrType: HDRType? = nil) {
    self.width = width
    self.height = height
    self.hdrType = hdrType
  }

  /// Nil unless width and height are present.
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

  /// Width of at least 3840 pixels or height of at least 2160, to include wide and rotated video.
  public var is4K: Bool { width >= 3840 || height >= 2160 }

  /// Width of at least 1280 pixels or height of at least 720; 4K is HD, too.
  public var isHD: Bool { width >= 1280 || height >= 720 }

  /// Whether the dynamic range exceeds the standard one. False when not reported.
  public var isHDR: Bool { hdrType == .hdr || hdrType == .dolbyVision }
}
