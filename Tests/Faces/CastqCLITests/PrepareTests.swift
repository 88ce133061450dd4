import Foundation
import Testing

/// `castq check --device` and `castq prepare`.
@Suite("What the device cannot play", .timeLimit(.minutes(20)))
struct PrepareTests {
  static let hasProgram = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")
  /// What a test says where it is skipped.
  static let absent: Comment = "ffmpeg is not installed"

  /// A film by `ffmpeg`, a second long.
  private func film(_ stage: Stage, _ name: String, _ codecs: String) async throws {
    let made = try await stage.shell(
      """
      ffmpeg -nostdin -v error -f lavfi -i testsrc=s=160x120:r=25:d=1 -f lavfi -i sine=d=1:r=48000 \(codecs) \
      '\(stage.folder)/\(name)'
      """
    ).ended()
    #expect(made.exit == 0, "\(made.stderr)")
  }

  private func list(_ stage: Stage) async throws -> String {
    try await film(stage, "plain.mp4", "-c:v libx264 -pix_fmt yuv420p -c:a aac")
    try await film(stage, "other.mkv", "-c:v libx264 -pix_fmt yuv420p -c:a aac")
    try await film(stage, "old.avi", "-c:v mpeg4 -c:a ac3")
    try stage.file("words.mp4", "no film")
    return try stage.file("list.m3u", "#EXTM3U\nplain.mp4\nother.mkv\n\nold.avi\nwords.mp4\n")
  }

