import CastProtocol
import CastqDaemon
import CastqOperations
import CastqStore
import CastqText
import Testing

@Suite("Papers, of rows of that day")
struct PapersTests {
  private let site: OperationsSite

  /// Two devices on 25 October 2026 in UTC: two campaigns with one file, a film that an outage interrupts, and something of a removed device.
  private static let day = """
    import sqlite3, sys
    from datetime import datetime
    db = sqlite3.connect(sys.argv[1])
    ms = lambda t: int(datetime.fromisoformat(f"2026-10-25T{t}+00:00").timestamp() * 1000)
    db.execute("UPDATE device SET created_at = ?", (ms("00:00:00"),))
    for number, programme in ((1, "winter"), (2, "advent")):
        db.execute("INSERT INTO decision (id, device_id, device_name, at, until, kind, rule_id, rule_name, revision, programme, occurrence, "
          "starts_at, ends_at, planned_at, reason) VALUES (?, 1, 'lobby', ?, ?, 'rule', ?, ?, 1, ?, '2026-10-25T01:00', ?, ?, ?, 'r')",
          (number, ms(f"0{number}:00:00"), ms(f"0{number}:30:00"), number, f"Announcement: {programme}", programme,
           ms(f"0{number}:00:00"), ms(f"0{number}:30:00"), ms(f"0{number}:00:00")))
    rows = [
      (1, "lobby", "Sale", "01:00:00", "01:10:00", "finished", "reported", 1),
      (1, "an older name", "Sale", "01:10:00", "01:20:00", "interrupted", "inferred", 1),
      (1, "lobby", "Offer", "02:00:00", "02:10:00", "failed", "reported", 2),
      (2, "bar", "Film", "12:00:00", "13:00:00", "unknown", "unobserved", None),
      (None, "gone", "Film", "12:00:00", "12:01:00", "finished", "reported", None)]
    for i, (d, n, t, s, e, o, v, decision) in enumerate(rows):
        db.execute("INSERT INTO play (entry_id, turn, device_id, device_name, title, url, started_at, ended_at, played_s, outcome, evidence, "
          "kind, rule_name, decision_id) VALUES (?, 1, ?, ?, ?, 'http://m/one', ?, ?, ?, ?, ?, ?, ?, ?)",
          (i + 1, d, n, t, ms(s), ms(e), (ms(e) - ms(s)) / 1000, o, v, "rule" if decision else "base", decision and f"Announcement: {('', 'winter', 'advent')[decision]}", decision))
    db.execute("INSERT INTO outage (device_id, device_name, began_at, ended_at, cause) VALUES (2, 'bar', ?, ?, 'no answer')",
      (ms("12:30:00"), ms("12:36:00")))
    db.commit()
    """

  init() async throws {
    site = try OperationsSite()
    _ = try Workspace(site.call).addDevice(named: "bar", at: "192.0.2.2")
    try await site.python(Self.day)
  }

  private func paper(_ paper: Paper, on devices: String...) async throws -> PaperDocument {
    var call = site.call
    call.device = devices
    let period = try PeriodQuery(
      since: TimeArgument("2026-10-25"), until: TimeArgument("2026-10-26"), tz: Zone("UTC")
    ).read(call)
    return try await ReportRun(call, period).paper(paper)
  }

