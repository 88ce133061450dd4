import CastProtocol
import CastqOperations
import CastqText
import Foundation
import Testing
@testable import CastqWeb

/// The pages as text: what the documents have is in them, and nothing of it is markup.
@Suite struct PagesTests {
  private static let hostile = "<script>alert(1)</script>\"'&\u{202E}\u{0}\u{1B}[31m"

  func page(
    _ page: WebPage, _ documents: [String: JSONValue], query: [String: String] = [:], role: WebRole = .edit
  ) -> String {
    let time = WallTime(milliseconds: 1_795_000_000_000)
    var context = PageContext(page: page, path: "/", role: role, now: time) { "/assets/digest/\($0)" }
    context.query = WebOptions(query.map { .init($0.key, $0.value) })
    context.documents = documents
    context.zoneName = query["tz"] ?? "UTC"
    if let file = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(context.zoneName)") {
      context.zone = TimeZoneRules(file: Array(file)) ?? context.zone
    }
    return Pages.html(context)
  }

  static func documents(_ text: String) -> [String: JSONValue] {
    let text = JSONValue.string(text)
    let entry: JSONValue = [
      "entry": 41, "position": 1, "state": "playing", "title": text, "url": text, "duration_s": 12,
      "failure": ["message": text, "at": text],
    ]
    return [
      "devices": ["devices": [["name": text, "alias": text, "last_seen_at": text, "model": text]]],
      "statuses": [
        [
          "device": text, "connection": "connected", "player_state": "PLAYING", "title": text,
          "subtitle": text, "position_s": 3.5, "duration_s": 12, "art": text, "rule": text,
        ]
      ],
      "status": [
        "device": text, "connection": "connected", "player_state": "PLAYING", "title": text,
        "tracks": [["id": 1, "type": "TEXT", "name": text, "language": text, "active": true]],
      ],
      "device": ["name": text, "model": text, "address": text],
      "queue": ["entries": [entry], "total": 1, "version": 7],
      "groups": ["groups": [["group": text, "devices": [text]]]],
      "rules": [
        "rules": [
          [
            "rule": text, "programme": text, "device": text, "form": text, "expression": text, "next": text,
            "sentence": ["when": text, "programme": text, "device": text, "how": text, "next": text],
          ]
        ]
      ],
      "programmes": [
        "programmes": [
          [
            "programme": text, "source": text, "problem": text, "filler": text, "words": text,
            "can_add": true,
          ]
        ]
      ],
      "library": [
        "configured": true, "kind": "all", "q": text, "folder": text, "from": 24, "count": 24, "total": 90,
        "open": 1, "problems": [text], "folders": [["name": text, "title": text]],
        "items": [
          [
            "name": text, "title": text, "subtitle": text, "kind": "film", "art": text, "plays": text,
            "duration_s": 94,
          ]
        ],
      ],
      "plan": [
        "from": "2026-11-23T00:00:00.000Z", "to": "2026-11-24T00:00:00.000Z",
        "segments": [
          [
            "device": text, "start": "2026-11-23T08:00:00.000Z", "end": "2026-11-23T10:00:00.000Z",
            "programme": text,
            "rule": text, "kind": text, "note": text,
          ]
        ], "issues": [["device": text, "message": text]],
      ],
      "why": [
        "device": text, "at": text, "winner": ["programme": text],
        "candidates": [["rule": text, "outcome": text, "reason": text]],
        "answer": [
          "first": text, "reason": text, "planned": text, "rules": [["rule": text, "words": text]],
        ],
      ],
      "history": [
        ["play": 9, "device": text, "title": text, "outcome": text, "reason": text, "schedule": text]
      ],
      "paper": paper(text),
      "doctor": [["check": text, "verdict": text, "message": text, "advice": text]],
      "check": ["problems": [["source": text, "line": 3, "message": text]]],
    ]
  }

  static let all: [WebPage] = [
    .screens, .device("lobby"), .schedule, .library, .history, .reports, .doctor, .settings, .login, .lost,
  ]

  @Test("what somebody named a thing stays text on every page", arguments: all)
  func hostileText(_ one: WebPage) {
    for tab in ["queue", "plan", "history", "health"] {
      let html = page(
        one, Self.documents(Self.hostile),
        query: Self.query(Self.hostile, tab))
      #expect(!html.contains("<script>"))
      #expect(!html.contains("\"'&"))
      #expect(!html.unicodeScalars.contains { [0x202E, 0, 0x1B].contains($0.value) })
      #expect(html.hasPrefix("<!doctype html>"))
    }
  }

  @Test("an entry that was given up says why in its row")
  func failedEntry() {
    let failure: JSONValue = [
      "message": "the server answers 404 Not Found", "at": "2026-11-23T08:00:00.000Z",
    ]
    func entry(_ state: String, _ failure: JSONValue) -> JSONValue {
      ["entry": 41, "position": 1, "state": .string(state), "title": "Gone", "failure": failure]
    }
    func row(_ entry: JSONValue) -> String {
      page(
        .device("lobby"), ["queue": ["entries": [entry], "total": 1, "version": 7]], query: ["tab": "queue"])
    }
    #expect(row(entry("failed", failure)).contains(">Failed: the server answers 404 Not Found</bdi>"))
    #expect(row(entry("failed", .null)).contains(">Failed</bdi>"))
  }

  @Test("documents of other shapes never stop a page", arguments: all)
  func oddDocuments(_ one: WebPage) {
    let names = Self.documents("").keys
    for odd: JSONValue in [
      .null, [], [:], "text", 7, [["devices": 3]],
      ["devices": [1, "x", [:]], "entries": "no", "rows": [[]]],
    ] {
      let html = page(one, Dictionary(uniqueKeysWithValues: names.map { ($0, odd) }))
      #expect(html.contains("</html>"))
    }
  }

  @Test("the position of a page is that of its moment, and no further than the end")
  func position() {
    // The page is of 11:06:40.
    func elapsed(at: String, _ more: [String: JSONValue] = [:]) -> [Bool] {
      var status: [String: JSONValue] = [
        "device": "lobby", "connection": "connected", "player_state": "PLAYING", "position_s": 10,
        "duration_s": 60, "at": .string(at), "speed": 1,
      ]
      status.merge(more) { $1 }
      let documents: [String: JSONValue] = [
        "devices": ["devices": [["name": "lobby"]]], "statuses": ["devices": [.object(status)]],
        "status": .object(status),
      ]
      return ["0:10", "0:22", "0:34", "1:00"].map { text in
        page(.device("lobby"), documents).contains("data-part=\"elapsed\">\(text)<")
      }
    }
    let at = RFC3339.text(WallTime(milliseconds: 1_795_000_000_000 - 12_000))
    #expect(elapsed(at: at) == [false, true, false, false])
    #expect(elapsed(at: at, ["speed": 2]) == [false, false, true, false])
    #expect(elapsed(at: at, ["player_state": "PAUSED", "speed": 0]) == [true, false, false, false])
    #expect(elapsed(at: at, ["ad": ["title": "x"], "speed": 0]) == [true, false, false, false])
    let old = RFC3339.text(WallTime(milliseconds: 1_794_000_000_000))
    #expect(elapsed(at: old) == [false, false, false, true])
  }

  @Test(
    "lanes without a screen say whether there was none then, or is none yet",
    arguments: [("-18T11", "castq knew no screen then."), ("-19T11", "No screen has a plan yet.")])
  func noLanes(end: String, words: String) {
    let plan: JSONValue = ["from": "2026-11-17T11:00:00Z", "to": .string("2026-11\(end):00:00Z")]
    #expect(page(.schedule, ["plan": plan]).contains(words))
  }

  @Test("a notice is what castq said after a form, and never what an address says")
  func notices() async throws {
    try await WebStage.with { stage in
      let foreign = try await stage.ask("GET", "/?notice=Your%20licence%20has%20ended")
      #expect(foreign.status == 200 && !foreign.body.contains("licence"))
      let text = "do=command&device=lobby&verb=pause&back=%2Fd%2Flobby%3Ftab%3Dplan"
      let head = [
        "POST /do HTTP/1.1", "Host: 127.0.0.1:\(stage.port)",
        "Content-Type: application/x-www-form-urlencoded", "Content-Length: \(text.utf8.count)",
        "Connection: close",
      ]
      for words in ["done", "lobby: <b>nothing plays"] {
        if words != "done" { stage.documents.fail(Failure("no", words, exit: .no)) }
        let answer = try await stage.send(head.joined(separator: "\r\n") + "\r\n\r\n" + text)
        let place = try #require(answer.fields["location"])
        #expect(place.hasPrefix("/d/lobby?tab=plan&notice="))
        let page = try await stage.ask("GET", place)
        let shown = words.replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        let start = words == "done" ? "role=\"status\">" : "<div><p>"
        #expect(page.body.contains("\(start)\(shown)</p>"), "\(page.body.prefix(3000))")
      }
    }
  }

  @Test("numbers that no clock shows never stop a page")
  func hugeNumbers() {
    for number in [Double.greatestFiniteMagnitude, -1e300, 1e18, -0.1] {
      var documents = Self.documents("x")
      documents["statuses"] = [
        [
          "device": "x", "connection": "connected", "player_state": "PLAYING", "position_s": .number(number),
          "duration_s": .number(number),
        ]
      ]
      #expect(page(.screens, documents).contains("</html>"))
    }
  }

  @Test("who may only look gets no form that acts")
  func lookers() {
    let documents = Self.documents("x")
    #expect(page(.device("x"), documents).contains("data-do=\"command\""))
    for one in Self.all where one != .login {
      let html = page(one, documents, role: .look)
      #expect(!html.contains("action=\"/do\"") && !html.contains("value=\"toggle\""), "\(one)")
      // What is left shows something, and cannot be used.
      for act in html.split(separator: "data-act=").dropFirst() {
        let rest = act.prefix { $0 != ">" }
        #expect(rest.contains(" disabled"), "\(one): \(rest)")
      }
    }
  }

  @Test("a document that could not be had is told with what to do")
  func failures() {
    var context = PageContext(page: .history, path: "/history", now: WallTime(milliseconds: 0)) { $0 }
    context.failures["history"] = Failure("io", "the disk is full; make room", exit: .inputOutput)
    let html = Pages.html(context)
    #expect(html.contains("the disk is full") && html.contains("class=\"advice\">make room"))
    context.failures["history"] = Failure("a", "nothing feeds it", hint: .startDaemon, exit: .tryAgain)
    #expect(Pages.html(context).contains("class=\"advice\">the daemon has to be started"))
  }

  @Test("what a wrong filter asks for is not said to be nothing")
  func wrongFilter() {
    var context = PageContext(page: .history, path: "/", now: WallTime(milliseconds: 0)) { $0 }
    func saysNothing() -> Bool {
      let html = Pages.html(context)
      return html.contains("data-part=\"empty\">Nothing was played")
    }
    #expect(saysNothing())
    context.failures["history"] = Failure("usage", "there is no zone Nowhere", exit: .usage)
    #expect(!saysNothing())
  }

  @Test(
    "words of a shell are quoted in the commands to copy",
    arguments: [
      ("lobby", "lobby"), ("Living room", "'Living room'"), ("it's", "'it'\\''s'"), ("", "''"),
      ("$(x)", "'$(x)'"),
    ])
  func quoting(_ word: String, _ quoted: String) {
    #expect(CommandLine.quoted(word) == quoted)
  }

  @Test("a part of an address has no character that means something there")
  func addresses() {
    #expect(PageAddress.device("a b/ü?#") == "/d/a%20b%2F%C3%BC%3F%23")
  }

  @Test("a time has its day unless that is today, and its offset unless that is the present one")
  func times() throws {
    var context = PageContext(page: .history, path: "/", now: try RFC3339.parse("2026-11-23T15:00:00Z")) {
      $0
    }
    context.zoneName = "UTC"
    #expect(context.words(try RFC3339.parse("2026-11-23T09:05:00Z")) == "09:05")
    #expect(
      context.words(try RFC3339.parse("2026-12-14T09:05:07Z"), withSeconds: true) == "Mon 14 Dec 09:05:07")
    let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin"))
    context.zone = try #require(TimeZoneRules(file: Array(file)))
    #expect(context.words(try RFC3339.parse("2026-10-25T00:30:00Z")) == "Sun 25 Oct 02:30 UTC+2")
  }

  @Test("the end of a piece of the plan has the day and the zone where they are not those of its start")
  func ends() {
    func words(_ start: String, _ end: String) -> String {
      let plan: JSONValue = [
        "from": .string(start), "to": .string(end),
        "segments": [["device": "x", "start": .string(start), "end": .string(end), "kind": "base"]],
      ]
      let html = page(.schedule, ["plan": plan], query: ["tz": "Europe/Berlin"])
      return html.split(separator: "<time datetime=\"\(end)\">").last?.split(separator: "<").first.map {
        String($0)
      } ?? ""
    }
    #expect(words("2026-11-23T08:00:00.000Z", "2026-11-23T10:00:00.000Z") == "11:00")
    #expect(words("2026-11-23T08:00:00.000Z", "2026-11-24T08:00:00.000Z") == "Tue 24 Nov 09:00")
    #expect(words("2027-03-27T20:00:00.000Z", "2027-03-28T08:00:00.000Z") == "Sun 28 Mar 10:00 UTC+2")
  }

  @Test(
    "a device that is not known, an address with nothing and a plan without screens lead on, and have nothing to press in vain"
  )
  func nothing() {
    let known = Failure("device_unknown", "no device x is known; known are: bar", exit: .deviceUnknown)
    var context = PageContext(page: .device("x"), path: "/d/x", now: WallTime(milliseconds: 0)) { $0 }
    context.failures = ["device": known, "status": known, "queue": known]
    let device = Pages.html(context)
    #expect(device.components(separatedBy: "no device x is known").count == 2, "it is said once")
    #expect(
      device.contains("All screens") && !device.contains("<castq-controller")
        && !device.contains("class=\"add\""))
    context.page = .lost
    context.failures = ["page": Failure("not_found", "there is nothing at this address", exit: .no)]
    #expect(Pages.html(context).contains("there is nothing at this address"))
    context.page = .schedule
    context.failures = ["plan": known]
    context.documents = ["devices": ["devices": []]]
    #expect(
      Pages.html(context).contains("No screen is known yet")
        && !Pages.html(context).contains("role=\"alert\""))
    context.documents = ["devices": ["devices": [["name": "bar"]]]]
    #expect(Pages.html(context).contains("no device x is known"), "somebody asked for one that is not there")
    context.page = .library
    #expect(Pages.html(context).contains("Then queue it on"))
    context.documents = [:]
    #expect(!Pages.html(context).contains("Then queue it on"))
  }

  @Test("hours that would be cut off at the end of the plan are left out")
  func ruler() {
    func hours(from: String, to: String) -> [String] {
      let plan: JSONValue = [
        "from": .string(from), "to": .string(to),
        "segments": [["device": "x", "start": .string(from), "end": .string(to), "kind": "base"]],
      ]
      let html = page(.schedule, ["plan": plan], query: ["tz": "UTC"])
      return html.split(separator: "y=\"22\">").dropFirst().compactMap {
        $0.split(separator: "<").first.map { String($0) }
      }
    }
    #expect(hours(from: "2026-11-23T14:09:00.000Z", to: "2026-11-24T14:09:00.000Z").last == "12:00")
    #expect(hours(from: "2026-11-23T12:30:00.000Z", to: "2026-11-24T12:30:00.000Z").last == "09:00")
    #expect(hours(from: "2026-11-23T00:00:00.000Z", to: "2026-11-24T00:00:00.000Z").last == "21:00")
  }

  @Test("a screen that castq has a connection to is seen now, another one when it was seen last, or never")
  func seen() {
    for (connection, last, words) in [
      ("connected", nil, "now"), ("connected", "2026-11-18T09:30:00.000Z", "now"), ("offline", nil, "never"),
      ("connecting", "2026-11-17T10:30:00.000Z", "Tue 17 Nov 10:30"),
    ] as [(String, String?, String)] {
      let status: JSONValue = ["device": "x", "connection": .string(connection)]
      let device: JSONValue = ["name": "x", "last_seen_at": last.map { .string($0) } ?? .null]
      let html = page(
        .device("x"), ["device": device, "status": status], query: ["tab": "health", "tz": "UTC"])
      let seen = html.split(separator: "data-part=\"seen\">").dropFirst().first ?? ""
      let text = seen.split(separator: "</span>").first ?? ""
      #expect(
        text.hasSuffix(words) || text.hasSuffix("\(words)</time>"), "\(connection), \(last ?? "-"): \(text)"
      )
    }
  }

  @Test("a share is listed in its sentence, and the controller says by which rule something is on the screen")
  func shares() {
    let share: JSONValue = [
      "rule": "ads", "programme": "spots", "device": "foyer", "kind": "share", "form": "daily",
      "expression": "08:00-20:00", "per_hour_s": 120, "max_plays": 4, "min_gap_s": .null,
      "sentence": [
        "when": "Every day", "programme": "spots", "device": "foyer", "how": "for 2 min of each hour",
      ],
    ]
    let schedule = page(.schedule, ["shares": ["shares": [share]]])
    #expect(
      schedule.contains("Every day <b><bdi>spots</bdi></b> plays on <bdi>foyer</bdi> for 2 min of each hour"))
    #expect(!page(.schedule, ["shares": ["shares": []]]).contains("Ad shares"))
    for (state, rule, isShown) in [
      ("PLAYING", "ads", true), ("PLAYING", nil, false), ("IDLE", "ads", false),
    ] as [(String, String?, Bool)] {
      let status: JSONValue = [
        "device": "foyer", "connection": "connected", "player_state": .string(state),
        "rule": rule.map { .string($0) } ?? .null,
      ]
      let html = page(.device("foyer"), ["status": status])
      #expect(html.contains("data-part=\"by-rule\" hidden") != isShown, "\(state) \(rule ?? "-")")
    }
  }
}
