import CastProtocol

/// What a program may choose about a presentation.
public struct PresentationOptions: Sendable, Hashable {
  /// The introduction; nil shows none.
  public var introduction: IntroductionOptions? = IntroductionOptions()
  /// Whether the expanded controller opens by itself when casting begins; default false.
  public var opensExpandedControllerAutomatically = false
  /// Whether the mini controller is enabled at first; default true.
  public var isMiniControllerEnabled = true
  /// Up to four buttons beside play and pause in the expanded controller, from left to right, as Google's guide has four slots. More
  /// are ignored.
  public var expandedControllerButtons: [MediaControlKind] = [
    .closedCaptions, .rewind(seconds: 30), .forward(seconds: 30), .muteToggle,
  ]
  /// The one button of the mini controller; default play and pause.
  public var miniControllerButton: MediaControlKind = .playPauseToggle
  /// Whether the volume keys of the computer change the volume of the device; default true. Sliders do in any case.
  public var volumeControlsDriveDevice = true
  /// A volume, 0 to 1, that the operator configured for the device, which is shown beside the slider; nil, the default, is none.
  public var configuredVolume: Double?
  /// Whether the media controls are disabled while a request is in flight, as those of Google's iOS SDK are; default false: what is
  /// pending is marked, and more may be pressed.
  public var disablesControlsWhilePending = false
  /// How long a requested value is shown as if it had taken effect; default 300 ms. After that the receiver's value is shown, and the
  /// request as pending. A volume of the device is shown for at least 500 ms, also after the outcome: echoes of
  /// older levels arrive meanwhile (protocol 5.7).
  public var optimism = Duration.milliseconds(300)
  /// How often positions are recomputed while something plays; default 1 s, nil never: a face that counts on by itself.
  public var positionInterval: Duration? = .seconds(1)
  /// How long before the end of an item the next one is shown; default 45 s, at least the 30 s of Google's checklist.
  public var upNextLead = Duration.seconds(45)

  /// The defaults.
  public init() {}
}

/// The text and the places of the introduction.
public struct IntroductionOptions: Sendable, Hashable {
  /// A place on the screen, each 0 to 1 from the left and from the top.
  public struct Position: Sendable, Hashable {
    /// 0 is the left edge, 1 the right one.
    public var x: Double
    /// 0 is the top edge, 1 the bottom one.
    public var y: Double

    /// A place; values outside 0 to 1 are clamped, and what is no number is 0.
    public init(x: Double, y: Double) {
      self.x = x.clampedToUnit
      self.y = y.clampedToUnit
    }
  }

  /// The title.
  public var title = "Cast to your TV or speakers"
  /// The text.
  public var text = "Press the Cast button to choose a device. This device keeps control."
  /// The text of the button that closes it.
  public var dismissText = "Got it"
  /// Where the title stands.
  public var titlePosition = Position(x: 0.5, y: 0.4)
  /// Where the button that closes it stands.
  public var dismissPosition = Position(x: 0.5, y: 0.7)

  /// The defaults.
  public init() {}
}

extension Double {
  /// This value from 0 to 1; what is no number is 0.
  var clampedToUnit: Double { isNaN ? 0 : Swift.min(Swift.max(self, 0), 1) }
}
