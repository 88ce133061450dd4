import CastProtocol
import CastqOperations
import CastqOutput
import CastqSchedule
import CastqStore
import CastqText

extension RuleListing {
  /// Prints them.
  func print(_ key: String, none: String) throws {
    try call.print(
      documents, as: key, table(rules, nexts, labels), none: none, legend: Self.legend(rules, schedule))
  }

  /// By whose clocks the rules are written.
  private static func legend(_ rules: [ScheduleRule], _ schedule: StoredSchedule) -> String {
    let zones = Set(rules.map { schedule.book.zone(of: $0, on: device(of: $0, schedule)) })
    return "times in \(zones.count == 1 ? zones.first?.text ?? "" : "the zone of each rule")"
  }

  private func table(_ rules: [ScheduleRule], _ nexts: [Occurrence?], _ labels: [String: String]) -> Table {
    var table = Table([
      .init("NAME", .flexible, least: 12), .init("DEVICE", .flexible), .init("PLAYS", .flexible, least: 10),
      .init("WHEN", .flexible, least: 12), .init("PRIO", .right, leaves: 0), .init("NEXT", .left),
    ])
    for (rule, next) in zip(rules, nexts) {
      let limit = rule.shareText.map { "\($0), " } ?? ""
      let when = "\(limit)\(rule.whenText)\(rule.kind == .trigger ? ", interrupts" : "")"
      let nextText =
        rule.isEnabled ? next.map { "\($0.original.date.text) \($0.original.clockText)" } ?? "-" : "disabled"
      table.add(
        [
          rule.name, rule.targetText(devices: labels), rule.shown.programme, when, "\(rule.priority)",
          nextText,
        ])
    }
    return table
  }
}

extension ScheduleRule {
  /// Everything about the rule, in lines.
  func details(devices: [String: String]) -> [(title: String, value: String?)] {
    var limits: String?
    if case .share(let terms) = kind {
      let most = terms.maxPerHour.map { "at most \($0) an hour" }
      let gap = terms.minGap > 0 ? "\(ScheduleRule.text(seconds: terms.minGap)) apart" : nil
      limits = [shareText, most, gap].compactMap { $0 }.joined(separator: ", ")
    }
    let validity =
      validFrom == nil && validUntil == nil ? nil : "\(validFrom?.text ?? "")..\(validUntil?.text ?? "")"
    let differences = exceptions.sorted { $0.key < $1.key }.map { original, exception in
      switch exception {
      case .skip: ("", "\(original.text) is skipped")
      case .move(let local): ("", "\(original.text) is moved to \(local.text)")
      case .replace(let programme): ("", "\(original.text) plays \(programme)")
      }
    }
    return [
      ("rule", "\(name), revision \(revision)\(isEnabled ? "" : ", disabled")"), ("plays", programme),
      ("device", targetText(devices: devices)), ("when", whenText),
      ("interrupt", kind == .trigger ? "yes: it interrupts, and gives the screen back" : nil),
      ("share", limits), ("zone", zone?.text),
      ("valid", validity), ("only on", onlyOn.map { "@\($0)" }), ("not on", notOn.map { "@\($0)" }),
      ("priority", "\(priority)"), ("start", start.text), ("end", end.word), ("resume", resume.word),
      ("missed", missed.text),
      ("volume", volume.map { "\(Int(bounded: ($0 * 100).rounded()))" }), ("note", note.isEmpty ? nil : note),
    ] + differences
  }
}

extension StartMode {
  /// As `--start` has it.
  fileprivate var text: String {
    if case .wait(let seconds) = self { "wait=\(seconds)s" } else { word }
  }
}

extension MissedPolicy {
  /// As `--missed` has it.
  fileprivate var text: String {
    if case .within(let seconds) = self { "within=\(seconds)s" } else { word }
  }
}
