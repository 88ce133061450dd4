import CastProtocol
import CastqOperations
import CastqText
import Testing
@testable import CastqWeb

@Suite("The filters of the history", .timeLimit(.minutes(10)))
struct HistoryFilterTests {
  private static let today = try? LocalDate("2026-11-25")

  private static func query(_ address: String) throws -> HistoryQuery {
    let values = address.split(separator: "&").map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1).map(String.init)
      return WebOptions.Value(halves[0], halves.count > 1 ? halves[1] : "")
    }
    return HistoryQuery(WebOptions(values), today: try #require(today))
  }

  @Test(
    "ranges, days and former addresses ask for their time",
    arguments: [
      ("", "limit=200"), ("range=yesterday", "since=2026-11-24&until=2026-11-25&limit=200"),
      ("range=last-week&device=lobby", "device=lobby&since=2026-11-16&until=2026-11-23&limit=200"),
      ("from=2026-11-20&to=2026-11-21", "since=2026-11-20&until=2026-11-22&limit=200"),
      // Turned round, they are meant.
      ("from=2026-11-21&to=2026-11-20", "since=2026-11-20&until=2026-11-22&limit=200"),
      ("from=2026-11-20&to=", "since=2026-11-20&limit=200"),
      ("since=-1w&until=now&outcome=failed", "outcome=failed&since=-1w&until=now&limit=200"),
      ("since=-1w&range=today", "since=2026-11-25&until=2026-11-26&limit=200"),
      ("from=yesterday&since=-1w", "since=-1w&limit=200"), ("q=menu", "limit=5000"),
      ("limit=7&tz=Europe/Berlin", "limit=7&tz=Europe/Berlin"), ("range=nonsense&outcome=", "limit=200"),
    ])
  func times(_ address: String, _ asked: String) throws {
    let options = try Self.query(address).options.values.map { "\($0.name)=\($0.value)" }
    #expect(options.joined(separator: "&") == asked)
  }

  @Test(
    "the form has choices for screens and outcomes, dates, and words of the title; and it shows what is asked for"
  )
  func form() throws {
    var context = PageContext(
      page: .history, path: "/history", now: try RFC3339.parse("2026-11-25T12:00:00Z")
    ) { $0 }
    context.documents = [
      "devices": [
        "devices": [["alias": "lobby", "name": "Lobby TV"], ["alias": "bar", "name": "Bar <b>"]]
      ],
      "groups": ["groups": [["group": "foyers"]]],
    ]
    context.query = WebOptions([
      .init("device", "lobby"), .init("outcome", "failed"), .init("from", "2026-11-20"), .init("q", "\"><b>"),
    ])
    let html = Pages.html(context)
    #expect(html.contains("<option value=\"lobby\" selected>Lobby TV</option>"))
    #expect(html.contains("<option value=\"@foyers\">foyers</option>"))
    #expect(html.contains("<option value=\"failed\" selected>Failed</option>"))
    #expect(html.contains("<input type=\"date\" name=\"from\" value=\"2026-11-20\">"))
    #expect(
      html.contains(
        "href=\"/history?device=lobby&amp;outcome=failed&amp;q=%22%3E%3Cb%3E&amp;range=yesterday\""))
    #expect(!html.contains("<b>") && html.contains("Bar &lt;b&gt;"))
    // It works without script: a form that a browser sends by itself.
    #expect(html.contains("<form class=\"filters\" method=\"get\" action=\"/history\""))
    #expect(!html.contains("name=\"since\"") && !html.contains("placeholder=\"yesterday\""))
  }

  @Test("rows stand by the moment they show: when a play began, or failed")
  func order() throws {
    var context = PageContext(page: .history, path: "/history", now: WallTime(milliseconds: 0)) { $0 }
    context.documents = [
      "history": [
        "plays": [
          [
            "play": 2, "title": "Long", "started_at": "2026-11-25T04:33:00Z",
            "ended_at": "2026-11-25T04:40:00Z",
          ],
          ["play": 1, "title": "Gone", "ended_at": "2026-11-25T04:35:00Z", "outcome": "failed"],
          [
            "play": 3, "title": "Short", "started_at": "2026-11-25T04:37:00Z",
            "ended_at": "2026-11-25T04:38:00Z",
          ],
        ]
      ]
    ]
    let html = Pages.html(context)
    let places = ["Short", "Gone", "Long"].compactMap { html.firstRange(of: "\($0)</")?.lowerBound }
    #expect(places.count == 3 && places == places.sorted())
  }

  @Test("a former address keeps its time when another filter is changed")
  func former() throws {
    var context = PageContext(page: .history, path: "/history", now: WallTime(milliseconds: 0)) { $0 }
    context.query = WebOptions([.init("since", "-1w")])
    #expect(Pages.html(context).contains("<input type=\"hidden\" name=\"since\" value=\"-1w\">"))
  }
}
