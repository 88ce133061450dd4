package import CastProtocol

/// The ad on the screen for display: its number in the break, and when it may be skipped (protocol 9).
package struct AdProgress: Sendable, Hashable {
  /// Nil when the receiver does not say.
  package var breakID: String?
  /// Nil when the receiver does not say.
  package var clipID: String?
  /// Place in the break, from 1; nil when the media does not describe the break, as after a seek (protocol 21.12).
  package var number: Int?
  /// Clips in the break; nil when unknown.
  package var count: Int?
  /// Seconds into the clip; nil when unknown.
  package var position: Double?
  /// Seconds of the clip that are left; nil when its length is unknown.
  package var remaining: Double?
  /// Seconds until it may be skipped, 0 when it may be skipped now; nil when never.
  package var skippableIn: Double?

  /// The ad of a status received `elapsed` seconds ago; nil outside of ad breaks.
  package init?(_ status: MediaStatus, elapsed: Double = 0) {
    guard let ad = status.adBreakStatus else { return nil }
    breakID = ad.breakIdentifier
    clipID = ad.clipIdentifier
    let media = status.mediaInformation
    let clips = media?.adBreaks.first { $0.identifier == ad.breakIdentifier }?.clipIdentifiers
    let clip = media?.adBreakClips.first { $0.identifier == ad.clipIdentifier }
    count = clips?.count
    number = ad.clipIdentifier.flatMap { clips?.firstIndex(of: $0) }.map { $0 + 1 }
    let moved = status.playerState == .playing ? max(elapsed, 0) : 0
    let length = clip?.duration.flatMap { $0 > 0 ? $0.seconds : nil } ?? .infinity
    position = ad.currentClipTime.map { max(min($0.seconds + moved, length), 0) }
    remaining = length.isFinite ? position.map { length - $0 } : nil
    // Senders of the SDKs write "never" as a negative number.
    if let skippable = ad.whenSkippable, skippable >= 0 {
      skippableIn = max(skippable.seconds - (position ?? moved), 0)
    }
  }

  /// `Ad 1/2, skippable in 3 s`.
  package var words: String {
    let name = if let number, let count { "Ad \(number)/\(count)" } else { "Ad" }
    guard let skippableIn else { return name }
    let seconds = Int(bounded: min(skippableIn.rounded(.up), 1e6))
    return seconds > 0 ? "\(name), skippable in \(seconds) s" : "\(name), skippable"
  }
}
