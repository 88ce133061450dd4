import CastProtocol

/// What the feeder before has left, and what becomes of it.
struct FeederInheritance: Sendable, Hashable {
  /// What feeders before have left behind is in order.
  var hasRecovered = false
  /// The resume position of the entry that was cut; nil when none was.
  var resume: ResumePoint?
}
