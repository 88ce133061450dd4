package import CastProtocol
package import CastqFeeding
import CastqSchedule
import CastqText

/// A play as the columns of the centre have it.
package enum CentreColumns {
  /// An object with every column, unknown ones null.
  package static func of(_ play: OutboxPlay) -> JSONValue {
    let words = play.words
    return [
      "seq": .integer(play.seq), "play": .integer(words.play), "entry": .integer(words.entry),
      "turn": .integer(words.turn), "device": text(words.device), "title": text(words.title),
      "url": text(AddressText.withoutSecrets(address: words.url)),
      "source": text(words.source), "line": number(words.line),
      "started_at": time(words.startedAt), "ended_at": time(words.endedAt),
      "start_position_s": seconds(words.startPosition), "end_position_s": seconds(words.endPosition),
      "played_s": seconds(words.played), "duration_s": seconds(words.duration),
      "outcome": text(words.outcome),
      "evidence": text(words.evidence), "idle_reason": text(words.idleReason),
      "error_type": text(words.errorType),
      "error_reason": text(words.errorReason), "detailed_code": number(words.detailedCode),
      "note": text(play.note), "gap_before_s": seconds(words.gapBefore), "kind": text(words.kind),
      "rule_id": number(words.rule), "schedule": text(words.ruleName),
      "rule_revision": number(words.ruleRevision),
      // A rule that is always on has no beginning, and PostgreSQL no year 0.
      "occurrence": text(words.occurrence), "planned_at": time(words.plannedAt?.dated),
      "decision_id": number(words.decision), "chain": number(words.chain == 0 ? nil : words.chain),
      "hash": text(play.hash), "device_key": text(words.deviceKey),
      "clock_synchronised": words.isClockSynchronised.map { .bool($0) } ?? .null,
      "cause": text(words.cause), "caused_by": text(words.causedBy), "rate": seconds(words.rate),
      "unobserved_s": seconds(words.unobserved), "attempt": number(words.attempt), "nonce": text(words.nonce),
      "proof_format": number(play.hash == nil ? nil : Int64(words.format)),
    ]
  }

  /// The centre is not the owner: it gets addresses without their secrets. PostgreSQL has no text with a null character: it becomes the
  /// mark for what cannot be shown.
  private static func text(_ value: String?) -> JSONValue {
    guard let value = value.map({ AddressText.withoutSecrets(words: $0) }) else { return .null }
    guard value.utf8.contains(0) else { return .string(value) }
    let scalars = value.unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 }
    return .string(String(String.UnicodeScalarView(scalars)))
  }

  private static func number(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }
  private static func seconds(_ value: MediaTime?) -> JSONValue { value.map { .number($0.seconds) } ?? .null }
  private static func time(_ value: WallTime?) -> JSONValue { text(value.map(RFC3339.text)) }
}