  @Test(
    "each entry has its decision and the reason in words, at its line", .enabled(if: hasProgram, absent))
  func check() async throws {
    try await Stage.with(readsFiles: true) { stage in
      _ = try await list(stage)
      try stage.add(device: "lobby", at: "127.0.0.1:9")
      let ending = try await stage.castq("check", "-d", "lobby", "list.m3u")
      #expect(ending.exit == 65)
      #expect(
        ending.outLines == [
          "list.m3u:2:1: note: plain.mp4 plays as it is on lobby",
          "list.m3u:3:1: warning: other.mkv needs another container for lobby: Matroska is not among the documented "
            + "containers; `castq prepare` makes it",
          "list.m3u:5:1: warning: old.avi needs its pictures converted for lobby: the picture is MPEG-4 Part 2, which no "
            + "Cast device plays; the sound is AC-3, which plays only where the television accepts it; AVI is not among the "
            + "documented containers; `castq prepare` makes it",
          "list.m3u:6:1: words.mp4 is no media: ffprobe finds neither film nor sound in it",
        ])
      let decisions = try await stage.json("check", "-d", "lobby", "list.m3u")["decisions"]?.elements ?? []
      #expect(decisions.map { $0["decision"]?.string } == ["direct", "remux", "video", "impossible"])
      let rules = try stage.file("remux.yaml", "prepare: {allow: remux}\n")
      let bound = try await stage.castq("check", "-d", "lobby", "--config", rules, "list.m3u").outLines
      #expect(
        bound.map { $0.hasSuffix("`castq prepare` makes it") } == [false, true, false, false], "\(bound)")
      #expect(bound[2].hasSuffix("castq may not make it: `prepare.allow` is remux in the configuration"))
      // A device of the environment is not asked about: every check would read every file.
      let plain = try await stage.castq("check", "list.m3u", variables: ["CASTQ_DEVICE": "lobby"])
      #expect(plain.exit == 0 && plain.stdout.isEmpty)
    }
  }

  @Test("what is on the web is judged by its name, and one note says how much was not looked at")
  func onTheWeb() async throws {
    try await Stage.with { stage in
      try stage.file(
        "web.m3u",
        "#EXTM3U\nhttp://127.0.0.1:9/a.mp4\nhttp://127.0.0.1:9/film.mkv?x=1\nhttp://127.0.0.1:9/a.mp4\n")
      try stage.add(device: "lobby", at: "127.0.0.1:9")
      let ending = try await stage.castq("check", "-d", "lobby", "web.m3u")
      #expect(ending.exit == 0)
      #expect(
        ending.outLines == [
          "web.m3u:2:1: note: 2 addresses on the web were not looked at; `castq check --online` asks their servers",
          "web.m3u:3:1: warning: film.mkv may not play on lobby, by its name: Matroska is not among the documented "
            + "containers; castq converts files of this computer alone: name a copy of it",
        ])
      let document = try await stage.json("check", "-d", "lobby", "web.m3u")
      let decisions = document["decisions"]?.elements ?? []
      #expect(decisions.map { $0["content_type"]?.string } == ["video/mp4", "video/x-matroska", "video/mp4"])
      #expect(decisions.allSatisfy { $0["decision"]?.string == nil })
      let online = try await stage.castq("check", "--online", "-d", "lobby", "web.m3u")
      #expect(!online.stdout.contains("not looked at") && online.stdout.contains("film.mkv may not play"))
      let plain = try await stage.castq("check", "web.m3u")
      #expect(plain.stdout.isEmpty)
    }
  }

  @Test("without ffprobe names alone are judged, which is said once", .enabled(if: hasProgram, absent))
  func byName() async throws {
    try await Stage.with(readsFiles: true) { stage in
      _ = try await list(stage)
      try stage.add(device: "lobby", at: "127.0.0.1:9")
      let off = ["CASTQ_FFPROBE": "off"]
      let ending = try await stage.castq("check", "-d", "lobby", "list.m3u", variables: off)
      #expect(ending.exit == 0)
      #expect(ending.errorLines.count == 1 && ending.stderr.contains("ffprobe is not installed"))
      #expect(
        ending.outLines == [
          "list.m3u:3:1: warning: other.mkv needs another container for lobby, by its name: Matroska is not among the "
            + "documented containers",
          "list.m3u:5:1: warning: old.avi needs another container for lobby, by its name: AVI is not among the documented "
            + "containers",
        ])
      expectOneLine(
        try await stage.castq("prepare", "-d", "lobby", "list.m3u", variables: off), exit: 78,
        saying: "ffprobe is not installed")
    }
  }

  @Test(
    "what is not played is converted once, and each file has its line, its reason and an exit code",
    .enabled(if: hasProgram, absent))
  func prepare() async throws {
    try await Stage.with(readsFiles: true) { stage in
      _ = try await list(stage)
      try stage.add(device: "lobby", at: "127.0.0.1:9")
      let ending = try await stage.castq("prepare", "-d", "lobby", "list.m3u")
      #expect(ending.exit == 65 && ending.stderr.isEmpty, "\(ending.stderr)")
      let starts = [
        "plain.mp4: plays as it is", "other.mkv: prepared, ", "old.avi: prepared, ",
        "words.mp4: is no media: ",
      ]
      #expect(
        ending.outLines.count == 4 && zip(ending.outLines, starts).allSatisfy { $0.hasPrefix($1) },
        "\(ending.stdout)")
      let document = try await stage.json("prepare", "-d", "lobby", "list.m3u")
      let files = document["files"]?.elements ?? []
      #expect(files.map { $0["state"]?.string } == ["direct", "ready", "ready", "failed"])
      #expect(files.map { $0["decision"]?.string } == ["direct", "remux", "video", nil])
      // What was made plays as it is.
      let folder = "\(stage.database).prepared"
      let again = try await stage.castq("check", "-d", "lobby", folder)
      #expect(again.exit == 0 && again.outLines.count == 2, "\(again.stdout)")
      #expect(again.outLines.allSatisfy { $0.contains(" plays as it is on lobby") })
    }
  }

  @Test("the configuration says what is converted, and where it is kept", .enabled(if: hasProgram, absent))
  func configuration() async throws {
    try await Stage.with(readsFiles: true) { stage in
      _ = try await list(stage)
      try stage.file(
        "config.yaml",
        "prepare: {allow: remux, folder: \(stage.folder)/made}\ndefaults: {plays_as: Nest Hub}\n")
      let variables = ["CASTQ_CONFIG": "\(stage.folder)/config.yaml"]
      try stage.add(device: "lobby", at: "127.0.0.1:9")
      let ending = try await stage.castq(
        "prepare", "-d", "lobby", "other.mkv", "old.avi", variables: variables)
      #expect(ending.exit == 78)
      #expect(ending.outLines.first?.hasPrefix("other.mkv: prepared, ") == true, "\(ending.stdout)")
      #expect(ending.outLines.last?.contains("`prepare.allow` is remux") == true, "\(ending.stdout)")
      let made = try FileManager.default.contentsOfDirectory(atPath: "\(stage.folder)/made")
      #expect(made.count == 1)
      // A smaller budget holds at once, and costs nothing of the list.
      try Data(count: 3_000_000).write(
        to: URL(filePath: "\(stage.folder)/made/\(String(repeating: "a", count: 40)).mp4"))
      try stage.file(
        "config.yaml",
        "prepare: {allow: remux, budget: 1MB, folder: \(stage.folder)/made}\ndefaults: {plays_as: Nest Hub}\n"
      )
      let again = try await stage.castq("prepare", "-d", "lobby", "other.mkv", variables: variables)
      #expect(again.outLines.first?.hasPrefix("other.mkv: is prepared already") == true, "\(again.stdout)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(stage.folder)/made") == made)
    }
  }

  @Test("an interrupted preparation leaves nothing half", .enabled(if: hasProgram, absent))
  func interrupted() async throws {
    try await Stage.with(readsFiles: true) { stage in
      try await film(stage, "other.mkv", "-c:v libx264 -pix_fmt yuv420p -c:a aac")
      try stage.add(device: "lobby", at: "127.0.0.1:9")
      // It says when it has begun.
      let pipe = "\(stage.folder)/begun"
      try #require(mkfifo(pipe, 0o600) == 0)
      let script =
        "#!/bin/sh\nfor out do :; done\necho half > \"${out#file:}\"\necho > '\(pipe)'\nexec sleep 600\n"
      let slow = try stage.file("ffmpeg", script)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: slow)
      let program = try stage.start(
        ["prepare", "-d", "lobby", "other.mkv"], variables: ["CASTQ_FFMPEG": slow])
      #expect(try await stage.shell("read -r < '\(pipe)'").ended().exit == 0)
      let folder = "\(stage.database).prepared"
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
      program.signal(SIGINT)
      #expect(await program.ended().exit == 130)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }

  @Test(
    "the daemon prepares in the hours that are given what its queues play next",
    .enabled(if: hasProgram, absent))
  func quietHours() async throws {
    try await Stage.with(readsFiles: true) { stage in
      try await film(stage, "other.mkv", "-c:v libx264 -pix_fmt yuv420p -c:a aac")
      try stage.file("config.yaml", "prepare: {hours: [\"00:00-24:00\"]}\n")
      try stage.add(device: "lobby", at: try QuietPort.closed())
      try await stage.castq("enqueue", "-d", "lobby", "other.mkv", "--no-daemon")
      let daemon = try stage.start(["daemon", "--config", "config.yaml"])
      let line = await daemon.stderr.line(containing: "other.mkv")
      #expect(line?.contains("prepared") == true, "\(daemon.stderr.text)")
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
      let files = try await stage.json("prepare", "-d", "lobby", "other.mkv")["files"]?.elements ?? []
      #expect(files.map { $0["state"]?.string } == ["ready"])
    }
  }
}
