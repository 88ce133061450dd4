import Foundation
import Testing

@Suite("A kiosk in one file", .timeLimit(.minutes(20)))
struct KioskTests {
  /// A daemon that has nothing but a configuration: device and list are in it. The body returns the daemon that is to be ended.
  func with(
    speed: Double = 1, _ body: (Stage, Receiver, RunningProgram) async throws -> RunningProgram
  ) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: speed)
      for name in ["one", "two", "three"] { try stage.tone("\(name).wav", seconds: 600) }
      let list = try stage.file("lobby.m3u", "one.wav\ntwo.wav\n")
      try configure(stage, receiver, list: list)
      let daemon = try await body(stage, receiver, try await start(stage))
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
    }
  }

  func configure(_ stage: Stage, _ receiver: Receiver, list: String?, more: String = "") throws {
    let folder = "\(stage.folder)/config/castq"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let member = list.map { ", list: \($0)" } ?? ""
    try Data("devices:\n  lobby: {address: \"\(receiver.address)\"\(member)}\n\(more)".utf8).write(
      to: URL(fileURLWithPath: "\(folder)/config.yaml"))
  }

  func start(_ stage: Stage) async throws -> RunningProgram {
    let daemon = try stage.start(["daemon"])
    #expect(await daemon.stderr.line(containing: "ready") != nil, "\(daemon.stderr.text)")
    return daemon
  }

  func titles(_ stage: Stage) async throws -> [String] {
    try await stage.queue()["entries"]?.elements.map {
      "\($0["entry"]?.int ?? 0) \($0["title"]?.string ?? "?")"
    } ?? []
  }

  @Test(
    "a list of which nothing can be played any more is what the status says, without the address of a file")
  func dead() async throws {
    try await with(speed: 20) { stage, receiver, daemon in
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
      try stage.tone("short.wav", seconds: 2)
      try configure(stage, receiver, list: try stage.file("short.m3u", "short.wav\n"))
      let next = try await start(stage)
      let follower = try stage.start(["status", "-d", "lobby", "--follow"])
      #expect(await follower.stdout.line(containing: "PLAYING") != nil)
      try FileManager.default.removeItem(atPath: "\(stage.folder)/short.wav")
      let line = await follower.stdout.line(containing: "nothing of the list can be played (")
      #expect(line != nil, "\(follower.stdout.text)")
      follower.signal(SIGTERM)
      _ = await follower.ended()
      let status = try Document(try await stage.castq("status", "-d", "lobby", "--json").stdout)
      #expect(status["url"]?.string?.contains("/m/") != true, "\(status)")
      return next
    }
  }

  @Test(
    "the device is added, its list plays for ever, and an edit of the file changes the queue and keeps what a person put in"
  )
  func edits() async throws {
    try await with { stage, receiver, daemon in
      #expect(await receiver.playing() != nil)
      #expect(try await titles(stage) == ["1 one", "2 two"])
      #expect(try await stage.queue()["repeat"]?.string == "all")
      expectSilence(try await stage.castq("enqueue", "three.wav"))
      _ = try stage.file("lobby.m3u", "one.wav\n#EXTINF:-1,New\nthree.wav\ntwo.wav\n")
      // The daemon reads an edit when it sees it; the new entry is inserted into the receiver's queue.
      #expect(await receiver.log.line(containing: "New") != nil)
      let titles = try await titles(stage)
      #expect(Set(titles) == ["1 one", "2 two", "3 three", "4 New"])
      return daemon
    }
  }

  @Test(
    "what a person casts in its place plays once, then the list plays for ever again; so it does when the queue is emptied",
    arguments: [["cast", "short.wav"], ["run", "short.wav"], ["clear"], ["remove", "1", "2"]])
  func takenUp(command: [String]) async throws {
    try await with(speed: 20) { stage, receiver, daemon in
      #expect(await receiver.playing() != nil)
      try stage.tone("short.wav", seconds: 20)
      #expect(try await stage.castq([command[0], "-d", "lobby"] + command.dropFirst()).exit == 0)
      #expect(await daemon.stderr.line(containing: "list is taken up again") != nil)
      #expect(await receiver.playing() != nil)
      #expect(try await titles(stage).map { $0.split(separator: " ").last } == ["one", "two"])
      #expect(try await stage.queue()["repeat"]?.string == "all")
      return daemon
    }
  }

  @Test(
    "a daemon that comes back goes on with the same entries; a list that is gone leaves the queue as it is")
  func restart() async throws {
    try await with { stage, receiver, daemon in
      #expect(await receiver.playing() != nil)
      daemon.signal(SIGKILL)
      _ = await daemon.ended()
      try FileManager.default.removeItem(atPath: "\(stage.folder)/lobby.m3u")
      let next = try await start(stage)
      #expect(await next.stderr.line(containing: "list is not taken up") != nil)
      #expect(try await titles(stage) == ["1 one", "2 two"])
      #expect(try await stage.castq("device", "add", "lobby", receiver.address).exit == 0)
      return next
    }
  }

  @Test("a list on the web is read again as often as the configuration says")
  func web() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try FileManager.default.createDirectory(
        atPath: "\(stage.folder)/www", withIntermediateDirectories: true)
      try stage.tone("www/one.wav", seconds: 600)
      let web = try await WebServer(stage, files: ["lobby.m3u": "one.wav\n"])
      try configure(stage, receiver, list: "\"\(web.address)/lobby.m3u\"", more: "refresh: 1s\n")
      let daemon = try await start(stage)
      #expect(await receiver.playing() != nil)
      _ = try stage.file("www/lobby.m3u", "one.wav\n#EXTINF:-1,New\none.wav?2\n")
      #expect(await receiver.log.line(containing: "New") != nil)
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
    }
  }

  @Test("another list in the configuration takes its place with SIGHUP")
  func reload() async throws {
    try await with { stage, receiver, daemon in
      #expect(await receiver.playing() != nil)
      try configure(stage, receiver, list: try stage.file("other.m3u", "three.wav\n"))
      daemon.signal(SIGHUP)
      #expect(await receiver.log.line(containing: "three.wav") != nil)
      // What stood in the old list is not of the new one, and nobody has removed it.
      #expect(try await titles(stage).contains("3 three"))
      return daemon
    }
  }

  @Test("what a person sets stays when the daemon starts again, until the list itself has another value")
  func settings() async throws {
    try await with { stage, receiver, daemon in
      #expect(await receiver.playing() != nil)
      expectSilence(try await stage.castq("repeat", "off"))
      daemon.signal(SIGKILL)
      _ = await daemon.ended()
      let next = try await start(stage)
      _ = try stage.file("lobby.m3u", "one.wav\n#EXTINF:-1,New\nthree.wav\ntwo.wav\n")
      #expect(await receiver.log.line(containing: "New") != nil)
      #expect(try await stage.queue()["repeat"]?.string == "off")
      let seen = receiver.log.lines.count
      _ = try stage.file("lobby.m3u", "#CASTQ-QUEUE: repeat=one\none.wav\n#EXTINF:-1,Newer\ntwo.wav\n")
      #expect(await receiver.log.line(containing: "QUEUE_REMOVE", from: seen) != nil)
      #expect(try await stage.queue()["repeat"]?.string == "one")
      return next
    }
  }

  @Test(
    "a list that leaves the configuration takes its entries with it, also while no daemon runs; what people put in stays"
  )
  func leaving() async throws {
    try await with { stage, receiver, daemon in
      #expect(await receiver.playing() != nil)
      expectSilence(try await stage.castq("enqueue", "three.wav"))
      daemon.signal(SIGKILL)
      _ = await daemon.ended()
      try configure(stage, receiver, list: nil)
      let next = try await start(stage)
      #expect(await next.stderr.line(containing: "its entries are removed") != nil, "\(next.stderr.text)")
      #expect(await receiver.log.line(containing: "three.wav") != nil)
      #expect(try await titles(stage) == ["3 three"])
      #expect(try await stage.queue()["repeat"]?.string == "off")
      return next
    }
  }

  @Test(
    "a backup has what the queue got of its list: put back, a person's setting stays, and a list that has left goes"
  )
  func backup() async throws {
    try await with { stage, receiver, daemon in
      #expect(await receiver.playing() != nil)
      expectSilence(try await stage.castq("repeat", "off"))
      expectSilence(try await stage.castq("db", "backup", "\(stage.folder)/copy.db"))
      daemon.signal(SIGKILL)
      _ = await daemon.ended()
      let manager = FileManager.default
      for name in try manager.contentsOfDirectory(atPath: stage.folder) where name.hasPrefix("castq.db") {
        try manager.removeItem(atPath: "\(stage.folder)/\(name)")
      }
      try manager.copyItem(atPath: "\(stage.folder)/copy.db", toPath: "\(stage.folder)/castq.db")
      let second = try await start(stage)
      // The list has been taken up when its edit is on the receiver.
      _ = try stage.file("lobby.m3u", "one.wav\n#EXTINF:-1,New\nthree.wav\ntwo.wav\n")
      #expect(await receiver.log.line(containing: "New") != nil)
      #expect(try await stage.queue()["repeat"]?.string == "off")
      second.signal(SIGKILL)
      _ = await second.ended()
      try configure(stage, receiver, list: nil)
      let third = try await start(stage)
      #expect(await third.stderr.line(containing: "its entries are removed") != nil, "\(third.stderr.text)")
      #expect(try await titles(stage).isEmpty)
      return third
    }
  }

  @Test(
    "what an earlier version kept in a file beside the database is taken over once: a person's setting stays, and a list that left goes",
    arguments: [true, false])
  func oldFile(stays: Bool) async throws {
    try await with { stage, receiver, daemon in
      #expect(await receiver.playing() != nil)
      expectSilence(try await stage.castq("repeat", "off"))
      daemon.signal(SIGKILL)
      _ = await daemon.ended()
      // As the version before has left it: a file, and nothing in the row.
      try await stage.python(
        """
        import json, sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        rows = db.execute("SELECT identity, configured_list FROM queue WHERE configured_list IS NOT NULL").fetchall()
        db.execute("UPDATE queue SET configured_list = NULL")
        db.commit()
        lists = {identity: json.loads(text) for identity, text in rows}
        assert len(lists) == 1
        lists["0123456789abcdef"] = {"source": "gone", "repeat": "all", "shuffle": False, "files": ["gone"]}
        lists["fedcba9876543210"] = "no list"
        open(sys.argv[1] + ".lists", "w").write(json.dumps(lists))
        """)
      if !stays { try configure(stage, receiver, list: nil) }
      let next = try await start(stage)
      if stays {
        _ = try stage.file("lobby.m3u", "one.wav\n#EXTINF:-1,New\nthree.wav\ntwo.wav\n")
        #expect(await receiver.log.line(containing: "New") != nil)
        #expect(try await stage.queue()["repeat"]?.string == "off")
        #expect(Set(try await titles(stage)) == ["1 one", "2 two", "3 New"])
      } else {
        #expect(await next.stderr.line(containing: "its entries are removed") != nil, "\(next.stderr.text)")
        #expect(try await titles(stage).isEmpty)
      }
      #expect(!FileManager.default.fileExists(atPath: "\(stage.folder)/castq.db.lists"))
      return next
    }
  }

  @Test(
    "what stands in the place of that file, and is no such file, holds up no daemon",
    arguments: ["mkfifo", "mkdir", "echo '{' >"])
  func noOldFile(command: String) async throws {
    try await Stage.with { stage in
      let made = try stage.shell("\(command) '\(stage.folder)/castq.db.lists'")
      #expect(await made.ended().exit == 0)
      let daemon = try await start(stage)
      #expect(
        await daemon.stderr.line(containing: "castq.db.lists") != nil, "\(daemon.stderr.text)")
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
    }
  }

  @Test("a device that somebody has added under the name keeps its address")
  func taken() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "Lobby", at: "192.0.2.77")
      try stage.add(device: "hall", at: "192.0.2.78:8010")
      try await stage.castq("device", "alias", "hall", "foyer")
      let folder = "\(stage.folder)/config/castq"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(
        "devices: {lobby: {address: \"\(receiver.address)\"}, foyer: {address: 192.0.2.79}, bar: {address: 192.0.2.80}}\n"
          .utf8
      ).write(to: URL(fileURLWithPath: "\(folder)/config.yaml"))
      let daemon = try await start(stage)
      for (name, address) in [
        ("lobby", "192.0.2.77:8009"), ("foyer", "192.0.2.78:8010"), ("bar", "192.0.2.80:8009"),
      ] {
        #expect(try await stage.json("device", "show", name)["address"]?.string == address)
      }
      #expect(daemon.stderr.text.contains("cannot be added") == false)
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test("with refresh off a list on the web is read once; the configuration may say so while the daemon runs")
  func refreshOff() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      let web = try await WebServer(stage, files: ["lobby.m3u": "http://192.0.2.1/one.wav\n"])
      let list = "\"\(web.address)/tagged/lobby.m3u\""
      try configure(stage, receiver, list: list, more: "refresh: 1s\n")
      let daemon = try await start(stage)
      var read = 0
      for _ in 0..<3 {
        let line = try #require(await web.log.index(from: read) { $0.hasPrefix("tagged") }, "\(web.log.text)")
        read = line + 1
      }
      // A file that is looked at each second says how much time has passed.
      try stage.file("hall.m3u", "http://192.0.2.1/two.wav\n")
      let hall = "  hall: {address: 192.0.2.90, list: \(stage.folder)/hall.m3u}\n"
      try configure(stage, receiver, list: list, more: "\(hall)refresh: off\n")
      daemon.signal(SIGHUP)
      #expect(await daemon.stderr.line(containing: "configuration reloaded") != nil)
      read = web.log.lines.count
      for name in ["nothing", "neither", "gone", "lost", "away"] {
        try stage.file("hall.m3u", "\(name).mp4\n")
        #expect(
          await daemon.stderr.line(containing: "no such file: \(name).mp4") != nil, "\(daemon.stderr.text)")
      }
      // The last one may have been on its way, for as long as it liked.
      #expect(web.log.lines.count <= read + 1, "\(web.log.text)")
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  @Test(
    "a system whose time zone has no name is told, and rules go by UTC; a zone in the configuration is enough"
  )
  func zones() async throws {
    try await Stage.with { stage in
      let nameless = try stage.start(["daemon"], variables: ["TZ": "EST5EDT,M3.2.0,M11.1.0"])
      #expect(
        await nameless.stderr.line(containing: "rules go by UTC; set `timezone`") != nil,
        "\(nameless.stderr.text)")
      nameless.signal(SIGTERM)
      _ = await nameless.ended()
      let folder = "\(stage.folder)/config/castq"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data("timezone: Europe/Berlin\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/config.yaml"))
      let named = try stage.start(["daemon"], variables: ["TZ": "EST5EDT,M3.2.0,M11.1.0"])
      #expect(await named.stderr.line(containing: "ready") != nil)
      #expect(!named.stderr.text.contains("rules go by UTC"), "\(named.stderr.text)")
      named.signal(SIGTERM)
      _ = await named.ended()
    }
  }

  @Test(
    "where the files of time zones are gone, commands that need one say what to install, and status goes on")
  func lostZones() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("a.wav", seconds: 1)
      expectSilence(
        try await stage.castq(
          "schedule", "add", "night", "--play", "a.wav", "-d", "lobby", "--daily", "08:00-07:00", "--tz",
          "Europe/Berlin"))
      try FileManager.default.createDirectory(
        atPath: "\(stage.folder)/zones", withIntermediateDirectories: true)
      let lost = ["TZDIR": "\(stage.folder)/zones"]
      // A rule in the zone is passed over, and the rest is as it was.
      let why = try await stage.castq("why", variables: lost.merging(["TZ": "UTC"]) { $1 })
      #expect(
        why.exit == 0
          && why.stdout.contains("night  broken: there is no time zone Europe/Berlin here: install tzdata"),
        "\(why.stdout)")
      let settings = [
        ["TZ": "Europe/Berlin"], ["CASTQ_CONFIG": try stage.file("c.yaml", "timezone: Europe/Berlin\n")],
      ]
      for setting in settings {
        let variables = lost.merging(setting) { $1 }
        for command in [["why"], ["plan"], ["plan", "--check"], ["schedule", "ls"]] {
          expectOneLine(
            try await stage.castq(command, variables: variables), exit: 78, saying: "apt-get install tzdata")
        }
        for command in [["history"], ["history", "--csv", "--since", "-1h"], ["report", "plays"]] {
          expectOneLine(
            try await stage.castq(command, variables: variables), exit: 78, saying: "apt-get install tzdata")
        }
        #expect(try await stage.castq("history", "--tz", "UTC", variables: variables).exit == 0)
        #expect(try await stage.castq("history", "--json", variables: variables).exit == 0)
        let period = ["history", "--json", "--since", "-1h"]
        #expect(try await stage.castq(period, variables: variables).exit == 78)
        let status = try await stage.castq("status", variables: variables)
        #expect(status.exit == 1 && status.stdout.contains("nothing is"), "\(status)")
        #expect(status.stderr.isEmpty == (setting["TZ"] != nil), "\(status.stderr)")
        _ = try await stage.castq("stop", variables: variables)
        let stopped = try await stage.castq("status", variables: variables)
        #expect(setting["TZ"] == nil || stopped.stdout.contains(" UTC; 'castq play'"), "\(stopped.stdout)")
      }
    }
  }
}
