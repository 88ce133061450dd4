import Foundation
import Testing

/// Every container and codec that `ffmpeg` makes, on the simulator.
@Suite("Odd files", .timeLimit(.minutes(15)))
struct OddFilesTests {
  /// Files that are no media, whatever they are called.
  private static let junk: Set = ["text.mp4", "list-inside.mkv", "cut.mp4", "empty.mp4"]

  /// What the web has in the place of films: titles and addresses at the server.
  private static let web = [
    ("gone", "gone.mp4"), ("page", "as/text%2Fhtml/page.mp4"), ("silent", "never/film.mp4"),
    ("station", "radio/live"),
  ]

  /// The media that `Tests/Media/odd-files` makes, and `odd.m3u`: all of them, and what the web has.
  /// - Returns: the names of the files that are media.
  private func films(_ stage: Stage, _ server: WebServer) async throws -> [String] {
    try FileManager.default.createDirectory(
      atPath: "\(stage.folder)/media", withIntermediateDirectories: true)
    let script = Programs.clone.appending(path: "Tests/Media/odd-files").path
    #expect(try await stage.shell("'\(script)' '\(stage.folder)/media'").ended().exit == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(stage.folder)/media").sorted()
    let films = names.filter {
      !Self.junk.contains($0) && !$0.hasPrefix("with text.") || $0 == "with text.mkv"
    }
    // While it plays, the address that was silent is asked from here, and what came of that is written.
    try stage.tone("pause.wav", seconds: 600)
    var lines = films.map { "#EXTINF:1,odd \($0)\nmedia/\($0)\n" }
    lines += Self.junk.sorted().map { "#EXTINF:1,junk \($0)\nmedia/\($0)\n" }
    lines += Self.web.map { "#EXTINF:-1,\($0.0)\n\(server.address)/\($0.1)\n" }
    lines.insert("#EXTINF:600,pause\npause.wav\n", at: lines.count - 1)
    try stage.file("odd.m3u", "#EXTM3U\n\(lines.joined())")
    return films
  }

