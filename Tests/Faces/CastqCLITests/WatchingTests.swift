import Foundation
import Testing

@Suite("Status and history", .timeLimit(.minutes(20)))
struct WatchingTests {
  static let statusKeys: Set = [
    "device", "address", "connection", "application", "player_state", "entry", "item_id", "title", "subtitle",
    "url", "image", "live", "position_s", "duration_s", "rate", "volume", "video", "tracks", "ad", "queue",
  ]

  @Test("status shows what plays, with every key of the contract")
  func playing() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      let list = try stage.playlist(tones: 3, seconds: 600)
      expectSilence(try await stage.castq("cast", list))
      let ending = try await stage.castq("status", "--json")
      #expect(ending.exit == 0 && ending.stderr.isEmpty)
      let status = try Document(ending.stdout)
      #expect(Self.statusKeys.subtracting(status.keys).isEmpty)
      #expect(status["device"] == .string("lobby"))
      #expect(status["address"] == .string(receiver.address))
      #expect(status["connection"] == .string("connected"))
      #expect(status["application"] == (try Document(#"{"id":"CC1AD845","name":"Default Media Receiver"}"#)))
      #expect(status["player_state"] == .string("PLAYING"))
      #expect(status["title"] == .string("Tone 1"))
      #expect(status["subtitle"] == .null)
      #expect(status["duration_s"] == .number(600))
      #expect(status["position_s"]?.number.map { (0...600).contains($0) } == true)
      #expect(status["rate"] == .number(1))
      #expect(status["live"] == .bool(false))
      #expect(status["volume"] == (try Document(#"{"level":100,"muted":false}"#)))
      #expect(status["tracks"] == .array([]))
      #expect(status["ad"] == .null)
      let entries = try await stage.queue()["entries"]?.elements ?? []
      #expect(entries.first?["state"] == .string("playing"))
      #expect(status["entry"] == entries.first?["entry"])
      #expect(status["queue"]?.keys.isSuperset(of: ["pending", "queued", "next"]) == true)
      #expect(status["queue"]?["next"] == entries.dropFirst().first?["entry"])
      let words = try await stage.castq("status")
      #expect(words.exit == 0 && words.stdout.contains("Tone 1"))
    }
  }

  @Test("status answers no when nothing plays")
  func idle() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      let words = try await stage.castq("status", "-d", receiver.address)
      #expect(words.exit == 1)
      #expect(words.stderr.isEmpty)
      let ending = try await stage.castq("status", "-d", receiver.address, "--json")
      #expect(ending.exit == 1)
      let status = try Document(ending.stdout)
      #expect(Self.statusKeys.subtracting(status.keys).isEmpty)
      #expect(status["player_state"] == .string("IDLE"))
      #expect(status["title"] == .null)
      #expect(!receiver.requests.contains("LAUNCH"), "looking starts nothing")
    }
  }

  @Test("history tells programs the same in every time zone")
  func timeZones() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.tone("good.wav", seconds: 1)
      let before = Date()
      expectSilence(try await stage.castq("run", "-d", receiver.address, "good.wav"))
      for form in [["--json"], ["--jsonl"], ["--csv", "--tz", "UTC"]] {
        let utc = try await stage.castq(["history"] + form, variables: ["TZ": "UTC"]).stdout
        let tokyo = try await stage.castq(["history"] + form, variables: ["TZ": "Asia/Tokyo"]).stdout
        #expect(utc == tokyo && utc.contains("good"), "\(form)")
      }
      let started = try #require(try await stage.history().first?["started_at"]?.string)
      let moment = try Date(started, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      #expect(moment.timeIntervalSince(before) > -0.01 && moment <= Date())
    }
  }

  @Test("CSV has the contract's columns, and times of the zone that a spreadsheet reads behind them")
  func localTimes() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.tone("good.wav", seconds: 1)
      expectSilence(try await stage.castq("run", "-d", receiver.address, "good.wav"))
      let utc = try #require(try await stage.history().first?["started_at"]?.string)
      let rows = try await stage.castq("history", "--csv", "--tz", "Asia/Tokyo").outLines
      #expect(rows.first?.contains(",gap_before_s,started_local,ended_local,cause,") == true)
      let cells = HostileTextTests.cells(try #require(rows.last))
      let moment = try Date(utc, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      let local = moment.addingTimeInterval(9 * 3600).formatted(
        Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt).year().month().day()
          .dateTimeSeparator(.space)
          .time(includingFractionalSeconds: false))
      let column = try #require(rows.first?.split(separator: ",").firstIndex(of: "started_local"))
      #expect(cells[column] == local)
      let table = try await stage.castq("history", "--tz", "Asia/Tokyo").stdout
      #expect(table.contains(local))
    }
  }

  @Test(
    "a time that history cannot read is refused with what to write instead",
    arguments: [
      (["--since", "once"], "yesterday 14:00"), (["--until", "-2x"], "1m30s"),
      (["--tz", "Nowhere/City"], "Europe/Berlin"), (["--tz", "../../etc/passwd"], "Europe/Berlin"),
      (["--since", "today", "--until", "yesterday"], "nothing lies between"),
    ])
  func hints(arguments: [String], hint: String) async throws {
    try await Stage.with { stage in
      let ending = try await stage.castq(["history"] + arguments)
      expectOneLine(ending, exit: 64, saying: hint)
      #expect(ending.stderr.contains("castq help history"))
    }
  }

  @Test("history is narrowed by time, outcome, device and number")
  func filters() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.add(device: "other", at: "192.0.2.1")
      expectSilence(try await stage.castq("run", "-d", "lobby", stage.playlist(tones: 3, seconds: 1)))
      let counts: [([String], Int)] = [
        ([], 3), (["--limit", "2"], 2), (["--outcome", "failed"], 0), (["--outcome", "finished"], 3),
        (["-d", "lobby"], 3), (["-d", "other"], 0), (["--since", "+1h"], 0), (["--since=-1h"], 3),
        (["--until=-1h"], 0), (["--since", "2020-01-01T00:00:00Z"], 3), (["--since", "yesterday"], 3),
        (["--since", "-1w", "--until", "tomorrow"], 3), (["--until", "2020-01-01"], 0),
        (["--since", "2020-01-01 14:00", "--tz", "Asia/Tokyo"], 3),
      ]
      for (options, count) in counts {
        let ending = try await stage.castq(["history", "--jsonl"] + options)
        #expect(ending.outLines.count == count, "\(options)")
        #expect(ending.exit == 0)
      }
      let newest = try await stage.castq("history", "--jsonl", "--limit", "1").outLines
      #expect(try newest.map { try Document($0)["title"]?.string } == ["Tone 3"])
      #expect(try await stage.json("history")["plays"]?.elements.count == 3)
    }
  }
}
