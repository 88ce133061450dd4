import Foundation
import Testing

/// What is not taken up of the lists of the configuration.
extension KioskTests {
  private func lists(_ stage: Stage) async throws -> [String] {
    try await stage.json("status", "-d", "lobby")["lists"]?.elements.compactMap { $0["message"]?.string }
      ?? []
  }

  @Test(
    "a list with a bad line means the same to a running daemon and to the next one: good lines play, the bad one stands in status, log and hook"
  )
  func badLine() async throws {
    try await with { stage, receiver, daemon in
      #expect(await receiver.playing() != nil)
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
      let told = "\(stage.folder)/told.txt"
      let hook = try stage.file("hook.sh", "#!/bin/sh\ncat >>\"\(told)\"\n")
      #expect(chmod(hook, 0o755) == 0)
      try configure(
        stage, receiver, list: "\(stage.folder)/lobby.m3u", more: "hooks: [{on: list, run: [\(hook)]}]\n")
      let second = try await start(stage)
      #expect(await receiver.playing() != nil)
      #expect(try await lists(stage).isEmpty)
      try stage.file("lobby.m3u", "one.wav\nmissing.wav\n#EXTINF:-1,New\nthree.wav\n")
      #expect(await second.stderr.line(containing: "castq.problem=\"no such file") != nil)
      #expect(await receiver.log.line(containing: "New") != nil)
      let running = try await titles(stage)
      #expect(running.map { $0.split(separator: " ").last } == ["one", "New"])
      #expect(try await lists(stage) == ["line 2: no such file: missing.wav"])
      let words = try await stage.castq("status", "-d", "lobby").stdout
      #expect(words.contains("list lobby.m3u not taken up since "), "\(words)")
      second.signal(SIGTERM)
      _ = await second.ended()
      // Without a daemon, too.
      #expect(try await lists(stage) == ["line 2: no such file: missing.wav"])
      let third = try await start(stage)
      #expect(await third.stderr.line(containing: "castq.problem=\"no such file") != nil)
      #expect(await receiver.playing() != nil)
      #expect(try await titles(stage) == running)
      // The second edit is right: nothing is left to say, and the hook was called once.
      try stage.file("lobby.m3u", "one.wav\n#EXTINF:-1,New\nthree.wav\n")
      #expect(await third.stderr.line(containing: "all of the list is taken up") != nil)
      #expect(try await lists(stage).isEmpty)
      let events = try String(contentsOfFile: told, encoding: .utf8).split(separator: "\n")
      #expect(events.count == 1, "\(events)")
      let event = try Document(String(events.first ?? "{}"))
      #expect(event["event"]?.string == "list" && event["device"]?.string == "lobby")
      #expect(event["reason"]?.string == "line 2: no such file: missing.wav")
      // What the screen showed is what history says: the good lines, and never the bad one.
      let plays = try await stage.history()
      #expect(
        !plays.isEmpty
          && plays.allSatisfy { $0["outcome"]?.string != "failed" && $0["title"]?.string != "missing" },
        "\(plays)")
      return third
    }
  }

  @Test(
    "what is wrong with a list that three devices play is logged once, with their names, and each device's status says it"
  )
  func shared() async throws {
    try await with { stage, lobby, daemon in
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
      let list = "\(stage.folder)/lobby.m3u"
      let (bar, hall) = (try await Receiver(stage, speed: 1), try await Receiver(stage, speed: 1))
      let others = [("bar", bar), ("hall", hall)].map {
        "  \($0): {address: \"\($1.address)\", list: \(list)}\n"
      }
      try configure(stage, lobby, list: list, more: others.joined())
      let next = try await start(stage)
      for receiver in [lobby, bar, hall] { #expect(await receiver.playing() != nil) }
      try stage.file("lobby.m3u", "one.wav\nmissing.wav\n#EXTINF:-1,New\nthree.wav\n")
      // Each device has taken up the edit when its queue has the new entry.
      for receiver in [lobby, bar, hall] { #expect(await receiver.log.line(containing: "New") != nil) }
      let lines = next.stderr.lines.filter { $0.contains("castq.problem=") }
      #expect(lines.count == 1, "\(lines)")
      #expect(lines.first?.contains("castq.devices=\"lobby, bar, hall\"") == true, "\(lines)")
      for device in ["bar", "hall", "lobby"] {
        let lists = try await stage.json("status", "-d", device)["lists"]?.elements
        let said = lists?.map { $0["message"]?.string }
        #expect(said == ["line 2: no such file: missing.wav"], "\(device)")
      }
      return next
    }
  }

  @Test("a list of the configuration that is not there is what the status says, until it is there")
  func typo() async throws {
    try await with { stage, receiver, daemon in
      #expect(await receiver.playing() != nil)
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
      try await stage.castq("clear", "--stop", "-d", "lobby")
      try await stage.castq("play", "-d", "lobby")
      try configure(stage, receiver, list: "\(stage.folder)/typo.m3u")
      let next = try await start(stage)
      #expect(await next.stderr.line(containing: "list is not taken up") != nil)
      let words = try await stage.castq("status", "-d", "lobby").stdout
      #expect(
        words.contains("list typo.m3u not taken up since ") && words.contains("no such file"), "\(words)")
      try stage.file("typo.m3u", "three.wav\n")
      #expect(await receiver.log.line(containing: "three.wav") != nil)
      #expect(try await lists(stage).isEmpty)
      return next
    }
  }
}
