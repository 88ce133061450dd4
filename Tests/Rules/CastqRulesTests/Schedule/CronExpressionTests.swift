import CastProtocol
import CastqSchedule
import CastqText
import Testing

@Suite struct CronExpressionTests {
  /// The next times from a local time on.
  private func next(_ text: String, from start: String, count: Int = 3) throws -> [String] {
    let expression = try CronExpression(text)
    var times: [String] = []
    var local = try LocalTime(start)
    while times.count < count, let next = expression.next(from: local) {
      times.append(next.text)
      local = next.adding(seconds: 1)
    }
    return times
  }

  @Test(
    "fields are read as crontab(5) has them",
    arguments: [
      ("*/20 8 * * *", ["2026-11-23T08:00", "2026-11-23T08:20", "2026-11-23T08:40"]),
      ("0 9-17/4 * * mon-fri", ["2026-11-23T09:00", "2026-11-23T13:00", "2026-11-23T17:00"]),
      ("30 6 * * 7", ["2026-11-29T06:30", "2026-12-06T06:30", "2026-12-13T06:30"]),
      ("30 6 * * 0", ["2026-11-29T06:30", "2026-12-06T06:30", "2026-12-13T06:30"]),
      ("0 0 29 FEB *", ["2028-02-29T00:00", "2032-02-29T00:00", "2036-02-29T00:00"]),
      ("0 0 1,15 * Wed", ["2026-11-25T00:00", "2026-12-01T00:00", "2026-12-02T00:00"]),
      ("0 0 */2 * Wed", ["2026-11-25T00:00", "2026-12-09T00:00", "2026-12-23T00:00"]),
      ("0 0 1-7 * *", ["2026-12-01T00:00", "2026-12-02T00:00", "2026-12-03T00:00"]),
      ("50/5 12 1 1 *", ["2027-01-01T12:50", "2027-01-01T12:55", "2028-01-01T12:50"]),
      ("@daily", ["2026-11-24T00:00", "2026-11-25T00:00", "2026-11-26T00:00"]),
      ("@yearly", ["2027-01-01T00:00", "2028-01-01T00:00", "2029-01-01T00:00"]),
      ("\t59  23 31 12 *  ", ["2026-12-31T23:59", "2027-12-31T23:59", "2028-12-31T23:59"]),
      // Only a Sunday that is a leap day: once in 28 years, and in forty over a year like 2100.
      ("0 0 29 2 */7", ["2032-02-29T00:00", "2060-02-29T00:00", "2088-02-29T00:00"]),
    ])
  func fields(text: String, times: [String]) throws {
    #expect(try next(text, from: "2026-11-23T07:59:30") == times)
  }

  @Test(
    "what is wrong has its column",
    arguments: [
      ("", 0), ("* * * *", 7), ("60 * * * *", 0), ("* 24 * * *", 2), ("* * 0 * *", 4), ("* * * 13 *", 6),
      ("* * * * 8", 8),
      ("*/0 * * * *", 2), ("5-2 * * * *", 0), ("* * * * mon-", 12), ("* * * foo *", 6), ("* * * * * *", 10),
      ("1,,2 * * * *", 2),
      ("*5 * * * *", 1), ("@reboot", 0), ("@fortnightly", 0), ("1- * * * *", 2), ("٣ * * * *", 0),
      ("9999999999 * * * *", 0),
      ("0 0 30 2 *", 0), ("0 0 31 4,6,9,11 *", 0),
    ])
  func errors(text: String, offset: Int) throws {
    let error = #expect(throws: TextError.self) { try CronExpression(text) }
    #expect(error?.offset == offset, "\(error?.message ?? "")")
  }

  @Test("an expression that never fires again ends within the calendar")
  func end() throws {
    #expect(try CronExpression("0 0 1 1 *").next(from: LocalTime("9999-06-01T00:00")) == nil)
    #expect(try CronExpression("0 0 29 2 */7").next(from: LocalTime("9997-06-01T00:00")) == nil)
  }

