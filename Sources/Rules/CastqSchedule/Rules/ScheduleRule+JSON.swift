package import CastProtocol
import CastqText

extension ScheduleRule {
  /// The document of `castq schedule show --json`, which `rule_history` keeps too. Local times are texts in the rule's zone.
  /// - Parameter devices: what people call devices, by their identifiers.
  package func document(devices: [String: String]) -> JSONValue {
    var wait: Int?
    if case .wait(let seconds) = start { wait = seconds }
    var within: Int?
    if case .within(let seconds) = missed { within = seconds }
    var share: ShareTerms?
    if case .share(let terms) = kind { share = terms }
    return [
      "rule": .string(name), "revision": .integer(Int64(revision)), "programme": .string(programme),
      "device": .string(targetText(devices: devices)), "kind": .string(kind.word), "form": .string(form.word),
      "expression": Self.text(form.expression.isEmpty ? nil : form.expression), "for_s": Self.number(length),
      "tz": Self.text(zone?.text), "priority": .integer(Int64(priority)), "start": .string(start.word),
      "wait_s": Self.number(wait), "end": .string(end.word), "resume": .string(resume.word),
      "missed": .string(missed.word), "missed_within_s": Self.number(within), "only_on": Self.text(onlyOn),
      "not_on": Self.text(notOn), "valid_from": Self.text(validFrom?.text),
      "valid_until": Self.text(validUntil?.text),
      "volume": volume.map(Self.level) ?? .null,
      "per_hour_s": Self.number(share?.secondsPerHour), "max_plays": Self.number(share?.maxPerHour),
      "min_gap_s": Self.number(share?.minGap), "enabled": .bool(isEnabled),
      "note": Self.text(note.isEmpty ? nil : note), "exceptions": .array(exceptionDocuments),
    ]
  }

  /// Where the rule applies, as `-d` has it: `lobby`, `@foyers`, `@all`.
  package func targetText(devices: [String: String]) -> String {
    switch target {
    case .all: "@all"
    case .group(let name): "@\(name)"
    case .device(let id): devices[id] ?? id
    }
  }

  private var exceptionDocuments: [JSONValue] {
    exceptions.sorted { $0.key < $1.key }.map { original, exception in
      var (action, to, programme): (String, String?, String?) = ("skip", nil, nil)
      switch exception {
      case .skip: break
      case .move(let local): (action, to) = ("move", local.text)
      case .replace(let name): (action, programme) = ("replace", name)
      }
      return [
        "occurrence": .string(original.text), "action": .string(action), "to": Self.text(to),
        "programme": Self.text(programme),
      ]
    }
  }

  /// 0 to 100, with a fraction only where there is one.
  private static func level(_ volume: Double) -> JSONValue {
    let level = (volume * 1000).rounded() / 10
    return level == level.rounded() ? .integer(Int64(bounded: level)) : .number(level)
  }

  private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
  private static func number(_ number: Int?) -> JSONValue { number.map { .integer(Int64($0)) } ?? .null }
}
