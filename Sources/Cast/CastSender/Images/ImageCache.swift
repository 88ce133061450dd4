public import CastProtocol

/// An image with its properties.
public struct CachedImage: Sendable, Hashable {
  /// The image file's bytes.
  public var bytes: [UInt8]
  /// The type of the bytes, whatever the server declared: `image/jpeg`, `image/png`, `image/gif`, `image/webp` or `image/bmp`.
  public var mimeType: String
  /// The size in the file; nil if its header has none.
  public var size: PixelSize?
  /// When the server last confirmed this image: milliseconds since 1970 in UTC.
  public var fetchedAt: Int64

  /// An image of a custom cache.
  public init(bytes: [UInt8], mimeType: String, size: PixelSize?, fetchedAt: Int64) {
    self.bytes = bytes
    self.mimeType = mimeType
    self.size = size
    self.fetchedAt = fetchedAt
  }
}

/// Fetches and caches images (protocol 17.3, `GCKUIImageCache`).
public protocol ImageCache: Sendable {
  /// Returns the image at an address.
  /// - Throws: `CastError` when the image is unavailable; cancelling the task throws `.cancelled`.
  func image(at url: String) async throws(CastError) -> CachedImage
  /// Removes all images.
  func removeAll() async throws(CastError)
}
