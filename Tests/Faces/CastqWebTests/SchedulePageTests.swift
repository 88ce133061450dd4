import CastProtocol
import CastqOperations
import CastqText
import Foundation
import Testing
@testable import CastqWeb

/// The page of the schedule as text. It is 11:06 on Wednesday 18 November 2026.
extension PagesTests {
  private func segment(
    _ start: String, _ end: String, _ programme: String, rule: JSONValue = .null, kind: String = "rule",
    device: String = "lobby", occurrence: JSONValue = .null
  ) -> JSONValue {
    [
      "device": .string(device), "start": .string("2026-11-\(start):00.000Z"),
      "end": .string("2026-11-\(end):00.000Z"), "kind": .string(kind),
      "programme": programme.isEmpty ? .null : .string(programme), "rule": rule, "occurrence": occurrence,
    ]
  }

  private func plan(_ segments: [JSONValue], from: String = "18", to: String = "19") -> JSONValue {
    [
      "from": .string("2026-11-\(from)T00:00:00.000Z"), "to": .string("2026-11-\(to)T00:00:00.000Z"),
      "segments": .array(segments),
    ]
  }

  @Test(
    "left of now a lane is full, right of it dashed; a queue ends about a time, and what is dark is no programme's colour"
  )
  func laneOfNow() {
    let html = page(
      .schedule,
      [
        "plan": plan([
          segment("18T08:00", "18T10:30", "menus", rule: "lunch"),
          segment("18T10:30", "18T11:00", "", kind: "dark"),
          segment("18T12:00", "18T15:40", "", kind: "base"),
        ])
      ], query: ["tz": "UTC"])
    let pieces = html.split(separator: "class=\"piece\"").dropFirst().map { $0.prefix { $0 != ">" } }
    #expect(pieces.count == 3)
    #expect(pieces.first?.contains("data-plan") == false && pieces.first?.contains("data-tone=\"") == true)
    #expect(pieces.dropFirst().first?.contains("data-tone") == false)
    #expect(pieces.last?.contains("data-plan=\"true\"") == true)
    #expect(html.contains("<small>until about 15:40</small>") && html.contains("<bdi>The queue</bdi>"))
    #expect(html.contains("data-why=\"2026-11-18T08:00:00.000Z\""))
  }

