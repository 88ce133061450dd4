import CastProtocol
import CastReceiverSim
import CastqFeeding
import CastqOperations
import CastqText
import Testing

/// What people do with a device whatever it plays: its volume, and messages to its applications.
@Suite("Live devices", .timeLimit(.minutes(20)))
struct LiveDeviceTests {
  private func level(_ site: PlayingSite) async throws -> JSONValue? {
    try await LiveControl(site.call).told("volume", .readVolume)?.value
  }

  @Test("the volume is told, set and stepped", arguments: [true, false])
  func volume(isFed: Bool) async throws {
    try await PlayingSite.withTones(isFed: isFed) { site in
      #expect(try await level(site)?["level"]?.int == 100)
      for (text, level) in [
        ("40", 40), ("0.55", 55), ("+5", 60), ("-15", 45), ("-0.4", 5), ("-50", 0),
      ] {
        try await site.perform(.volume(VolumeText(text)))
        #expect(try await self.level(site)?["level"]?.int == level, "\(text)")
      }
      try await site.perform(.mute(true))
      #expect(try await level(site) == ["level": 0, "muted": true])
      try await site.perform(.mute(false))
      #expect(try await level(site) == ["level": 0, "muted": false])
      let reply = try await site.perform(.volume(VolumeText("30")))
      #expect(reply.json == ["device": "lobby", "volume": ["level": 30, "muted": false]])
      // Also past whoever feeds the device.
      site.call.noDaemon = true
      #expect(try await level(site)?["level"]?.int == 30)
    }
  }

  @Test("steps of the volume that come at once all count", arguments: [true, false])
  func steps(isFed: Bool) async throws {
    try await PlayingSite.withTones(isFed: isFed) { site in
      try await site.perform(.volume(VolumeText("50")))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<10 {
          group.addTask { [call = site.call] in
            try await LiveControl(call).perform(.volume(VolumeText("+1")))
          }
        }
        try await group.waitForAll()
      }
      #expect(try await level(site)?["level"]?.int == 60)
    }
  }

  @Test("a volume that is fixed is no secret", arguments: ["50", "+5", "mute"])
  func fixedVolume(change: String) async throws {
    try await PlayingSite.with(isFed: false) {
      $0.volumeControl = .fixed
    } body: { site in
      await expectFailure(.refused, saying: "lobby") {
        try await site.perform(change == "mute" ? .mute(true) : .volume(VolumeText(change)))
      }
      let volume = try await level(site)
      #expect(volume?["level"]?.int == 100)
    }
  }

  @Test("tracks are listed and chosen, and the sound stays", arguments: [true, false])
  func tracks(isFed: Bool) async throws {
    try await PlayingSite.with(isFed: isFed) { site in
      try site.tone("film.wav", seconds: 600)
      for name in ["en", "de"] {
        try site.site.file("\(name).vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n")
      }
      try await site.cast(
        site.site.file(
          "film.m3u", "#EXTM3U\n#CASTQ: tracks=en.vtt:en:\"English\",de.vtt:de\nfilm.wav\n"))
      func tracks() async throws -> [JSONValue] {
        try await LiveControl(site.call).told("tracks", .readTracks)?.value.array ?? []
      }
      func active() async throws -> [Int] {
        try await tracks().filter { $0["active"]?.bool == true }.compactMap { $0["id"]?.int }
      }
      #expect(try await tracks().map { $0["name"]?.string } == ["English", nil])
      try await site.perform(.tracks(TrackChoice(on: [2])))
      #expect(try await active() == [2])
      try await site.perform(.tracks(TrackChoice(on: [1])))
      #expect(try await active() == [1], "one text at a time")
      try await site.perform(.tracks(TrackChoice(hidesText: true)))
      #expect(try await active() == [])
      #expect(try await tracks() == site.status()["tracks"]?.array)
      await expectFailure(.badData, saying: "1, 2") {
        try await site.perform(.tracks(TrackChoice(on: [9])))
      }
      try await site.perform(.style(TextStyleText.style(["foreground=#FFFF00FF", "font-scale=1.2"])))
      try await site.perform(.style(TextStyleText.style(["edge=outline"])))
      let last = try site.messages().last { $0["type"]?.string == "EDIT_TRACKS_INFO" }
      #expect(last?["textTrackStyle"]?["foregroundColor"]?.string == "#FFFF00FF", "what was not named stays")
      await expectFailure(.no, saying: "no ad") { try await site.perform(.skipAd) }
    }
  }

  @Test("a message for a namespace nobody listens to is not sent", arguments: [true, false])
  func send(isFed: Bool) async throws {
    try await PlayingSite.withTones(1, isFed: isFed) { site in
      let live = try await LiveControl(site.call)
      let namespace = "urn:x-cast:com.example.nobody"
      await expectFailure(.refused, saying: namespace) {
        try await live.ask(.send(ChannelText(namespace: namespace, text: "{}")))
      }
      await expectFailure(.no, saying: "0F5096E8") {
        try await live.ask(
          .send(ChannelText(namespace: namespace, text: "{}", application: "0F5096E8")))
      }
      #expect(try !site.namespaces().contains(namespace))
    }
  }

  @Test("an application that echoes is launched when that is wanted, and its answer is told")
  func echo() async throws {
    try await PlayingSite.with(isFed: false) { site in
      let live = try await LiveControl(site.call)
      func send(_ text: String, to application: String?, launching: Bool = false) async throws -> String? {
        let message = ChannelText(
          namespace: "urn:x-cast:org.castq.echo", text: text, wait: 10, application: application)
        return try await live.ask(.send(message), launching: launching)["answer"]?.string
      }
      await expectFailure(.no, saying: "no application is running") { _ = try await send("x", to: nil) }
      #expect(try await send("hello", to: "ECEC0001", launching: true) == "hello")
      // It runs now.
      #expect(try await send(#"{"requestId":7}"#, to: nil)?.contains("ECHO") == true)
      await expectFailure(.no, saying: "CC1AD845 is not running") {
        _ = try await send(#"{"type":"LISTEN"}"#, to: "CC1AD845")
      }
    }
  }

  @Test("a device that cannot be reached, and one that is silent")
  func unreachable() async throws {
    let mute = try MutePort()
    let closed = try ClosedPort.number()
    for verb: PlaybackVerb in [
      .pause, .volume(.change(0.1)), .next, .stop(quits: true), .play(nil),
    ] {
      let site = try OperationsSite()
      var call = site.call
      (call.isServing, call.device) = (false, ["127.0.0.1:\(closed)"])
      await expectFailure(.unreachable, saying: "127.0.0.1") {
        try await LiveControl(call).perform(verb)
      }
      (call.device, call.timeout) = (["127.0.0.1:\(mute.number)"], .milliseconds(300))
      await expectFailure(.timeout, saying: "127.0.0.1") { try await LiveControl(call).perform(verb) }
    }
  }
}
