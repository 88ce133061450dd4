/// Position of playback in an ad break (protocol 9).
public struct AdBreakStatus: Sendable, Hashable {
  /// The break; nil when the receiver does not report it.
  public var breakIdentifier: String?
  /// The clip; nil when the receiver does not report it.
  public var clipIdentifier: String?
  /// Time since the break began; nil when the receiver does not report it.
  public var currentBreakTime: MediaTime?
  /// Time since the clip began; nil when the receiver does not report it.
  public var currentClipTime: MediaTime?
  /// Time into the clip after which it may be skipped; nil means never, 0 at once.
  public var whenSkippable: MediaTime?
  /// How many clips the break has; nil when the receiver does not report it, as most do not.
  public var numberBreakClips: Int?
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A position in a break; everything defaults to unknown.
  public init(
    breakIdentifier: String? = nil, clipIdentifier: String? = nil, currentBreakTime: MediaTime? = nil,
    currentClipTime: MediaTime? = nil, whenSkippable: MediaTime? = nil, numberBreakClips: Int? = nil
  ) {
    self.breakIdentifier = breakIdentifier
    self.clipIdentifier = clipIdentifier
    self.currentBreakTime = currentBreakTime
    self.currentClipTime = currentClipTime
    self.whenSkippable = whenSkippable
    self.numberBreakClips = numberBreakClips
  }

  /// Nil without a break id: receivers also send an empty object outside of breaks (protocol 21, recordings).
  package init?(json: JSONValue?) {
    guard var members = JSONMembers(json) else { return nil }
    self.init(
      breakIdentifier: members.take("breakId")?.string, clipIdentifier: members.take("breakClipId")?.string,
      currentBreakTime: MediaTime(members.take("currentBreakTime"), .adTime),
      currentClipTime: MediaTime(members.take("currentBreakClipTime"), .adTime),
      whenSkippable: MediaTime(members.take("whenSkippable"), .length),
      numberBreakClips: members.take("numberBreakClips")?.integer(.count))
    unknownMembers = members.rest
    guard breakIdentifier != nil || clipIdentifier != nil || currentBreakTime != nil else { return nil }
  }

  package var json: JSONValue {
    .members([
      "breakId": JSONValue(breakIdentifier), "breakClipId": JSONValue(clipIdentifier),
      "currentBreakTime": JSONValue(currentBreakTime?.seconds),
      "currentBreakClipTime": JSONValue(currentClipTime?.seconds),
      "whenSkippable": JSONValue(whenSkippable?.seconds), "numberBreakClips": JSONValue(numberBreakClips),
    ]).keeping(unknownMembers)
  }

  /// Time to wait until the clip may be skipped; 0 when it may be skipped now, nil when never.
  public var timeUntilSkippable: MediaTime? {
    whenSkippable.map { max($0 - (currentClipTime ?? .zero), .zero) }
  }
}
