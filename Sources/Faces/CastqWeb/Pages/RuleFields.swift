import CastProtocol
import CastqOperations
import CastqSchedule
import CastqText

/// The fields of the form of a rule, as a person sees them, and the rule that they mean.
struct RuleFields {
  /// What a rule is to people.
  enum Kind: String, CaseIterable {
    /// A programme at its times.
    case time
    /// Ads between what else is on.
    case share
    /// An announcement that comes again.
    case announcement
  }

  let form: WebOptions

  var kind: Kind { form["what"].flatMap(Kind.init) ?? .time }

  /// Minutes from one time of an announcement to the next.
  static let steps = [60, 30, 15]
  static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  private func text(_ name: String) -> String? {
    form[name].map { $0.trimming }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A time of day as people write it: `8`, `8:00` and `0800` are 08:00. What is none stays as it is, and is refused in its own words.
  private func clock(_ name: String) -> String {
    let text = text(name) ?? ""
    var parts = text.split(whereSeparator: { $0 == ":" || $0 == "." }).map(String.init)
    if parts.count == 1, let only = parts.first, (3...4).contains(only.count) {
      parts = [String(only.dropLast(2)), String(only.suffix(2))]
    }
    let numbers = parts.compactMap { $0.count <= 2 ? Int($0) : nil }
    guard numbers.count == parts.count, (1...2).contains(parts.count), let hour = numbers.first,
      (0...24).contains(hour), case let minute = numbers.count > 1 ? numbers[1] : 0, (0..<60).contains(minute)
    else { return text }
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }

  /// Minutes of the day, of a field that has a time of day.
  private func minute(_ name: String) throws(Failure) -> Int? {
    guard let text = text(name) else { return nil }
    let parts = clock(name).split(separator: ":").map { Int($0) ?? -1 }
    guard parts.count == 2, (0...24).contains(parts[0]), (0..<60).contains(parts[1]),
      case let minute = parts[0] * 60 + parts[1], minute <= SpokenCron.day
    else {
      throw Failure(
        "schedule", "`\(TerminalText.excerpt(text))` is no time of day: write it as in 08:30", exit: .badData)
    }
    return minute
  }

  /// A length as people write it: `2 min`, `90 s`, and minutes where there is only a number. What is none stays as it is.
  private func length(_ name: String) -> String? {
    guard let text = text(name)?.lowercased() else { return nil }
    if Int(text) != nil { return "\(text)m" }
    return text.filter { !$0.isWhitespace }.replacing("min", with: "m").replacing("sec", with: "s")
  }

  private var chosenDays: [String] { Self.days.filter(form.all("day").contains) }

  /// The times of an announcement as an expression; nil where another field has them.
  private func spoken() throws(Failure) -> SpokenCron? {
    let chosen = chosenDays.isEmpty ? .all : (try? Weekdays(chosenDays.joined(separator: ","))) ?? .all
    switch text("often") ?? "60" {
    case "day":
      guard let minute = try minute("at") else {
        throw Failure("schedule", "say at which time of day it comes", exit: .badData)
      }
      return SpokenCron(at: minute % SpokenCron.day, on: chosen)
    case let word:
      guard let step = Int(word), Self.steps.contains(step) else { return nil }
      let (from, to) = (try minute("starts") ?? 0, try minute("stops") ?? SpokenCron.day)
      guard let cron = SpokenCron(every: step, from: from, to: to, on: chosen) else {
        throw Failure(
          "schedule",
          "no time of it is between \(SpokenCron.clock(from)) and \(SpokenCron.clock(to)): write a later end",
          exit: .badData)
      }
      return cron
    }
  }

  /// Changes of a rule as it is put: what the form has, and null for what it leaves out. What the form does not know stays.
  /// - Throws: `schedule` for what no rule can say.
  func changes() throws(Failure) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "play": .string(text("play") ?? ""), "devices": .string(text("device") ?? ""),
      "interrupt": kind == .announcement ? true : .null,
    ]
    for name in [
      "daily", "daypart", "cron", "calendar", "once", "always", "days", "for", "per_hour", "max_plays",
      "min_gap",
    ] {
      members[name] = .null
    }
    if kind == .share {
      members["per_hour"] = .string(length("share") ?? "")
      members["max_plays"] = text("most").map { Int64($0).map { .integer($0) } ?? .string($0) } ?? .null
      members["min_gap"] = length("apart").map { .string($0) } ?? .null
    }
    if kind == .announcement, let cron = try spoken() {
      members["cron"] = .string(cron.text)
      members["for"] = text("for").map { .string($0) } ?? .null
    } else {
      try addTimes(to: &members)
    }
    let (first, last) = (text("since") ?? "", text("until") ?? "")
    members["valid"] = first.isEmpty && last.isEmpty ? .null : .string("\(first)..\(last)")
    members["end"] = text("end").map { .string($0) } ?? .null
    members["priority"] =
      text("priority").flatMap { Int64($0) }.flatMap { $0 == 0 ? nil : .integer($0) } ?? .null
    for name in ["only_on", "not_on"] { members[name] = text(name).map { .string($0) } ?? .null }
    return members
  }

  /// When it is, by the field that chooses among the ways to say it.
  private func addTimes(to members: inout [String: JSONValue]) throws(Failure) {
    let when = text("when") ?? "daily"
    let expression = text("expression") ?? ""
    let isAllDay = kind == .share && text("from") == nil && text("to") == nil
    var hasDays = when.hasPrefix("daypart:")
    switch when {
    case "once" where kind == .announcement:
      guard let minute = try minute("at") else {
        throw Failure("schedule", "say at which time of day it comes", exit: .badData)
      }
      members["once"] = .string("\(text("on") ?? "")T\(SpokenCron.clock(minute))")
    case "once": members["once"] = .string("\(text("on") ?? "")T\(clock("from"))")
    case "cron", "calendar": members[when] = .string(expression)
    case _ where kind == .announcement:
      throw Failure(
        "schedule", "choose under More when it comes: once, or by an expression", exit: .badData)
    case "daily" where isAllDay && [0, 7].contains(chosenDays.count): members["always"] = true
    case "daily":
      members["daily"] = .string(isAllDay ? "00:00-24:00" : "\(clock("from"))-\(clock("to"))")
      hasDays = true
    case "always": members["always"] = true
    default: if hasDays { members["daypart"] = .string(String(when.dropFirst(8))) }
    }
    if hasDays, !chosenDays.isEmpty, chosenDays.count < 7 {
      members["days"] = .string(chosenDays.joined(separator: ","))
    }
    if ["cron", "calendar", "once"].contains(when) {
      members["for"] = text("for").map { .string($0) } ?? .null
    }
  }

  /// A rule as it is put.
  func rule() throws(Failure) -> JSONValue { .object(try changes().filter { $0.value != .null }) }

  /// The fields that mean a rule.
  /// - Parameter rule: its document.
  init(rule: JSONValue) {
    var values: [WebOptions.Value] = []
    func add(_ name: String, _ value: String?) { if let value { values.append(.init(name, value)) } }
    add("rule", rule["rule"]?.string)
    add("play", rule["programme"]?.string)
    add("device", rule["device"]?.string)
    let (word, expression) = (rule["form"]?.string ?? "", rule["expression"]?.string ?? "")
    let halves = expression.split(separator: " ", maxSplits: 1).map(String.init)
    let kind: Kind =
      switch rule["kind"]?.string {
      case "share": .share
      case "trigger": .announcement
      default: .time
      }
    add("what", kind.rawValue)
    add("share", rule["per_hour_s"]?.int.map(RuleSentence.length))
    add("most", rule["max_plays"]?.int.map { "\($0)" })
    add("apart", rule["min_gap_s"]?.int.flatMap { $0 > 0 ? RuleSentence.length($0) : nil })
    var days: Weekdays = .all
    if halves.count > 1, ["daily", "daypart"].contains(word) { days = (try? Weekdays(halves[1])) ?? .all }
    if kind == .announcement { add("often", "other") }
    switch word {
    case "daily":
      add("when", "daily")
      let times = (halves.first ?? "").split(separator: "-").map(String.init)
      add("from", times.first)
      add("to", times.last)
    case "daypart": add("when", "daypart:\(halves.first ?? "")")
    case "once":
      add("when", "once")
      let times = expression.split(separator: "T").map(String.init)
      add("on", times.first)
      add(kind == .announcement ? "at" : "from", times.last.map { String($0.prefix(5)) })
    // A share has the whole day without times of its own.
    case "always" where kind == .share: add("when", "daily")
    default:
      if kind == .announcement, word == "cron", let cron = Self.spoken(expression) {
        days = cron.days
        values.removeAll { $0.name == "often" }
        add("often", cron.step.map { "\($0)" } ?? "day")
        if cron.step == nil {
          add("at", SpokenCron.clock(cron.first))
        } else if !cron.isWhole || cron.first > 0 {
          add("starts", SpokenCron.clock(cron.first))
          add("stops", SpokenCron.clock(cron.last))
        }
      } else {
        add("when", word)
        add("expression", expression)
      }
    }
    for (day, name) in zip(Weekday.allCases, Self.days) where days.contains(day) { add("day", name) }
    add("for", rule["for_s"]?.int.map { "\($0)s" })
    add("since", rule["valid_from"]?.string)
    add("until", rule["valid_until"]?.string)
    add("end", rule["end"]?.string == "finish" ? "finish" : nil)
    add("priority", rule["priority"]?.int.map { "\($0)" })
    add("only_on", rule["only_on"]?.string)
    add("not_on", rule["not_on"]?.string)
    add("revision", rule["revision"]?.int.map { "\($0)" })
    form = WebOptions(values)
  }

  init(_ form: WebOptions) { self.form = form }

  /// The words of an expression that the form has fields for.
  private static func spoken(_ expression: String) -> SpokenCron? {
    guard let cron = (try? CronExpression(expression)).flatMap(SpokenCron.init),
      cron.step.map(steps.contains) ?? true
    else { return nil }
    return cron
  }
}

extension String {
  /// Without blanks at its ends.
  fileprivate var trimming: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
