import CastProtocol

/// How a run of a device begins.
package struct RunStart: Sendable, Hashable {
  /// An entry that was cut on another device, and where it continues; nil continues where the rows say that this one was cut.
  package var resume: ResumePoint?
  /// Whether what the device still plays for this queue is replaced, and not adopted.
  package var startsOver = false
  /// How long a device is called that has not answered yet, before it is called unreachable, if feeding ends with its run.
  package var patience: Duration = .zero
  /// Whether its list restarts at its end.
  package var loops = false
  /// The volume of the device while it is fed, 0 to 1; nil leaves it as it is.
  package var volume: Double?

  package init() {}
}
