import CastProtocol
import CastqText

extension SiteReader {
  private static let forms = ["always", "daily", "daypart", "cron", "calendar", "once"]
  private static let ruleKeys =
    ["play", "devices"] + forms + [
      "days", "for", "interrupt", "tz", "priority", "start", "end", "resume", "missed", "only_on", "not_on",
      "valid", "volume", "enabled", "note", "exceptions",
    ]
  private static let shareKeys = ["per_hour", "max_plays", "min_gap"]

  /// A rule or a share; nil when it has an issue.
  mutating func rule(_ member: DocumentMember, isShare: Bool) -> (rule: ScheduleRule, place: DocumentPlace)? {
    let count = issues.count
    let whole = isShare ? "a share" : "a rule"
    let list = fields(member.value, of: whole, Self.ruleKeys + (isShare ? Self.shareKeys : []))
    let fields = Dictionary(list.map { ($0.key, $0.value) }) { $1 }
    var rule = ScheduleRule(
      id: RuleID(0), name: member.key, programme: "", form: form(fields, isShare: isShare, of: member))
    rule.programme = required("play", fields, member, "menus").flatMap { play($0) } ?? ""
    rule.target = required("devices", fields, member, "lobby, @GROUP or @all").flatMap { target($0) } ?? .all
    rule.length = fields["for"].flatMap { seconds($0, from: 1) }
    if let node = fields["for"], Self.lacksStarts(fields, isShare: isShare) {
      report(
        node.place,
        TextError("`for` goes with cron, calendar and once", hint: "the others have an end of their own"))
    }
    if isShare { rule.kind = share(fields, member) } else { rule.kind = kind(fields) }
    rule.zone = fields["tz"].flatMap { zoneName($0) }
    rule.priority = fields["priority"].flatMap { self.whole($0, ScheduleRule.priorities) } ?? 0
    readModes(fields, &rule)
    rule.onlyOn = fields["only_on"].flatMap { name($0, .calendars) }
    rule.notOn = fields["not_on"].flatMap { name($0, .calendars) }
    if let node = fields["valid"] { (rule.validFrom, rule.validUntil) = valid(node) }
    rule.volume = fields["volume"].flatMap { volume($0) }
    rule.isEnabled = fields["enabled"].flatMap { boolean($0) } ?? true
    rule.note = fields["note"].flatMap { text($0, "a text") } ?? ""
    if let node = fields["exceptions"] { rule.exceptions = exceptions(node, of: member.key) }
    return issues.count == count ? (rule, member.place) : nil
  }

  private mutating func required(
    _ key: String, _ fields: [String: DocumentNode], _ member: DocumentMember, _ example: String
  ) -> DocumentNode? {
    if let node = fields[key] { return node }
    report(member.place, TextError("\(shown(member.key)) has no `\(key)`", hint: "write \(key): \(example)"))
    return nil
  }

  /// A programme by its name, or what a list, a folder or an address is.
  private mutating func play(_ node: DocumentNode) -> String? {
    guard let text = text(node, "a programme, or a source") else { return nil }
    if let name = known.given(.programmes, text) { return name }
    if text.contains("/") || text.contains(".") { return checked(text, node.place) }
    return name(text, .programmes, node.place)
  }

  private mutating func target(_ node: DocumentNode) -> RuleTarget? {
    if let list = node.list {
      guard list.count == 1, let only = list.first else {
        report(
          node.place,
          TextError(
            "a rule is for one device or one group",
            hint: "write the devices into `groups`, and @ with the name"))
        return nil
      }
      return target(only)
    }
    guard let text = text(node, "a device, @GROUP or @all") else { return nil }
    if text.lowercased() == "@all" { return .all }
    if text.hasPrefix("@") { return name(String(text.dropFirst()), .groups, node.place).map { .group($0) } }
    return name(text, .devices, node.place).map { .device($0) }
  }

