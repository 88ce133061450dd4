import CastProtocol
package import CastqPlaylists
import CastqText

/// One row of a device's queue.
package struct QueueEntry: Sendable, Hashable {
  package var id: EntryID
  /// Position in the user's list, from 1, without gaps when listed.
  package var position: Int
  package var state: EntryState
  /// The latest turn; 0 before the first.
  package var turn: Int
  /// Failures and plays in this round, for the retry limit and for display.
  package var attempts: Int
  /// The media and its options.
  package var draft: EntryDraft
  /// Why it was given up; nil for one that was not, and where history does not say.
  package var failure: EntryFailure?

  package init(id: EntryID, position: Int, state: EntryState, turn: Int, attempts: Int, draft: EntryDraft) {
    self.id = id
    self.position = position
    self.state = state
    self.turn = turn
    self.attempts = attempts
    self.draft = draft
  }

  /// The title for display.
  package var title: String { draft.media.label }
}
