import CastProtocol
import CastqText

/// Plays that say more than a clock can hold: more seconds than lie between their beginning and their end, at their speed. Nothing was
/// changed since they were signed; a castq that did not know the rule recorded what the receiver said.
struct ProofExcess: Sendable {
  private(set) var plays = ProofFindings()

  mutating func add(_ row: ProofRow) {
    guard let words = row.excess else { return }
    plays.add(
      ProofFinding(.changed, line: row.line, chain: row.chain...row.chain, "\(row.words) says \(words)"))
  }

  /// `10:00 shown in 0:03`; nil for a play that keeps to the rule.
  static func words(_ members: [String: JSONValue]) -> String? {
    guard let played = members["played_ms"]?.double, played > 0 else { return nil }
    let (start, end) = (moment(members["started_at"]), moment(members["ended_at"]))
    let wall = if let start, let end { max(end - start, 0) } else { 0.0 }
    // Format 1 has no speed, and that of a play that nobody saw end is unknown.
    let rate = members["rate_thousandths"]?.double.map { $0 / 1000 }
    let rounding = 0.001
    guard played / 1000 > ShownClock.most(wall: wall, rate: rate) + rounding else { return nil }
    return "\(ClockText.format(played / 1000)) shown in \(ClockText.format(wall))"
  }

  private static func moment(_ value: JSONValue?) -> WallTime? {
    value?.string.flatMap { try? RFC3339.parse($0) }
  }
}
