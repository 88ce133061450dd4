package import CastProtocol

/// What the hash of a play is over: the words that say what was shown where and when, and the hash before.
///
/// Not among them is what castq itself changes after the end: the note (what was found out about a failure later), the ad breaks
/// (which may be reported after the end), the number of the device (which goes with the device). Seconds are whole milliseconds, so
/// that each value has one text.
package struct PlayWords: Sendable, Hashable {
  /// The place in the order of the ends, from 1.
  package let chain: Int64
  /// The hash of the play before, `firstHash` for the first; nil when that row is gone.
  package let previous: String?
  package let play: Int64
  package let entry: Int64
  package let turn: Int64
  package let device: String
  /// SHA-256 of the key with which the device had proved itself; nil when it had not.
  package var deviceKey: String?
  package let title: String
  package let url: String
  package var source: String?
  package var line: Int64?
  package var startedAt: WallTime?
  package var endedAt: WallTime?
  package var startPosition: MediaTime?
  package var endPosition: MediaTime?
  package var played = MediaTime.zero
  package var duration: MediaTime?
  package var outcome: String?
  package var evidence: String?
  package var idleReason: String?
  package var errorType: String?
  package var errorReason: String?
  package var detailedCode: Int64?
  package var gapBefore: MediaTime?
  package var kind: String?
  package var rule: Int64?
  package var ruleName: String?
  package var ruleRevision: Int64?
  package var occurrence: String?
  package var plannedAt: WallTime?
  package var decision: Int64?
  /// Whether the system's clock was synchronised at the end; nil when that is unknown.
  package var isClockSynchronised: Bool?

  /// The hash before the first play: 64 zeros.
  package static let firstHash = String(repeating: "0", count: 64)

  package init(
    chain: Int64, previous: String?, play: Int64, entry: Int64, turn: Int64, device: String,
    deviceKey: String?, title: String, url: String
  ) {
    self.chain = chain
    self.previous = previous
    self.play = play
    self.entry = entry
    self.turn = turn
    self.device = device
    self.deviceKey = deviceKey
    self.title = title
    self.url = url
  }

  /// The line of the play in a proof, without its hash.
  package var members: [String: JSONValue] { Dictionary(uniqueKeysWithValues: ordered.map { ($0, $1) }) }

  /// What is hashed.
  package var canonicalText: String { CanonicalText.of(ordered) ?? "" }

  /// The members by their names, as the canonical text has them.
  private var ordered: KeyValuePairs<String, JSONValue> {
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    func number(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }
    func time(_ value: WallTime?) -> JSONValue { text(value.map(RFC3339.text)) }
    func milliseconds(_ value: MediaTime?) -> JSONValue {
      number(value.map { Int64(bounded: ($0.seconds * 1000).rounded()) })
    }
    return [
      "chain": .integer(chain), "clock_synchronised": isClockSynchronised.map { .bool($0) } ?? .null,
      "decision": number(decision), "detailed_code": number(detailedCode), "device": .string(device),
      "device_key": text(deviceKey), "duration_ms": milliseconds(duration),
      "end_position_ms": milliseconds(endPosition), "ended_at": time(endedAt), "entry": .integer(entry),
      "error_reason": text(errorReason), "error_type": text(errorType), "evidence": text(evidence),
      "gap_before_ms": milliseconds(gapBefore), "idle_reason": text(idleReason), "kind": text(kind),
      "line": number(line), "occurrence": text(occurrence), "outcome": text(outcome),
      "planned_at": time(plannedAt), "play": .integer(play), "played_ms": milliseconds(played),
      "previous": text(previous), "rule": number(rule), "rule_revision": number(ruleRevision),
      "schedule": text(ruleName), "source": text(source), "start_position_ms": milliseconds(startPosition),
      "started_at": time(startedAt), "title": .string(title), "turn": .integer(turn), "type": "play",
      "url": .string(url),
    ]
  }
}
