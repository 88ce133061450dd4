package import CastProtocol
package import CastqText

/// What the hash of a play is over: the words that say what was shown where and when, and the hash before.
///
/// In format 1 it is over all of them at once. In format 2 it is over its place in the chain, the hash before and a hash of the rest, so
/// that a proof may have the hash of a play without its words; and address, source and line are in the rest as one hash with a nonce,
/// so that a proof may have a play without them.
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
  /// Format 2 alone has what follows. A `PlayCause`; nil is unknown.
  package var cause: String?
  package var causedBy: String?
  /// The highest speed at which it was played.
  package var rate: MediaTime?
  package var unobserved: MediaTime?
  package var attempt: Int64?
  /// 32 hexadecimal digits, not to be guessed; nil in format 1.
  package var nonce: String?

  /// 1 or 2.
  package var format: Int { nonce == nil ? 1 : 2 }

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

  /// The hash; nil when it cannot be computed.
  /// - Parameter sha: SHA-256 of a text, in hexadecimal digits.
  package func hash(_ sha: (String) -> String?) -> String? {
    guard nonce != nil else { return CanonicalText.of(ordered).flatMap(sha) }
    return content(sha).flatMap { PlayHash.chained($0, chain: chain, previous: previous, sha) }
  }

  /// The line of the play in a proof.
  /// - Parameter showsPlace: whether with address, source and line; of format 1 they cannot be withheld.
  package func members(hash: String, showsPlace: Bool, _ sha: (String) -> String?) -> [String: JSONValue]? {
    var members: [String: JSONValue]
    if nonce == nil {
      members = Dictionary(uniqueKeysWithValues: ordered.map { ($0, $1) })
    } else {
      guard let content = contentMembers(sha) else { return nil }
      members = content
      members["chain"] = .integer(chain)
      members["previous"] = previous.map { .string($0) } ?? .null
      if showsPlace { members.merge(place) { $1 } }
    }
    members["hash"] = .string(hash)
    return members
  }

  /// The line of the play in a proof that does not show it.
  package func hiddenMembers(hash: String, _ sha: (String) -> String?) -> [String: JSONValue]? {
    var members: [String: JSONValue] = [
      "type": "hidden", "chain": .integer(chain), "hash": .string(hash),
      "previous": previous.map { .string($0) } ?? .null,
    ]
    if nonce != nil {
      guard let content = content(sha) else { return nil }
      members["content"] = .string(content)
    }
    return members
  }

  private func content(_ sha: (String) -> String?) -> String? {
    contentMembers(sha).flatMap { CanonicalText.of(.object($0)) }.flatMap(sha)
  }

  /// All words of format 2 but its place in the chain, with the hash of address, source and line.
  private func contentMembers(_ sha: (String) -> String?) -> [String: JSONValue]? {
    guard let place = PlayHash.place(place, sha) else { return nil }
    var members = Dictionary(uniqueKeysWithValues: ordered.map { ($0, $1) })
    for name in ["chain", "previous", "url", "source", "line"] { members[name] = nil }
    func milliseconds(_ value: MediaTime?) -> JSONValue {
      value.map { .integer(Int64(bounded: ($0.seconds * 1000).rounded())) } ?? .null
    }
    members["format"] = 2
    members["place"] = .string(place)
    members["cause"] = cause.map { .string($0) } ?? .null
    members["caused_by"] = causedBy.map { .string($0) } ?? .null
    members["rate_thousandths"] = milliseconds(rate)
    members["unobserved_ms"] = milliseconds(unobserved)
    members["attempt"] = attempt.map { .integer($0) } ?? .null
    return members
  }

  private var place: [String: JSONValue] {
    [
      "url": .string(url), "source": source.map { .string($0) } ?? .null,
      "line": line.map { .integer($0) } ?? .null, "nonce": nonce.map { .string($0) } ?? .null,
    ]
  }

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
