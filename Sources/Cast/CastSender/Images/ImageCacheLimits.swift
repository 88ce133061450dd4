public import CastProtocol

/// The limits of a `FileImageCache`.
public struct ImageCacheLimits: Sendable, Hashable {
  /// Maximum number of cached images; default 500.
  public var images: Int
  /// Maximum size of the cache on disk, in bytes; default 64 MiB. An image larger than this is not cached.
  public var bytes: Int
  /// Maximum size of an image that is accepted, in bytes; default 8 MiB.
  public var imageBytes: Int
  /// How long an image is returned without asking the server whether it has changed; default 1 h.
  public var freshness: Duration
  /// Time limit for fetching an image; default 10 s.
  public var timeout: Duration
  /// Servers of this computer that may be asked, such as the application's own; none by default. Addresses of images come from receivers, and
  /// lead to no other place of it, nor to link-local addresses.
  public var localServers: [DeviceEndpoint]

  /// Limits for a user interface on a small box.
  public init(
    images: Int = 500, bytes: Int = 64 << 20, imageBytes: Int = 8 << 20, freshness: Duration = .seconds(3600),
    timeout: Duration = .seconds(10), localServers: [DeviceEndpoint] = []
  ) {
    self.images = images
    self.bytes = bytes
    self.imageBytes = imageBytes
    self.freshness = freshness
    self.timeout = timeout
    self.localServers = localServers
  }
}
