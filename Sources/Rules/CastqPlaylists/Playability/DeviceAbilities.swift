package import CastProtocol

/// What a device plays without help (protocol 12.1).
package struct DeviceAbilities: Sendable, Hashable {
  /// What the table calls the device: `a Chromecast Ultra`.
  package var words: String
  /// Whether it has a display.
  package var hasScreen: Bool
  /// The codecs of pictures that move, with their limits; one that is missing is not played.
  package var video: [VideoCodec: VideoLimits]
  /// Whether the model is in the table. Another device is treated as the most modest one, and may play more.
  package var isKnown: Bool

  /// The abilities by the model a device announces.
  ///
  /// - Parameters:
  ///   - model: as in `md` of its announcement; nil when it has announced none.
  ///   - capabilities: nil when it has announced none. Without `videoOut` it has no display.
  package init(model: String?, capabilities: DeviceCapabilities?) {
    let name = model.map { $0.lowercased().replacing("google ", with: "") } ?? ""
    if let known = Self.models.first(where: { name.hasPrefix($0.prefix) }) {
      self = known.abilities
    } else {
      self = Self.chromecast
      isKnown = false
      words =
        model.map { "\($0), which castq treats as a Chromecast of the first generation" }
        ?? "a device of unknown model, which castq treats as a Chromecast of the first generation"
    }
    if let capabilities, !capabilities.isEmpty, !capabilities.contains(.videoOut), hasScreen {
      words = model ?? "a device without a display"
      hasScreen = false
      video = [:]
    }
  }

  private init(
    _ words: String, hasScreen: Bool = true, isKnown: Bool = true, _ video: [VideoCodec: VideoLimits]
  ) {
    self.words = words
    self.hasScreen = hasScreen
    self.isKnown = isKnown
    self.video = video
  }

  // MARK: - The table

  /// By the beginning of the model's name in lower case, without `google `; the first that fits counts.
  private static let models: [(prefix: String, abilities: DeviceAbilities)] = [
    ("chromecast audio", speaker("a Chromecast Audio")),
    ("chromecast ultra", ultra), ("chromecast with google tv", googleTV), ("chromecast google tv", googleTV),
    ("tv streamer", streamer),
    // All other generations announce this name, so the first one's limits hold for them.
    ("chromecast", chromecast),
    ("nest hub max", hubMax), ("nest hub", hub), ("home hub", hub),
    ("home", speaker("a Google Home speaker")), ("nest mini", speaker("a Nest Mini")),
    ("nest audio", speaker("a Nest Audio")), ("nest wifi", speaker("a Nest Wifi point")),
    ("cast group", speaker("a group of speakers")),
  ]

  /// H.264 High to level 4.1 and VP8, 720p60 or 1080p30.
  private static let chromecast = DeviceAbilities(
    "a Chromecast", isKnown: false,
    [
      .h264: VideoLimits(level: 41, .fullHD, rate: 60, halvesRate: true),
      .vp8: VideoLimits(.fullHD, rate: 60, halvesRate: true),
    ])
  /// H.264 High to level 4.2, VP8, HEVC and VP9 in 4K with 60 pictures a second.
  private static let ultra = DeviceAbilities(
    "a Chromecast Ultra",
    [
      .h264: VideoLimits(level: 42, .fullHD, rate: 60), .vp8: VideoLimits(.ultraHD, rate: 30),
      .hevc: VideoLimits(level: 153, .ultraHD, rate: 60), .vp9: VideoLimits(level: 51, .ultraHD, rate: 60),
    ])
  private static let googleTV = DeviceAbilities(
    "a Chromecast with Google TV",
    [
      .h264: VideoLimits(level: 51, .ultraHD, rate: 60, halvesRate: true),
      .vp8: VideoLimits(.ultraHD, rate: 30),
      .hevc: VideoLimits(level: 153, .ultraHD, rate: 60), .vp9: VideoLimits(level: 51, .ultraHD, rate: 60),
    ])
  private static let streamer = DeviceAbilities(
    "a Google TV Streamer",
    [
      .h264: VideoLimits(level: 52, .ultraHD, rate: 60), .vp8: VideoLimits(.ultraHD, rate: 30),
      .hevc: VideoLimits(level: 153, .ultraHD, rate: 60), .vp9: VideoLimits(level: 51, .ultraHD, rate: 60),
      .av1: VideoLimits(level: 13, .ultraHD, rate: 60),
    ])
  private static let hub = DeviceAbilities(
    "a Nest Hub",
    [.h264: VideoLimits(level: 41, .hd, rate: 60), .vp9: VideoLimits(level: 40, .hd, rate: 60)])
  private static let hubMax = DeviceAbilities(
    "a Nest Hub Max",
    [.h264: VideoLimits(level: 41, .hd, rate: 30), .vp9: VideoLimits(level: 40, .hd, rate: 30)])

  private static func speaker(_ words: String) -> DeviceAbilities {
    DeviceAbilities(words, hasScreen: false, [:])
  }
}

extension DeviceAbilities {
  /// The names of audio codecs that every device plays (protocol 12.1), as `ffprobe` calls them; PCM besides.
  static let audioCodecs: Set<String> = ["aac", "mp3", "flac", "opus", "vorbis"]

  /// Samples a second that FLAC may have at most.
  static let highestSampleRate = 96_000

  /// Channels that a stream may have at most.
  static let mostChannels = 6
}