  private mutating func form(
    _ fields: [String: DocumentNode], isShare: Bool, of member: DocumentMember
  ) -> RuleForm {
    let given = Self.forms.filter { fields[$0] != nil }
    guard given.count == 1, let word = given.first, let node = fields[word] else {
      if given.isEmpty, isShare { return .always }
      report(
        member.place,
        TextError(
          "\(shown(member.key)) has \(given.isEmpty ? "no time" : "more than one time: \(given.joined(separator: ", "))")",
          hint: "write one of \(Self.forms.joined(separator: ", "))"))
      return .always
    }
    let days = fields["days"].flatMap { weekdays($0) } ?? .all
    if let node = fields["days"], word != "daily", word != "daypart" {
      report(node.place, TextError("`days` goes with daily and daypart"))
    }
    switch word {
    case "daily": return part(node).map { .daily($0, days) } ?? .always
    case "daypart": return name(node, .dayparts).map { .daypart($0, days) } ?? .always
    case "cron":
      return value(node, "an expression of cron") { (text) throws(TextError) in
        .cron(try CronExpression(text))
      }
        ?? .always
    case "calendar":
      return value(node, "an expression of systemd") { (text) throws(TextError) in
        .calendar(try CalendarExpression(text))
      } ?? .always
    case "once":
      return value(node, "a local time") { (text) throws(TextError) in .once(try LocalTime(text)) } ?? .always
    default:
      if boolean(node) == false { report(node.place, TextError("`always` is true, or is left out")) }
      return .always
    }
  }

  /// Whether `for` and `interrupt` have nothing to go with. The keys say so, not what they have: a mistake in
  /// that is told there.
  private static func lacksStarts(_ fields: [String: DocumentNode], isShare: Bool) -> Bool {
    let given = Self.forms.filter { fields[$0] != nil }
    return given.isEmpty ? isShare : !given.contains { ["cron", "calendar", "once"].contains($0) }
  }

  private mutating func kind(_ fields: [String: DocumentNode]) -> RuleKind {
    guard let node = fields["interrupt"], boolean(node) == true else { return .window }
    if Self.lacksStarts(fields, isShare: false) {
      report(node.place, TextError("`interrupt` goes with cron, calendar and once"))
    }
    return .trigger
  }

  private mutating func share(_ fields: [String: DocumentNode], _ member: DocumentMember) -> RuleKind {
    if let node = fields["interrupt"] { report(node.place, TextError("a share does not interrupt")) }
    guard let node = required("per_hour", fields, member, "120s, or 5%") else { return .window }
    let seconds =
      value(node, "120s, or 5%") { (text) throws(TextError) in
        let hint: FaceWords = "write 1s to 1h, or 1% to 100%"
        guard text.hasSuffix("%") else {
          let seconds = try Self.seconds(text, from: 1)
          guard seconds <= 3600 else {
            throw TextError("\(TerminalText.excerpt(text)) is more than an hour", hint: hint)
          }
          return seconds
        }
        guard let percent = DecimalText(String(text.dropLast()))?.value, percent > 0, percent <= 100 else {
          throw TextError("`\(TerminalText.excerpt(text))` is not a part of an hour", hint: hint)
        }
        return max(1, Int(bounded: (percent * 36).rounded()))
      } ?? 1
    return .share(
      ShareTerms(
        secondsPerHour: seconds, maxPerHour: fields["max_plays"].flatMap { whole($0, 1...3600) },
        minGap: fields["min_gap"].flatMap { self.seconds($0, from: 0) } ?? 0))
  }

  // MARK: - How it begins and ends