  @Test("the proof has campaigns of one file apart, and counts a renamed screen once and a removed one, too")
  func proof() async throws {
    let paper = try await paper(.proof)
    let json = paper.json
    let rows = (json["rows"]?.array ?? []).map {
      "\($0["programme"]?.string ?? "-"): \($0["title"]?.string ?? "-")"
    }
    #expect(rows == ["winter: Sale", "advent: Offer", "-: Film"])
    #expect(json["screens"]?.int == 3)
    let total = try #require(json["total"])
    #expect(total["plays"]?.int == 5 && total["complete"]?.int == 2 && total["cut_short"]?.int == 1)
    #expect(total["failed"]?.int == 1 && total["unknown"]?.int == 1 && total["inferred"]?.int == 1)
    #expect(total["shown_s"]?.double == 600 * 3 + 3600 + 60 && total["complete_part"]?.double == 0.4)
    #expect(json["programmes"]?.array?.compactMap { $0["plays"]?.int } == [2, 1, 2])
    let day = json["days"]?.array?.first
    #expect(day?["day"]?.string == "2026-10-25" && day?["plays"]?.int == 5 && day?["away_s"]?.double == 360)
    #expect(
      paper.table.csv.first
        == "programme,title,plays,shown_s,complete,cut_short,failed,unknown,playing,inferred,unobserved,complete_part"
    )
    #expect(paper.table.csv[1] == "winter,Sale,2,1200,1,1,0,0,0,1,0,0.5")
    #expect(try await self.paper(.proof, on: "bar").json["total"]?["plays"]?.int == 1)
  }

  @Test(
    "on air is what timelines have: the part in which a screen answered, and what was due when it did not")
  func air() async throws {
    let json = try await paper(.air).json
    let bar = json["rows"]?.array?.first { $0["device"]?.string == "bar" }
    #expect(bar?["away_s"]?.double == 360 && bar?["longest_s"]?.double == 360 && bar?["outages"]?.int == 1)
    let lobby = json["rows"]?.array?.first { $0["device"]?.string == "lobby" }
    #expect(lobby?["outages"]?.int == 0 && lobby?["away_s"]?.double == 0)
    #expect(bar?["known_s"]?.double == 86_400)
    let watched = 86_400 - (bar?["unobserved_s"]?.double ?? 0)
    #expect(bar?["available"]?.double == ((1 - 360 / watched) * 10_000).rounded() / 10_000)
    let outage = json["outages"]?.array?.first
    #expect(outage?["device"]?.string == "bar" && outage?["due"]?.string == "Film")
    #expect(outage?["seconds"]?.double == 360 && outage?["cause"]?.string == "no answer")
    #expect(json["total"]?["away_s"]?.double == 360)
  }

  @Test(
    "the plan kept is that of the report, and what is missing most comes first"
  )
  func plan() async throws {
    let json = try await paper(.plan).json
    let rows = (json["rows"]?.array ?? []).compactMap { $0["rule"]?.string }
    #expect(Set(rows) == ["Announcement: winter", "Announcement: advent"])
    let missing = (json["rows"]?.array ?? []).compactMap { $0["missing_s"]?.double }
    #expect(missing == missing.sorted(by: >) && !missing.isEmpty)
    #expect(json["days"]?.array?.first?["planned_s"]?.double == json["total"]?["planned_s"]?.double)
  }

  @Test("a proof in memory is the file that the command line writes, and no longer than its limit")
  func bytes() async throws {
    let workspace = try Workspace(site.call)
    var writer = ProofWriter(
      key: try SiteKey(database: site.call.databasePath), site: "here", since: nil, until: nil)
    writer.select([try await workspace.device("bar", adding: false)])
    let bytes = try writer.bytes(ProofStore(workspace.database), limit: 1 << 20)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let header = try JSONValue(parsing: String(lines.first ?? ""))
    #expect(header["type"]?.string == "header" && header["asked"]?["devices"]?.array?.count == 1)
    #expect(lines.last?.contains("\"signature\"") == true && bytes.last == UInt8(ascii: "\n"))
    #expect(throws: Failure.self) { try writer.bytes(ProofStore(workspace.database), limit: 20) }
  }

  @Test(
    "weeks begin on Monday, and months have their days",
    arguments: [
      ("2026-11-29", PaperRange.thisWeek, "2026-11-23", "2026-11-29"),
      ("2026-11-30", .thisWeek, "2026-11-30", "2026-12-06"),
      ("2026-11-30", .lastWeek, "2026-11-23", "2026-11-29"),
      ("2028-02-10", .thisMonth, "2028-02-01", "2028-02-29"),
      ("2026-03-31", .lastMonth, "2026-02-01", "2026-02-28"),
      ("2027-01-01", .lastMonth, "2026-12-01", "2026-12-31"),
      ("2027-01-01", .yesterday, "2026-12-31", "2026-12-31"),
      ("1969-12-31", .thisWeek, "1969-12-29", "1970-01-04"),
    ])
  func ranges(_ today: String, _ range: PaperRange, _ first: String, _ last: String) throws {
    let days = range.days(try LocalDate(today))
    #expect(days.lowerBound.text == first && days.upperBound.text == last)
  }
}
