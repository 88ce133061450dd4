import Foundation
import Testing

@Suite("A kiosk in one file", .timeLimit(.minutes(4)))
struct KioskTests {
  /// A daemon that has nothing but a configuration: device and list are in it. The body returns the daemon that is to be ended.
  private func with(
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

  private func configure(_ stage: Stage, _ receiver: Receiver, list: String, more: String = "") throws {
    let folder = "\(stage.folder)/config/castq"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("devices:\n  lobby: {address: \"\(receiver.address)\", list: \(list)}\n\(more)".utf8).write(
      to: URL(fileURLWithPath: "\(folder)/config.yaml"))
  }

  private func start(_ stage: Stage) async throws -> RunningProgram {
    let daemon = try stage.start(["daemon"])
    #expect(await daemon.stderr.line(containing: "ready") != nil, "\(daemon.stderr.text)")
    return daemon
  }

  private func titles(_ stage: Stage) async throws -> [String] {
    try await stage.json("queue")["entries"]?.elements.map {
      "\($0["entry"]?.int ?? 0) \($0["title"]?.string ?? "?")"
    } ?? []
  }

  @Test(
    "the device is added, its list plays for ever, and an edit of the file changes the queue and keeps what a person put in"
  )
  func edits() async throws {
    try await with { stage, receiver, daemon in
      #expect(await receiver.playing() != nil)
      #expect(try await titles(stage) == ["1 one", "2 two"])
      #expect(try await stage.json("queue")["repeat"]?.string == "all")
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
    "a daemon that comes back goes on with the same entries; a list that is gone leaves the queue as it is")
  func restart() async throws {
    try await with { stage, receiver, daemon in
      #expect(await receiver.playing() != nil)
      daemon.signal(SIGKILL)
      _ = await daemon.ended()
      try FileManager.default.removeItem(atPath: "\(stage.folder)/lobby.m3u")
      let next = try await start(stage)
      #expect(await next.stderr.line(containing: "list cannot be read") != nil)
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
}
