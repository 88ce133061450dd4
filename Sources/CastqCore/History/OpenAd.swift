import CastProtocol

/// The clip of an ad break that is on the screen, and how much of it has been shown (protocol 9).
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
  /// Seconds into the clip when it was last told, and when that was.
  private var clipTime: Double
  /// Where in the break the clip begins, in seconds; nil when the receiver does not say.
  private let offset: Double?
  private var told: Tick
  private var isRunning: Bool
  /// The first status since it runs without a pause: how fast it goes is measured from there.
  private var anchor: Anchor?
  /// Seconds of the clip in one of ours: more than 1 only where statuses prove it, as with a receiver that plays faster than
  /// the clock.
  private(set) var pace: Double
  private var hasFailed = false

  private struct Anchor: Sendable, Hashable {
    var clipTime: Double
    var at: Tick
  }

  /// How a clip left the screen.
  enum End: Sendable, Hashable {
    /// What follows it came: by itself, or because somebody skipped the ad.
    case passed
    /// The whole play was cut, or is out of sight.
    case cut
  }

  /// Seconds by which what was told and what was extrapolated may miss the end of a clip. Positions come with statuses, and a
  /// clip begins a moment after the first of them.
  private static let tolerance = 0.5
  /// Numbers of a receiver beyond this are nonsense. Seconds.
  private static let limit = 1e7

  /// - Parameter pace: what was measured of the ads before it.
  init(_ ad: AdBreakStatus, in status: MediaStatus, pace: Double, at now: Tick, wall: WallTime) {
    self.pace = pace
    breakID = ad.breakIdentifier ?? ""
    clipID = ad.clipIdentifier ?? ""
    clipTime = Self.sane(ad.currentClipTime) ?? 0
    offset = Self.offset(of: ad)
    startedAt = wall.adding(seconds: -clipTime)
    told = now
    isRunning = status.playerState == .playing
    anchor = isRunning ? Anchor(clipTime: clipTime, at: now) : nil
    learn(ad, status)
  }

  /// Whether the status still speaks of this clip: a clip that begins again is another one.
  func isSame(as ad: AdBreakStatus) -> Bool {
    guard breakID == ad.breakIdentifier ?? "", clipID == ad.clipIdentifier ?? "" else { return false }
    if let offset, let told = Self.offset(of: ad), abs(told - offset) > Self.tolerance { return false }
    return Self.sane(ad.currentClipTime) ?? clipTime > clipTime - Self.tolerance
  }

  /// Takes in one more status of this clip.
  mutating func update(_ ad: AdBreakStatus, in status: MediaStatus, at now: Tick) {
    clipTime = Self.sane(ad.currentClipTime) ?? shown(at: now)
    told = now
    if isRunning { measure(at: now) }
    isRunning = status.playerState == .playing
    anchor = isRunning ? anchor ?? Anchor(clipTime: clipTime, at: now) : nil
    learn(ad, status)
  }

  /// The receiver could not play it (protocol 6.6, 901): what it last told is all that was shown.
  mutating func fail() {
    hasFailed = true
    isRunning = false
  }

  private mutating func measure(at now: Tick) {
    guard let anchor, clipTime - anchor.clipTime >= 1 else { return }
    let measured = (clipTime - anchor.clipTime) / max((now - anchor.at).seconds, 0.01)
    pace = measured > 1.5 ? min(measured, 100) : 1
  }

  /// What is known of the clip comes with it or with the media, which a receiver may trim (protocol 9).
  private mutating func learn(_ ad: AdBreakStatus, _ status: MediaStatus) {
    let clip = status.mediaInformation?.adBreakClips.first { $0.identifier == clipID }
    if let length = Self.sane(clip?.duration), length > 0 { duration = length }
    if let skippable = ad.whenSkippable ?? clip?.whenSkippable {
      whenSkippable = skippable < 0 ? nil : Self.sane(skippable)
    }
  }

  /// Seconds of it shown if it ran on since the last status; never more than there are.
  private func shown(at now: Tick) -> Double {
    guard isRunning, !hasFailed else { return min(clipTime, duration ?? .infinity) }
    return min(clipTime + max((now - told).seconds, 0) * pace, duration ?? .infinity)
  }

  /// The fact of its end. Skipped is what went on before its length was over, at a time at which it could be skipped; of a clip
  /// without a length, what went on right after a status, as the answer to a skip is one (protocol 21, recordings).
  func ended(_ end: End, at now: Tick) -> AdPlay {
    var played = shown(at: now)
    var isSkipped = false
    if end == .passed, !hasFailed {
      let isComplete =
        duration.map { played > $0 - Self.tolerance * pace } ?? (now - told > .milliseconds(250))
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