  @Test(
    "cronsim finds the same times in all zones, translated where cron itself runs by elapsed time",
    .enabled(
      if: ForeignJudge.python != nil && TestZone.isThere,
      "set CASTQ_PYTHON to a Python that has the package cronsim"))
  func cronsim() throws {
    var generator = CronGenerator(seed: 1306)
    var lines = ""
    for _ in 0..<scheduleRuns(2_000, 100_000) {
      let (text, zone, start) = generator.next()
      let rules = generator.rules[zone] ?? TimeZoneRules()
      let moments = (try? CronExpression(text)).map { expression in
        var moments: [Int64] = []
        var local: LocalTime? = rules.firstLocalTime(from: WallTime(milliseconds: (start + 1) * 1000))
        while moments.count < 3, let from = local, let next = expression.next(from: from) {
          let moment = rules.instant(of: next).wholeSeconds
          if moments.last != moment { moments.append(moment) }
          local = next.adding(seconds: 1)
        }
        return "\(moments)"
      }
      lines += "[\"\(text)\", \"\(zone)\", \(start), \(moments ?? "null")]\n"
    }
    let answers = try ForeignJudge.output(
      of: #require(ForeignJudge.python), [ForeignJudge.script("check_cron.py")], input: lines
    )
    .split(separator: "\n")
    #expect(answers.count == scheduleRuns(2_000, 100_000))
    let wrong = answers.filter { $0 != "true" }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5).joined(separator: "\n"))")
  }
}

/// Expressions, zones and moments by chance, many of them near changes of clocks.
struct CronGenerator {
  private var generator: SeededGenerator
  let rules: [String: TimeZoneRules]
  private let zones =
    TestZone.names + ["UTC", "Europe/London", "America/Sao_Paulo", "Asia/Tehran", "America/St_Johns"]
  private let changes: [String: [Int64]]

  /// 2005 to 2036: no zone of the list changes its rules within an hour of clocks that change there.
  private static let moments: Range<Int64> = 1_104_537_600..<2_082_758_400

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    rules = Dictionary(uniqueKeysWithValues: zones.map { ($0, TestZone.rules($0)) })
    changes = rules.mapValues {
      TestZone.changes($0, from: Self.moments.lowerBound, to: Self.moments.upperBound)
    }
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  mutating func next() -> (text: String, zone: String, start: Int64) {
    let zone = zones[number(0...zones.count - 1)]
    var start = Int64.random(in: Self.moments, using: &generator)
    if number(0...9) < 4, let change = changes[zone]?.randomElement(using: &generator) {
      start = change + Int64(number(-90_000...7_200))
    }
    let names = ["sun", "MON", "Tue", "wed", "thu", "fri", "sat"]
    let months = ["jan", "FEB", "Mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    let fields = [
      field(0...59), field(0...23), number(0...2) == 0 ? field(1...31) : "*",
      number(0...3) == 0 ? field(1...12, months, from: 1) : "*",
      number(0...2) == 0 ? field(0...7, names) : "*",
    ]
    return (fields.joined(separator: " "), zone, start)
  }

  private mutating func field(_ range: ClosedRange<Int>, _ names: [String] = [], from base: Int = 0) -> String
  {
    switch number(0...9) {
    case 0: return "*"
    case 1: return "*/\(number(1...range.upperBound))"
    case 2, 3:
      let (low, high) = (number(range), number(range))
      // A range of one number with a step is that number for cron; cronsim goes on to the end of the field.
      let step = number(0...1) == 0 || low == high ? "" : "/\(number(1...10))"
      return "\(min(low, high))-\(max(low, high))\(step)"
    case 4: return (0..<number(2...4)).map { _ in "\(number(range))" }.joined(separator: ",")
    case 5 where !names.isEmpty:
      let (low, high) = (number(0...names.count - 1), number(0...names.count - 1))
      return "\(names[min(low, high)])-\(names[max(low, high)])"
    case 6 where !names.isEmpty: return names[number(0...names.count - 1)]
    default: return "\(number(range))"
    }
  }
}
