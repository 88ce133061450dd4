import CastProtocol

/// Edits of the receiver's queue: how many there were, and what the receiver takes.
struct FeederEdits: Sendable, Hashable {
  /// Counts edits: the outcome of one that was abandoned is not that of the next.
  var number = 0
  /// Those that the receiver has refused.
  var refusals = RefusedEdits()
  /// Most items in a message; falls when a receiver refuses large ones.
  var messageLimit: Int
  /// A receiver without the id requests keeps the numbers we counted ourselves.
  var canFetchItemIDs = true
}
