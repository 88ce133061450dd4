/// The introduction of the Cast button (Google's design checklist, "Cast introduction"): shown once ever, when a device is first
/// available, or with the first press of the button.
public struct IntroductoryOverlayModel: Sendable, Hashable {
  /// Whether it is shown now.
  public let isVisible: Bool
  /// Its texts and places.
  public let options: IntroductionOptions

  init(_ options: IntroductionOptions?, _ state: IntroductionState) {
    isVisible = state == .visible && options != nil
    self.options = options ?? IntroductionOptions()
  }
}

/// How far the introduction is.
enum IntroductionState: Sendable, Hashable {
  /// Nobody has asked whether it was shown before.
  case unclaimed
  /// It was asked; the chooser opens afterwards when the button was pressed and the introduction was shown before.
  case claiming(opensChooser: Bool)
  case visible
  case over
}
