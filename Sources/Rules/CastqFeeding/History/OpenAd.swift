import CastProtocol
import CastqText

/// The clip of an ad break on the screen, and how much of it has been shown (protocol 9).
struct OpenAd: Sendable, Hashable {
  /// Empty where the receiver does not say.
  let breakID: String
  /// Empty where the receiver does not say.
  let clipID: String
  private let startedAt: WallTime
  /// Seconds; nil when unknown.
  private var duration: Double?
  /// Seconds into the clip; nil when it may not be skipped.
  private var whenSkippable: Double?
  /// Seconds into the clip at the last status, and the time of that status.
  private var clipTime: Double
  /// Where in the break the clip begins, in seconds; nil when the receiver does not say.
  private let offset: Double?
  private var reportedAt: Tick
  private var isRunning: Bool
  /// The first status of the current run without a pause; the pace is measured from it.
  private var anchor: Anchor?
  /// Clip seconds per second of the clock: more than 1 only where statuses prove it, as with a receiver that plays faster than real
  /// time.
  private(set) var pace: Double
  private var hasFailed = false

  private struct Anchor: Sendable, Hashable {
    var clipTime: Double
    var at: Tick
  }

  /// How a clip left the screen.
  enum End: Sendable, Hashable {
    /// The next content followed, by itself or because the ad was skipped.
    case passed
    /// The whole play was interrupted, or became unobserved.
    case cut
  }

  /// Tolerated error, in seconds, of reported and extrapolated positions at the end of a clip. Positions come with statuses, and a
  /// clip begins a moment after the first of them.
  private static let tolerance = 0.5
  /// Upper bound, in seconds, for numbers of a receiver; larger ones are nonsense.
  private static let limit = 1e7

  /// - Parameter pace: the pace measured of the ads before it.
  init(_ ad: AdBreakStatus, in status: MediaStatus, pace: Double, at now: Tick, wall: WallTime) {
    self.pace = pace
    breakID = ad.breakIdentifier ?? ""
    clipID = ad.clipIdentifier ?? ""
    clipTime = Self.sane(ad.currentClipTime) ?? 0
    offset = Self.offset(of: ad)
    startedAt = wall.adding(seconds: -clipTime)
    reportedAt = now
    isRunning = status.playerState == .playing
    anchor = isRunning ? Anchor(clipTime: clipTime, at: now) : nil
    updateDescription(ad, status)
  }

  /// Whether the status is still of this clip: a clip that starts over is another one.
  func isSame(as ad: AdBreakStatus) -> Bool {
    guard breakID == ad.breakIdentifier ?? "", clipID == ad.clipIdentifier ?? "" else { return false }
    if let offset, let reported = Self.offset(of: ad), abs(reported - offset) > Self.tolerance {
      return false
    }
    return Self.sane(ad.currentClipTime) ?? clipTime > clipTime - Self.tolerance
  }

  /// Updates from another status of this clip.
  mutating func update(_ ad: AdBreakStatus, in status: MediaStatus, at now: Tick) {
    clipTime = Self.sane(ad.currentClipTime) ?? shown(at: now)
    reportedAt = now
    if isRunning { measure(at: now) }
    isRunning = status.playerState == .playing
    anchor = isRunning ? anchor ?? Anchor(clipTime: clipTime, at: now) : nil
    updateDescription(ad, status)
  }

  /// The receiver could not play it (protocol 6.6, 901): only what it last reported was shown.
  mutating func fail() {
    hasFailed = true
    isRunning = false
  }

  private mutating func measure(at now: Tick) {
    guard let anchor, clipTime - anchor.clipTime >= 1 else { return }
    let measured = (clipTime - anchor.clipTime) / max((now - anchor.at).seconds, 0.01)
    pace = measured > 1.5 ? min(measured, 100) : 1
  }

  /// The clip is described by its status or by the media, which a receiver may trim (protocol 9).
  private mutating func updateDescription(_ ad: AdBreakStatus, _ status: MediaStatus) {
    let clip = status.mediaInformation?.adBreakClips.first { $0.identifier == clipID }
    if let length = Self.sane(clip?.duration), length > 0 { duration = length }
    if let skippable = ad.whenSkippable ?? clip?.whenSkippable {
      whenSkippable = skippable < 0 ? nil : Self.sane(skippable)
    }
  }

  /// Seconds of it shown if it ran on since the last status; at most its length.
  private func shown(at now: Tick) -> Double {
    guard isRunning, !hasFailed else { return min(clipTime, duration ?? .infinity) }
    return min(clipTime + max((now - reportedAt).seconds, 0) * pace, duration ?? .infinity)
  }

  /// The fact of its end. A clip was skipped when it ended before its length, at a time at which it could be skipped; a clip
  /// without a length, when it ended right after a status, as the reply to a skip is one (protocol 21, recordings).
  func ended(_ end: End, at now: Tick) -> AdPlay {
    var played = shown(at: now)
    var isSkipped = false
    if end == .passed, !hasFailed {
      let isComplete =
        duration.map { played > $0 - Self.tolerance * pace } ?? (now - reportedAt > .milliseconds(250))
      isSkipped = !isComplete && whenSkippable.map { played > $0 - Self.tolerance } ?? false
      if isComplete { played = duration ?? played }
    }
    return AdPlay(
      breakID: breakID, clipID: clipID, startedAt: startedAt, played: played, isSkipped: isSkipped)
  }

  private static func offset(of ad: AdBreakStatus) -> Double? {
    guard let inBreak = sane(ad.currentBreakTime), let inClip = sane(ad.currentClipTime) else { return nil }
    return inBreak - inClip
  }

  private static func sane(_ time: MediaTime?) -> Double? { time.map { min(max($0.seconds, 0), limit) } }
}
