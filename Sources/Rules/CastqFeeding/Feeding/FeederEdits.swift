import CastProtocol

/// The edit of the receiver's queue that is in flight, and what the receiver takes.
struct FeederEdits: Sendable, Hashable {
  /// Nil while none is in flight.
  var open: PendingEdit? { didSet { if open != nil { number += 1 } } }
  /// Counts edits: the outcome of one that was abandoned is not that of the next.
  private(set) var number = 0
  /// Those that the receiver has refused.
  var refusals = RefusedEdits()
  /// Most items in a message; falls when a receiver refuses large ones.
  var messageLimit: Int
  /// A receiver without the id requests keeps the numbers we counted ourselves.
  var canFetchItemIDs = true

  init(messageLimit: Int) { self.messageLimit = messageLimit }
}
