package import CastProtocol

/// What is on the screen now.
extension PlaybackLedger {
  /// The turn on the screen; nil when there is none.
  package var current: EntryTurn? { open?.turn }

  /// Whether what is on the screen has shown a frame.
  package var isStarted: Bool { open?.startedAt != nil }

  /// Seconds shown of what is on the screen: media time, or the time a picture has stood; nil before the first frame.
  package func shown(at now: Tick) -> Double? {
    open.flatMap { $0.startedAt == nil ? nil : $0.expectedPlayed(at: now) }
  }

  /// Where it is now, for resuming it; nil before its first frame.
  package func position(at now: Tick) -> MediaTime? {
    open.flatMap { $0.startedAt == nil ? nil : $0.expectedPosition(at: now) }
  }

  /// Whether what is on the screen is but an ad after the content, which has been shown to its end.
  package var isContentOver: Bool { open?.isContentOver ?? false }
}
