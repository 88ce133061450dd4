import CastProtocol
import CastqOperations
import CastqOutput
import CastqSchedule
import CastqStore
import CastqText

extension RuleListing {
  /// Prints them.
  func print(_ key: String, none: String) throws {
    let zones = rules.map { schedule.book.zone(of: $0, on: Self.device(of: $0, schedule)) }
    let common = Set(zones).count == 1 ? zones.first?.text : nil
    try call.print(
      documents, as: key, table(zones, isNamed: common == nil), none: none,
      legend: "times in \(common ?? "the zone of each rule")")
  }

  /// - Parameters:
  ///   - zones: by whose clocks each rule is written.
  ///   - isNamed: whether each time has its zone.
  private func table(_ zones: [ZoneName], isNamed: Bool) -> Table {
    var table = Table([
      .init("NAME", .flexible, least: 12), .init("DEVICE", .flexible), .init("PLAYS", .flexible, least: 10),
      .init("WHEN", .flexible, least: 12), .init("PRIO", .right, leaves: 0), .init("NEXT", .left),
    ])
    for ((rule, next), zone) in zip(zip(rules, nexts), zones) {
      let limit = rule.shareText.map { "\($0), " } ?? ""
      let when = "\(limit)\(rule.whenText)\(rule.kind == .trigger ? ", interrupts" : "")"
      let time = next.map { next in
        let local = (schedule.book.zones[zone] ?? TimeZoneRules()).localTime(at: next.start)
        return "\(local.date.text) \(local.clockText)\(isNamed ? " \(zone.text)" : "")"
      }
      table.add(
        [
          rule.name, rule.targetText(devices: labels), rule.shown.programme, when, "\(rule.priority)",
          rule.isEnabled ? time ?? "-" : "disabled",
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
