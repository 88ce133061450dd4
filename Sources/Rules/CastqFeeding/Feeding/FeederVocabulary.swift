package import CastProtocol
package import CastqPlaylists

/// A turn about to be sent, and the round it is played for.
package struct OfferedTurn: Sendable, Hashable {
  package var turn: EntryTurn
  package var round: Int

  package init(turn: EntryTurn, round: Int) {
    self.turn = turn
    self.round = round
  }
}

/// One place in the play order.
package struct UpcomingPlace: Sendable, Hashable {
  package var entry: EntryID
  package var round: Int

  package init(entry: EntryID, round: Int) {
    self.entry = entry
    self.round = round
  }
}

/// What a fact means for the row of its entry; applied in the same transaction, unless a later turn has overtaken it.
package struct EntryEffect: Sendable, Hashable {
  package var state: EntryState
  /// The round the entry is due in next; nil leaves it.
  package var round: Int?
  /// Whether the play counts against the retry limit.
  package var countsAttempt: Bool

  package init(state: EntryState, round: Int? = nil, countsAttempt: Bool = false) {
    self.state = state
    self.round = round
    self.countsAttempt = countsAttempt
  }
}

/// A fact and what it means for its entry.
package struct RecordedFact: Sendable, Hashable {
  package var fact: PlaybackFact
  /// Nil when the row stays as it is.
  package var effect: EntryEffect?

  package init(fact: PlaybackFact, effect: EntryEffect?) {
    self.fact = fact
    self.effect = effect
  }
}

/// A change of the receiver's queue, by whomever (protocol 7.7).
package enum QueueChange: Sendable, Hashable {
  case insert([MediaQueueItemID], before: MediaQueueItemID?)
  case remove([MediaQueueItemID])
  /// The whole list in its new order.
  case update([MediaQueueItemID])
  case other
}

/// How the edit in flight ended.
package enum EditOutcome: Sendable, Hashable {
  case done
  case itemIDs([MediaQueueItemID])
  case items([MediaQueueItem])
  case failed(EditFailure)

  /// Whether no answer came.
  var isSilence: Bool { if case .failed(let failure) = self { failure.kind == .timeout } else { false } }
}

/// Why an edit failed, as far as it matters for what comes next.
package struct EditFailure: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The receiver could not load any of it.
    case loadFailed
    /// Somebody else's load came in between.
    case cancelled
    /// There is no such media session any more.
    case noMediaSession
    /// The receiver cannot do it at present.
    case invalidState
    /// No answer came: it may have happened or not.
    case timeout
    /// The session or its application ended before an answer; the session reports that itself.
    case sessionEnded
    /// The receiver, or our own limit, refused it.
    case refused

    /// Whether the receiver answered that it does not do it.
    var isRefusal: Bool { self == .noMediaSession || self == .invalidState || self == .refused }
  }

  package var kind: Kind
  /// The receiver's words, or ours.
  package var reason: PlayReason

  package init(kind: Kind, reason: PlayReason) {
    self.kind = kind
    self.reason = reason
  }
}

/// The clocks of a feeder.
package enum FeederTimer: Sendable, Hashable, CaseIterable {
  /// Time to ask where playback is.
  case status
  /// The current entry has had its time.
  case entryEnd
  /// A pause after nothing could be loaded is over.
  case pause
  /// What is being loaded has had its time to display something.
  case load
  /// The pause after a refused edit is over.
  case edit
  /// The item on the screen has stalled for too long.
  case stall
  /// A picture has been displayed for so long that the device may close it.
  case refresh
  /// A time window opens or closes.
  case window
  /// The application for web pages has had its time to answer.
  case page
}

extension RunEnd {
  /// Whether nothing of the feeder's may stay on the receiver.
  var clearsScreen: Bool {
    switch self {
    case .drained, .refused, .stopped, .halted, .entryFailed: true
    case .takenOver, .superseded, .stoppedElsewhere, .unreachable, .failed, .busy: false
    }
  }
}

/// What follows once nothing of ours is on the receiver.
enum PendingCommand: Sendable, Hashable {
  /// Reload, from this entry on; nil from the first that is due.
  case restart(EntryID?)
  case halt
}

/// The edit in flight, with the turns it concerns.
enum PendingEdit: Sendable, Hashable {
  case load([EntryTurn])
  case insert([EntryTurn])
  case remove([EntryTurn])
  case fetchItemIDs
  case fetchItems([MediaQueueItemID])
}
