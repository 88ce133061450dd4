public import CastProtocol

/// The ad that plays (protocol 9).
public struct AdModel: Sendable, Hashable {
  /// The title of the clip; nil when it has none.
  public let title: String?
  /// The address of an image for the clip; nil when there is none.
  public let posterURL: String?
  /// Number of the clip in its break, from 1; nil when unknown.
  public let clipNumber: Int?
  /// Number of clips of the break; nil when unknown.
  public let clipCount: Int?
  /// Seconds until the clip may be skipped, rounded up; 0 when it may be skipped now, nil when never.
  public let secondsUntilSkippable: Int?
  /// What stands on the button: `Skip in 5 s`, then `Skip ad`; nil for an ad that cannot be skipped.
  public let skipText: String?
  /// Whether it may be skipped now.
  public let canSkip: Bool

  /// Nil when no ad plays.
  init?(_ facts: PresentationFacts, skip: Permission?, at now: Tick) {
    guard let media = facts.media, let ad = media.adBreakStatus else { return nil }
    let information = media.mediaInformation
    let clip = information?.adBreakClips.first { $0.identifier == ad.clipIdentifier }
    let adBreak = information?.adBreaks.first { $0.identifier == ad.breakIdentifier }
    title = clip?.title
    posterURL = clip?.posterURL
    let index = ad.clipIdentifier.flatMap { adBreak?.clipIdentifiers.firstIndex(of: $0) }
    clipNumber = index.map { $0.adding(bounded: 1) }
    clipCount =
      ad.numberBreakClips ?? adBreak.flatMap { $0.clipIdentifiers.isEmpty ? nil : $0.clipIdentifiers.count }
    var seconds: Int?
    if let whenSkippable = ad.whenSkippable ?? clip?.whenSkippable {
      let passed = media.playerState == .playing ? facts.age(at: now).seconds : 0
      let left = whenSkippable.seconds - (ad.currentClipTime?.seconds ?? 0) - passed
      seconds = Int(bounded: max(left, 0).rounded(.up))
    }
    secondsUntilSkippable = seconds
    canSkip = skip?.isAllowed ?? false
    // The receiver's permission counts where it is earlier than its clock.
    skipText = canSkip ? "Skip ad" : seconds.map { $0 > 0 ? "Skip in \($0) s" : "Skip ad" }
  }
}

/// An ad break on the timeline.
public struct AdMark: Sendable, Hashable {
  /// Its position in seconds from the start; nil for one after the content.
  public let position: MediaTime?
  /// Whether it was played completely.
  public let isWatched: Bool

  init(_ info: AdBreakInfo) {
    if case .at(let time) = info.position { position = time } else { position = nil }
    isWatched = info.isWatched
  }
}
