/// A width and a height in pixels.
public struct PixelSize: Sendable, Hashable {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// A size; nothing checks that it is positive.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// The purpose of an image (protocol 17.3, `GCKUIImageHints`).
public struct ImageHints: Sendable, Hashable {
  /// The place in a user interface. Cases may be added.
  public enum Kind: Int, Sendable, Hashable, CaseIterable {
    /// An application-defined place.
    case custom = 0
    /// The dialog about the connected device.
    case castDialog = 1
    /// The compact player controls.
    case miniController = 2
    /// Behind the full-screen controls.
    case background = 3
  }

  /// The place.
  public var kind: Kind
  /// The display size; nil accepts any.
  public var wantedSize: PixelSize?

  /// Creates hints for a place; without a size any is accepted.
  public init(kind: Kind = .custom, wantedSize: PixelSize? = nil) {
    self.kind = kind
    self.wantedSize = wantedSize
  }
}
