import Foundation
import Testing

/// Every output for those who are not the owner, and those of the owner. Routes and commands are those that the programs have: a new one
/// is walked by itself.
@Suite("Secrets of addresses in all that castq says", .timeLimit(.minutes(20)))
struct SecretsWalkTests {
  @Test(
    "look, operate, MPD, hooks, logs, metrics and tables get none; edit and the owner's documents have them")
  func walk() async throws {
    try await SecretSite.with { site in
      try await walkAPI(site)
      try await walkPages(site)
      try await walkMusic(site)
      try await walkCommands(site)
      try await walkChanges(site)
      try await walkRest(site)
    }
  }

  // MARK: - The API

  /// The paths that the description of the API has for a method, with what stands for their variable parts.
  private func paths(_ method: String, _ site: SecretSite) async throws -> [String] {
    let (entry, art) = site.shown
    let token = try #require(site.tokens["look"])
    let answer = try await site.page.ask("GET", "openapi.json", ["Authorization: Bearer \(token)"])
    let description = try answer.json
    guard case .object(let all)? = description["paths"] else { return [] }
    var paths: [String] = []
    for (path, methods) in all where methods[method] != nil && path != "/events" {
      let plain = String(path.dropFirst()).replacing("{name}", with: "lunch").replacing(
        "{entry}", with: "9999"
      )
      .replacing("{digest}", with: art)
      let devices = plain.contains("{device}") ? ["lobby", "bar"] : [""]
      let kinds = plain.contains("{kind}") ? ["plays", "gaps", "outages", "adherence", "share"] : [""]
      for device in devices {
        for kind in kinds {
          let path = plain.replacing("{device}", with: device).replacing("{kind}", with: kind)
          paths.append(path)
          switch path {
          case "report/plays":
            paths += ["\(path)?by=media", "\(path)?by=media&format=csv", "\(path)?by=rule"]
          case "history": paths += ["history?outcome=failed"]
          case "why":
            paths.removeLast()
            paths +=
              ["why?device=lobby", "why?what=\(entry)&device=lobby"] + (1...6).map { "why?what=play:\($0)" }
          default: break
          }
        }
      }
    }
    return paths
  }

