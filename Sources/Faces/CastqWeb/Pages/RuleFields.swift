import CastProtocol
import CastqOperations
import CastqText

/// The fields of the form of a rule, as a person sees them, and the rule that they mean.
struct RuleFields {
  let form: WebOptions

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

  /// Changes of a rule as it is put: what the form has, and null for what it leaves out. What the form does not know stays.
  var changes: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "play": .string(text("play") ?? ""), "devices": .string(text("device") ?? ""),
    ]
    for form in ["daily", "daypart", "cron", "calendar", "once", "always", "days", "for"] {
      members[form] = .null
    }
    let when = text("when") ?? "daily"
    let expression = text("expression") ?? ""
    switch when {
    case "daily": members["daily"] = .string("\(clock("from"))-\(clock("to"))")
    case "always": members["always"] = true
    case "once": members["once"] = .string("\(text("on") ?? "")T\(clock("from"))")
    case "cron", "calendar": members[when] = .string(expression)
    default:
      if when.hasPrefix("daypart:") { members["daypart"] = .string(String(when.dropFirst(8))) }
    }
    let chosen = Self.days.filter(form.all("day").contains)
    if when == "daily" || when.hasPrefix("daypart:"), !chosen.isEmpty, chosen.count < 7 {
      members["days"] = .string(chosen.joined(separator: ","))
    }
    if ["cron", "calendar", "once"].contains(when) {
      members["for"] = text("for").map { .string($0) } ?? .null
    }
    let (first, last) = (text("since") ?? "", text("until") ?? "")
    members["valid"] = first.isEmpty && last.isEmpty ? .null : .string("\(first)..\(last)")
    members["end"] = text("end").map { .string($0) } ?? .null
    members["priority"] =
      text("priority").flatMap { Int64($0) }.flatMap { $0 == 0 ? nil : .integer($0) } ?? .null
    for name in ["only_on", "not_on"] { members[name] = text(name).map { .string($0) } ?? .null }
    return members
  }

  /// A rule as it is put.
  var rule: JSONValue { .object(changes.filter { $0.value != .null }) }

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
      add("from", times.last.map { String($0.prefix(5)) })
    default:
      add("when", word)
      add("expression", expression)
    }
    let days = halves.count > 1 && ["daily", "daypart"].contains(word) ? try? Weekdays(halves[1]) : .all
    for (day, name) in zip(Weekday.allCases, Self.days) where (days ?? .all).contains(day) {
      add("day", name)
    }
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
