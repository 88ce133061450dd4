package import CastProtocol

/// A turn that the receiver still holds and the rows know: what a feeder has to learn of it to take it up again.
package struct HeldTurn: Sendable, Hashable {
  package var turn: EntryTurn
  /// Its place in the play order, with what it was made from.
  package var place: UpcomingEntry
  /// Its play, when it has started and its end was unobserved.
  package var play: UnfinishedPlay?
  /// Whether the receiver fetches it, or a part of it, from a process that is gone.
  package var isOrphaned: Bool

  package init(
    turn: EntryTurn, place: UpcomingEntry, play: UnfinishedPlay? = nil, isOrphaned: Bool = false
  ) {
    self.turn = turn
    self.place = place
    self.play = play
    self.isOrphaned = isOrphaned
  }
}

/// A play as far as it was written down by a feeder that is gone.
package struct UnfinishedPlay: Sendable, Hashable {
  package var startedAt: WallTime
  /// When anything was heard of it last.
  package var observedAt: WallTime
  /// Where it was then.
  package var position: MediaTime
  /// Seconds of media shown until then.
  package var played: Double
  /// Nil when unknown.
  package var duration: MediaTime?

  package init(
    startedAt: WallTime, observedAt: WallTime, position: MediaTime, played: Double, duration: MediaTime?
  ) {
    self.startedAt = startedAt
    self.observedAt = observedAt
    self.position = position
    self.played = played
    self.duration = duration
  }
}

/// Where the list was cut: the entry that continues, and its position.
package struct ResumePoint: Sendable, Hashable {
  package var entry: EntryID
  package var position: MediaTime

  package init(entry: EntryID, position: MediaTime) {
    self.entry = entry
    self.position = position
  }
}
