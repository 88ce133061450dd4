public import CastProtocol

/// A picture that is there.
public struct CachedImage: Sendable, Hashable {
  /// The picture's file.
  public var bytes: [UInt8]
  /// What the bytes are, whatever the server called them: `image/jpeg`, `image/png`, `image/gif`, `image/webp` or
  /// `image/bmp`.
  public var mimeType: String
  /// As the file says; nil when its head does not tell.
  public var size: PixelSize?
  /// When the server last said that this is the picture: milliseconds since 1970 in UTC.
  public var fetchedAt: Int64

  /// A picture of a cache of your own.
  public init(bytes: [UInt8], mimeType: String, size: PixelSize?, fetchedAt: Int64) {
    self.bytes = bytes
    self.mimeType = mimeType
    self.size = size
    self.fetchedAt = fetchedAt
  }
}

/// Gets pictures, and keeps what it got (protocol 17.3, `GCKUIImageCache`).
public protocol ImageCache: Sendable {
  /// The picture at an address.
  /// - Throws: `CastError` when there is none to be had; cancelling the task throws `.cancelled`.
  func image(at url: String) async throws(CastError) -> CachedImage
  /// Forgets all pictures.
  func removeAll() async throws(CastError)
}
