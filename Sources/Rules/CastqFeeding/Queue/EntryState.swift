/// The state of one entry in a round.
///
///     pending ─> offered ─> queued ─> playing ─> finished | failed | skipped | interrupted
///        ├─> cancelled          (removed by the user; from every state that has not ended)
///        └<─ offered, queued, playing   (window lost, stopped, or to be retried)
///
/// Ended states go back to `pending` when a new round of the list begins.
package enum EntryState: String, Sendable, Hashable, CaseIterable {
  /// In the database only; the receiver does not hold it.
  case pending
  /// Sent to the receiver, which has not confirmed it.
  case offered
  /// In the receiver's queue.
  case queued
  /// On the screen, or loading.
  case playing
  /// Played to its end.
  case finished
  /// Could not be played, retries included.
  case failed
  /// Skipped on request.
  case skipped
  /// Interrupted by another sender, and not resumed.
  case interrupted
  /// Removed by the user.
  case cancelled

  /// Whether the entry has ended for this round.
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
