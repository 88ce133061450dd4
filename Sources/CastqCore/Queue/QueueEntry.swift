import CastProtocol

/// One row the user wants played, on one device.
package struct QueueEntry: Sendable, Hashable {
  package var id: EntryID
  /// Place in the user's list, from 1, without gaps when listed.
  package var position: Int
  package var state: EntryState
  /// The latest offering; 0 before the first.
  package var turn: Int
  /// Failures and plays of this round, for the retry limit and for people.
  package var attempts: Int
  /// What it plays and how.
  package var draft: EntryDraft

  package init(id: EntryID, position: Int, state: EntryState, turn: Int, attempts: Int, draft: EntryDraft) {
    self.id = id
    self.position = position
    self.state = state
    self.turn = turn
    self.attempts = attempts
    self.draft = draft
  }

  /// What a person reads.
  package var title: String { draft.media.label }
}
