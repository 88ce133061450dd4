package import CastProtocol
package import CastqSchedule
import CastqStore
package import CastqText

/// What a change of the schedule would change, in the words of `castq schedule apply --dry-run` and `castq plan --diff`. Nothing
/// stays of it.
package struct SchedulePreview {
  /// A change of one rule.
  package enum Change {
    /// As a file of `castq schedule apply` has the rule.
    case rule(JSONValue)
    /// By the local time that the rule itself gives.
    case skip(String)
    case move(String, to: String)
    case replace(String, by: String)
  }

  private let difference: SiteDifference
  private let plan: PlanDifference
  private let changes: [PlanDifference.Change]
  /// What the rules of the file would do.
  private let sentences: [RuleSentence]

  /// Lines of the plan that are listed.
  private static let most = 200

  /// - Parameters:
  ///   - file: what the schedule would become; what it does not have stays.
  ///   - query: the time of the plan; a week from now by default.
  ///   - only: the screens whose plan is compared, by their labels; nil is all.
  package init(
    _ file: SiteSchedule, _ global: CallOptions, _ query: PlanQuery, only: Set<String>? = nil
  ) throws(Failure) {
    let look = try ScheduleLook(global)
    let store = ScheduleStore(look.workspace.database)
    let zone: NamedZone
    if let tz = query.tz { zone = tz } else { zone = try NamedZone(look.site) }
    let end = query.to ?? (query.from == nil ? .fromNow(seconds: 7 * 86_400) : nil)
    let range = try PlanRange.read(query.from, end, in: zone)
    (difference, plan, sentences) = try look.workspace.ask { (_) throws(StoreError) in
      var changed = try store.schedule(
        with: file, isPruning: false, siteZone: look.site.name, zones: look.site.rules(of:), at: .now)
      // How long a programme plays does not depend on its rules.
      changed.book.lengths = look.schedule.book.lengths
      let plan = PlanDifference(
        from: look.schedule.book, to: changed, range: range, zone: zone, hasHeadings: true)
      let labels = try store.deviceLabels()
      let sentences = changed.book.rules.filter { file.rules[$0.name] != nil }.map { rule in
        RuleListing.sentence(
          rule, next: RuleListing.next(rule, changed, after: .now), in: changed, labels: labels)
      }
      return (try store.difference(to: file, isPruning: false), plan, sentences)
    }
    changes = plan.changes(look.schedule.devices.filter { only?.contains($0.name) ?? true })
  }

  /// A file that has one rule with an exception more, or with one less.
  package static func file(_ change: Change, of name: String, _ call: ScheduleCall) throws(Failure)
    -> SiteSchedule
  {
    let (time, exception): (String, (LocalTime) throws(Failure) -> RuleException?) =
      switch change {
      case .rule: throw Failure("bug", "a rule is no exception", exit: .bug)
      case .skip(let time): (time, { _ in .skip })
      case .move(let time, let new):
        (time, { (original) throws(Failure) in try ScheduleCall.move(of: original, to: new) })
      case .replace(let time, let programme): (time, { _ in .replace(programme) })
      }
    let (known, original) = try call.occurrence("\(name)@\(time)")
    let site = try call.ask { (store) throws(StoreError) in try store.site() }
    guard var rule = site.rules[known.name] else {
      throw Failure("rule_unknown", "there is no rule \(known.name) any more", exit: .badData)
    }
    rule.exceptions[original] = try exception(original)
    var file = SiteSchedule()
    file.sections = [rule.kind.isShare ? .shares : .rules]
    file.rules = [rule.name: rule]
    return file
  }

  /// `changes` as `schedule apply --dry-run` prints them, `plan` as `plan --diff` does, and the lines of both.
  package var json: JSONValue {
    let shown = changes.prefix(Self.most)
    return [
      "dry_run": true, "changes": .array(difference.documents), "plan": plan.json(Array(shown)),
      "sentence": sentences.first?.json ?? .null,
      "lines": .array(difference.lines.map { .string($0) }),
      "plan_lines": .array(
        shown.map {
          [
            "device": .string($0.device.name), "change": .string($0.mark),
            "text": .string(TerminalText.sanitized($0.text)),
          ]
        }),
      "more": .integer(Int64(changes.count - shown.count)),
    ]
  }
}
