import CastProtocol

/// How `ffmpeg` converts a file into one that a device plays.
package struct PreparationRecipe: Sendable, Hashable {
  /// What becomes of the pictures.
  package enum Picture: Sendable, Hashable {
    case none
    /// They are copied. The number is the stream's.
    case copied(stream: Int, codec: VideoCodec)
    /// They become H.264 within these limits.
    case encoded(stream: Int, PictureTarget)
  }

  /// What becomes of the sound.
  package enum Sound: Sendable, Hashable {
    case none
    case copied(stream: Int, codec: String)
    case encoded(stream: Int, SoundTarget)
  }

  /// What sound is converted to, in stereo where it is not kept without loss.
  package enum SoundTarget: String, Sendable, Hashable {
    case aac, opus, flac
  }

  /// The container of the result.
  package enum Container: String, Sendable, Hashable, CaseIterable {
    case mp4, m4a, webm, weba, mp3, ogg, flac

    /// Its name for people.
    var words: String {
      switch self {
      case .mp4, .m4a: "MP4"
      case .webm, .weba: "WebM"
      case .mp3: "MP3"
      case .ogg: "Ogg"
      case .flac: "FLAC"
      }
    }
  }

  /// H.264 High, 8 bits.
  package struct PictureTarget: Sendable, Hashable {
    /// Level 4.1 is 41.
    package var level: Int
    /// Larger pictures are scaled down.
    package var width: Int
    package var height: Int
    /// Pictures a second to convert to; nil keeps them.
    package var rate: Double?
  }

  /// The names under which `ffmpeg` may open the file. One that pretends to be media and is a list of other files is not opened.
  package var demuxers: [String]
  package var picture: Picture
  package var sound: Sound
  package var container: Container

  /// The type of the result.
  package var contentType: String {
    switch container {
    case .mp4: "video/mp4"
    case .m4a: "audio/mp4"
    case .webm: "video/webm"
    case .weba: "audio/webm"
    case .mp3: "audio/mpeg"
    case .ogg: "audio/ogg"
    case .flac: "audio/flac"
    }
  }

  /// What has to be done, as a decision calls it.
  package var way: PlayDecision.Way {
    if case .encoded = picture { return .video }
    if case .encoded = sound { return .audio }
    return .remux
  }

  /// The same recipe has the same text.
  package var fingerprint: String { arguments(from: "<", to: ">").joined(separator: "\n") }

  /// The arguments of `ffmpeg`.
  ///
  /// - Parameters:
  ///   - input: the path of the file. It cannot be taken for an option or an address.
  ///   - output: the path of the result, which is overwritten.
  package func arguments(from input: String, to output: String) -> [String] {
    var arguments = ["-nostdin", "-hide_banner", "-v", "error", "-y"]
    // AVI does not say when a picture is shown, which other containers must.
    arguments += ["-fflags", "+genpts", "-protocol_whitelist", "file", "-format_whitelist"]
    arguments += [demuxers.joined(separator: ","), "-i", "file:\(input)"]
    // Covers are pictures of one frame, text has files of its own, and chapters would become a track.
    arguments += ["-sn", "-dn", "-map_chapters", "-1"]
    arguments += pictureArguments
    arguments += soundArguments
    arguments += containerArguments
    return arguments + ["file:\(output)"]
  }

  /// How long `ffmpeg` may take.
  ///
  /// - Parameters:
  ///   - duration: seconds of the file; nil is taken for three hours.
  ///   - bytes: its size.
  package func timeLimit(duration: Double?, bytes: Int) -> Duration {
    let length = min(max(duration ?? 10_800, 0), 360_000)
    // A slow disk moves 2 MB a second; a slow computer encodes sound at once and pictures at a tenth of their pace.
    let factor: Double
    switch way {
    case .direct, .remux, .impossible: factor = 0
    case .audio: factor = 1
    case .video: factor = 10
    }
    return .bounded(seconds: 120 + Double(max(bytes, 0)) / 2_000_000 + length * factor)
  }

  private var pictureArguments: [String] {
    switch picture {
    case .none: return ["-vn"]
    case .copied(let stream, let codec):
      // Players of Apple and of Cast know HEVC by this name alone.
      let tag = codec == .hevc ? ["-tag:v", "hvc1"] : []
      return ["-map", "0:\(stream)", "-c:v", "copy"] + tag
    case .encoded(let stream, let target):
      return ["-map", "0:\(stream)"] + target.encoding()
    }
  }

  private var soundArguments: [String] {
    switch sound {
    case .none: ["-an"]
    case .copied(let stream, _): ["-map", "0:\(stream)", "-c:a", "copy"]
    case .encoded(let stream, .aac): ["-map", "0:\(stream)"] + Self.stereo
    case .encoded(let stream, .opus):
      ["-map", "0:\(stream)", "-c:a", "libopus", "-b:a", "160k", "-ac", "2", "-ar", "48000"]
    case .encoded(let stream, .flac):
      ["-map", "0:\(stream)", "-c:a", "flac", "-af", "aformat=sample_rates=\(Self.flacRates)"]
    }
  }

  private var containerArguments: [String] {
    switch container {
    // The index first, so that playback begins with the first bytes.
    case .mp4, .m4a: ["-movflags", "+faststart", "-f", "mp4"]
    case .webm, .weba: ["-f", "webm"]
    case .mp3: ["-f", "mp3"]
    case .ogg: ["-f", "ogg"]
    case .flac: ["-f", "flac"]
    }
  }

  /// Rates of sound that is kept as it is; others are brought to one of these (protocol 12.1).
  private static let flacRates = "16000|22050|24000|32000|44100|48000|88200|96000"

  /// The arguments that encode sound for every device.
  static let stereo = ["-c:a", "aac", "-b:a", "192k", "-ac", "2", "-ar", "48000"]
}

extension PreparationRecipe.PictureTarget {
  /// The arguments that encode pictures.
  /// - Parameter before: the filters that come first.
  func encoding(after before: [String] = []) -> [String] {
    // Pictures of television come in halves, which no device puts together.
    var filters = before + ["yadif=deint=interlaced"]
    if let rate { filters.append("fps=\(Self.number(rate))") }
    filters.append(
      "scale=w='min(\(width),iw)':h='min(\(height),ih)'"
        + ":force_original_aspect_ratio=decrease:force_divisible_by=2")
    return [
      "-c:v", "libx264", "-preset", "veryfast", "-crf", "21", "-profile:v", "high",
      "-level:v", "\(level / 10).\(level % 10)", "-pix_fmt", "yuv420p", "-maxrate", "10M",
      "-bufsize", "20M", "-vf", filters.joined(separator: ","),
    ]
  }

  /// A number without an exponent: thousandths, as a fraction.
  private static func number(_ rate: Double) -> String { "\(Int(bounded: (rate * 1000).rounded()))/1000" }
}
