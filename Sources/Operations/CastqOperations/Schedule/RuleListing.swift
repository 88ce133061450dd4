package import CastProtocol
package import CastqSchedule
package import CastqStore
package import CastqText

/// The rules of a schedule, and when each of them is next.
package struct RuleListing {
  package let call: ScheduleCall
  package let rules: [ScheduleRule]
  package let nexts: [Occurrence?]
  package let labels: [String: String]
  package let schedule: StoredSchedule

  /// - Parameter shares: whether shares are listed, and not the other rules.
  package init(_ call: ScheduleCall, shares: Bool) throws(Failure) {
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

  package var documents: [JSONValue] {
    zip(rules, nexts).map { rule, next -> JSONValue in
      guard case .object(var members) = rule.shown.document(devices: labels) else { return .null }
      members["next_at"] = JSONOutput.time(next?.start)
      members["next"] = JSONOutput.text(next?.original.text)
      members["sentence"] = sentence(rule, next).json
      return .object(members)
    }
  }

  private func sentence(_ rule: ScheduleRule, _ next: Occurrence?) -> RuleSentence {
    Self.sentence(rule, next: next, in: schedule, labels: labels)
  }

  /// What a rule does, in words.
  static func sentence(
    _ rule: ScheduleRule, next: Occurrence?, in schedule: StoredSchedule, labels: [String: String]
  ) -> RuleSentence {
    let zone = schedule.book.zones[schedule.book.zone(of: rule, on: device(of: rule, schedule))]
    let local = (zone ?? TimeZoneRules()).localTime(at:)
    return RuleSentence(
      rule.shown, target: rule.targetText(devices: labels), next: (next?.start).map(local),
      today: local(.now).date)
  }

  package static func device(of rule: ScheduleRule, _ schedule: StoredSchedule) -> ScheduleDevice {
    schedule.devices.first { $0.isTarget(of: rule.target) } ?? ScheduleDevice(id: "", hasBase: false)
  }

  /// The next time of a rule on the first of its devices; nil when there is none, or it cannot be evaluated.
  static func next(
    _ rule: ScheduleRule, _ schedule: StoredSchedule, after now: WallTime
  ) -> Occurrence? {
    let zone = schedule.book.zone(of: rule, on: device(of: rule, schedule))
    return (try? RuleTimetable(rule, zone: zone, in: schedule.book))?.next(after: now)
  }
}
