package import CastqText

/// Where and when a programme is on the air: a row of `rule`.
package struct ScheduleRule: Sendable, Hashable {
  package var id: RuleID
  package var name: String
  /// Counted from 1; each change of the rule makes another one.
  package var revision: Int
  /// The name of the programme.
  package var programme: String
  package var target: RuleTarget
  /// The higher one wins; within `priorities`, but of an announcement.
  package var priority: Int
  package var kind: RuleKind
  package var form: RuleForm
  /// Elapsed seconds from each start, also on nights on which clocks are changed. Nil for forms that have an end of their own; else
  /// nil is as long as the programme plays.
  package var length: Int?
  /// Nil is the device's zone, and where it has none, the site's.
  package var zone: ZoneName?
  /// The first day on which the rule applies; nil is unlimited.
  package var validFrom: LocalDate?
  /// The last day on which a start applies; nil is unlimited.
  package var validUntil: LocalDate?
  /// The calendar whose days are the only ones; nil is every day.
  package var onlyOn: String?
  /// The calendar on whose days the rule does not apply.
  package var notOn: String?
  package var start = StartMode.hard
  package var end = EndMode.cut
  /// How what the rule interrupts goes on.
  package var resume = ResumeMode.second
  package var missed = MissedPolicy.skip
  /// 0 to 1, while the rule is on the air; nil leaves the volume alone.
  package var volume: Double?
  package var isEnabled = true
  package var note = ""
  /// What differs, by the local time that the rule itself gives.
  package var exceptions: [LocalTime: RuleException] = [:]

  package init(
    id: RuleID, name: String, revision: Int = 1, programme: String, target: RuleTarget = .all,
    priority: Int = 0,
    kind: RuleKind = .window, form: RuleForm, length: Int? = nil, zone: ZoneName? = nil
  ) {
    self.id = id
    self.name = name
    self.revision = revision
    self.programme = programme
    self.target = target
    self.priority = priority
    self.kind = kind
    self.form = form
    self.length = length.map { min(max($0, 1), Self.longest) }
    self.zone = zone
  }

  /// The priorities that people give.
  package static let priorities = -1_000_000...1_000_000
  /// That of `castq announce`: a person at the microphone comes before every rule.
  package static let announcementPriority = priorities.upperBound + 1

  /// The longest stretch that a start may begin: a hundred years, in seconds.
  package static let longest = 3_155_760_000

  /// Whether its starts count, and not only the time it has: it begins at moments of its own, and interrupts.
  package var isStart: Bool {
    switch kind {
    case .trigger: true
    case .window: form.hasOnlyStarts && length == nil
    case .share: false
    }
  }

  /// The names of the programmes that it may show, replacements included.
  package var programmes: Set<String> {
    var names: Set = [programme]
    for case .replace(let name) in exceptions.values { names.insert(name) }
    return names
  }

  /// The time of the rule in words: `daypart breakfast`, `daily 08:00-10:30`, `cron */5 * * * *`.
  package var formText: String { form.expression.isEmpty ? form.word : "\(form.word) \(form.expression)" }
}
