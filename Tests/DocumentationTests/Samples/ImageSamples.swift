import CastSender

// sample: poster
/// The picture for a strip of 320 by 180 pixels that controls what plays. Nil when the media has none.
func poster(of status: MediaStatus, from cache: any ImageCache) async throws(CastError) -> CachedImage? {
  let hints = ImageHints(kind: .miniController, wantedSize: PixelSize(width: 320, height: 180))
  guard let metadata = status.mediaInformation?.metadata,
    let image = BestFitImagePicker().image(from: metadata, hints: hints)
  else { return nil }
  return try await cache.image(at: image.url)
}
// end sample

// sample: landscape-picker
/// Takes only pictures that are wider than high.
struct LandscapePicker: ImagePicker {
  func image(from images: [Image], hints: ImageHints) -> Image? {
    images.first { image in
      if let width = image.width, let height = image.height { width > height } else { false }
    }
  }
}
// end sample

// sample: small-cache
/// A cache for a small box: a hundred pictures, 16 MiB.
func smallCache(in folder: String) -> FileImageCache {
  var limits = ImageCacheLimits()
  limits.images = 100
  limits.bytes = 16 << 20
  return FileImageCache(folder: folder, limits: limits)
}
// end sample
