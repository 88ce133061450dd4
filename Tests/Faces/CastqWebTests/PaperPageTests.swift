import CastProtocol
import CastqOperations
import CastqText
import Testing
@testable import CastqWeb

@Suite("Papers of the page Reports")
struct PaperPageTests {
  /// Saturday, 28 November 2026.
  private static let today = LocalDate(year: 2026, month: 11, day: 28) ?? .earliest

  private func asked(_ query: [(String, String)]) -> PaperQuery {
    PaperQuery(WebOptions(query.map { .init($0.0, $0.1) }), today: Self.today)
  }

  private func page(
    _ paper: JSONValue, _ query: [(String, String)] = [], role: WebRole = .edit
  ) throws -> String {
    let now = try RFC3339.parse("2026-11-28T15:00:00Z")
    var context = PageContext(page: .reports, path: "/reports", role: role, now: now) { $0 }
    context.query = WebOptions(query.map { .init($0.0, $0.1) })
    context.documents = [
      "paper": paper, "devices": ["devices": [["alias": "lobby", "name": "Lobby TV"]]],
      "groups": ["groups": [["group": "foyers"]]],
    ]
    return Pages.html(context)
  }

  private static func sums(_ plays: Int, unknown: Int = 0, inferred: Int = 0) -> [String: JSONValue] {
    [
      "plays": .integer(Int64(plays)), "shown_s": 3725.9, "complete": .integer(Int64(plays - unknown)),
      "cut_short": 0, "failed": 0, "unknown": .integer(Int64(unknown)), "playing": 0,
      "inferred": .integer(Int64(inferred)), "unobserved": .integer(Int64(unknown)), "complete_part": 0.9966,
    ]
  }

  private static func row(_ title: String, _ programme: String?) -> JSONValue {
    .object(
      sums(3).merging([
        "title": .string(title), "programme": programme.map { .string($0) } ?? .null,
      ]) { $1 })
  }

  private static func proof(_ programmes: [String?], total: [String: JSONValue] = sums(5278)) -> JSONValue {
    [
      "rows": .array(programmes.map { row("Title of \($0 ?? "none")", $0) }), "total": .object(total),
      "screens": 6,
      "programmes": .array(
        programmes.map { .object(sums(3).merging(["programme": $0.map { .string($0) } ?? .null]) { $1 }) }),
      "days": [
        ["day": "2026-11-18", "plays": 30, "away_s": 60], ["day": "2026-11-19", "plays": 90, "away_s": 0],
      ],
      "outages": [
        [
          "device": "lobby", "began_at": "2026-11-18T09:10:00.000Z", "ended_at": "2026-11-18T15:42:00.000Z",
          "seconds": 23_520, "cause": "no answer",
        ]
      ],
    ]
  }

  @Test(
    "days are chosen by a word or by two dates, in whichever order; what means nothing is this month",
    arguments: [
      ([("range", "today")], "2026-11-28", "2026-11-29"),
      ([("range", "yesterday")], "2026-11-27", "2026-11-28"),
      ([("range", "this-week")], "2026-11-23", "2026-11-30"),
      ([("range", "last-month")], "2026-10-01", "2026-11-01"),
      ([("from", "2026-02-01"), ("to", "2026-02-03")], "2026-02-01", "2026-02-04"),
      ([("from", "2026-02-03"), ("to", "2026-02-01")], "2026-02-01", "2026-02-04"),
      ([("from", "2026-11-01")], "2026-11-01", "2026-11-29"),
      ([("to", "2026-11-01")], "2026-11-01", "2026-11-02"),
      ([("from", "<x>"), ("range", "for ever")], "2026-11-01", "2026-12-01"),
      ([], "2026-11-01", "2026-12-01"),
    ])
  func days(_ query: [(String, String)], _ since: String, _ until: String) {
    let options = asked(query).options
    #expect(options["since"] == since && options["until"] == until)
    // Whoever follows a link to it sees the same days.
    let again = PaperQuery(WebOptions(asked(query).address), today: Self.today)
    #expect(again.options == options)
  }

  @Test("former addresses lead to the paper that has what they had")
  func former() {
    #expect(asked([("kind", "outages")]).paper == .air && asked([("kind", "share")]).paper == .plan)
    #expect(asked([("kind", "plays"), ("by", "day")]).paper == .proof)
    #expect(asked([("kind", "plays"), ("paper", "air")]).paper == .air)
  }

