import CastProtocol

/// The small controller (Google's design checklist, "Mini controller"): it is seen wherever something is cast and the expanded one is
/// not open.
public struct MiniControllerModel: Sendable, Hashable {
  /// Whether the program wants it at all.
  public let isEnabled: Bool
  /// Whether there is something to control, and the expanded controller is closed.
  public let isActive: Bool
  /// Title; nil when there is none.
  public let title: String?
  /// Second line; without one the device: `Casting to` and its name. Nil without a session.
  public let subtitle: String?
  /// Image; nil when there is none.
  public let artwork: Artwork?
  /// The position in the length, 0 to 1; nil when unknown.
  public let progress: Double?
  /// Whether media is being loaded, or waits for data.
  public let isLoading: Bool
  /// The one button.
  public let control: MediaControl

  /// Whether it is seen.
  public var isVisible: Bool { isEnabled && isActive }
  /// What a press beside the button sends.
  public var intent: PresentationIntent { .openExpandedController }

  init(
    _ facts: PresentationFacts, _ options: PresentationOptions, _ media: MediaController, isEnabled: Bool,
    isExpandedOpen: Bool
  ) {
    self.isEnabled = isEnabled
    isActive = media.hasMedia && !isExpandedOpen
    title = media.ad?.title ?? media.title
    subtitle = media.subtitle ?? media.deviceName.map { "Casting to \($0)" }
    artwork = facts.artwork(for: .miniController)
    progress = media.progress
    isLoading = media.isLoading
    control = media.control(options.miniControllerButton)
  }
}
