import CastProtocol

/// Writes the recipe for streams of which some are copied.
struct RecipeWriter {
  let abilities: DeviceAbilities
  let demuxers: [String]

  /// - Parameters:
  ///   - picture: nil for a file of sound, or for a device without a display.
  ///   - copiesPicture: whether the device plays the pictures as they are.
  ///   - copiesSound: whether the device plays the sound as it is.
  func recipe(
    picture: MediaProbe.Stream?, copiesPicture: Bool, sound: MediaProbe.Stream?, copiesSound: Bool
  ) -> PreparationRecipe {
    guard let picture else { return recipe(sound: sound, copies: copiesSound) }
    let codec = picture.codec.flatMap(VideoCodec.init(rawValue:))
    guard copiesPicture, let codec else {
      return PreparationRecipe(
        demuxers: demuxers, picture: .encoded(stream: picture.index, target(for: picture)),
        sound: filmSound(sound, copies: copiesSound, among: ["aac", "mp3"], else: .aac), container: .mp4)
    }
    let isWebM = Self.belongsInWebM(codec, with: sound)
    return PreparationRecipe(
      demuxers: demuxers, picture: .copied(stream: picture.index, codec: codec),
      sound: isWebM
        ? filmSound(sound, copies: copiesSound, among: ["opus", "vorbis"], else: .opus)
        : filmSound(sound, copies: copiesSound, among: ["aac", "mp3"], else: .aac),
      container: isWebM ? .webm : .mp4)
  }

  /// VP8 and VP9 are at home there; AV1 is in either.
  private static func belongsInWebM(_ codec: VideoCodec, with sound: MediaProbe.Stream?) -> Bool {
    switch codec {
    case .h264, .hevc: false
    case .vp8, .vp9: true
    case .av1: ["opus", "vorbis"].contains(sound?.codec)
    }
  }

  private func filmSound(
    _ sound: MediaProbe.Stream?, copies: Bool, among kept: Set<String>,
    else target: PreparationRecipe.SoundTarget
  ) -> PreparationRecipe.Sound {
    guard let sound else { return .none }
    guard copies, let codec = sound.codec, kept.contains(codec) else {
      return .encoded(stream: sound.index, target)
    }
    return .copied(stream: sound.index, codec: codec)
  }

  /// Sound alone keeps its codec where the device plays it, and its quality where it has all of it.
  private func recipe(sound: MediaProbe.Stream?, copies: Bool) -> PreparationRecipe {
    var recipe = PreparationRecipe(demuxers: demuxers, picture: .none, sound: .none, container: .m4a)
    guard let sound else { return recipe }
    let codec = sound.codec ?? ""
    if copies, let container = Self.containers[codec] {
      recipe.sound = .copied(stream: sound.index, codec: codec)
      recipe.container = container
    } else if Self.isLossless(codec), (sound.channels ?? 2) <= DeviceAbilities.mostChannels {
      recipe.sound = .encoded(stream: sound.index, .flac)
      recipe.container = .flac
    } else {
      recipe.sound = .encoded(stream: sound.index, .aac)
    }
    return recipe
  }

  private static let containers: [String: PreparationRecipe.Container] = [
    "aac": .m4a, "mp3": .mp3, "flac": .flac, "opus": .ogg, "vorbis": .ogg,
  ]

  private static func isLossless(_ codec: String) -> Bool {
    codec.hasPrefix("pcm_")
      || ["flac", "alac", "ape", "wavpack", "tta", "truehd", "wmalossless", "tak", "mlp"].contains(codec)
  }

  // MARK: - Pictures

  /// The best H.264 that the device decodes, no higher than level 4.2: a computer without help must make it.
  private func target(for picture: MediaProbe.Stream) -> PreparationRecipe.PictureTarget {
    let limits = abilities.video[.h264] ?? VideoLimits(level: 41, .hd, rate: 30)
    let level = min(limits.level ?? 41, 42)
    let size = limits.size.height > 1080 ? .fullHD : limits.size
    var target = PreparationRecipe.PictureTarget(level: level, width: size.width, height: size.height)
    let shown = Self.scaled(picture, into: size)
    var most = limits.rate(width: shown.width, height: shown.height)
    // Level 4.1 ends at 1080p30 and 720p60.
    if level < 42, shown.width * shown.height * 2 > size.width * size.height, size.height > 720 {
      most = min(most, 30)
    }
    if let rate = picture.frameRate, rate > most * 1.02, rate.isFinite {
      // Every second picture moves more evenly than two of three.
      target.rate = rate / 2 <= most * 1.02 ? rate / 2 : most
    }
    return target
  }

  private static func scaled(
    _ picture: MediaProbe.Stream, into size: VideoLimits.Size
  ) -> (width: Int, height: Int) {
    guard let width = picture.width, let height = picture.height, width > 0, height > 0 else {
      return (size.width, size.height)
    }
    let factor = min(1, Double(size.width) / Double(width), Double(size.height) / Double(height))
    return (Int(bounded: Double(width) * factor), Int(bounded: Double(height) * factor))
  }
}
