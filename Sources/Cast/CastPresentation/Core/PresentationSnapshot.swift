import CastProtocol

/// All models at one moment. Two faces of the same device have equal ones, but for what each of them has asked for and opened.
public struct PresentationSnapshot: Sendable, Hashable {
  /// The Cast button.
  public let castButton: CastButtonModel
  /// The dialog of the Cast button.
  public let deviceChooser: DeviceChooserModel
  /// The introduction.
  public let introduction: IntroductoryOverlayModel
  /// The media.
  public let media: MediaController
  /// The small controller.
  public let miniController: MiniControllerModel
  /// The full controller.
  public let expandedController: ExpandedControllerModel
  /// The speed.
  public let playbackRate: PlaybackRateControl
  /// The volume of the device.
  public let deviceVolume: DeviceVolumeControl
  /// Audio and subtitles.
  public let trackChooser: TrackChooserModel
  /// Errors, ends and the actions of others, the oldest first; at most `PresentationMachine.noticeLimit`.
  public let notices: [PresentationNotice]
  /// The pending intents and the latest outcomes, the oldest first; at most `PresentationMachine.recordLimit`.
  public let intents: [IntentRecord]

  /// The record of an intent; nil when it was never seen, or is too old.
  public func record(of id: IntentID) -> IntentRecord? { intents.last { $0.id == id } }
}
