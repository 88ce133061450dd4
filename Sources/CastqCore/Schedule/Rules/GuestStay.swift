/// Another sender has the screen of a device.
package struct GuestStay: Sendable, Hashable {
  /// When castq takes the screen back; nil when only a person does.
  package let until: WallTime?

  package init(until: WallTime?) { self.until = until }

  /// Whether it has the screen at a moment from now on.
  func contains(_ moment: WallTime) -> Bool { until.map { moment < $0 } ?? true }
}
