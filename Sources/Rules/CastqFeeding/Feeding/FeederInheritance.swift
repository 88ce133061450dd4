import CastProtocol

/// What the feeder before has left, and what becomes of it.
struct FeederInheritance: Sendable, Hashable {
  /// What feeders before have left behind is in order.
  var hasRecovered = false
  /// What the receiver plays is replaced by the rows.
  var startsOver: Bool
  /// The resume position of the entry that was cut; nil when none was.
  var resume: ResumePoint?
}