  @Test(
    "one list of all of it plays after 'castq prepare' without another conversion, and history has a reason for the rest",
    .enabled(if: PrepareTests.hasProgram, PrepareTests.absent))
  func play() async throws {
    try await Stage.with(readsFiles: true) { stage in
      let server = try await WebServer(stage, files: ["page.mp4": "<html>Log in</html>"])
      let films = try await films(stage, server)
      #expect(films.count >= 50, "only \(films)")
      let receiver = try await Receiver(stage, speed: 20, "--behaviour", "refuses-junk")
      try stage.add(device: "lobby", at: receiver.address)
      // Dozens of conversions that stand back for every other test.
      let prepared = try await stage.start(["prepare", "-d", "lobby", "odd.m3u"], patience: 720).ended()
      // All that is media, and a word for each of the others.
      #expect(prepared.exit == 65, "\(prepared.stdout)")
      let refused = prepared.outLines.count { $0.contains("is no media: ") }
      #expect(refused == Self.junk.count, "\(prepared.stdout)")
      #expect(!prepared.stdout.contains("not prepared"), "\(prepared.stdout)")
      // The files of the folder that are no media have their reason.
      let junk = try await stage.castq("check", "-d", "lobby", "media")
      #expect(junk.exit == 65)
      for name in Self.junk { #expect(junk.stdout.contains("\(name) is no media: "), "\(junk.stdout)") }
      // What is there is all that is used: nothing is converted while it plays.
      let run = try stage.start(
        ["run", "-d", "lobby", "odd.m3u"], variables: ["CASTQ_FFMPEG": "off", "CASTQ_FFPROBE": "off"],
        patience: 360)
      let news = try stage.start(["status", "-d", "lobby", "--follow", "--jsonl"], patience: 360)
      // The radio is last. It plays on, whatever its server says of its length.
      let line = await news.stdout.index {
        $0.contains(#""title":"station""#) && $0.contains(#""player_state":"PLAYING""#)
      }
      #expect(line.map { news.stdout.lines[$0].contains(#""live":true"#) } == true, "\(run.stderr.text)")
      news.signal(SIGTERM)
      run.signal(SIGTERM)
      _ = await run.ended()
      try await judge(stage.history(), films)
      // Text beside a film goes with it, in the only format that receivers show.
      #expect(receiver.log.lines.contains { $0.components(separatedBy: "text/vtt").count > 3 })
      // What the device was given is what it documents.
      let again = try await stage.castq("check", "-d", "lobby", "\(stage.database).prepared")
      #expect(again.exit == 0 && !again.stdout.contains("warning"), "\(again.stdout)")
      #expect(again.outLines.count >= 40)
    }
  }

  /// History has the files themselves, each played, and words that a person understands for everything else.
  private func judge(_ plays: [Document], _ films: [String]) {
    let finished = plays.filter { $0["outcome"]?.string == "finished" && $0["title"]?.string != "pause" }
    #expect(finished.allSatisfy { $0["url"]?.string?.contains("/media/") == true })
    let names = finished.compactMap { URL(string: $0["url"]?.string ?? "")?.lastPathComponent }
    #expect(Set(names) == Set(films), "\(plays.filter { $0["outcome"]?.string != "finished" })")
    var last: [String: Document] = [:]
    for play in plays { last[play["title"]?.string ?? ""] = play }
    func reason(_ title: String) -> String { last[title]?["reason"]?.string ?? "" }
    #expect(reason("gone").contains("the server answers 404 Not Found"), "\(reason("gone"))")
    #expect(reason("page").contains("the server sends text/html, which is not media"), "\(reason("page"))")
    #expect(
      reason("silent") == "it displayed nothing for 45 s; asked from here, it was not received within 3 s")
    let junk = Self.junk.map { "junk \($0)" }
    for name in junk {
      #expect(reason(name).contains("the file is no media: "), "\(name): \(reason(name))")
    }
    #expect((["gone", "page", "silent"] + junk).allSatisfy { last[$0]?["outcome"]?.string == "failed" })
    #expect(last["station"]?["outcome"]?.string == "interrupted", "\(plays)")
  }

  @Test(
    "a file that is not prepared is sent as it is, and history says why it failed",
    .enabled(if: PrepareTests.hasProgram, PrepareTests.absent))
  func unprepared() async throws {
    try await Stage.with(readsFiles: true) { stage in
      let made = try await stage.shell(
        "cd '\(stage.folder)'; ffmpeg -nostdin -v error -f lavfi -i testsrc=s=160x120:d=1 -c:v mpeg4 old.avi"
      ).ended()
      #expect(made.exit == 0, "\(made.stderr)")
      let receiver = try await Receiver(stage)
      try stage.file("config.yaml", "prepare: {live: off}\n")
      try stage.add(device: "lobby", at: receiver.address)
      // It is read by this, and converted by nothing.
      try await stage.castq("check", "-d", "lobby", "old.avi")
      let run = try await stage.castq("run", "-d", "lobby", "--config", "config.yaml", "old.avi")
      #expect(run.exit == 76)
      let reason = try await stage.history().last?["reason"]?.string ?? ""
      #expect(
        reason.contains(
          "the file needs its pictures converted: the picture is MPEG-4 Part 2, which no Cast device plays"),
        "\(reason)")
      #expect(reason.contains("castq can convert it beforehand"))
      #expect(try await stage.castq("prepare", "-d", "lobby", "old.avi").exit == 0)
      expectSilence(try await stage.castq("run", "-d", "lobby", "old.avi"))
    }
  }

  @Test(
    "a file that was not prepared is converted while the one before it plays, where that is allowed",
    .enabled(if: PrepareTests.hasProgram, PrepareTests.absent))
  func onDemand() async throws {
    try await Stage.with(readsFiles: true) { stage in
      let made = try await stage.shell(
        "cd '\(stage.folder)'; ffmpeg -nostdin -v error -f lavfi -i testsrc=s=160x120:d=1 -c:v libx264 -pix_fmt yuv420p b.mkv"
      ).ended()
      #expect(made.exit == 0, "\(made.stderr)")
      // In the time of this test it lasts a minute and a half, which a conversion of one second takes on no machine.
      try stage.tone("a.wav", seconds: 90)
      try stage.file("config.yaml", "prepare: {on_demand: remux}\n")
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      let run = try stage.start(["run", "-d", "lobby", "--config", "config.yaml", "a.wav", "b.mkv"])
      // The second item comes once its file is there.
      let index = try #require(await receiver.request("QUEUE_INSERT", from: 0), "\(run.stderr.text)")
      let item = try Document(receiver.log.lines[index])["data"]?["items"]?.elements.first?["media"]
      #expect(item?["contentType"]?.string == "video/mp4")
      #expect(item?["contentId"]?.string?.hasSuffix(".mp4") == true)
      // Its title is that of the file, and not that of what was made of it.
      #expect(item?["metadata"]?["title"]?.string?.hasPrefix("b") == true)
      run.signal(SIGTERM)
      _ = await run.ended()
    }
  }
}
