/// The columns of a play, in the order of their places.
enum PlayColumn: Int, CaseIterable, ResultColumn {
  case id, entryID, turn, deviceName, title, url, sourceFile, sourceLine, startedAt, endedAt,
    startPosition, endPosition, played, duration, outcome, evidence, idleReason, errorType, errorReason,
    detailedCode, note, gapBefore, kind, ruleID, ruleName, ruleRevision, occurrence, plannedAt, decisionID,
    chain, hash, deviceKey, isClockSynchronised, cause, causedBy, rate, unobserved, attempt, nonce,
    proofFormat
  /// What a query reads after those of the play.
  case appended

  /// Those of the play, for the beginning of a query over `play`.
  static let list = allCases.dropLast().map { "play.\($0.name)" }.joined(separator: ", ")

  var place: Int? { rawValue }

  /// As the schema names it.
  var name: String {
    switch self {
    case .id: "id"
    case .entryID: "entry_id"
    case .turn: "turn"
    case .deviceName: "device_name"
    case .title: "title"
    case .url: "url"
    case .sourceFile: "source_file"
    case .sourceLine: "source_line"
    case .startedAt: "started_at"
    case .endedAt: "ended_at"
    case .startPosition: "start_position_s"
    case .endPosition: "end_position_s"
    case .played: "played_s"
    case .duration: "duration_s"
    case .outcome: "outcome"
    case .evidence: "evidence"
    case .idleReason: "idle_reason"
    case .errorType: "error_type"
    case .errorReason: "error_reason"
    case .detailedCode: "detailed_code"
    case .note: "note"
    case .gapBefore: "gap_before_s"
    case .kind: "kind"
    case .ruleID: "rule_id"
    case .ruleName: "rule_name"
    case .ruleRevision: "rule_revision"
    case .occurrence: "occurrence"
    case .plannedAt: "planned_at"
    case .decisionID: "decision_id"
    case .chain: "chain"
    case .hash: "hash"
    case .deviceKey: "device_key"
    case .isClockSynchronised: "is_clock_synchronised"
    case .cause: "cause"
    case .causedBy: "caused_by"
    case .rate: "rate"
    case .unobserved: "unobserved_s"
    case .attempt: "attempt"
    case .nonce: "nonce"
    case .proofFormat: "proof_format"
    case .appended: "(appended)"
    }
  }
}
