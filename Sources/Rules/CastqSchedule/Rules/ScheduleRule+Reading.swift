package import CastProtocol
package import CastqText

extension ScheduleRule {
  /// The rule that `document` has written; nil for a document of another version.
  /// - Parameter devices: the identifiers of devices, by what people call them; a rule for any other one is nil, too.
  package init?(document: JSONValue, id: RuleID, devices: [String: String]) {
    let text = { (member: String) in document[member]?.string }
    guard let name = text("rule"), let revision = document["revision"]?.int,
      let programme = text("programme"),
      let target = text("device").flatMap({ Self.target($0, text("device_id"), devices) }),
      let kind = Self.kind(document), let word = text("form"),
      let form = try? RuleForm(word: word, expression: text("expression") ?? ""),
      let priority = document["priority"]?.int, let isEnabled = document["enabled"]?.bool,
      let start = Self.start(document), let resume = text("resume").flatMap(ResumeMode.init(word:)),
      let missed = Self.missed(document)
    else { return nil }
    do throws(TextError) {
      self.init(
        id: id, name: name, revision: revision, programme: programme, target: target, priority: priority,
        kind: kind, form: form, length: document["for_s"]?.int, zone: try text("tz").map(ZoneName.init))
      validFrom = try text("valid_from").map(LocalDate.init)
      validUntil = try text("valid_until").map(LocalDate.init)
      for each in document["exceptions"]?.array ?? [] {
        guard let occurrence = each["occurrence"]?.string, let exception = try Self.exception(each) else {
          return nil
        }
        exceptions[try LocalTime(occurrence)] = exception
      }
    } catch {
      return nil
    }
    (onlyOn, notOn) = (text("only_on"), text("not_on"))
    (self.start, self.resume, self.missed, self.isEnabled) = (start, resume, missed, isEnabled)
    end = text("end") == EndMode.finish.word ? .finish : .cut
    volume = document["volume"]?.double.map { min(max($0, 0), 100) / 100 }
    note = text("note") ?? ""
  }

  /// - Parameter id: what stands since version 11 beside the name, which may be another one now.
  private static func target(
    _ text: String, _ id: String?, _ devices: [String: String]
  ) -> RuleTarget? {
    guard text.hasPrefix("@") else { return (id ?? devices[text]).map { .device($0) } }
    return text == "@all" ? .all : .group(String(text.dropFirst()))
  }

  private static func kind(_ document: JSONValue) -> RuleKind? {
    switch document["kind"]?.string {
    case "window": .window
    case "trigger": .trigger
    case "share":
      document["per_hour_s"]?.int.map {
        .share(
          ShareTerms(
            secondsPerHour: $0, maxPerHour: document["max_plays"]?.int,
            minGap: document["min_gap_s"]?.int ?? 0
          ))
      }
    default: nil
    }
  }

  private static func start(_ document: JSONValue) -> StartMode? {
    switch document["start"]?.string {
    case "hard": .hard
    case "next": .next
    case "wait": document["wait_s"]?.int.map { .wait(seconds: $0) }
    default: nil
    }
  }

  private static func missed(_ document: JSONValue) -> MissedPolicy? {
    switch document["missed"]?.string {
    case "skip": .skip
    case "run": .run
    case "within": document["missed_within_s"]?.int.map { .within(seconds: $0) }
    default: nil
    }
  }

  private static func exception(_ json: JSONValue) throws(TextError) -> RuleException? {
    switch json["action"]?.string {
    case "skip": .skip
    case "move": try json["to"]?.string.map { (text) throws(TextError) in .move(try LocalTime(text)) }
    case "replace": json["programme"]?.string.map { .replace($0) }
    default: nil
    }
  }

  /// The zones that the rule names.
  package var zones: Set<ZoneName> {
    var zones = Set(zone.map { [$0] } ?? [])
    if case .calendar(let expression) = form, let zone = expression.zone { zones.insert(zone) }
    return zones
  }

  /// What the rule is made of besides its own words: the group, day part and calendars that it names.
  package var named: Set<String> {
    var names: Set<String> = []
    if case .group(let name) = target { names.insert("group \(name)") }
    if case .daypart(let name, _) = form { names.insert("daypart \(name)") }
    for calendar in [onlyOn, notOn] { if let calendar { names.insert("calendar \(calendar)") } }
    return names
  }
}
