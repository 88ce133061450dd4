/// How much a `FileImageCache` keeps, and how long.
public struct ImageCacheLimits: Sendable, Hashable {
  /// The most pictures that are kept; default 500.
  public var images: Int
  /// The most bytes that are kept on disk; default 64 MiB. A picture larger than this is not kept.
  public var bytes: Int
  /// The largest picture that is taken at all, in bytes; default 8 MiB.
  public var imageBytes: Int
  /// How long a picture is given out without asking the server whether it has changed; default 1 h.
  public var freshness: Duration
  /// How long getting a picture may take; default 10 s.
  public var timeout: Duration

  /// Limits for a user interface on a small box.
  public init(
    images: Int = 500, bytes: Int = 64 << 20, imageBytes: Int = 8 << 20, freshness: Duration = .seconds(3600),
    timeout: Duration = .seconds(10)
  ) {
    self.images = images
    self.bytes = bytes
    self.imageBytes = imageBytes
    self.freshness = freshness
    self.timeout = timeout
  }
}