  private mutating func readModes(_ fields: [String: DocumentNode], _ rule: inout ScheduleRule) {
    rule.start =
      fields["start"].flatMap { node in
        value(node, "hard, next or wait=90s") { (text) throws(TextError) -> StartMode in
          switch text {
          case "hard": return .hard
          case "next": return .next
          default: return .wait(seconds: try Self.seconds(text, after: "wait=", "hard, next or wait=90s"))
          }
        }
      } ?? .hard
    rule.end =
      fields["end"].flatMap { node in
        value(node, "cut or finish") { (text) throws(TextError) -> EndMode in
          switch text {
          case "cut": return .cut
          case "finish": return .finish
          default: throw Self.other(text, "cut or finish")
          }
        }
      } ?? .cut
    rule.resume =
      fields["resume"].flatMap { node in
        value(node, "second, item or restart") { (text) throws(TextError) -> ResumeMode in
          guard let mode = ResumeMode(word: text) else { throw Self.other(text, "second, item or restart") }
          return mode
        }
      } ?? .second
    rule.missed =
      fields["missed"].flatMap { node in
        value(node, "skip, run or within=15m") { (text) throws(TextError) -> MissedPolicy in
          switch text {
          case "skip": return .skip
          case "run": return .run
          default:
            return .within(seconds: try Self.seconds(text, after: "within=", "skip, run or within=15m"))
          }
        }
      } ?? .skip
  }

  private static func other(_ text: String, _ words: String) -> TextError {
    TextError("`\(TerminalText.excerpt(text))` is not valid here", hint: "write \(words)")
  }

  private static func seconds(_ text: String, after prefix: String, _ words: String) throws(TextError) -> Int
  {
    guard text.hasPrefix(prefix) else { throw other(text, words) }
    return try seconds(String(text.dropFirst(prefix.count)), from: 0)
  }

  private mutating func valid(_ node: DocumentNode) -> (LocalDate?, LocalDate?) {
    value(node, "days as in 2026-12-01..2026-12-24") { (text) throws(TextError) -> (LocalDate?, LocalDate?) in
      guard let dots = text.range(ofDots: ()) else {
        throw Self.other(text, "the first and the last day, as in 2026-12-01..2026-12-24")
      }
      let days = try [text[..<dots.lowerBound], text[dots.upperBound...]].map {
        (half) throws(TextError) -> LocalDate? in
        half.isEmpty ? nil : try LocalDate(String(half))
      }
      if let first = days[0], let last = days[1], first > last {
        throw TextError("\(last.text) is before \(first.text)", hint: "the first day stands first")
      }
      return (days[0], days[1])
    } ?? (nil, nil)
  }

  private mutating func volume(_ node: DocumentNode) -> Double? {
    value(node, "0 to 100") { (text) throws(TextError) -> Double in
      guard case .level(let level) = try VolumeText(text) else { throw Self.other(text, "0 to 100") }
      return level
    }
  }

  private mutating func exceptions(
    _ node: DocumentNode, of rule: String
  ) -> [LocalTime: RuleException] {
    var exceptions: [LocalTime: RuleException] = [:]
    for member in mapping(node, "exceptions") ?? [] {
      do throws(TextError) {
        let original = try LocalTime(member.key)
        exceptions[original] = exception(member.value)
        exceptionPlaces[rule, default: [:]][original] = member.place
      } catch {
        report(member.place, error)
      }
    }
    return exceptions
  }

  private mutating func exception(_ node: DocumentNode) -> RuleException? {
    if node.string == "skip" { return .skip }
    guard let fields = node.mapping, fields.count == 1, let field = fields.first,
      ["move", "replace"].contains(field.key)
    else {
      report(
        node.place,
        TextError(
          "the exception is not valid", hint: "write skip, {move: 2026-12-24T09:00} or {replace: PROGRAMME}"))
      return nil
    }
    if field.key == "replace" { return play(field.value).map { .replace($0) } }
    return value(field.value, "a local time") { (text) throws(TextError) in .move(try LocalTime(text)) }
  }
}

extension String {
  /// Where `..` stands for the first time.
  fileprivate func range(ofDots: Void) -> Range<String.Index>? {
    guard let first = indices.first(where: { self[$0...].hasPrefix("..") }) else { return nil }
    return first..<index(first, offsetBy: 2)
  }
}
