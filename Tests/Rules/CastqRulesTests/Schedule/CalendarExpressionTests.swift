import CastProtocol
import CastqSchedule
import CastqText
import Foundation
import Testing

@Suite struct CalendarExpressionTests {
  private func next(_ text: String, count: Int = 3) throws -> [String] {
    let expression = try CalendarExpression(text)
    var times: [String] = []
    var local = try LocalTime("2026-11-23T07:59:30")
    while times.count < count, let next = expression.next(from: local) {
      times.append(next.text)
      local = next.adding(seconds: 1)
    }
    return times
  }

  @Test(
    "expressions are read as systemd.time(7) has them",
    arguments: [
      ("Mon..Fri 09:00", ["2026-11-23T09:00", "2026-11-24T09:00", "2026-11-25T09:00"]),
      ("*-*~1", ["2026-11-30T00:00", "2026-12-31T00:00", "2027-01-31T00:00"]),
      ("Mon *-05~07/1", ["2027-05-31T00:00", "2028-05-29T00:00", "2029-05-28T00:00"]),
      ("*-02~1..3 12:00", ["2027-02-26T12:00", "2027-02-27T12:00", "2027-02-28T12:00"]),
      ("8..9:00/30", ["2026-11-23T08:00", "2026-11-23T08:30", "2026-11-23T09:00"]),
      ("*:*:0/20", ["2026-11-23T07:59:40", "2026-11-23T08:00", "2026-11-23T08:00:20"]),
      ("quarterly", ["2027-01-01T00:00", "2027-04-01T00:00", "2027-07-01T00:00"]),
      ("Weekly", ["2026-11-30T00:00", "2026-12-07T00:00", "2026-12-14T00:00"]),
      ("2199-12-31 23:59", ["2199-12-31T23:59"]),
    ])
  func expressions(text: String, times: [String]) throws {
    #expect(try next(text) == times)
  }

  @Test("a zone may stand at the end")
  func zones() throws {
    #expect(try CalendarExpression("daily").zone == nil)
    #expect(try CalendarExpression("08:00 utc").zone == .utc)
    #expect(try CalendarExpression("Mon 08:00 Europe/Berlin").zone?.text == "Europe/Berlin")
    #expect(try CalendarExpression("Mon").zone == nil)
  }

  @Test(
    "anything else is refused",
    arguments: [
      "", " ", "25:00", "08:60", "08", "*-13-01", "*-02-31", "Fri..Mon", "Mon..", "*-*~29", "*:*:59/1",
      "@1395716396",
      "08:00:00.5", "Mon,,Tue", "2026~01-01", "*-*-*-*", "08:00:00:00", "a", "*-*-0", "0/0:00", "2300-01-01",
      "08:00 Mars/",
      "1..:00", "99999999999:00", "Ä",
    ])
  func refused(text: String) {
    #expect(throws: TextError.self) { try CalendarExpression(text) }
  }

  private static let analyze = "/usr/bin/systemd-analyze"

  @Test(
    "systemd-analyze finds the same times",
    .enabled(
      if: FileManager.default.fileExists(atPath: analyze),
      "there is no systemd-analyze here; Debian has it in the package systemd"))
  func systemd() throws {
    var generator = CalendarGenerator(seed: 252)
    let count = scheduleRuns(60, 2_000)
    let expressions = (0..<count).map { _ in generator.next() }
    let base = try LocalTime("2025-06-15T11:22:33")
    var compared = 0
    var refused = 0
    for first in stride(from: 0, to: count, by: 100) {
      let block = Array(expressions[first..<min(first + 100, count)])
      let output = try ForeignJudge.output(
        of: Self.analyze,
        ["calendar", "--iterations=50", "--base-time=2025-06-15 11:22:33 UTC", "--"] + block,
        environment: ["TZ": "UTC", "LC_ALL": "C", "SYSTEMD_LOG_LEVEL": "crit"], statuses: [0, 1])
      var answers: [(text: String, times: [String])] = []
      for line in output.split(separator: "\n") {
        let text = line.trimmingCharacters(in: .whitespaces)
        if let colon = text.range(of: ": ") {
          let value = String(text[colon.upperBound...])
          switch text[..<colon.lowerBound] {
          case "Original form": answers.append((value, []))
          case "Normalized form":
            if answers.last.map({ !$0.times.isEmpty || $0.text == value }) ?? true {
              answers.append((value, []))
            }
          case "From now", "(in UTC)": break
          default:
            let words = value.split(separator: " ")
            answers[answers.count - 1].times.append(words.count == 4 ? "\(words[1])T\(words[2])" : "")
          }
        }
      }
      var rest = answers[...]
      for text in block {
        let ours = try? CalendarExpression(text)
        guard let theirs = rest.first, theirs.text == text else {
          #expect(ours == nil, "systemd refuses `\(text)`")
          refused += 1
          continue
        }
        rest = rest.dropFirst()
        let times = theirs.times.filter { !$0.isEmpty }
        // `never`: castq refuses what has no time in the whole calendar.
        guard let ours else {
          #expect(times.isEmpty, "systemd accepts `\(text)`")
          continue
        }
        var local = base.adding(seconds: 1)
        for time in times {
          let next = try #require(ours.next(from: local), "`\(text)` has \(time)")
          try #require(
            "\(next.date.text)T\(next.clockText)"
              == (time.hasSuffix(":00") ? String(time.dropLast(3)) : time), "`\(text)`")
          local = next.adding(seconds: 1)
        }
        compared += times.count
      }
    }
    #expect(compared > count * 20 && refused < count / 3, "\(compared) times, \(refused) refused")
  }
}

/// Calendar expressions by chance; some of them are wrong.
struct CalendarGenerator {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  mutating func next() -> String {
    let words = ["minutely", "hourly", "daily", "weekly", "monthly", "quarterly", "semiannually", "yearly"]
    if number(0...19) == 0 { return words[number(0...words.count - 1)] }
    var parts: [String] = []
    if number(0...2) == 0 { parts.append(days()) }
    if number(0...2) > 0 {
      let month = chain(1...12)
      let mark = number(0...3) == 0 ? "~" : "-"
      // systemd lets each further number of such a list be three smaller; castq lets all of them go to 28.
      let day = chain(1...(mark == "~" ? 22 : 31))
      parts.append(
        number(0...1) == 0 ? "\(month)\(mark)\(day)" : "\(chain(2024...2040))-\(month)\(mark)\(day)")
    }
    if number(0...2) > 0 || parts.isEmpty {
      let second = number(0...2) == 0 ? ":\(chain(0...59))" : ""
      parts.append("\(chain(0...23)):\(chain(0...59))\(second)")
    }
    return parts.joined(separator: " ")
  }

  private mutating func days() -> String {
    let names = ["Mon", "tuesday", "WED", "Thu", "Friday", "sat", "Sun"]
    return (0..<number(1...2)).map { _ in
      let (low, high) = (number(0...6), number(0...6))
      return low < high ? "\(names[low])..\(names[high])" : names[low]
    }.joined(separator: ",")
  }

  private mutating func chain(_ range: ClosedRange<Int>) -> String {
    if number(0...2) == 0 { return "*" }
    return (0..<(number(0...3) == 0 ? number(2...3) : 1)).map { _ in
      let (low, high) = (number(range), number(range))
      switch number(0...5) {
      case 0: return "\(min(low, high))..\(max(low, high))"
      case 1: return "\(min(low, high))..\(max(low, high))/\(number(1...9))"
      case 2: return "\(low)/\(number(1...9))"
      default: return String(low)
      }
    }.joined(separator: ",")
  }
}
