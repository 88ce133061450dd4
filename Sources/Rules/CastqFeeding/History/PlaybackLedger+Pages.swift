package import CastProtocol
package import CastqPlaylists
package import CastqText

/// Web pages, whose ends the receiver does not report.
extension PlaybackLedger {
  /// How a page ends: always by a command of castq, unconfirmed by the receiver (protocol 15).
  package enum PageEnd: Sendable, Hashable {
    /// Its time limit is reached.
    case timeOver
    /// The page is skipped.
    case skipped
    /// Another list replaces the entry's list.
    case replaced
    /// A person stops playback.
    case halted
  }

  /// The page application confirmed what it displays.
  package mutating func beginPage(_ turn: EntryTurn, at now: Tick, wall: WallTime) -> [PlaybackFact] {
    guard !hasEnded(turn) else { return [] }
    var play = OpenPlay(turn: turn, at: now)
    play.startPage(at: now, wall: wall)
    open = play
    return [started(play, at: now, wall: wall)]
  }

  /// Ends the page before the next item.
  package mutating func endPage(_ turn: EntryTurn, _ how: PageEnd, at now: Tick, wall: WallTime)
    -> [PlaybackFact]
  {
    let (outcome, cause): (PlayOutcome, PlayCause) =
      switch how {
      case .timeOver: (.finished, .timeLimit)
      case .skipped: (.skipped, .skipped)
      case .replaced: (.interrupted, .replaced)
      case .halted: (.cancelled, .stopped)
      }
    return end(turn, outcome, .inferred, cause, reason: nil, played: nil, at: now, wall: wall)
  }
}
