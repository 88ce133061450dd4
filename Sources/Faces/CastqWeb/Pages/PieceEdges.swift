import CastProtocol
import CastqOperations
import CastqSchedule
import CastqText

/// The edges of a time of a rule: which of them can be pulled, and what a rule is like after it.
///
/// A rule says its times in its own way: from one time of the day to another, or from a beginning for a while.
enum PieceEdges {
  /// `begin finish`; nil where no edge can be pulled. What castq shows for a moment, as an announcement, has none, nor what is always on.
  static func names(of rule: JSONValue) -> String? {
    guard rule["kind"]?.string != "trigger" else { return nil }
    return switch rule["form"]?.string {
    case "daily", "daypart", "once": "begin finish"
    case "cron": daily(rule) == nil ? "finish" : "begin finish"
    case "calendar": "finish"
    default: nil
    }
  }

  /// The fields of a rule with the time to which an edge of one of its times was pulled.
  /// - Parameters:
  ///   - query: `occurrence`, when that time began, and `begin` or `finish`, all by the clocks of the rule.
  ///   - parts: the documents of the times of day that have a name.
  static func pulled(
    _ fields: WebOptions, of rule: JSONValue, by query: WebOptions, parts: [JSONValue]
  ) -> WebOptions {
    guard let occurrence = time("occurrence", query) else { return fields }
    let (begin, finish) = (time("begin", query), time("finish", query))
    let end = finish.map { clock(endingAt: $0, of: occurrence.date) }
    var fields = fields
    func set(_ name: String, _ value: String?) {
      guard let value else { return }
      fields.values.removeAll { $0.name == name }
      fields.values.append(.init(name, value))
    }
    /// An expression says a time of the day alone.
    func move(_ begin: LocalTime) -> Bool {
      if rule["form"]?.string == "once" {
        set("on", begin.date.text)
        set("from", clock(begin))
        return true
      }
      guard begin.date == occurrence.date, let cron = daily(rule) else { return false }
      set("expression", SpokenCron(at: begin.secondOfDay / 60, on: cron.days).text)
      return true
    }
    switch rule["form"]?.string {
    case "daily":
      set("from", begin.map(clock))
      set("to", end)
    case "daypart":
      // Its name has this time for other rules, too: this rule gets a time of its own.
      let part = parts.first {
        $0["daypart"]?.string == rule["expression"]?.string?.split(separator: " ").first.map(String.init)
      }
      set("when", "daily")
      set("from", begin.map(clock) ?? part?["start"]?.string)
      set("to", end ?? part?["end"]?.string)
    case "once", "cron", "calendar":
      if let begin, move(begin) {
        set("for", rule["for_s"]?.int.map { length($0 - (begin.seconds - occurrence.seconds)) })
      }
      set("for", finish.map { length($0.seconds - occurrence.seconds) })
    default: break
    }
    return fields
  }

  private static func time(_ name: String, _ query: WebOptions) -> LocalTime? {
    query[name].flatMap { try? LocalTime($0) }
  }

  private static func clock(_ time: LocalTime) -> String { String(time.clockText.prefix(5)) }

  /// The time of day at which something ends: midnight is the end of the day on which it began.
  static func clock(endingAt end: LocalTime, of day: LocalDate) -> String {
    end.date > day && end.secondOfDay == 0 ? "24:00" : clock(end)
  }

  private static func length(_ seconds: Int) -> String { "\(max(seconds / 60, 1))m" }

  /// The words of an expression that comes once a day.
  private static func daily(_ rule: JSONValue) -> SpokenCron? {
    (try? CronExpression(rule["expression"]?.string ?? "")).flatMap(SpokenCron.init).flatMap {
      $0.step == nil ? $0 : nil
    }
  }
}
