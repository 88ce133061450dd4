import Foundation
import Testing

@Suite("castq web", .timeLimit(.minutes(20)))
struct WebTests {
  /// A stage with a receiver called lobby that is known, and the page.
  func with(
    _ body: (Stage, Receiver, OperatorPage) async throws -> Void
  ) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try await body(stage, receiver, OperatorPage(stage))
    }
  }

  func daemon(_ stage: Stage) async throws -> RunningProgram {
    let program = try stage.start(["daemon"], patience: RunningProgram.lifetime)
    #expect(await program.stderr.line(containing: "ready") != nil, "\(program.stderr.text)")
    return program
  }

  /// A document without what is another one a moment later.
  private func lasting(_ document: Document) -> Document {
    switch document {
    case .object(let members):
      .object(
        members.filter { !["at", "from", "to", "start", "end", "last_seen_at"].contains($0.key) }.mapValues(
          lasting))
    case .array(let elements): .array(elements.map(lasting))
    default: document
    }
  }

  @Test("without castq-web beside it, castq names the file that is missing")
  func program() async throws {
    try await Stage.with { stage in
      let alone = "\(stage.folder)/alone"
      try FileManager.default.copyItem(atPath: Programs.path("castq"), toPath: alone)
      let ending = try await RunningProgram(
        alone, ["web", "--listen", "127.0.0.1:0"], environment: stage.environment, folder: stage.folder
      ).ended()
      expectOneLine(
        ending, exit: 69, saying: "/castq-web: No such file or directory; install castq-web beside castq")
    }
  }

  @Test("what the API answers is what the command line prints")
  func parity() async throws {
    try await with { stage, _, page in
      let list = try stage.playlist(tones: 3, seconds: 1)
      expectSilence(try await stage.castq("run", list))
      try await stage.castq("enqueue", list)
      // It is not on now: what is on changes from one answer to the next.
      let hour = (Int(Date().timeIntervalSince1970) / 3600 + 8) % 24
      let time = hour < 10 ? "0\(hour)" : "\(hour)"
      try await stage.castq(
        "schedule", "add", "lunch", "--play", list, "-d", "lobby", "--daily", "\(time):00-\(time):30", "--tz",
        "UTC")
      try await stage.castq("group", "add", "foyers", "lobby")
      try await stage.castq("calendar", "add", "holidays", "2026-12-24", "Christmas")
      try await stage.castq("daypart", "add", "morning", "08:00-10:00")
      let pairs: [(String, [String])] = [
        ("devices", ["devices"]), ("devices/lobby", ["device", "show", "lobby"]),
        ("devices/lobby/status", ["status", "-d", "lobby"]), ("statuses", ["status", "--all"]),
        ("devices/lobby/queue?count=1000", ["queue", "-d", "lobby"]), ("history", ["history"]),
        ("history?outcome=finished&limit=2", ["history", "--outcome", "finished", "--limit", "2"]),
        ("report/plays", ["report", "plays"]), ("report/gaps?by=day", ["report", "gaps", "--by", "day"]),
        ("report/outages", ["report", "outages"]), ("report/adherence", ["report", "adherence"]),
        ("report/share", ["report", "share"]),
        // A plan from now on has the second of its question in its words.
        (
          "plan?tz=Asia/Kathmandu&from=2030-01-01&to=2030-01-02",
          ["plan", "--tz", "Asia/Kathmandu", "--from", "2030-01-01", "--to", "2030-01-02"]
        ),
        ("why?what=play:1", ["why", "play:1"]), ("why?what=2030-01-01%2012:00", ["why", "2030-01-01 12:00"]),
        ("schedule", ["schedule", "ls"]), ("schedule/rules/lunch", ["schedule", "show", "lunch"]),
        ("programmes", ["programme", "ls"]), ("groups", ["group", "ls"]), ("dayparts", ["daypart", "ls"]),
        ("calendars", ["calendar", "ls"]), ("shares", ["share", "ls"]),
      ]
      for (path, words) in pairs {
        let answer = try await page.ask("GET", path)
        let line = try await stage.castq(words + ["--json"])
        #expect(answer.status == 200, "\(path): \(answer.body)")
        #expect(try lasting(answer.json) == lasting(Document(line.stdout)), "\(path)")
      }
      let table = try await page.ask("GET", "report/plays?by=media&tz=UTC&format=csv")
      let line = try await stage.castq("report", "plays", "--by", "media", "--tz", "UTC", "--csv")
      #expect(table.status == 200 && table.head.lowercased().contains("content-type: text/csv"))
      #expect(table.body.split(whereSeparator: \.isNewline) == line.stdout.split(whereSeparator: \.isNewline))
      #expect(try await page.ask("GET", "report/plays?format=xml").status == 400)
    }
  }

  @Test("a failure is the command line's, with its code and its exit")
  func failures() async throws {
    try await with { stage, _, page in
      let answer = try await page.ask("GET", "devices/nowhere/status")
      let line = try Document(try await stage.castq("status", "-d", "nowhere", "--json").stdout)
      #expect(answer.status == 404)
      #expect(try answer.json["code"] == line["error"]?["code"])
      #expect(try answer.json["exit"]?.int == 68)
      // An address is no way around the list of devices.
      #expect(try await page.ask("GET", "devices/127.0.0.1:1/status").status == 404)
      // A list that its server does not give is the caller's.
      let list = try await page.ask(
        "POST", "devices/lobby/queue", json: "{\"sources\":[\"http://127.0.0.1:9/x.m3u\"]}")
      #expect(list.status == 422, "\(list)")
      #expect(try list.json["detail"]?.string?.contains("http://127.0.0.1:9/x.m3u") == true)
    }
  }

  @Test("a page asks for a daemon before it plays anything, and never plays itself")
  func playing() async throws {
    try await with { stage, receiver, page in
      let tone = try stage.tone("a.wav", seconds: Stage.outlasting)
      let body = "{\"sources\":[\"\(tone)\"],\"play\":true}"
      let refused = try await page.ask("POST", "devices/lobby/queue", json: body)
      #expect(try refused.json["code"]?.string == "no_daemon")
      let running = try await daemon(stage)
      let events = try page.events("?topics=history,health")
      #expect(await events.line(containing: "\"daemon\":true") != nil)
      #expect(try await page.ask("POST", "devices/lobby/queue", json: body).status == 201)
      #expect(await receiver.playing() != nil)
      #expect(await events.line(containing: "\"evidence\"") != nil)
      let paused = try await page.ask("POST", "devices/lobby/commands", json: "{\"verb\":\"pause\"}")
      #expect(paused.status == 202)
      let number = try #require(try paused.json["request"]?.string)
      let outcome = try #require(await events.line(containing: number))
      #expect(outcome.contains("\"done\":true"), "\(outcome)")
      #expect(await receiver.request("PAUSE") != nil)
      // The page ends, and the daemon goes on.
      page.program.signal(SIGKILL)
      _ = await page.program.ended()
      expectSilence(try await stage.castq("toggle", "-d", "lobby"))
      _ = running.process
    }
  }

  @Test("every verb of the API is a command that takes its words")
  func verbs() async throws {
    try await with { stage, receiver, page in
      let events = try page.events("?topics=queue")
      #expect(await events.line(containing: "event: hello") != nil)
      let bodies = [
        #"{"verb":"play"}"#, #"{"verb":"play","entry":1}"#, #"{"verb":"pause"}"#, #"{"verb":"toggle"}"#,
        #"{"verb":"stop","quit":true}"#, #"{"verb":"next"}"#, #"{"verb":"prev"}"#,
        #"{"verb":"seek","position_s":4}"#, #"{"verb":"seek","offset_s":-4}"#,
        #"{"verb":"seek","fraction":0.5}"#, #"{"verb":"rate","rate":1.5}"#, #"{"verb":"volume","level":3}"#,
        #"{"verb":"volume","change":-3}"#, #"{"verb":"mute"}"#, #"{"verb":"unmute"}"#,
        #"{"verb":"tracks","on":[1,2]}"#, #"{"verb":"tracks","off":true}"#,
        #"{"verb":"style","style":{"font-scale":"1.2"}}"#, #"{"verb":"skip_ad"}"#,
        #"{"verb":"clear","stop":true}"#, #"{"verb":"repeat","mode":"all"}"#,
        #"{"verb":"shuffle","on":true}"#, #"{"verb":"transfer","to":"192.0.2.1"}"#,
      ]
      for body in bodies {
        let answer = try await page.ask("POST", "devices/lobby/commands", json: body)
        let number = try #require(try answer.json["request"]?.string, "\(body): \(answer)")
        let outcome = try #require(await events.line(containing: "\"request\":\"\(number)\""))
        #expect(!outcome.contains("\"exit\":64"), "\(body): \(outcome)")
      }
      // What is left out, or contradicts itself, is refused and not guessed.
      let refused = [
        #"{"verb":"shuffle"}"#, #"{"verb":"shuffle","on":null}"#, #"{"verb":"volume"}"#,
        #"{"verb":"volume","level":30,"change":5}"#, #"{"verb":"seek"}"#,
        #"{"verb":"seek","position_s":5,"fraction":0.5}"#, #"{"verb":"seek","position_s":5,"offset_s":-1}"#,
        #"{"verb":"repeat"}"#, #"{"verb":"repeat","mode":"often"}"#, #"{"verb":"explode"}"#,
        #"{"verb":"seek","position_s":-5}"#, #"{"verb":"volume","level":101}"#,
        #"{"verb":"tracks","on":"x"}"#, #"{"verb":"tracks","on":{}}"#,
      ]
      for body in refused {
        let answer = try await page.ask("POST", "devices/lobby/commands", json: body)
        #expect(answer.status == 400, "\(body): \(answer)")
        #expect(try answer.json["exit"]?.int == 64)
      }
      for body in ["{}", #"{"source":"/a","at":"soon"}"#, #"{"source":"/a","volume":101}"#] {
        #expect(try await page.ask("POST", "announcements", json: body).status == 400, "\(body)")
      }
    }
  }

  @Test("a daemon that is gone is told at once, and one that is back, too")
  func health() async throws {
    try await with { stage, _, page in
      let first = try await daemon(stage)
      let events = try page.events("?topics=health,status")
      let there = try #require(await events.index { $0.contains("\"daemon\":true") })
      first.signal(SIGKILL)
      _ = await first.ended()
      let gone = try #require(await events.index(from: there + 1) { $0.contains("\"daemon\":false") })
      let second = try await daemon(stage)
      #expect(await events.index(from: gone + 1) { $0.contains("\"daemon\":true") } != nil)
      _ = second.process
    }
  }

  @Test("a device that gets another name stays in every face, and whoever shows it reads everything again")
  func renamed() async throws {
    try await with { stage, receiver, page in
      let events = try page.events("?topics=status&device=lobby")
      #expect(await events.line(containing: "\"connected\"") != nil)
      let follower = try stage.start(["status", "--follow", "--jsonl", "-d", "lobby"])
      #expect(await follower.stdout.line(containing: "\"device\":\"lobby\"") != nil)
      for (words, label) in [(["lobby", "zz"], "zz"), (["zz", "yy"], "yy"), (["yy"], "lobby")] {
        let heard = events.lines.count
        expectSilence(try await stage.castq(["device", "alias"] + words))
        let reset = try #require(await events.index(from: heard) { $0 == "event: reset" })
        #expect(await events.line(containing: "\"device\":\"\(label)\"", from: reset) != nil)
      }
      expectSilence(try await stage.castq("device", "alias", "lobby", "zz"))
      let answered = events.lines.count
      expectSilence(try await stage.castq("volume", "20", "-d", "zz"))
      #expect(
        await events.line(containing: "\"level\":20", from: answered)?.contains("\"device\":\"zz\"") == true)
      let line = await follower.stdout.line(containing: "\"level\":20")
      #expect(line?.contains("\"device\":\"zz\"") == true, "\(line ?? "")")
      // Whichever of its names the address has, the page hears the news.
      for name in ["lobby", "zz"] {
        let html = try await page.page("/d/\(name)")
        #expect(html.contains("data-device=\"zz\"") && !html.contains("data-device=\"lobby\""))
      }
      follower.signal(SIGKILL)
    }
  }

  @Test("a device that is added or removed is so in every face")
  func removed() async throws {
    try await with { stage, receiver, page in
      let events = try page.events("?topics=status")
      #expect(await events.line(containing: "\"connected\"") != nil)
      var heard = events.lines.count
      try stage.add(device: "hall", at: "127.0.0.1:1")
      #expect(await events.index(from: heard) { $0 == "event: reset" } != nil)
      let followers = try [["--jsonl"], []].map { options in
        try stage.start(["status", "--follow", "-d", "lobby"] + options)
      }
      for follower in followers { #expect(await follower.stdout.line(containing: "lobby") != nil) }
      heard = events.lines.count
      expectSilence(try await stage.castq("device", "rm", "lobby"))
      #expect(await events.index(from: heard) { $0 == "event: reset" } != nil)
      for follower in followers {
        let ending = await follower.ended()
        #expect(ending.exit == 68 && "\(ending)".contains("lobby was removed from castq"), "\(ending)")
      }
      // Who comes new hears nothing of it.
      let others = try page.events("?topics=status,health")
      #expect(await others.line(containing: "event: health") != nil)
      #expect(!others.text.contains("lobby"))
    }
  }

  @Test("a page that is loaded without its script shows what a device does that nobody feeds")
  func withoutScript() async throws {
    try await with { stage, receiver, page in
      let first = try await page.page("/")
      // What is not known yet is not on air.
      #expect(first.contains("Connecting"))
      #expect(await receiver.request("GET_STATUS") != nil, "a page is a look at the device")
      let events = try page.events("?topics=status")
      #expect(await events.line(containing: "\"connected\"") != nil)
      for path in ["/", "/d/lobby"] {
        let html = try await page.page(path)
        #expect(html.contains("Nothing is left to play") && !html.contains("Connecting"))
      }
    }
  }

  @Test("moves of two pages and the command line at once lose nothing, and end the same everywhere")
  func moves() async throws {
    try await with { stage, _, page in
      let count = 20
      let addresses = (1...count).map { "\"http://127.0.0.1:1/\($0).mp4\"" }.joined(separator: ",")
      let added = try await page.ask("POST", "devices/lobby/queue", json: "{\"sources\":[\(addresses)]}")
      #expect(added.status == 201)
      func rows() async throws -> (version: Int, entries: [Int]) {
        let queue = try await page.get("devices/lobby/queue?count=1000")
        return (
          try #require(queue["version"]?.number.map { Int($0) }),
          (queue["entries"]?.elements ?? []).compactMap { $0["entry"]?.int }
        )
      }
      let all = Set(try await rows().entries)
      #expect(all.count == count)
      let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
        for client in 0..<2 {
          group.addTask {
            var statuses: [Int] = []
            for step in 0..<40 {
              let seen = try await rows()
              let entry = seen.entries[(step * 7 + client * 3) % count]
              let after = seen.entries[(step * 11 + client * 5) % count]
              let body = "{\"entry\":\(entry),\"after\":\(after),\"version\":\(seen.version)}"
              statuses.append(try await page.ask("POST", "devices/lobby/queue/moves", json: body).status)
            }
            return statuses
          }
        }
        group.addTask {
          for step in 0..<10 {
            try await stage.castq("move", "\(1 + step)", "\(1 + (step * 5) % count)", "-d", "lobby")
          }
          return []
        }
        return try await group.reduce(into: [Int]()) { $0 += $1 }
      }
      #expect(Set(statuses).isSubset(of: [200, 409]), "\(Set(statuses))")
      #expect(statuses.contains(200))
      let page = try await rows().entries
      let line = try await stage.json("queue", "-d", "lobby")["entries"]?.elements.compactMap {
        $0["entry"]?.int
      }
      #expect(page == line && Set(page) == all && page.count == count)
    }
  }

  @Test("elsewhere than on loopback everybody needs a token, and its role")
  func tokens() async throws {
    try await with { stage, _, _ in
      let token = try await stage.castq("web", "token", "add", "anna", "--role", "look").stdout
        .trimmingCharacters(in: .whitespacesAndNewlines)
      let page = try await OperatorPage(stage, listen: "0.0.0.0:0")
      #expect(try await page.ask("GET", "devices").status == 401)
      let bearer = ["Authorization: Bearer \(token)"]
      #expect(try await page.ask("GET", "devices", bearer).status == 200)
      let pause = "{\"verb\":\"pause\"}"
      #expect(try await page.ask("POST", "devices/lobby/commands", bearer, json: pause).status == 403)
      #expect(try await page.ask("GET", "devices", bearer, host: "evil.example").status == 403)
      let listed = try await stage.json("web", "token", "ls")
      #expect(listed["tokens"]?.elements.map { $0["name"]?.string } == ["anna"])
      #expect(!"\(listed)".contains(token))
      let made = try #require(listed["tokens"]?.elements.first?["made_at"]?.string)
      let shown = try await stage.castq("web", "token", "ls", variables: ["TZ": "UTC"]).stdout
      #expect(shown.contains(made.prefix(19).replacingOccurrences(of: "T", with: " ")), "\(shown)")
      #expect(!shown.contains(made))
      expectSilence(try await stage.castq("web", "token", "rm", "anna"))
      #expect(try await page.ask("GET", "devices", bearer).status == 401)
      expectOneLine(try await stage.castq("web", "token", "rm", "anna"), exit: 65, saying: "no token anna")
      expectOneLine(try await stage.castq("web", "token", "add", "x", "--role", "king"), exit: 64)
    }
  }

  @Test(
    "a file of tokens that cannot be used is told in the log, once, and not only by tokens that are not valid"
  )
  func unusableTokens() async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: "127.0.0.1:1")
      let token = try await stage.castq("web", "token", "add", "anna", "--role", "look").stdout
        .trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(chmod("\(stage.database).tokens", 0o644) == 0)
      let page = try await OperatorPage(stage, listen: "0.0.0.0:0")
      for _ in 0..<3 {
        #expect(try await page.ask("GET", "devices", ["Authorization: Bearer \(token)"]).status == 401)
      }
      let line = await page.program.stderr.line(containing: "may be read by others: 'chmod 600' it")
      #expect(line?.contains("warning") == true)
      let music = try await MusicServer(stage, listen: "0.0.0.0:0")
      #expect(try await music.ask("password \(token)").hasPrefix("ACK [3@0]"))
      #expect(await music.program.stderr.line(containing: "may be read by others: 'chmod 600' it") != nil)
      #expect(page.program.stderr.lines.count { $0.contains("chmod 600") } == 1)
    }
  }

  @Test("tokens that several make or remove at once are all made, and all removed")
  func concurrentTokens() async throws {
    try await Stage.with { stage in
      let names = (1...8).map { "t\($0)" }
      func all(_ words: @escaping @Sendable (String) -> [String]) async throws {
        try await withThrowingTaskGroup(of: Ending.self) { group in
          for name in names { group.addTask { try await stage.castq(["web", "token"] + words(name)) } }
          for try await ending in group { #expect(ending.exit == 0, "\(ending)") }
        }
      }
      func listed() async throws -> Set<String> {
        let tokens = try await stage.json("web", "token", "ls")["tokens"]?.elements ?? []
        return Set(tokens.compactMap { $0["name"]?.string })
      }
      for _ in 0..<3 {
        try await all { ["add", $0, "--role", "look"] }
        #expect(try await listed() == Set(names))
        try await all { ["rm", $0] }
        #expect(try await listed().isEmpty)
      }
    }
  }

  @Test("the configuration says where it listens, under which names, and who is asked for a token")
  func configuration() async throws {
    try await Stage.with { stage in
      let file = try stage.file(
        "web.yaml", "web:\n  listen: 127.0.0.1:0\n  hosts: [castq.example]\n  tokens: always\n")
      let program = try stage.start(["web", "--config", file], patience: RunningProgram.lifetime)
      let line = try #require(await program.stderr.line(containing: "the page is at http://127.0.0.1:"))
      #expect(!line.contains(":8010"))
      program.signal(SIGTERM)
      let ending = await program.ended()
      #expect(ending.exit == 143)
      #expect(ending.errorLines == [line], "an ordinary end is no error")
      let page = try await OperatorPage(stage, listen: "127.0.0.1:0", "--config", file)
      #expect(try await page.ask("GET", "devices", host: "castq.example").status == 401)
      #expect(try await page.ask("GET", "devices", host: "other.example").status == 403)
      let wrong = try stage.file("wrong.yaml", "web:\n  listen: nowhere\n  tokens: sometimes\n")
      let refused = try await stage.castq("web", "--config", wrong)
      #expect(refused.exit == 78 && refused.stderr.contains("write HOST:PORT"), "\(refused.stderr)")
    }
  }

  @Test("a place that cannot be listened at is told in one line")
  func places() async throws {
    try await Stage.with { stage in
      expectOneLine(
        try await stage.castq("web", "--listen", "nonsense"), exit: 64, saying: "write HOST:PORT")
      let page = try await OperatorPage(stage)
      expectOneLine(
        try await stage.castq("web", "--listen", "127.0.0.1:\(page.port)"), exit: 75,
        saying: "cannot listen on")
      // What only another place mends is no reason to try again.
      for face in ["web", "mpd"] {
        let ending = try await stage.castq(face, "--listen", "a..b:0")
        expectOneLine(ending, exit: 78, saying: "cannot listen on a..b:0: Name or service not known")
        #expect(!ending.stderr.contains("Error"), "\(ending.stderr)")
      }
    }
  }
}
