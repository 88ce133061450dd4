import CastProtocol
import CastqText
import Testing
@testable import CastqWeb

@Suite("The edges of a time of a rule")
struct PieceEdgesTests {
  private static func rule(
    _ form: String, _ expression: String, length: Int64? = nil, kind: String = "window"
  ) -> JSONValue {
    [
      "rule": "lunch", "programme": "menus", "device": "foyer", "kind": .string(kind), "form": .string(form),
      "expression": .string(expression), "for_s": length.map { .integer($0) } ?? .null,
    ]
  }

  /// The rule that the drawer would put.
  private static func pulled(_ rule: JSONValue, _ query: [(String, String)]) throws -> [String: JSONValue] {
    let query = WebOptions(
      ([("occurrence", "2026-11-25T12:00")] + query).map { WebOptions.Value($0.0, $0.1) })
    let parts: [JSONValue] = [["daypart": "lunchtime", "start": "12:00", "end": "14:00"]]
    let fields = PieceEdges.pulled(RuleFields(rule: rule).form, of: rule, by: query, parts: parts)
    return try #require(RuleFields(fields).rule().object)
  }

  @Test("a daily rule gets the pulled time, and keeps its other time and its days")
  func daily() throws {
    let rule = Self.rule("daily", "12:00-13:00 mon-fri")
    let later = try Self.pulled(rule, [("finish", "2026-11-25T14:05")])
    #expect(later["daily"] == "12:00-14:05" && later["days"] == "mon,tue,wed,thu,fri")
    #expect(try Self.pulled(rule, [("begin", "2026-11-25T11:30")])["daily"] == "11:30-13:00")
    #expect(try Self.pulled(rule, [("finish", "2026-11-26T00:00")])["daily"] == "12:00-24:00")
    #expect(try Self.pulled(rule, [("finish", "2026-11-26T01:00")])["daily"] == "12:00-01:00")
  }

  @Test("what happens once begins or ends where it was pulled to; its other end stays")
  func once() throws {
    let rule = Self.rule("once", "2026-11-25T12:00", length: 3600)
    let earlier = try Self.pulled(rule, [("begin", "2026-11-25T11:30")])
    #expect(earlier["once"] == "2026-11-25T11:30" && earlier["for"] == "90m")
    let dayBefore = try Self.pulled(rule, [("begin", "2026-11-24T23:00")])
    #expect(dayBefore["once"] == "2026-11-24T23:00" && dayBefore["for"] == "840m")
    let longer = try Self.pulled(rule, [("finish", "2026-11-25T14:00")])
    #expect(longer["once"] == "2026-11-25T12:00" && longer["for"] == "120m")
  }

  @Test("an expression that comes once a day begins at another time; another one has another length alone")
  func expressions() throws {
    let daily = Self.rule("cron", "0 12 * * mon-fri", length: 1800)
    let earlier = try Self.pulled(daily, [("begin", "2026-11-25T11:45")])
    #expect(earlier["cron"] == "45 11 * * mon-fri" && earlier["for"] == "45m")
    let hourly = Self.rule("cron", "0 * * * *", length: 300)
    #expect(PieceEdges.names(of: hourly) == "finish" && PieceEdges.names(of: daily) == "begin finish")
    let longer = try Self.pulled(hourly, [("finish", "2026-11-25T12:10")])
    #expect(longer["cron"] == "0 * * * *" && longer["for"] == "10m")
    #expect(
      try Self.pulled(Self.rule("calendar", "mon 12:00"), [("finish", "2026-11-25T12:10")])["for"] == "10m")
  }

  @Test("a rule of a named time of day gets a time of its own, for the name is that of other rules, too")
  func dayparts() throws {
    let longer = try Self.pulled(Self.rule("daypart", "lunchtime sat,sun"), [("finish", "2026-11-25T15:00")])
    #expect(longer["daily"] == "12:00-15:00" && longer["days"] == "sat,sun" && longer["daypart"] == nil)
    #expect(
      try Self.pulled(Self.rule("daypart", "lunchtime"), [("begin", "2026-11-25T11:00")])["daily"]
        == "11:00-14:00")
  }

  @Test("what is on for a moment or always has no edges, and a time that is no time changes nothing")
  func none() throws {
    #expect(PieceEdges.names(of: Self.rule("cron", "0 12 * * *", kind: "trigger")) == nil)
    #expect(PieceEdges.names(of: Self.rule("always", "")) == nil)
    let rule = Self.rule("daily", "12:00-13:00")
    #expect(try Self.pulled(rule, [("finish", "soon")])["daily"] == "12:00-13:00")
  }
}
