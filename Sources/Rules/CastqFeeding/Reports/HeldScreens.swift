package import CastqSchedule
package import CastqText

/// Since when announcements and items of shares have had a screen, one after the other. What they have of the beginning of a window is
/// planned, and shown, as theirs.
package struct HeldScreens: Sendable {
  private var since: [String: WallTime] = [:]

  package init() {}

  /// Takes the decisions in their order.
  /// - Parameters:
  ///   - device: its name.
  ///   - planned: when it was to begin, at its time or before.
  /// - Returns: the moment from which its time counts.
  package mutating func start(
    of kind: PlanSegment.Kind, on device: String, at time: WallTime, planned: WallTime
  ) -> WallTime {
    let held = since[device]
    switch kind {
    case .announcement, .share: since[device] = held ?? time
    case .rule, .base, .dark: since[device] = nil
    }
    guard let held, held <= planned else { return planned }
    return time
  }
}
