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

/// What a picture is wanted for (protocol 17.3, `GCKUIImageHints`).
public struct ImageHints: Sendable, Hashable {
  /// The place in a user interface. More may come.
  public enum Kind: Int, Sendable, Hashable, CaseIterable {
    /// A place of the application's own.
    case custom = 0
    /// The dialog about the connected device.
    case castDialog = 1
    /// The strip that controls what plays.
    case miniController = 2
    /// Behind the full-screen controls.
    case background = 3
  }

  /// The place.
  public var kind: Kind
  /// The size it will be shown at; nil when any will do.
  public var wantedSize: PixelSize?

  /// Hints for a place; without a size any will do.
  public init(kind: Kind = .custom, wantedSize: PixelSize? = nil) {
    self.kind = kind
    self.wantedSize = wantedSize
  }
}
