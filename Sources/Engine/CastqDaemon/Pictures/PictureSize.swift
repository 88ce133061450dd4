import CastSender
import CastqPaths
import Glibc

/// The size of a picture file, by which senders and receivers choose among several.
enum PictureSize {
  /// The headers are at the beginning; a large preview may come before that of a JPEG.
  private static let prefix = 256 * 1024

  /// Nil when the file is no picture of a known format.
  static func ofFile(_ path: String) -> PixelSize? {
    let descriptor = open(PathText.system(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: prefix)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let head = Array(bytes[..<count])
    return ImageFormat(sniffing: head)?.size(of: head)
  }
}
