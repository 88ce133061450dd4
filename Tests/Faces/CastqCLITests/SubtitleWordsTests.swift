import Foundation
import Testing

/// What viewers do not get of subtitles is named: where, and why.
@Suite("Subtitles that are not shown in full", .timeLimit(.minutes(20)))
struct SubtitleWordsTests {
  private static let good = "1\n00:00:01,000 --> 00:00:02,000\nfine\n\n"
  /// Its times are of no clock, in lines 6 and 10.
  private static let odd =
    good + "2\n00:00:03,000 --> 00:99:04,000\nlost\n\n3\n00:99:05,000 --> 00:00:06,000\nlost\n"

  @Test(
    "a device's fetch of a file with unreadable times is one line of the log, with their number and the first place"
  )
  func log() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      let film = try stage.tone("film.wav", seconds: 600)
      try stage.file("film.srt", Self.odd)
      let feeder = try stage.start(["run", "-v", "-d", receiver.address, film])
      let index = try #require(await receiver.request("QUEUE_LOAD"))
      let item = try Document(receiver.log.lines[index])["data"]?["items"]?.elements.first
      let address = try #require(item?["media"]?["tracks"]?.elements.first?["trackContentId"]?.string)
      func fetch() async throws {
        let script = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1]).read()"
        let path = try stage.file("fetch.py", script)
        _ = try await stage.shell("python3 '\(path)' '\(address)'").ended()
      }
      for _ in 0..<3 { try await fetch() }
      let line = try #require(await feeder.stderr.line(containing: "subtitles are not shown in full"))
      #expect(line.contains("castq.count=2") && line.contains("castq.line=6"), "\(line)")
      #expect(
        line.contains("/film.srt") && line.contains("the times of the subtitle cannot be read"), "\(line)")
      // An edit is said again, and what cannot be shown at all, too.
      try stage.file("film.srt", "{25}{75}Frames\n")
      try await fetch()
      #expect(await feeder.stderr.line(containing: "subtitles are not shown castq.") != nil)
      #expect(feeder.stderr.lines.count { $0.contains("in full") } == 1, "\(feeder.stderr.text)")
      feeder.signal(SIGINT)
      _ = await feeder.ended()
    }
  }

  @Test("check for a device guesses as that device does: its own language is the hint")
  func hint() async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: "192.0.2.10")
      let film = try stage.tone("film.wav", seconds: 1)
      // Two letters: `да` in Russian, `הא` in Hebrew, and words in both.
      let cue = Array("1\n00:00:01,000 --> 00:00:02,000\n".utf8) + [0xE4, 0xE0, 0x0A]
      try Data(cue).write(to: URL(filePath: "\(stage.folder)/film.srt"))
      let own = try stage.file("own.yaml", "subtitles: ru\ndevices: {lobby: {subtitles: he}}\n")
      let general = try await stage.castq("check", "--config", own, film)
      #expect(general.stdout.contains("it was read as CP1251"), "\(general)")
      let device = try await stage.castq("check", "-d", "lobby", "--config", own, film)
      #expect(device.stdout.contains("it was read as CP1255"), "\(device)")
    }
  }

  @Test("check --online reads the subtitles of the web, as castq does for a device")
  func online() async throws {
    try await Stage.with { stage in
      let server = try await WebServer(stage, files: ["odd.srt": Self.odd, "good.srt": Self.good])
      try stage.tone("film.wav", seconds: 1)
      let address = "\(server.address)/odd.srt"
      let list = try stage.file(
        "list.m3u", "#EXTM3U\n#CASTQ: tracks=\(server.address)/good.srt:en,\(address):en\nfilm.wav\n")
      expectSilence(try await stage.castq("check", list))
      let check = try await stage.castq("check", "--online", list)
      #expect(check.exit == 65)
      #expect(
        check.outLines.map { $0.hasPrefix("\(address):6:") || $0.hasPrefix("\(address):10:") } == [
          true, true,
        ],
        "\(check)")
    }
  }
}
