import CastProtocol

/// The control of the speed, as `GCKUIPlaybackRateController` of the iOS SDK: three choices (protocol 6.3).
public struct PlaybackRateControl: Sendable, Hashable {
  /// A choice.
  public enum Choice: Sendable, Hashable, CaseIterable {
    /// Half the speed; shown for every speed below normal.
    case half
    /// Normal.
    case normal
    /// Double the speed; shown for every speed above normal.
    case double

    /// The speed it sets; 1 is normal.
    public var rate: Double {
      switch self {
      case .half: 0.5
      case .normal: 1
      case .double: 2
      }
    }

    /// The choice that is shown for a speed; what is no number counts as normal.
    public init(rate: Double) { self = rate < 1 ? .half : rate > 1 ? .double : .normal }
  }

  /// The choice that is shown.
  public let choice: Choice
  /// The speed; 1 is normal.
  public let rate: Double
  /// Whether it may be changed: the application supports it, and no live stream or ad plays.
  public let isInputEnabled: Bool
  /// Whether a change is pending.
  public let isPending: Bool

  init(rate: Double, permission: Permission, isPending: Bool) {
    self.rate = rate
    choice = Choice(rate: rate)
    isInputEnabled = permission.isAllowed
    self.isPending = isPending
  }

  /// What choosing sends.
  public func intent(for choice: Choice) -> PresentationIntent { .setPlaybackRate(choice.rate) }
}
