import CastProtocol
package import CastqPlaylists
package import CastqPrograms

/// A picture that is in a media file.
package enum PictureKind: Sendable, Hashable {
  /// The cover that the file carries, by the number of its stream.
  case cover(stream: Int, size: PixelCount?)
  /// A frame of the film, so many whole seconds after its beginning.
  case still(seconds: Int)

  /// Whether the file carries it as it is.
  package var isCover: Bool { if case .cover = self { true } else { false } }

  /// Pixels from left to right and from top to bottom.
  package struct PixelCount: Sendable, Hashable {
    package var width: Int
    package var height: Int
  }

  /// The picture that stands for a file; nil when it has none.
  package init?(of probe: MediaProbe) {
    if let cover = probe.streams.first(where: { $0.kind == .cover }) {
      var size: PixelCount?
      if let width = cover.width, let height = cover.height { size = Self.fitted(width, height) }
      self = .cover(stream: cover.index, size: size)
    } else if probe.streams.contains(where: { $0.kind == .video }) {
      // Past the titles of the maker, and before the end of the shortest clip.
      self = .still(seconds: Int(bounded: min(max(probe.duration ?? 0, 0) / 10, 120)))
    } else {
      return nil
    }
  }

  /// The longest side of a picture, in pixels: a television shows it beside the title.
  static let longest = 1280

  private static func fitted(_ width: Int, _ height: Int) -> PixelCount? {
    guard width > 0, height > 0 else { return nil }
    let scale = min(1, Double(longest) / Double(max(width, height)))
    return PixelCount(
      width: max(Int(bounded: Double(width) * scale + 0.5), 1),
      height: max(Int(bounded: Double(height) * scale + 0.5), 1))
  }

  /// Tells the pictures of one file apart.
  var name: String {
    switch self {
    case .cover(let stream, _): "cover \(stream)"
    case .still(let seconds): "still \(seconds)"
    }
  }
}

/// Makes JPEG pictures of local media files with `ffmpeg`.
package struct PictureMaker: Sendable {
  /// The largest picture, in bytes.
  static let bytes = 4 << 20

  private let program: ChildProgram
  private let time: Duration

  /// - Parameters:
  ///   - program: `ffmpeg`.
  ///   - time: how long it may take for a picture.
  package init(_ program: ChildProgram, time: Duration = .seconds(10)) {
    self.program = program
    self.time = time
  }

  /// What the program made.
  package enum Made: Sendable, Hashable {
    /// A JPEG.
    case picture([UInt8])
    /// It makes none of this file.
    case none
    /// It was too slow, or was ended.
    case later
  }

  /// The picture of a file.
  package func picture(_ kind: PictureKind, of path: String) async -> Made {
    let input = MediaInput.arguments(path: path)
    let (seek, stream): ([String], String) =
      switch kind {
      case .cover(let stream, _): ([], "0:\(stream)")
      // Not a capital V, which leaves covers out: older programs do not know it.
      case .still(let seconds): (["-ss", "\(seconds)"], "0:v:0")
      }
    let side = PictureKind.longest
    let arguments =
      ["-v", "error", "-nostdin", "-threads", "1"] + input.options + seek + ["-i", input.name] + [
        "-map", stream, "-frames:v", "1", "-vf",
        "scale=w='min(\(side),iw)':h='min(\(side),ih)':force_original_aspect_ratio=decrease",
        "-pix_fmt", "yuvj420p", "-q:v", "4", "-c:v", "mjpeg", "-f", "image2pipe", "-",
      ]
    let limits = ProgramLimits(time: time, outputBytes: Self.bytes, niceness: 10)
    do {
      let bytes = try await program.run(arguments, limits: limits)
      return bytes.starts(with: [0xFF, 0xD8, 0xFF]) ? .picture(bytes) : .none
    } catch ProgramError.failed {
      return .none
    } catch {
      return .later
    }
  }
}
