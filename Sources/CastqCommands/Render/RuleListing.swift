import CastProtocol
import CastqCore
import CastqStore

/// The tables and documents of rules.
struct RuleListing {
  let call: ScheduleCall
  private let rules: [ScheduleRule]
  private let nexts: [Occurrence?]
  private let labels: [String: String]
  private let schedule: StoredSchedule

  /// - Parameter shares: whether shares are listed, and not the other rules.
  init(_ call: ScheduleCall, shares: Bool) throws(Failure) {
    self.call = call
    let site = try SiteZone(call.global)
    let (schedule, labels) = try call.ask { (store) throws(StoreError) in
      (
        try store.schedule(siteZone: site.name, zones: site.rules), try store.deviceLabels()
      )
    }
    (self.schedule, self.labels) = (schedule, labels)
    rules = schedule.book.rules.filter { ($0.kind.word == "share") == shares }
    nexts = rules.map { Self.next($0, schedule, after: .now) }
  }

  var documents: [JSONValue] {
    zip(rules, nexts).map { rule, next -> JSONValue in
      guard case .object(var members) = rule.shown.document(devices: labels) else { return .null }
      members["next_at"] = JSONOutput.time(next?.start)
      members["next"] = JSONOutput.text(next?.original.text)
      return .object(members)
    }
  }

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
      ("NAME", .flexible), ("DEVICE", .flexible), ("PLAYS", .flexible), ("WHEN", .flexible), ("PRIO", .right),
      ("NEXT", .left),
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

  private static func device(of rule: ScheduleRule, _ schedule: StoredSchedule) -> ScheduleDevice {
    schedule.devices.first { $0.isTarget(of: rule.target) } ?? ScheduleDevice(id: "", hasBase: false)
  }

  /// The next time of a rule on the first of its devices; nil when there is none, or it cannot be evaluated.
  private static func next(
    _ rule: ScheduleRule, _ schedule: StoredSchedule, after now: WallTime
  ) -> Occurrence? {
    let zone = schedule.book.zone(of: rule, on: device(of: rule, schedule))
    return (try? RuleTimetable(rule, zone: zone, in: schedule.book))?.next(after: now)
  }
}

extension ScheduleRule {
  /// The time of the rule in words, with its length: `cron 0 * * * * for 5m`.
  var whenText: String { length.map { "\(formText) for \(ScheduleRule.text(seconds: $0))" } ?? formText }

  /// `200 s an hour`; nil for other kinds.
  var shareText: String? {
    guard case .share(let terms) = kind else { return nil }
    return "\(terms.secondsPerHour) s an hour"
  }

  /// As `--for` has it: `1h30m`.
  static func text(seconds: Int) -> String {
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
  }

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
