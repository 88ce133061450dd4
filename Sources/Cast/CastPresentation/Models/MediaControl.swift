import CastProtocol

/// The kinds of buttons of a media controller (protocol 17.1), as Google's iOS SDK lists them.
public enum MediaControlKind: Sendable, Hashable {
  /// An empty place.
  case none
  /// Play or pause; stop for a live stream.
  case playPauseToggle
  /// The next item of the queue.
  case skipNext
  /// The previous item of the queue.
  case skipPrevious
  /// Back by a number of seconds.
  case rewind(seconds: Int)
  /// Forward by a number of seconds.
  case forward(seconds: Int)
  /// Mute the stream.
  case muteToggle
  /// Show or hide subtitles.
  case closedCaptions
  /// Stop the media.
  case stop
  /// A button of the program's own, by its name.
  case custom(String)
}

/// A button as it is drawn now.
public struct MediaControl: Sendable, Hashable {
  /// Its kind.
  public let kind: MediaControlKind
  /// What it does now, in one or two words: its text or its accessible name.
  public let label: String
  /// Whether it may be pressed.
  public let isEnabled: Bool
  /// Why it may not be pressed, in words for a person; nil when it may, and for an empty place.
  public let explanation: String?
  /// Whether it is lit: muted, subtitles shown.
  public let isOn: Bool
  /// Whether the outcome of a press is still open.
  public let isPending: Bool
  /// What a press sends; nil for an empty place.
  public let intent: PresentationIntent?
}

/// Whether something may be done now, and why not.
enum Permission: Sendable, Hashable {
  /// It may.
  case allowed
  /// It may not, in words for a person.
  case refused(PresentationFailure)

  /// Whether it may.
  var isAllowed: Bool { self == .allowed }

  /// Why it may not; nil when it may.
  var failure: PresentationFailure? {
    if case .refused(let failure) = self { failure } else { nil }
  }

  static func refused(_ message: String, _ nextStep: String, code: CastError.Code) -> Permission {
    .refused(PresentationFailure(message, nextStep: nextStep, code: "\(code)"))
  }
}
