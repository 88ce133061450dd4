package import CastProtocol
package import CastqPlaylists
package import CastqText

/// A turn that the receiver still holds and the rows know: what a feeder has to learn of it to take it up again.
package struct HeldTurn: Sendable, Hashable {
  package var turn: EntryTurn
  /// Its place in the play order, with what it was made from.
  package var place: UpcomingEntry
  /// Its play, when it has started and its end was unobserved.
  package var play: UnfinishedPlay?
  /// From where the receiver fetches it.
  package var serving: Serving

  /// From where the receiver fetches an item that a feeder before has sent.
  package enum Serving: Sendable, Hashable {
    /// Nothing of it comes from castq.
    case elsewhere
    /// From castq, which serves it again from now on, at the same address. Nobody did meanwhile.
    case again
    /// From a process that is gone, at an address that castq does not have any more.
    case gone
  }

  package init(
    turn: EntryTurn, place: UpcomingEntry, play: UnfinishedPlay? = nil, serving: Serving = .elsewhere
  ) {
    self.turn = turn
    self.place = place
    self.play = play
    self.serving = serving
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