  private func walkAPI(_ site: SecretSite) async throws {
    let paths = try await paths("get", site)
    #expect(paths.count > 30)
    for (role, token) in site.tokens {
      let fields = ["Authorization: Bearer \(token)"]
      var told = Set<String>()
      for path in paths {
        let answer = try await site.page.ask("GET", path, fields)
        #expect(
          answer.status < 500 || path.hasSuffix("/status") || path.hasSuffix("/doctor"), "\(path): \(answer)")
        if role == "edit" {
          if answer.body.contains("SECRETQUERY3") { told.insert(path) }
        } else {
          SecretSite.expectNone(answer.head + answer.body, "\(role): GET \(path)")
          if answer.body.contains("/long.wav?…") { told.insert(path) }
        }
      }
      for path in ["devices/lobby/status", "statuses", "devices/lobby/queue"] {
        #expect(told.contains(path), "\(role) \(path)")
      }
      if role == "edit" {
        for path in [
          "history", "report/plays?by=media", "report/plays?by=media&format=csv", "schedule/rules/lunch",
        ] {
          #expect(told.contains(path), "edit sees \(path) as it is")
        }
      }
    }
  }

  /// What changes are answered with, and their outcomes.
  private func walkChanges(_ site: SecretSite) async throws {
    for role in ["look", "operate"] {
      let fields = ["Authorization: Bearer \(site.tokens[role] ?? "")"]
      for method in ["post", "put", "patch", "delete"] {
        for path in try await paths(method, site) where !path.hasSuffix("/queue") || method == "post" {
          for body in bodies(path) {
            let answer = try await site.page.ask(method.uppercased(), path, fields, json: body)
            SecretSite.expectNone(answer.head + answer.body, "\(role): \(method) \(path) \(body)")
          }
        }
      }
    }
    let stream = try #require(site.streams["operate"])
    #expect(await stream.line(containing: "event: outcome") != nil)
  }

  private func bodies(_ path: String) -> [String] {
    switch path.split(separator: "/").last {
    case "commands": [#"{"verb":"play","entry":2}"#, #"{"verb":"pause"}"#, #"{"verb":"play"}"#]
    case "moves": [#"{"entry":9999,"after":null,"version":1}"#]
    case "restore": [#"{"version":1}"#]
    case "announcements": [#"{"source":"http://127.0.0.1:1/a.mp4?mine","devices":["bar"]}"#]
    case "queue":
      [#"{"sources":["http://127.0.0.1:1/a.m3u?mine"]}"#, #"{"sources":["http://127.0.0.1:1/a.mp4?mine"]}"#]
    default: ["{}"]
    }
  }

  // MARK: - Pages and MPD

  private func walkPages(_ site: SecretSite) async throws {
    let pages = [
      "/", "/d/lobby", "/d/lobby?tab=history", "/d/lobby?tab=plan", "/d/lobby?tab=health", "/d/bar",
      "/schedule",
      "/schedule?why=now&device=lobby", "/library", "/history", "/reports?by=media", "/settings", "/doctor",
    ]
    for role in ["look", "operate"] {
      for path in pages {
        let text = try await site.page.ask(
          "GET", path, ["Authorization: Bearer \(site.tokens[role] ?? "")"], isOfAPI: false)
        #expect(text.status == 200, "\(path)")
        SecretSite.expectNone(text.body, "\(role): \(path)")
      }
    }
  }

  private func walkMusic(_ site: SecretSite) async throws {
    let entry = site.shown.entry
    #expect(try await site.music.ask("save all").hasPrefix("OK"))
    let song = try await site.music.ask("playlistid \(entry)")
    let told = try #require(song.split(separator: "\n").first { $0.hasPrefix("file: ") }?.dropFirst(6))
    #expect(told.hasPrefix("http://…@") && told.hasSuffix("/long.wav?…"), "\(song)")
    let names = try await site.music.ask("commands").split(separator: "\n").compactMap { line in
      line.hasPrefix("command: ") ? String(line.dropFirst(9)) : nil
    }
    #expect(names.count > 60)
    // What ends the conversation, or what is on the screen.
    for name in names
    where !["close", "idle", "noidle", "stop", "clear", "play", "playid", "next", "previous"].contains(name) {
      let lines =
        switch name {
        case "listplaylist", "listplaylistinfo": ["\(name) all"]
        case "albumart", "readpicture": ["\(name) \"\(told)\" 0"]
        case "delete", "deleteid", "rm", "partition": ["\(name) 9999"]
        case "addid": ["addid \"http://…@nowhere/?…\"", "addid http://127.0.0.1:1/a.m3u?mine"]
        case "plchanges", "plchangesposid": ["\(name) 0"]
        default: [name, "\(name) 0", "\(name) \(entry)"]
        }
      for line in lines { SecretSite.expectNone(try await site.music.ask(line), "MPD: \(line)") }
    }
    // A song is added again by what was told of it.
    let added = try await site.music.ask("addid \"\(told)\"")
    let id = try #require(added.firstMatch(of: /Id: ([0-9]+)/).flatMap { Int($0.output.1) }, "\(added)")
    let entries = try await site.stage.json("-d", "lobby", "queue")["entries"]?.elements ?? []
    func address(_ number: Int) -> Document? { entries.first { $0["entry"]?.int == number }?["url"] }
    #expect(address(id) == address(entry) && address(id)?.string?.contains("SECRETPASS2") == true)
  }

  // MARK: - The command line

  private func walkCommands(_ site: SecretSite) async throws {
    let tables = [
      ["queue"], ["status"], ["history"], ["report", "plays"], ["report", "plays", "--by", "media"],
      ["report", "gaps"], ["why"], ["why", "\(site.shown.entry)"], ["why", "play:3"], ["schedule", "ls"],
      ["schedule", "show", "lunch"], ["plan", "-d", "bar"],
    ]
    for words in tables {
      let ending = try await site.stage.castq(["-d", "lobby"] + words)
      SecretSite.expectNone(ending.stdout + ending.stderr, words.joined(separator: " "))
    }
    for words in [
      ["queue", "--json"], ["status", "--json"], ["history", "--jsonl"], ["history", "--csv"],
      ["report", "plays", "--by", "media", "--csv"], ["export", "--format", "yaml"],
    ] {
      let text = try await site.stage.castq(["-d", "lobby"] + words).stdout
      for secret in SecretSite.secrets.prefix(4) {
        #expect(text.contains(secret), "the owner's \(words.joined(separator: " ")) keeps \(secret)")
      }
    }
  }

  // MARK: - What goes out by itself

  private func walkRest(_ site: SecretSite) async throws {
    for (role, stream) in site.streams {
      #expect(stream.text.contains("event: history") && stream.text.contains("event: status"))
      if role == "edit" {
        #expect(stream.text.contains("SECRETQUERY3"))
      } else {
        SecretSite.expectNone(stream.text, "\(role): events")
      }
    }
    for event in ["failed", "list", "dark"] {
      #expect(await site.hook.line(containing: "CASTQ_EVENT=\(event)") != nil)
    }
    for path in ["/metrics", "/readyz", "/healthz"] {
      SecretSite.expectNone(try await site.daemon.ask(path).text, path)
    }
    site.daemon.program.signal(SIGTERM)
    let ending = await site.daemon.program.ended()
    #expect(
      ending.stderr.contains("QUEUE_LOAD") && ending.stderr.contains("/long.wav?…"), "the log has frames")
    SecretSite.expectNone(ending.stdout + ending.stderr, "the daemon's log")
    SecretSite.expectNone(site.page.program.stderr.text, "the page's log")
    SecretSite.expectNone(site.music.program.stderr.text, "the log of MPD")
    SecretSite.expectNone(site.hook.text, "the hook")
    #expect(site.hook.text.contains("…@"), "the hook was told of addresses")
  }
}
