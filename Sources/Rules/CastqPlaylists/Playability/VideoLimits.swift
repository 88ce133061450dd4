/// A codec of pictures that some Cast device plays, as `ffprobe` names it.
package enum VideoCodec: String, Sendable, Hashable, CaseIterable {
  case h264, hevc, vp8, vp9, av1

  /// Its name for people.
  var words: String {
    switch self {
    case .h264: "H.264"
    case .hevc: "HEVC"
    case .vp8: "VP8"
    case .vp9: "VP9"
    case .av1: "AV1"
    }
  }

  /// Which devices play it.
  var audience: String {
    switch self {
    case .h264: "every device with a display plays"
    case .hevc: "a Chromecast Ultra and later ones play"
    case .vp8: "every Chromecast plays"
    case .vp9: "a Chromecast Ultra, later ones and the Nest Hubs play"
    case .av1: "a Google TV Streamer plays"
    }
  }

  /// Profiles that devices decode, as `ffprobe` names them; the others have more bits or colours than their decoders.
  var profiles: Set<String> {
    switch self {
    case .h264: ["Baseline", "Constrained Baseline", "Main", "High", "Constrained High"]
    case .hevc: ["Main", "Main 10"]
    // What `ffprobe` calls the profiles of VP8 are versions, which every decoder has.
    case .vp8: ["0", "1", "2", "3"]
    case .vp9: ["Profile 0", "Profile 2"]
    case .av1: ["Main"]
    }
  }

  /// A level for people, from the codec's own number; nil when the number is none.
  func levelWords(_ level: Int) -> String? {
    guard level > 0 else { return nil }
    switch self {
    case .h264, .vp9: return "\(level / 10).\(level % 10)"
    // Thirty for each whole level.
    case .hevc: return "\(level / 30).\(level % 30 / 3)"
    case .vp8: return nil
    // The number counts levels from 2.0, four for each whole one.
    case .av1: return "\(2 + level / 4).\(level % 4)"
    }
  }
}

/// How much of a codec a device decodes.
package struct VideoLimits: Sendable, Hashable {
  /// Width and height of a picture that is wider than high; those of a turned one are exchanged.
  package struct Size: Sendable, Hashable {
    package var width: Int
    package var height: Int

    static let hd = Size(width: 1280, height: 720)
    static let fullHD = Size(width: 1920, height: 1080)
    static let ultraHD = Size(width: 3840, height: 2160)

    /// `1920×1080`.
    var words: String { "\(width)×\(height)" }

    /// Whether a picture of these measures fits, upright or turned. The wider format of cinemas counts as 4K.
    func contains(width: Int, height: Int) -> Bool {
      let slack = self == .ultraHD ? 4096 : self.width
      return max(width, height) <= slack && min(width, height) <= self.height
    }
  }

  /// The highest level by the codec's own number; nil is any.
  package var level: Int?
  /// The largest picture.
  package var size: Size
  /// Pictures a second at most.
  package var rate: Double
  /// Whether pictures of the largest size come at 30 a second at most, and at `rate` up to half their points.
  package var halvesRate: Bool

  init(level: Int? = nil, _ size: Size, rate: Double, halvesRate: Bool = false) {
    self.level = level
    self.size = size
    self.rate = rate
    self.halvesRate = halvesRate
  }

  /// Pictures a second for a size that fits.
  func rate(width: Int, height: Int) -> Double {
    guard halvesRate else { return rate }
    let (points, isHuge) = width.multipliedReportingOverflow(by: height)
    return isHuge || points * 2 > size.width * size.height ? rate / 2 : rate
  }
}
