package import CastProtocol
import CastqPlaylists
package import CastqText

/// Ends that items have by themselves: at their length, early, or unobserved.
extension PlaybackLedger {
  /// Seconds; an item that ends by more than this before its length ended early.
  private static let earliness = 3.0

  /// Seconds by which an item may end before its time limit.
  private static let limitTolerance = 1.5

  /// The receiver reports that an item ended by itself. What counts is the clock: of a length that it cannot have shown, nothing.
  /// - Parameter limit: how long it may last; nil is to its end.
  mutating func finished(
    _ turn: EntryTurn, limit: MediaTime?, at now: Tick, wall: WallTime
  ) -> [PlaybackFact] {
    guard let play = open, play.turn == turn, play.startedAt != nil else {
      return end(turn, .finished, .reported, .completed, reason: nil, played: nil, at: now, wall: wall)
    }
    let whole =
      play.isAtEnd(at: now)
      ? play.playedToEnd(at: now, within: ShownClock.endJitter) : play.expectedPlayed(at: now)
    // A report that the network has delayed says that it ended, and not when.
    let seen = play.expectedPlayed(at: silentSince ?? now)
    let isSeen =
      whole + play.uncertainty - seen <= ShownClock.tolerance && !play.lags
    let (evidence, played): (PlayEvidence, Double) = isSeen ? (.reported, whole) : (.inferred, seen)
    var (cause, reason) = (PlayCause.completed, PlayReason?.none)
    if let missing = play.missing(at: now), missing > Self.earliness {
      // A command of castq may end it with this word, too.
      if intent != nil {
        let words = PlayReason(idleReason: MediaPlayerIdleReason.finished.word)
        return endByCommand(turn, .cancelled, .deviceStopped, words, at: now, wall: wall)
      }
      if let limit, whole >= limit.seconds - Self.limitTolerance {
        cause = .timeLimit
      } else {
        cause = .endedEarly
        reason = PlayReason(note: "ended \(ClockText.format(missing.rounded())) before its length")
      }
    }
    return end(turn, .finished, evidence, cause, reason: reason, played: played, at: now, wall: wall)
  }

  /// The receiver was lost during one item and is found playing a later one. What it showed meanwhile is unobserved.
  /// - Parameter since: when the receiver was lost; nil when another process observed the item last.
  package mutating func passedUnseen(since: Tick?, at now: Tick, wall: WallTime) -> [PlaybackFact] {
    guard let open else { return [] }
    defer { lastEnd = nil }
    if let facts = timeWasOver(open, known: since ?? now, at: now, wall: wall) { return facts }
    self.open?.markUnobserved(since: since)
    unobservedSince = since ?? open.lastSeen
    let played = open.startedAt == nil ? nil : since.map { open.expectedPlayed(at: $0) } ?? open.played
    let isFinished = open.startedAt != nil && open.isNearEnd(at: now)
    return end(
      open.turn, isFinished ? .finished : .unknown, isFinished ? .inferred : .unobserved, .unobserved,
      reason: PlayReason(note: "the receiver moved to a later item unobserved"), played: played, at: now,
      wall: wall)
  }

  /// The receiver's list ended unobserved, after the play had time to end: whether it did is unknown (protocol 21.27).
  package mutating func endedUnseen(since: Tick, at now: Tick, wall: WallTime) -> [PlaybackFact] {
    guard let open else { return [] }
    defer { lastEnd = nil }
    self.open?.markUnobserved(since: since)
    let reason = PlayReason(note: "the receiver's list ended unobserved")
    return end(
      open.turn, .unknown, .unobserved, .unobserved, reason: reason, played: open.expectedPlayed(at: since),
      at: now, wall: wall)
  }
}
