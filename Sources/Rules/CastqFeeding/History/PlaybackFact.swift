package import CastProtocol
package import CastqPlaylists
package import CastqText

/// How one play ended.
package enum PlayOutcome: String, Sendable, Hashable, CaseIterable {
  case finished, interrupted, cancelled, skipped, failed, unknown
}

/// What an outcome is based on.
package enum PlayEvidence: String, Sendable, Hashable, CaseIterable {
  /// The receiver reported it.
  case reported
  /// It follows from earlier and later reports of the receiver.
  case inferred
  /// The receiver was not observed at the time.
  case unobserved
}

/// Why a play ended: the receiver's own words, and castq's note.
package struct PlayReason: Sendable, Hashable {
  /// Idle reason, such as `ERROR`.
  package var idleReason: String?
  /// Message type, such as `LOAD_FAILED`.
  package var errorType: String?
  /// The receiver's reason, such as `INVALID_PARAMS`.
  package var errorReason: String?
  /// Code of protocol 6.6, such as 104.
  package var detailedCode: Int?
  /// castq's note: what happened and what it is inferred from.
  package var note: String?

  package init(
    idleReason: String? = nil, errorType: String? = nil, errorReason: String? = nil, detailedCode: Int? = nil,
    note: String? = nil
  ) {
    self.idleReason = idleReason
    self.errorType = errorType
    self.errorReason = errorReason
    self.detailedCode = detailedCode
    self.note = note
  }
}

/// A fact about one play, backed by a receiver's report. Recording a fact twice changes nothing.
package enum PlaybackFact: Sendable, Hashable {
  /// The first frame, of the content or of an ad before it: the receiver reported PLAYING, or PAUSED of an
  /// image or of an item that was sent without autoplay.
  case started(EntryTurn, StartedPlay)
  /// Progress; reported at transitions and at most every ten seconds.
  case progressed(EntryTurn, ProgressedPlay)
  /// The play ended. Also recorded for a play that never started.
  case ended(EntryTurn, EndedPlay)
  /// One clip of an ad break ended.
  case adEnded(EntryTurn, AdPlay)

  /// The play that the fact is about.
  package var turn: EntryTurn {
    switch self {
    case .started(let turn, _), .progressed(let turn, _), .ended(let turn, _), .adEnded(let turn, _): turn
    }
  }

  /// When it was; of an ad, when that began.
  package var at: WallTime {
    switch self {
    case .started(_, let play): play.at
    case .progressed(_, let play): play.at
    case .ended(_, let play): play.at
    case .adEnded(_, let ad): ad.startedAt
    }
  }
}

/// The start of a play.
package struct StartedPlay: Sendable, Hashable {
  package var at: WallTime
  /// Start position on the timeline.
  package var position: MediaTime
  /// Length as the receiver measured it; nil when unknown.
  package var duration: MediaTime?
  /// Seconds from the last frame of the previous play to the first of this one; nil when not adjacent.
  package var gapBefore: Double?

  package init(at: WallTime, position: MediaTime, duration: MediaTime?, gapBefore: Double?) {
    self.at = at
    self.position = position
    self.duration = duration
    self.gapBefore = gapBefore
  }
}

/// The progress of a play.
package struct ProgressedPlay: Sendable, Hashable {
  package var at: WallTime
  package var position: MediaTime
  /// Media seconds played so far, without pauses and seeks.
  package var played: Double
  /// Length, if known.
  package var duration: MediaTime?

  package init(at: WallTime, position: MediaTime, played: Double, duration: MediaTime?) {
    self.at = at
    self.position = position
    self.played = played
    self.duration = duration
  }
}

/// The end of a play.
package struct EndedPlay: Sendable, Hashable {
  package var at: WallTime
  /// When it started, for a history that does not know its start any more; nil when it never started.
  package var startedAt: WallTime?
  /// End position on the timeline; nil when it never started.
  package var position: MediaTime?
  /// Media seconds played, without pauses and seeks.
  package var played: Double
  /// Length, if known.
  package var duration: MediaTime?
  package var outcome: PlayOutcome
  package var evidence: PlayEvidence
  /// The receiver's words, and castq's note; nil when there are none.
  package var reason: PlayReason?
  /// Nil is unknown.
  package var cause: PlayCause?
  /// The title that interrupted it; nil where it has none.
  package var causedBy: String?
  /// The highest speed at which it was played; nil when it never started.
  package var rate: Double?
  /// Seconds between its beginning and its end in which castq did not see the device; nil when it never started.
  package var unobserved: Double?

  /// Why it ended, in one line; nil when it ended as planned.
  package var reasonWords: String? { PlayReason.words(cause, by: causedBy, reason, unobserved: unobserved) }

  /// Whether it is over and little of it has been seen, though it has a length: not a moment, or it ended by itself in its first half.
  package var showedLittle: Bool {
    guard let duration, duration.seconds > 1 else { return false }
    return played < 0.1 || (cause == .endedEarly && played < duration.seconds / 2)
  }

  package init(
    at: WallTime, startedAt: WallTime? = nil, position: MediaTime?, played: Double, duration: MediaTime?,
    outcome: PlayOutcome, evidence: PlayEvidence, reason: PlayReason? = nil, cause: PlayCause? = nil,
    causedBy: String? = nil, rate: Double? = nil, unobserved: Double? = nil
  ) {
    self.at = at
    self.startedAt = startedAt
    self.position = position
    self.played = played
    self.duration = duration
    self.outcome = outcome
    self.evidence = evidence
    self.reason = reason
    self.cause = cause
    self.causedBy = causedBy
    self.rate = rate
    self.unobserved = unobserved
  }
}

/// One clip of an ad break that has been shown.
package struct AdPlay: Sendable, Hashable {
  /// `seek-…` for a break that a seek passed (protocol 21.12); empty when the receiver does not say.
  package var breakID: String
  /// Empty when the receiver does not say.
  package var clipID: String
  package var startedAt: WallTime
  /// Seconds of the clip that were shown.
  package var played: Double
  /// Whether it ended before its length, at a time at which it could be skipped.
  package var isSkipped: Bool

  package init(breakID: String, clipID: String, startedAt: WallTime, played: Double, isSkipped: Bool) {
    self.breakID = breakID
    self.clipID = clipID
    self.startedAt = startedAt
    self.played = played
    self.isSkipped = isSkipped
  }
}
