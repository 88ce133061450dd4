/// A session event and its time. Its reader may be delayed without losing the time.
package struct StampedSessionEvent: Sendable, Equatable {
  package let event: SessionEvent
  /// When the cause of the event arrived, in the session's time.
  package let heardAt: Tick
  /// The latest time before that at which the device was certainly reachable; nil when it was never reached.
  package let seenUntil: Tick?

  package init(_ event: SessionEvent, heardAt: Tick, seenUntil: Tick?) {
    self.event = event
    self.heardAt = heardAt
    self.seenUntil = seenUntil
  }

  /// Whether it is the last event.
  package var isLast: Bool { if case .ended = event { true } else { false } }
}
