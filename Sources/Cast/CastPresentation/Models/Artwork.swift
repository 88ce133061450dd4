public import CastProtocol

/// Where artwork is drawn, as `GCKUIImageHints` distinguishes (protocol 17.3).
public enum ArtworkUse: Sendable, Hashable, CaseIterable {
  /// In the dialog about the connected device.
  case castDialog
  /// In the mini controller.
  case miniController
  /// Behind the expanded controller.
  case expandedController
}

/// The state of an image.
public enum ArtworkState: Sendable, Hashable {
  /// It is being fetched.
  case loading
  /// It can be drawn: read it from the image cache under its address.
  case ready
  /// It is unavailable: draw a placeholder.
  case unavailable
}

/// An image to draw.
public struct Artwork: Sendable, Hashable {
  /// The image, whose address is the key of the image cache.
  public let image: Image
  /// Whether it can be drawn.
  public let state: ArtworkState

  /// An image in a state.
  public init(image: Image, state: ArtworkState) {
    self.image = image
    self.state = state
  }
}

extension PresentationFacts {
  /// The image for a use; the first one until a driver has selected. Nil when the media has none, or none is suitable.
  func artwork(for use: ArtworkUse) -> Artwork? {
    if let selected = artwork[use] { return selected.image.map { Artwork(image: $0, state: selected.state) } }
    return images.first.map { Artwork(image: $0, state: .loading) }
  }

  /// The images of what plays.
  var images: [Image] { shownMetadata?.images ?? [] }
}
