public import CastProtocol

/// Selects among the images of a media item (protocol 17.3, `GCKUIImagePicker`).
public protocol ImagePicker: Sendable {
  /// Returns the image for a purpose; nil when none is suitable.
  /// - Parameters:
  ///   - images: as the metadata lists them; the first is the most important (protocol 11).
  ///   - hints: the purpose.
  func image(from images: [Image], hints: ImageHints) -> Image?
}

extension ImagePicker {
  /// Returns the image of a media item for a purpose; nil when none is suitable.
  public func image(from metadata: MediaMetadata, hints: ImageHints) -> Image? {
    image(from: metadata.images, hints: hints)
  }
}

/// Selects the first image for any purpose, as Google's senders do by default.
public struct FirstImagePicker: ImagePicker {
  /// Creates a picker.
  public init() {}

  /// The first picture; nil when there is none.
  public func image(from images: [Image], hints: ImageHints) -> Image? { images.first }
}

/// Selects the best fit: the smallest image that is at least as large as wanted in both directions, else the largest. Images of
/// unknown size are used only if there are no others; of equal ones the first.
public struct BestFitImagePicker: ImagePicker {
  /// Creates a picker.
  public init() {}

  /// The best fit; without a wanted size the largest image. Nil when there is none.
  public func image(from images: [Image], hints: ImageHints) -> Image? {
    let known = images.compactMap { image in Self.size(of: image).map { (image: image, size: $0) } }
    guard !known.isEmpty else { return images.first }
    if let wanted = hints.wantedSize {
      let enough = known.filter { $0.size.width >= wanted.width && $0.size.height >= wanted.height }
      if let best = enough.min(by: { Self.area($0.size) < Self.area($1.size) }) { return best.image }
    }
    // `max` would give the last of equals.
    return known.reduce(known[0]) { Self.area($1.size) > Self.area($0.size) ? $1 : $0 }.image
  }

  private static func size(of image: Image) -> PixelSize? {
    guard let width = image.width, let height = image.height, width > 0, height > 0 else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// As a floating-point number, because a sender's sizes may overflow an integer.
  private static func area(_ size: PixelSize) -> Double { Double(size.width) * Double(size.height) }
}
