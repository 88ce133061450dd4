import Foundation
import Testing

/// Subtitles from the file to the device.
@Suite("Subtitles", .timeLimit(.minutes(20)))
struct SubtitleTests {
  private static func subRip(_ words: String) -> String { "1\n00:00:01,000 --> 00:00:02,000\n\(words)\n" }
  private static func webVTT(_ words: String) -> String {
    "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n\(words)\n\n"
  }

  /// The tracks of the last load, and the numbers of the active ones.
  private struct Loaded {
    var tracks: [Document]
    var active: [Int]?

    init(_ receiver: Receiver, from: Int = 0) async throws {
      let index = try #require(await receiver.request("QUEUE_LOAD", from: from))
      let item = try Document(receiver.log.lines[index])["data"]?["items"]?.elements.first
      tracks = item?["media"]?["tracks"]?.elements ?? []
      active = item?["activeTrackIds"]?.elements.compactMap(\.int)
    }

    /// Languages and names, the active one with a star.
    var words: [String] {
      tracks.map { track in
        let isActive = track["trackId"]?.int.map { active?.contains($0) == true } ?? false
        return "\(track["language"]?.string ?? "-") \(track["name"]?.string ?? "-")\(isActive ? " *" : "")"
      }
    }
  }

  /// What a server answers to a player on another site.
  private func answer(_ address: String?, _ stage: Stage) async throws -> String {
    let script = """
      import sys, urllib.request
      answer = urllib.request.urlopen(urllib.request.Request(sys.argv[1], headers={"Origin": "https://www.gstatic.com"}))
      print(answer.headers["Content-Type"], answer.headers["Access-Control-Allow-Origin"])
      sys.stdout.write(answer.read().decode())
      """
    let path = try stage.file("fetch.py", script)
    return try await stage.shell("python3 '\(path)' '\(try #require(address))'").ended().stdout
  }