  @Test(
    "the pieces of a lane are a list, too, for narrow screens: when, what, by which rule, and which one is now"
  )
  func laneList() {
    let html = page(
      .schedule,
      [
        "plan": plan([
          segment("18T00:00", "18T10:00", "night"), segment("18T10:00", "18T12:30", "menus", rule: "lunch"),
        ])
      ], query: ["tz": "UTC"])
    let list = String(html.split(separator: "class=\"lane-list\"").dropFirst().first ?? "")
    let rows = list.split(separator: "<li ").dropFirst().prefix(2).map(String.init)
    guard rows.count == 2 else {
      Issue.record("\(list)")
      return
    }
    #expect(rows[0].contains("night") && !rows[0].contains("aria-current") && !rows[0].contains(" by "))
    #expect(
      rows[1].contains("menus") && rows[1].contains("lunch") && rows[1].contains("aria-current=\"time\""))
    #expect(rows[1].contains("10:00") && rows[1].contains("12:30") && rows[1].contains("data-why="))
  }

  @Test(
    "a week has seven days; one on which clocks change has 23 or 25 hours",
    arguments: [
      ("2027-03-22", ["24", "24", "24", "24", "24", "24", "23"]),
      ("2027-10-25", ["24", "24", "24", "24", "24", "24", "25"]),
    ])
  func week(from: String, hours: [String]) {
    let html = page(
      .schedule, ["plan": plan([])],
      query: ["tz": "Europe/Berlin", "view": "week", "from": from, "device": "lobby"])
    let found = html.split(separator: "data-hours=\"").dropFirst().map { String($0.prefix(2)) }
    #expect(found == hours)
  }

  @Test("of what is to come a week has programmes, not the queue, and what comes hourly is one stretch a day")
  func weekPieces() {
    let hourly = (0..<24).flatMap { hour -> [JSONValue] in
      let clock = "19T\(hour < 10 ? "0" : "")\(hour)"
      return [
        segment("\(clock):00", "\(clock):05", "news", rule: "hourly"),
        segment(
          "\(clock):05", hour == 23 ? "20T00:00" : "19T\(hour < 9 ? "0" : "")\(hour + 1):00", "", kind: "base"
        ),
      ]
    }
    let html = page(
      .schedule,
      ["plan": plan(hourly + [segment("20T08:00", "20T10:30", "menus", rule: "m")], from: "16", to: "23")],
      query: ["tz": "UTC", "view": "week", "device": "lobby"])
    let days = html.split(separator: "data-day=\"").dropFirst().map(String.init)
    #expect(days.map { $0.components(separatedBy: "class=\"piece\"").count - 1 } == [0, 0, 0, 1, 1, 0, 0])
    #expect(days[3].contains("<bdi>news, hourly</bdi>") && !days[3].contains("The queue"))
  }

  @Test("a week of fifty screens with hourly rules has less than 150 KB")
  func weight() {
    var segments: [JSONValue] = []
    for hour in 0..<(24 * 7) {
      let (day, clock) = (16 + hour / 24, hour % 24)
      let start = "\(day)T\(clock < 10 ? "0" : "")\(clock)"
      segments.append(segment("\(start):00", "\(start):05", "news", rule: "hourly 1", device: "screen 1"))
      segments.append(segment("\(start):05", "\(start):59", "", kind: "base", device: "screen 1"))
    }
    let devices: [JSONValue] = (1...50).map { ["name": .string("screen \($0)")] }
    let rules: [JSONValue] = (1...50).map { number in
      [
        "rule": .string("hourly \(number)"), "programme": "news", "device": .string("screen \(number)"),
        "form": "cron", "expression": "0 * * * *",
        "sentence": [
          "when": "Every hour for 5 min", "programme": "news", "device": .string("screen \(number)"),
          "how": "instead of the queue", "next": "Next time: today at 12:00.",
        ],
      ]
    }
    let documents: [String: JSONValue] = [
      "plan": plan(segments, from: "16", to: "23"), "devices": ["devices": .array(devices)],
      "rules": ["rules": .array(rules)],
    ]
    let week = page(.schedule, documents, query: ["tz": "UTC", "view": "week", "device": "screen 1"])
    #expect(week.utf8.count < 150_000, "\(week.utf8.count)")
    let all = page(.schedule, documents, query: ["tz": "UTC"])
    #expect(all.utf8.count < 150_000, "\(all.utf8.count)")
  }

  @Test("free time that was pointed at is in the drawer: its day, its hour, and its screen")
  func proposal() {
    let documents: [String: JSONValue] = [
      "plan": plan([]), "devices": ["devices": [["name": "bar"], ["name": "lobby"]]],
      "programmes": ["programmes": [["programme": "menus", "length_s": 192]]],
    ]
    let html = page(.schedule, documents, query: ["new": "2026-11-20T11:30", "device": "lobby"])
    #expect(html.contains("value=\"lobby\" selected>") && html.contains("menus (3:12)"))
    #expect(
      html.contains("name=\"from\"") && html.contains("value=\"11:30\"") && html.contains("value=\"12:30\""))
    #expect(
      html.components(separatedBy: "Monday\" checked>").count == 1
        && html.contains("aria-label=\"Friday\" checked>"))
    #expect(!page(.schedule, documents, query: ["new": ""], role: .look).contains("id=\"drawer\""))
    let every = page(.schedule, documents, query: ["new": ""])
    #expect(every.components(separatedBy: "day\" checked>").count == 8, "a new time is on each day")
  }

  @Test(
    "a time that is edited or duplicated is in the drawer as it is; an edge that was dragged is in its field")
  func editing() {
    let rule: JSONValue = [
      "rule": "lunch", "revision": 4, "programme": "menus", "device": "@all", "form": "daily",
      "expression": "11:30-24:00 mon-wed", "priority": 7, "valid_from": "2026-12-01", "enabled": true,
      "not_on": "holidays", "end": "finish",
    ]
    let documents: [String: JSONValue] = ["plan": plan([]), "rules": ["rules": [rule]]]
    let html = page(.schedule, documents, query: ["edit": "lunch"])
    for value in ["11:30", "24:00", "2026-12-01", "4"] {
      #expect(html.contains("value=\"\(value)\""), "\(value)")
    }
    for value in ["@all", "7", "finish"] {
      #expect(html.contains("value=\"\(value)\" selected>"), "\(value)")
    }
    #expect(html.components(separatedBy: " checked>").count == 4)
    #expect(html.contains("value=\"remove-rule\"") && html.contains("copy=lunch"))
    let dragged = page(
      .schedule, documents,
      query: ["edit": "lunch", "occurrence": "2026-12-02T11:30", "begin": "2026-12-02T12:00"])
    #expect(dragged.contains("value=\"12:00\"") && !dragged.contains("value=\"11:30\""))
    let copy = page(.schedule, documents, query: ["copy": "lunch"])
    #expect(!copy.contains("name=\"old\"") && copy.contains("value=\"11:30\""))
    #expect(page(.schedule, documents, query: ["edit": "gone"]).contains("There is no time"))
  }

  @Test(
    "an ad share and an announcement are in the drawer in its words, and keep what they are; one that it has no words for is whole under More",
    arguments: [
      ("share", "always", "", ["value=\"1 min 30 s\"", "value=\"4\"", "of each hour", "Apart at least"]),
      ("trigger", "cron", "5 * * * *", ["value=\"60\" selected", "value=\"00:05\"", "value=\"23:05\""]),
      (
        "trigger", "cron", "0 9-17 * * sat,sun",
        ["value=\"60\" selected", "value=\"09:00\"", "value=\"17:00\""]
      ),
      ("trigger", "cron", "45 18 * * *", ["value=\"day\" selected", "value=\"18:45\""]),
      (
        "trigger", "cron", "0 8 1 * *", ["value=\"other\" selected", "value=\"0 8 1 * *\"", "<details open>"]
      ),
      (
        "trigger", "once", "2026-12-24T18:00",
        ["value=\"once\" selected", "value=\"2026-12-24\"", "value=\"18:00\""]
      ),
    ])
  func kinds(kind: String, form: String, expression: String, parts: [String]) throws {
    let sentence: JSONValue = [
      "when": "Always", "programme": "spots", "device": "bar", "how": "for 2 min of each hour",
    ]
    let rule: JSONValue = [
      "rule": "x", "revision": 4, "programme": "spots", "device": "bar", "kind": .string(kind),
      "form": .string(form), "expression": .string(expression), "sentence": sentence,
      "per_hour_s": kind == "share" ? 90 : .null, "max_plays": kind == "share" ? 4 : .null, "min_gap_s": 0,
    ]
    let list = kind == "share" ? "shares" : "rules"
    let html = page(.schedule, ["plan": plan([]), list: [list: [rule]]], query: ["edit": "x"])
    for part in parts { #expect(html.contains(part), "\(part)") }
    let what = kind == "share" ? "share" : "announcement"
    #expect(
      html.contains("name=\"what\" value=\"\(what)\"") && !html.contains("type=\"radio\" name=\"what\""))
    #expect(html.contains("value=\"remove-rule\"") && html.contains("data-rule-row=\"x\""))
    #expect(
      html.components(separatedBy: " checked>").count == (expression.hasSuffix("sun") ? 3 : 8), "days")
    let fields = RuleFields(rule: rule)
    let changes = try fields.changes()
    if kind == "share" {
      #expect(changes["per_hour"] == "1m30s" && changes["always"] == true && changes["interrupt"] == .null)
    } else {
      #expect(changes[form]?.string == expression && changes["interrupt"] == true)
    }
  }

  @Test(
    "an answer comes first, then its reason, then what can be done: of the past the report, of what is to come its time"
  )
  func answer() {
    func html(at: String, _ winner: JSONValue, role: WebRole = .edit) -> String {
      page(
        .schedule,
        [
          "plan": plan([]),
          "why": [
            "device": "lobby", "at": .string(at), "winner": winner,
            "answer": [
              "first": "Nothing was on.", "reason": "Lobby did not answer.",
              "competition": "Films wanted this time, too.",
              "rules": [["rule": "films", "words": "lost it"]],
            ],
          ],
        ], query: ["tz": "UTC"], role: role)
    }
    let past = html(at: "2026-11-17T15:00:00.000Z", .null)
    let order = [
      "Nothing was on.", "Lobby did not answer.", "Films wanted", "Show in the report",
      "The rules of this screen",
    ]
    let places = order.map { past.range(of: $0)?.lowerBound }
    #expect(
      !places.contains(nil) && places == places.sorted { ($0 ?? past.endIndex) < ($1 ?? past.endIndex) })
    let winner: JSONValue = ["rule": "lunch", "occurrence": "2026-11-19T12:00"]
    let next = html(at: "2026-11-19T12:00:00.000Z", winner)
    for words in ["edit=lunch", "value=\"skip\"", "data-move", "Add here"] {
      #expect(next.contains(words), "\(words)")
    }
    let looked = html(at: "2026-11-19T12:00:00.000Z", winner, role: .look)
    #expect(!looked.contains("action=\"/do\"") && !looked.contains("Add here"))
  }
}
