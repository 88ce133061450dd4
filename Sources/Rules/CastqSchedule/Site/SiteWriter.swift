package import CastProtocol
import CastqText

/// Writes a schedule as `site.yaml`. What has its usual value is left out.
package enum SiteWriter {
  package static func text(_ site: SiteSchedule) -> String {
    var file = OutputMapping()
    for section in SiteSchedule.Section.allCases {
      let members = self.members(of: section, site).sorted {
        ($0.0.lowercased(), $0.0) < ($1.0.lowercased(), $1.0)
      }
      guard !members.isEmpty else { continue }
      var mapping = OutputMapping()
      for (name, value) in members {
        // A group is nothing but a list.
        mapping.add(name, section == .groups ? OutputNode(value.first?.1 ?? []) : Self.mapping(value))
      }
      file.add(section.rawValue, .mapping(mapping))
    }
    return file.members.isEmpty ? "" : YAMLWriter.text(.mapping(file))
  }

  /// The same as one JSON document, with every section.
  package static func json(_ site: SiteSchedule) -> JSONValue {
    var sections: [String: JSONValue] = [:]
    for section in SiteSchedule.Section.allCases {
      let members = self.members(of: section, site).map { name, value -> (String, JSONValue) in
        (name, section == .groups ? value.first?.1 ?? [] : .object(Dictionary(value) { $1 }))
      }
      sections[section.rawValue] = .object(Dictionary(members) { $1 })
    }
    return .object(sections)
  }

  private static func mapping(_ members: [(String, JSONValue)]) -> OutputNode {
    var mapping = OutputMapping()
    for (key, value) in members { mapping.add(key, OutputNode(value)) }
    return .mapping(mapping)
  }

  private static func members(
    of section: SiteSchedule.Section, _ site: SiteSchedule
  ) -> [(String, [(String, JSONValue)])] {
    switch section {
    case .programmes: site.programmes.map { ($0, members($1)) }
    case .dayparts: site.dayparts.map { ($0, members($1)) }
    case .calendars: site.calendars.map { ($0, members($1)) }
    case .groups: site.groups.map { ($0, members($1)) }
    case .devices: site.devices.map { ($0, members($1)) }
    case .rules: site.rules.filter { !$1.kind.isShare }.map { ($0, members($1)) }
    case .shares: site.rules.filter { $1.kind.isShare }.map { ($0, members($1)) }
    }
  }

  // MARK: - Members

  static func members(_ programme: SiteSchedule.Programme) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [("source", .string(programme.source))]
    if programme.isShuffled { members.append(("shuffle", true)) }
    if let filler = programme.filler { members.append(("filler", .string(filler))) }
    return members
  }

  static func members(_ daypart: Daypart) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [("time", .string(daypart.part.text))]
    let exceptions = daypart.exceptions.map { exception -> JSONValue in
      var value: [String: JSONValue] =
        switch exception.days {
        case .weekdays(let days): ["days": .string(days.text)]
        case .calendar(let name): ["calendar": .string(name)]
        }
      if let part = exception.part { value["time"] = .string(part.text) } else { value["closed"] = true }
      return .object(value)
    }
    if !exceptions.isEmpty { members.append(("on", .array(exceptions))) }
    return members
  }

  static func members(_ days: [LocalDate: String]) -> [(String, JSONValue)] {
    days.sorted { $0.key < $1.key }.map { ($0.key.text, .string($0.value)) }
  }

  static func members(_ group: Set<String>) -> [(String, JSONValue)] {
    [("devices", .array(group.sorted { $0.lowercased() < $1.lowercased() }.map { .string($0) }))]
  }

  static func members(_ zone: ZoneName?) -> [(String, JSONValue)] {
    zone.map { [("tz", .string($0.text))] } ?? []
  }

  static func members(_ rule: ScheduleRule) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [
      ("play", .string(rule.programme)), ("devices", .string(target(rule.target))),
    ]
    func add(_ key: String, _ value: String?) {
      if let value { members.append((key, .string(value))) }
    }
    func days(_ days: Weekdays) { if days != .all { add("days", days.text) } }
    switch rule.form {
    case .always: if !rule.kind.isShare { members.append(("always", true)) }
    case .daily(let part, let weekdays):
      add("daily", part.text)
      days(weekdays)
    case .daypart(let name, let weekdays):
      add("daypart", name)
      days(weekdays)
    case .cron(let expression): add("cron", expression.text)
    case .calendar(let expression): add("calendar", expression.text)
    case .once(let time): add("once", time.text)
    }
    add("for", rule.length.map(duration))
    switch rule.kind {
    case .window: break
    case .trigger: members.append(("interrupt", true))
    case .share(let terms):
      add("per_hour", duration(terms.secondsPerHour))
      if let most = terms.maxPerHour { members.append(("max_plays", .integer(Int64(most)))) }
      if terms.minGap > 0 { add("min_gap", duration(terms.minGap)) }
    }
    add("tz", rule.zone?.text)
    if rule.priority != 0 { members.append(("priority", .integer(Int64(rule.priority)))) }
    switch rule.start {
    case .hard: break
    case .next: add("start", "next")
    case .wait(let seconds): add("start", "wait=\(duration(seconds))")
    }
    switch rule.end {
    case .cut: break
    case .finish: add("end", "finish")
    }
    if rule.resume != .second { add("resume", rule.resume.word) }
    switch rule.missed {
    case .skip: break
    case .run: add("missed", "run")
    case .within(let seconds): add("missed", "within=\(duration(seconds))")
    }
    add("only_on", rule.onlyOn)
    add("not_on", rule.notOn)
    if rule.validFrom != nil || rule.validUntil != nil {
      add("valid", "\(rule.validFrom?.text ?? "")..\(rule.validUntil?.text ?? "")")
    }
    if let volume = rule.volume { members.append(("volume", self.volume(volume))) }
    if !rule.isEnabled { members.append(("enabled", false)) }
    if !rule.note.isEmpty { add("note", rule.note) }
    if !rule.exceptions.isEmpty {
      let values = rule.exceptions.map { ($0.key.text, exception($0.value)) }
      members.append(("exceptions", .object(Dictionary(values) { $1 })))
    }
    return members
  }

  private static func target(_ target: RuleTarget) -> String {
    switch target {
    case .all: "@all"
    case .group(let name): "@\(name)"
    case .device(let name): name
    }
  }

  private static func exception(_ exception: RuleException) -> JSONValue {
    switch exception {
    case .skip: "skip"
    case .move(let time): ["move": .string(time.text)]
    case .replace(let programme): ["replace": .string(programme)]
    }
  }

  /// Whole percent where that is exact, else a fraction with a point, as volumes are written everywhere.
  private static func volume(_ level: Double) -> JSONValue {
    let percent = (level * 100).rounded()
    return percent / 100 == level ? .integer(Int64(percent)) : .string("\(level)")
  }

  /// `1h30m`, `90s`.
  static func duration(_ seconds: Int) -> String {
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
    let text = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    return text.isEmpty ? "0s" : text
  }
}
