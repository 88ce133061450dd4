/// Where playback is inside an ad break (protocol 9).
public struct AdBreakStatus: Sendable, Hashable {
  /// The break; nil when the receiver does not say.
  public var breakIdentifier: String?
  /// The clip; nil when the receiver does not say.
  public var clipIdentifier: String?
  /// Time since the break began.
  public var currentBreakTime: MediaTime?
  /// Time since the clip began.
  public var currentClipTime: MediaTime?
  /// Time into the clip after which it may be skipped; nil means never.
  public var whenSkippable: MediaTime?

  /// Nil when there is no break: receivers also send an empty object then (protocol 21, recordings).
  package init?(json: JSONValue?) {
    guard let json, json["breakId"] != nil || json["breakClipId"] != nil || json["currentBreakTime"] != nil
    else {
      return nil
    }
    breakIdentifier = json["breakId"]?.string
    clipIdentifier = json["breakClipId"]?.string
    currentBreakTime = MediaTime(json["currentBreakTime"])
    currentClipTime = MediaTime(json["currentBreakClipTime"])
    whenSkippable = MediaTime(json["whenSkippable"])
  }
}
