/// A session event and when it was heard. Its reader may be late; what it learns from the event is not.
package struct StampedSessionEvent: Sendable, Equatable {
  package let event: SessionEvent
  /// When what led to the event arrived, in the session's own time.
  package let heardAt: Tick
  /// Up to when the device was certainly there before that; nil when it was never reached.
  package let seenUntil: Tick?

  package init(_ event: SessionEvent, heardAt: Tick, seenUntil: Tick?) {
    self.event = event
    self.heardAt = heardAt
    self.seenUntil = seenUntil
  }

  /// Whether no event follows.
  package var isLast: Bool { if case .ended = event { true } else { false } }
}
