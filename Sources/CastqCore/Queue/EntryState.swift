/// Where one entry stands on its way to the screen.
///
///     pending ─> offered ─> queued ─> playing ─> finished | failed | skipped | interrupted
///        ├─> cancelled          (removed by the user; from every state that has not ended)
///        └<─ offered, queued, playing   (window lost, stopped, or to be retried)
///
/// Ended states go back to `pending` when a new round of the list begins.
package enum EntryState: String, Sendable, Hashable, CaseIterable {
  /// Waits in the database; the receiver knows nothing of it.
  case pending
  /// Sent to the receiver, which has not yet said that it has it.
  case offered
  /// In the receiver's queue.
  case queued
  /// On the screen, or being loaded to it.
  case playing
  /// Played to its end.
  case finished
  /// Could not be played, retries included.
  case failed
  /// Passed over on request.
  case skipped
  /// Cut by somebody else, and not to be taken up again.
  case interrupted
  /// Removed by the user.
  case cancelled

  /// Whether the entry will not play again in this round.
  package var isEnded: Bool {
    switch self {
    case .finished, .failed, .skipped, .interrupted, .cancelled: true
    case .pending, .offered, .queued, .playing: false
    }
  }

  /// Whether the receiver may hold the entry in its window.
  package var isOnReceiver: Bool {
    switch self {
    case .offered, .queued, .playing: true
    case .pending, .finished, .failed, .skipped, .interrupted, .cancelled: false
    }
  }
}
