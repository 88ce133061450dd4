import CastProtocol
import CastqSchedule
import CastqText

/// A decision as the file has it in which writes wait for the next start.
extension ScheduleDecision {
  var json: JSONValue {
    .members([
      "at": at.json, "kind": .string(kind.word), "planned": planned?.json, "reason": .string(reason),
      "standing": standing.json,
    ])
  }

  init?(json: JSONValue?) {
    guard let json, let at = WallTime(pending: json["at"]),
      let kind = json["kind"]?.string.flatMap(PlanSegment.Kind.init(word:)),
      let reason = json["reason"]?.string, let standing = Standing(json: json["standing"])
    else { return nil }
    self.init(
      at: at, kind: kind, onAir: standing.onAir, planned: WallTime(pending: json["planned"]), reason: reason,
      beneath: standing.beneath, passedOver: standing.passedOver)
  }
}

extension ScheduleDecision.Standing {
  var json: JSONValue {
    .members([
      "on_air": onAir.map { onAir in
        [
          "occurrence": onAir.occurrence.json, "programme": .string(onAir.programme),
          "revision": .integer(Int64(onAir.revision)),
        ]
      },
      "beneath": .array(
        beneath.map { each in
          .members(["occurrence": each.occurrence?.json, "resume": JSONValue(each.resume?.word)])
        }),
      "passed_over": .array(
        passedOver.map { each in
          [
            "rule": .integer(each.key.rule.number), "original": .string(each.key.original.text),
            "revision": .integer(Int64(each.revision)), "reason": .string(each.reason),
          ]
        }),
    ])
  }

  init?(json: JSONValue?) {
    guard let json, let beneath = json["beneath"].whole(Self.beneath),
      let passedOver = json["passed_over"].whole(Self.passedOver)
    else { return nil }
    self.init(beneath: beneath, passedOver: passedOver)
    guard let members = json["on_air"] else { return }
    guard let occurrence = members["occurrence"].flatMap(Occurrence.init(json:)),
      let programme = members["programme"]?.string, let revision = members["revision"]?.pendingCount
    else { return nil }
    onAir = .init(occurrence: occurrence, programme: programme, revision: revision)
  }

  private static func beneath(_ json: JSONValue) -> ScheduleDecision.Beneath? {
    let resume = json["resume"]?.string
    guard (resume == nil) == (resume.flatMap(ResumeMode.init(word:)) == nil) else { return nil }
    guard let members = json["occurrence"] else {
      return .init(occurrence: nil, resume: resume.flatMap(ResumeMode.init(word:)))
    }
    guard let occurrence = Occurrence(json: members) else { return nil }
    return .init(occurrence: occurrence, resume: resume.flatMap(ResumeMode.init(word:)))
  }

  private static func passedOver(_ json: JSONValue) -> ScheduleDecision.PassedOver? {
    guard let rule = json["rule"]?.pendingNumber, let text = json["original"]?.string,
      let original = try? LocalTime(text), let revision = json["revision"]?.pendingCount,
      let reason = json["reason"]?.string
    else { return nil }
    return .init(
      key: OccurrenceKey(rule: RuleID(rule), original: original), revision: revision, reason: reason)
  }
}

extension Occurrence {
  fileprivate var json: JSONValue {
    .members([
      "rule": .integer(rule.number), "original": .string(original.text), "start": start.json,
      "end": end?.json, "replacement": JSONValue(replacement),
    ])
  }

  fileprivate init?(json: JSONValue) {
    guard let rule = json["rule"]?.pendingNumber, let text = json["original"]?.string,
      let original = try? LocalTime(text), let start = WallTime(pending: json["start"])
    else { return nil }
    self.init(
      rule: RuleID(rule), original: original, start: start, end: WallTime(pending: json["end"]),
      replacement: json["replacement"]?.string)
  }
}

extension ShareCredit {
  func json(of rule: RuleID) -> JSONValue {
    .members([
      "rule": .integer(rule.number), "owed": .integer(owed), "plays": .integer(Int64(playsInHour)),
      "hour": .integer(hour), "last": lastEnd?.json,
    ])
  }

  /// Whoever adds a time to one of these numbers needs no check.
  private static let bounds: ClosedRange<Int64> = -(1 << 50)...1 << 50

  static func ofRule(_ json: JSONValue) -> (RuleID, ShareCredit)? {
    guard let rule = json["rule"]?.pendingNumber, let owed = json["owed"]?.pendingNumber,
      let plays = json["plays"]?.pendingCount, let hour = json["hour"]?.pendingNumber,
      bounds.contains(owed), bounds.contains(hour)
    else { return nil }
    return (
      RuleID(rule),
      ShareCredit(owed: owed, playsInHour: plays, hour: hour, lastEnd: WallTime(pending: json["last"]))
    )
  }
}
