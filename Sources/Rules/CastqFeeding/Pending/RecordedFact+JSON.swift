import CastProtocol
import CastqPlaylists
import CastqText

/// A fact of history as the file has it in which writes wait for the next start.
extension RecordedFact {
  var json: JSONValue {
    .members([
      "turn": fact.turn.json, "fact": fact.json,
      "effect": effect.map { effect in
        .members([
          "state": .string(effect.state.rawValue), "round": JSONValue(effect.round),
          "attempt": .bool(effect.countsAttempt),
        ])
      },
    ])
  }

  init?(json: JSONValue) {
    guard let turn = json["turn"].flatMap(EntryTurn.init(json:)),
      let fact = json["fact"].flatMap({ PlaybackFact(json: $0, of: turn) })
    else { return nil }
    var effect: EntryEffect?
    if let members = json["effect"] {
      guard let state = members["state"]?.string.flatMap(EntryState.init(rawValue:)),
        let counts = members["attempt"]?.bool
      else { return nil }
      effect = EntryEffect(state: state, round: members["round"]?.pendingCount, countsAttempt: counts)
    }
    self.init(fact: fact, effect: effect)
  }
}

extension PlaybackFact {
  fileprivate var json: JSONValue {
    switch self {
    case .started(_, let play):
      .members([
        "is": "started", "at": play.at.json, "position": play.position.json, "duration": play.duration?.json,
        "gap": JSONValue(play.gapBefore),
      ])
    case .progressed(_, let play):
      .members([
        "is": "progressed", "at": play.at.json, "position": play.position.json,
        "played": JSONValue(play.played) ?? 0, "duration": play.duration?.json,
      ])
    case .ended(_, let play): play.json
    case .adEnded(_, let ad):
      .members([
        "is": "ad", "at": ad.startedAt.json, "break": .string(ad.breakID), "clip": .string(ad.clipID),
        "played": JSONValue(ad.played) ?? 0, "skipped": .bool(ad.isSkipped),
      ])
    }
  }

  fileprivate init?(json: JSONValue, of turn: EntryTurn) {
    guard let at = WallTime(pending: json["at"]) else { return nil }
    let (position, duration) = (MediaTime(pending: json["position"]), MediaTime(pending: json["duration"]))
    let played = json["played"]?.double
    switch json["is"]?.string {
    case "started":
      guard let position else { return nil }
      self = .started(
        turn,
        StartedPlay(at: at, position: position, duration: duration, gapBefore: json["gap"]?.double))
    case "progressed":
      guard let position, let played else { return nil }
      self = .progressed(
        turn, ProgressedPlay(at: at, position: position, played: played, duration: duration))
    case "ended":
      guard let play = EndedPlay(json: json, at: at, duration: duration) else { return nil }
      self = .ended(turn, play)
    case "ad":
      guard let name = json["break"]?.string, let clip = json["clip"]?.string, let played,
        let isSkipped = json["skipped"]?.bool
      else { return nil }
      self = .adEnded(
        turn, AdPlay(breakID: name, clipID: clip, startedAt: at, played: played, isSkipped: isSkipped))
    default: return nil
    }
  }
}

extension EndedPlay {
  fileprivate var json: JSONValue {
    .members([
      "is": "ended", "at": at.json, "started": startedAt?.json, "position": position?.json,
      "played": JSONValue(played) ?? 0, "duration": duration?.json, "outcome": .string(outcome.rawValue),
      "evidence": .string(evidence.rawValue), "cause": JSONValue(cause?.rawValue), "by": JSONValue(causedBy),
      "rate": JSONValue(rate), "unobserved": JSONValue(unobserved),
      "reason": reason.map { reason in
        .members([
          "idle": JSONValue(reason.idleReason), "type": JSONValue(reason.errorType),
          "reason": JSONValue(reason.errorReason), "code": JSONValue(reason.detailedCode),
          "note": JSONValue(reason.note),
        ])
      },
    ])
  }

  fileprivate init?(json: JSONValue, at: WallTime, duration: MediaTime?) {
    guard let played = json["played"]?.double,
      let outcome = json["outcome"]?.string.flatMap(PlayOutcome.init(rawValue:)),
      let evidence = json["evidence"]?.string.flatMap(PlayEvidence.init(rawValue:))
    else { return nil }
    let cause = json["cause"]?.string
    guard (cause == nil) == (cause.flatMap(PlayCause.init(rawValue:)) == nil) else { return nil }
    let reason = json["reason"].map { words in
      PlayReason(
        idleReason: words["idle"]?.string, errorType: words["type"]?.string,
        errorReason: words["reason"]?.string, detailedCode: words["code"]?.int, note: words["note"]?.string)
    }
    self.init(
      at: at, startedAt: WallTime(pending: json["started"]), position: MediaTime(pending: json["position"]),
      played: played, duration: duration, outcome: outcome, evidence: evidence, reason: reason,
      cause: cause.flatMap(PlayCause.init(rawValue:)), causedBy: json["by"]?.string,
      rate: json["rate"]?.double, unobserved: json["unobserved"]?.double)
  }
}