  @Test("numbers, days and percentages are those of people, and nothing is rounded up to all")
  func words() {
    func days(_ first: String, _ last: String) -> String? {
      guard let first = try? LocalDate(first), let last = try? LocalDate(last) else { return nil }
      return PaperWords.days(first...last)
    }
    #expect(days("2026-11-01", "2026-11-28") == "1–28 November 2026")
    #expect(days("2026-11-30", "2026-12-06") == "30 November – 6 December 2026")
    #expect(days("2026-12-28", "2027-01-03") == "28 December 2026 – 3 January 2027")
    #expect(days("2026-11-28", "2026-11-28") == "28 November 2026")
    #expect(PaperWords.count(5278) == "5,278" && PaperWords.count(-1_000_000) == "−1,000,000")
    #expect(PaperWords.count(.min).hasPrefix("−9,223,"))
    #expect(PaperWords.percent(0.99999) == "99.9 %" && PaperWords.percent(1) == "100 %")
    #expect(PaperWords.percent(0.997) == "99.7 %" && PaperWords.percent(nil) == "–")
    #expect(PaperWords.percent(.infinity) == "–" && PaperWords.percent(-3) == "0 %")
  }

  @Test("the proof has its four numbers, its bars with the dark day, and the outage in a sentence")
  func proof() throws {
    let html = try page(Self.proof(["winter"]))
    for words in [
      "<dd>5,278</dd>", "<dt>plays on 6 screens</dt>", "<dd>1:02:05</dd>", "<dd>99.6 %</dd>", "<dd>all</dd>",
      "<dt>seen by castq, none inferred</dt>", "data-day=\"2026-11-18\" data-dark>",
      "18 November: <bdi>Lobby TV</bdi> did not answer from",
    ] {
      #expect(html.contains(words), "\(words)")
    }
    #expect(!html.contains("data-day=\"2026-11-19\" data-dark>") && !html.contains("Not watched"))
    let unsure = try page(Self.proof([nil], total: Self.sums(10, unknown: 2, inferred: 3)))
    #expect(unsure.contains("<dd>3</dd>") && unsure.contains("inferred, 2 not watched"))
    #expect(unsure.contains(">Not watched</th>"))
  }

  @Test("several programmes have a table of all, and a sheet each with its client; a single one has neither")
  func sheets() throws {
    let many = try page(Self.proof(["winter", "advent", nil]), [("client", "Winter & Sons")])
    #expect(many.components("class=\"panel flush titles sheet\"") == 3 && many.contains(">Programmes</h2>"))
    #expect(many.contains("<h2>From the queues</h2>"))
    #expect(many.components("<bdi>Winter &amp; Sons</bdi>") == 4, "above the paper, and on each sheet")
    let one = try page(Self.proof(["winter"]))
    #expect(one.components("titles sheet") == 0 && !one.contains(">Programmes</h2>"))
  }

  @Test("what was not looked up is not said to be nothing, and nothing is said to be nothing")
  func empty() throws {
    let nothing: JSONValue = ["rows": [], "total": ["plays": 0]]
    for (paper, words) in [
      ("proof", "Nothing was shown"), ("air", "No screen was known"), ("plan", "Nothing was planned"),
    ] {
      #expect(try page(nothing, [("paper", paper)]).contains(words))
    }
    var context = PageContext(page: .reports, path: "/reports", now: .latest) { $0 }
    context.failures["paper"] = Failure("io", "the disk is full; make room", exit: .inputOutput)
    let html = Pages.html(context)
    #expect(html.contains("the disk is full") && !html.contains("Nothing was shown"))
  }

  @Test("the signed proof is a form of whoever may edit, for the time and the screens of the paper")
  func signing() throws {
    let query = [("range", "yesterday"), ("device", "lobby")]
    let html = try page(Self.proof(["x"]), query)
    #expect(html.contains("action=\"/reports/proof\"") && html.contains("name=\"device\" value=\"lobby\""))
    #expect(html.contains("name=\"since\" value=\"2026-11-27\""))
    for role in [WebRole.look, .operate] {
      let html = try page(Self.proof(["x"]), query, role: role)
      #expect(!html.contains("/reports/proof") && !html.contains("primary"))
    }
  }

