import CastSender
package import CastqPrograms
import FoundationEssentials

/// Makes pictures of others as small as they are shown, with `ffmpeg`.
package struct PictureScaler: Sendable {
  private let program: ChildProgram
  private let folder: String

  /// The largest picture that is decoded, in pixels: a small file may hold an enormous one.
  private static let pixels = 50_000_000
  private static let limits = ProgramLimits(
    time: .seconds(10), outputBytes: 4 << 20, memoryBytes: 1 << 30, niceness: 10)

  /// - Parameters:
  ///   - program: `ffmpeg`.
  ///   - folder: where pictures may lie while they are read.
  package init(_ program: ChildProgram, folder: String) {
    (self.program, self.folder) = (program, folder)
  }

  /// A picture of at most this width, in its proportions.
  /// - Parameters:
  ///   - bytes: a JPEG, PNG, GIF or WebP.
  ///   - width: in pixels.
  /// - Returns: nil when the picture is no wider, or none can be made of it.
  package func scaled(_ bytes: [UInt8], width: Int) async -> [UInt8]? {
    guard let format = ImageFormat(sniffing: bytes), let reader = Self.reader(of: format),
      let size = format.size(of: bytes), size.width > width, size.height <= Self.pixels / size.width
    else { return nil }
    let copy = "\(folder)/castq-picture.\(UUID().uuidString)"
    // The name cannot be guessed, and a file that is there already is not followed.
    guard (try? Data(bytes).write(to: URL(fileURLWithPath: copy), options: .withoutOverwriting)) != nil else {
      return nil
    }
    defer { try? FileManager.default.removeItem(atPath: copy) }
    // Only a photograph may lose what is transparent.
    let writer = format == .jpeg ? ["-pix_fmt", "yuvj420p", "-q:v", "4", "-c:v", "mjpeg"] : ["-c:v", "png"]
    let arguments =
      ["-v", "error", "-nostdin", "-threads", "1", "-protocol_whitelist", "file", "-f", reader]
      + ["-i", "file:\(copy)", "-map", "0:v:0", "-frames:v", "1", "-vf", "scale=w=\(width):h=-1"] + writer
      + ["-f", "image2pipe", "-"]
    guard let made = try? await program.run(arguments, limits: Self.limits),
      ImageFormat(sniffing: made) != nil
    else { return nil }
    return made
  }

  /// The demuxer of a format; ffmpeg is not left to guess what somebody else's file is.
  private static func reader(of format: ImageFormat) -> String? {
    switch format {
    case .jpeg: "jpeg_pipe"
    case .png: "png_pipe"
    case .gif: "gif"
    case .webp: "webp_pipe"
    case .bmp: nil
    }
  }
}
