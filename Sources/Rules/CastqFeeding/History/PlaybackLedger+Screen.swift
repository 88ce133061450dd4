package import CastProtocol
package import CastqPlaylists

/// What is on the screen now.
extension PlaybackLedger {
  /// The turn on the screen; nil when there is none. The optimiser of Swift 6.3 ends with an error where this is inlined.
  @inline(never) package var current: EntryTurn? { open?.turn }

  /// Whether the play on the screen has shown a frame.
  package var isStarted: Bool { open?.startedAt != nil }

  /// Seconds shown of the play on the screen: media time, or the display time of a picture; nil before the first frame.
  package func shown(at now: Tick) -> Double? {
    open.flatMap { $0.startedAt == nil ? nil : $0.expectedPlayed(at: now) }
  }

  /// The present position, for resuming; nil before the first frame.
  package func position(at now: Tick) -> MediaTime? {
    open.flatMap { $0.startedAt == nil ? nil : $0.expectedPosition(at: now) }
  }

  /// Whether only an ad after the content is on the screen: the content has been shown to its end.
  package var isContentOver: Bool { open?.isContentOver ?? false }
}
