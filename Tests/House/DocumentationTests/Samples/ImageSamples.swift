import CastSender

// sample: poster
/// The image for compact player controls of 320 by 180 pixels. Nil if the media has none.
func poster(of status: MediaStatus, from cache: any ImageCache) async throws(CastError) -> CachedImage? {
  let hints = ImageHints(kind: .miniController, wantedSize: PixelSize(width: 320, height: 180))
  guard let metadata = status.mediaInformation?.metadata,
    let image = BestFitImagePicker().image(from: metadata, hints: hints)
  else { return nil }
  return try await cache.image(at: image.url)
}
// end sample

// sample: landscape-picker
/// Selects the first landscape image.
struct LandscapePicker: ImagePicker {
  func image(from images: [Image], hints: ImageHints) -> Image? {
    images.first { image in
      if let width = image.width, let height = image.height { width > height } else { false }
    }
  }
}
// end sample

// sample: small-cache
/// A cache for a small device: a hundred images, 16 MiB, and the application's own server.
func smallCache(in folder: String, server: DeviceEndpoint) -> FileImageCache {
  var limits = ImageCacheLimits()
  limits.images = 100
  limits.bytes = 16 << 20
  limits.localServers = [server]
  return FileImageCache(folder: folder, limits: limits)
}
// end sample
