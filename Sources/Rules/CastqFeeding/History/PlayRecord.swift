package import CastProtocol
package import CastqPlaylists
package import CastqText

/// One history row as it is read back.
package struct PlayRecord: Sendable, Hashable {
  /// Number of the row.
  package var play: Int64
  package var turn: EntryTurn
  /// The device's name at the time of the play.
  package var device: String
  package var title: String
  package var url: String
  package var source: SourceLocation?
  /// Nil when it never started.
  package var startedAt: WallTime?
  /// Nil while it plays.
  package var endedAt: WallTime?
  package var playedSeconds: Double
  package var duration: MediaTime?
  /// Nil while it plays.
  package var outcome: PlayOutcome?
  package var evidence: PlayEvidence?
  package var reason: PlayReason?
  package var gapBefore: Double?
  package var adPlays: [AdPlay]
  /// What it was shown by; nil for plays of very old files, which say nothing of it.
  package var schedule: PlaySchedule?
  /// Nil while it plays, and where it is unknown.
  package var cause: PlayCause?
  /// The rule or the title that interrupted it; nil where nothing with a name did.
  package var causedBy: String?
  /// The highest speed at which it was played; nil where it is unknown.
  package var rate: Double?
  /// Seconds in which castq did not see the device; nil where that is unknown.
  package var unobserved: Double?
  /// Which try of its entry in its round it was, from 1; nil where it is unknown.
  package var attempt: Int?

  /// Why it ended, in one line; nil when it ended as planned.
  package var reasonWords: String? {
    PlayReason.words(cause, by: causedBy, reason, unobserved: unobserved, attempt: attempt)
  }

  package init(
    play: Int64, turn: EntryTurn, device: String, title: String, url: String, source: SourceLocation?,
    startedAt: WallTime?, endedAt: WallTime?, playedSeconds: Double, duration: MediaTime?,
    outcome: PlayOutcome?,
    evidence: PlayEvidence?, reason: PlayReason?, gapBefore: Double?, adPlays: [AdPlay],
    schedule: PlaySchedule? = nil
  ) {
    self.play = play
    self.turn = turn
    self.device = device
    self.title = title
    self.url = url
    self.source = source
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.playedSeconds = playedSeconds
    self.duration = duration
    self.outcome = outcome
    self.evidence = evidence
    self.reason = reason
    self.gapBefore = gapBefore
    self.adPlays = adPlays
    self.schedule = schedule
  }
}