  @Test("files beside a film are its tracks, and the device gets WebVTT that it may read")
  func sidecars() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      let film = try stage.tone("film.wav", seconds: 600)
      try stage.file("film.srt", Self.subRip("plain"))
      try stage.file("film.de.ass", "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,x,,0,0,0,,{\\i1}kursiv\n")
      try stage.file("film.en.forced.srt", Self.subRip("forced"))
      try stage.tone("film.part2.wav", seconds: 1)
      try stage.file("film.part2.srt", Self.subRip("of another film"))
      try stage.file("films.srt", Self.subRip("of another film"))
      try Data([0x31, 0x0A] + "00:00:01,000 --> 00:00:02,000\n".utf8 + [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2])
        .write(to: URL(filePath: "\(stage.folder)/film.ru.srt"))
      expectSilence(try await stage.castq("cast", "-d", receiver.address, film))
      let loaded = try await Loaded(receiver)
      #expect(
        loaded.words == [
          "und Subtitles *", "de German", "ru Russian", "en English, forced",
        ])
      #expect(loaded.tracks.allSatisfy { $0["trackContentType"]?.string == "text/vtt" })
      let addresses = loaded.tracks.map { $0["trackContentId"]?.string }
      let expected = [
        Self.webVTT("plain"), Self.webVTT("<i>kursiv</i>"), Self.webVTT("Привет"), Self.webVTT("forced"),
      ]
      for (address, text) in zip(addresses, expected) {
        #expect(try await answer(address, stage) == "text/vtt *\n\(text)")
      }
      // An edit is served without another load.
      try stage.file("film.srt", Self.subRip("edited"))
      #expect(try await answer(addresses.first ?? nil, stage) == "text/vtt *\n\(Self.webVTT("edited"))")
      // A row keeps the file itself, and not what one device was given.
      #expect(try await stage.castq("export").stdout.contains("film.ru.srt"))
    }
  }

  @Test(
    "the active track is the first, that of the configured language, or what the entry or the command says")
  func choice() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.tone("film.wav", seconds: 600)
      for name in ["en", "de"] { try stage.file("film.\(name).srt", Self.subRip(name)) }
      try stage.file("other.srt", Self.subRip("other"))
      let configured = try stage.file("de.yaml", "subtitles: german\n")
      let off = try stage.file("off.yaml", "devices: {\"\(receiver.address)\": {subtitles: \"off\"}}\n")
      let silent = try stage.file("silent.m3u", "#EXTM3U\n#CASTQ: subtitles=off\nfilm.wav\n")
      let chosen = try stage.file("chosen.yaml", "- {file: film.wav, subtitles: en}\n")
      let cases: [(arguments: [String], words: [String])] = [
        (["film.wav"], ["de German *", "en English"]),
        (["film.wav", "--subs", "en"], ["de German", "en English *"]),
        (["film.wav", "--subs", "fr"], ["de German *", "en English"]),
        (["film.wav", "--subs", "off"], ["de German", "en English"]),
        (["film.wav", "--subs", "other.srt"], ["de German", "en English", "und Subtitles *"]),
        (["film.wav", "--subs", "film.en.srt"], ["de German", "en English *"]),
        ([silent], ["de German", "en English"]),
        ([silent, "--subs", "en"], ["de German", "en English *"]),
        ([chosen], ["de German", "en English *"]),
        (["film.wav", "--config", off], ["de German", "en English"]),
        ([chosen, "--config", off], ["de German", "en English *"]),
        (["film.wav", "--config", configured], ["de German *", "en English"]),
      ]
      for (arguments, words) in cases {
        let start = receiver.log.lines.count
        expectSilence(try await stage.castq(["cast", "-d", receiver.address] + arguments))
        #expect(try await Loaded(receiver, from: start).words == words, "\(arguments)")
        try await stage.castq("stop", "-d", receiver.address)
        #expect(await FeederEnd.of(stage))
      }
    }
  }

  @Test(
    "an offset moves the text of a track, comes back from the queue, and is none of the device's business")
  func offset() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.tone("film.wav", seconds: 600)
      try stage.file("subs.srt", Self.subRip("late"))
      let list = try stage.file(
        "list.m3u", "#EXTM3U\n#CASTQ: tracks=subs.srt:en:\"English\":+2.5,subs.srt:de::-0.5\nfilm.wav\n")
      expectSilence(try await stage.castq("cast", "-d", receiver.address, list))
      let loaded = try await Loaded(receiver)
      let texts = ["00:00:03.500 --> 00:00:04.500", "00:00:00.500 --> 00:00:01.500"]
      for (track, times) in zip(loaded.tracks, texts) {
        #expect(track["customData"] == nil)
        #expect(
          try await answer(track["trackContentId"]?.string, stage)
            == "text/vtt *\nWEBVTT\n\n\(times)\nlate\n\n")
      }
      #expect(loaded.tracks.count == 2)
      let queue = try await stage.castq("export").stdout
      #expect(queue.contains("offset: 2.5") && !queue.contains("offset_s"))
      let copy = try await stage.castq("export", "--format", "m3u")
      #expect(copy.stdout.contains("subs.srt:de::-0.5"), "\(copy.stdout)")
      #expect(copy.stderr.isEmpty, "\(copy.stderr)")
    }
  }

  @Test("the style of the configuration is that of entries without one, and its mistakes have places")
  func style() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.tone("film.wav", seconds: 600)
      try stage.file("film.srt", Self.subRip("x"))
      let good = try stage.file(
        "good.yaml", "subtitle_style: {font_scale: 1.5, foreground_color: \"#FFFF00\"}\n")
      try stage.file("own.yaml", "- {file: film.wav, style: {font_scale: 2}}\n")
      for (source, scale) in [("film.wav", 1.5), ("own.yaml", 2)] {
        let start = receiver.log.lines.count
        expectSilence(try await stage.castq("cast", "-d", receiver.address, source, "--config", good))
        let index = try #require(await receiver.request("QUEUE_LOAD", from: start))
        let media = try Document(receiver.log.lines[index])["data"]?["items"]?.elements.first?["media"]
        #expect(media?["textTrackStyle"]?["fontScale"]?.number == scale)
        try await stage.castq("stop", "-d", receiver.address)
        #expect(await FeederEnd.of(stage))
      }
      let bad = try stage.file("bad.yaml", "subtitle_style: {font_size: 2}\n")
      expectOneLine(
        try await stage.castq("cast", "-d", receiver.address, "film.wav", "--config", bad), exit: 78,
        saying: "bad.yaml:1:18")
    }
  }

  @Test("subtitles of the web come from castq, whatever their server allows and however they are written")
  func web() async throws {
    try await Stage.with { stage in
      let server = try await WebServer(stage, files: ["subs.srt": Self.subRip("from the web")])
      let receiver = try await Receiver(stage, speed: 1)
      try stage.tone("film.wav", seconds: 600)
      let list = try stage.file(
        "list.m3u", "#EXTM3U\n#CASTQ: tracks=\(server.address)/subs.srt:en:English\nfilm.wav\n")
      expectSilence(try await stage.castq("cast", "-d", receiver.address, list))
      let loaded = try await Loaded(receiver)
      #expect(loaded.words == ["en English *"])
      #expect(
        try await answer(loaded.tracks.first?["trackContentId"]?.string, stage)
          == "text/vtt *\n\(Self.webVTT("from the web"))")
    }
  }

  @Test("a film whose subtitles are gone plays without them")
  func gone() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      let film = try stage.tone("film.wav", seconds: 600)
      let subtitles = try stage.file("film.en.srt", Self.subRip("x"))
      expectSilence(try await stage.castq("enqueue", "-d", receiver.address, film))
      try FileManager.default.removeItem(atPath: subtitles)
      expectSilence(try await stage.castq("play", "-d", receiver.address))
      #expect(try await Loaded(receiver).words == [])
    }
  }

  @Test(
    "what cannot be shown is said in one line",
    arguments: [
      (["film.wav", "--subs", "gone.srt"], 66, "no such file"),
      (["film.wav", "--subs", "film.wav"], 65, "not a file of subtitles"),
      (["film.wav", "film.wav", "--subs", "film.srt"], 64, "one entry"),
    ])
  func refusals(arguments: [String], exit: Int32, words: String) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.tone("film.wav", seconds: 600)
      try stage.file("film.srt", Self.subRip("x"))
      for verb in ["cast", "enqueue", "run", "check"] {
        expectOneLine(
          try await stage.castq([verb, "-d", receiver.address] + arguments), exit: exit, saying: words)
      }
      #expect(try await stage.json("queue", "-d", receiver.address)["entries"]?.elements.isEmpty == true)
    }
  }

  @Test("check names the place of what is wrong in subtitles")
  func check() async throws {
    try await Stage.with { stage in
      let film = try stage.tone("film.wav", seconds: 1)
      try stage.file("film.srt", Self.subRip("fine"))
      expectSilence(try await stage.castq("check", film))
      try stage.file("film.srt", Self.subRip("fine") + "\n2\n00:00:03,000 --> 00:99:04,000\nlost\n")
      let ending = try await stage.castq("check", film)
      #expect(ending.exit == 65)
      #expect(ending.outLines.count == 1)
      #expect(
        ending.stdout.contains("/film.srt:6:21: the times of the subtitle cannot be read"), "\(ending.stdout)"
      )
      try stage.file("film.srt", "{25}{75}Frames\n")
      #expect(try await stage.castq("check", film).stdout.contains("MicroDVD"))
      // The film plays, and the reason why no text appears is told.
      let receiver = try await Receiver(stage, speed: 1)
      let run = try await stage.castq("run", "-d", receiver.address, film)
      expectOneLine(run, exit: 0, saying: "subtitles will not be shown: film.srt: MicroDVD")
    }
  }
}