  @Test("screens on air are told by their names, and an outage by its clock times, cause and what was due")
  func air() throws {
    let outage: JSONValue = [
      "device": "lobby", "began_at": "2026-11-27T14:59:57.000Z", "ended_at": "2026-11-27T15:01:04.000Z",
      "seconds": 67, "cause": "it closed the connection", "due": "film-b",
    ]
    let paper: JSONValue = [
      "rows": [["device": "lobby", "available": 0.99922, "outages": 1, "away_s": 67, "longest_s": 67]],
      "total": ["available": 0.99922, "away_s": 67],
      "outages": [outage, ["device": "bar", "ended_at": .null]],
    ]
    let html = try page(paper, [("paper", "air")])
    for words in [
      ">Fri 27 Nov, 14:59:57</time>", ">15:01:04</time>", "<bdi>film-b</bdi>", ">1:07<", "99.9 %",
      "not yet back",
      "<bdi>Lobby TV</bdi>",
    ] {
      #expect(html.contains(words), "\(words)")
    }
    #expect(!html.contains("<bdi>lobby</bdi>"))
  }

  @Test("the plan is told by what is missing, and ad shares by the difference to what they were due")
  func plan() throws {
    let paper: JSONValue = [
      "rows": [
        [
          "rule": "breakfast", "occurrences": 2, "planned_s": 7200, "shown_s": 3600, "missing_s": 3600,
          "part": 0.5,
        ]
      ],
      "total": ["occurrences": 2, "planned_s": 7200, "shown_s": 3600, "missing_s": 3600, "part": 0.5],
      "days": [["day": "2026-11-27", "planned_s": 7200, "shown_s": 3600]],
      "shares": [
        ["rule": "cola", "plays": 3, "due_s": 600, "shown_s": 540, "difference_s": -60],
        ["rule": "beer", "plays": 3, "due_s": .null, "shown_s": 540, "difference_s": .null],
      ],
    ]
    let html = try page(paper, [("paper", "plan")])
    for words in ["<dd>50 %</dd>", ">−1:00<", "27 November: 1:00:00 of 2:00:00", "class=\"out-of\""] {
      #expect(html.contains(words), "\(words)")
    }
  }

  @Test("a long time is drawn by months, and no number of days or plays stops a page")
  func long() throws {
    var proof = Self.proof(["x"])
    let html = try page(proof, [("from", "2024-01-01"), ("to", "2026-11-28")])
    #expect(html.contains("data-day=\"2026-11\" data-dark>") && html.contains("November 2026: 120 plays"))
    for query in [[("from", "0000-01-01"), ("to", "9999-12-31")], [("range", "today")]] {
      for number in [Double.greatestFiniteMagnitude, -1e300, 1e18] {
        proof = Self.proof(
          ["x"],
          total: ["plays": .number(number), "shown_s": .number(number), "complete_part": .number(number)])
        #expect(try page(proof, query).hasSuffix("</html>\n"))
      }
    }
  }

  @Test("a page lists 250 titles and says where the others are")
  func many() throws {
    var paper = Self.proof(["x"]).object ?? [:]
    paper["rows"] = .array((0..<1000).map { Self.row("Title \($0)", "x") })
    let html = try page(.object(paper))
    #expect(html.contains("Title 249<") && !html.contains("Title 250<"))
    #expect(html.contains("750 more titles are in the table"))
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(_ text: String) -> Int {
    var (count, rest) = (0, self[...])
    while let found = rest.firstRange(of: text) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}

extension PagesTests {
  /// A paper in which everything has this text.
  static func paper(_ text: JSONValue) -> JSONValue {
    [
      "screens": 2, "programmes": [["programme": text, "plays": 3], ["programme": .null, "plays": 1]],
      "rows": [
        ["title": text, "programme": text, "rule": text, "device": text, "shown_s": 12, "plays": 3]
      ],
      "total": ["plays": 3, "shown_s": 12], "days": [["day": text, "plays": 3, "away_s": 1]],
      "shares": [["rule": text, "difference_s": -3]],
      "outages": [["device": text, "began_at": text, "ended_at": text, "cause": text, "due": text]],
    ]
  }

  /// An address that says this text wherever one is free; with each tab goes another paper.
  static func query(_ text: String, _ tab: String) -> [String: String] {
    [
      "tab": tab, "q": text, "check": text, "tz": "x", "client": text, "device": text,
      "paper": ["queue": "proof", "plan": "plan"][tab] ?? "air",
    ]
  }
}
