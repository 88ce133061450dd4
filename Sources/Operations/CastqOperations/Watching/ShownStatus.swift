import CastProtocol
import CastqText

/// A status as it was given: the position moves by itself and is no news.
struct ShownStatus {
  private let members: [String: JSONValue]
  private let position: Double?
  private let speed: Double
  private let at: WallTime?

  /// Seconds by which a position may be off before it is news.
  private static let tolerance = 0.25

  init(_ document: JSONValue) {
    var members = document.object ?? [:]
    position = members.removeValue(forKey: "position_s")?.double
    at = members.removeValue(forKey: "at")?.string.flatMap { try? RFC3339.parse($0) }
    speed = document["speed"]?.double ?? 0
    self.members = members
  }

  /// Whether another status is what this one lets everybody expect.
  func says(_ other: ShownStatus) -> Bool {
    guard members == other.members else { return false }
    guard let position, let now = other.position else { return self.position == other.position }
    guard let at, let then = other.at else { return position == now }
    return abs(position + speed * (then - at) - now) < Self.tolerance
  }
}
