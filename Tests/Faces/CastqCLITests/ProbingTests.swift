import Foundation
import Testing

/// What castq learns from the files themselves, and programs in the part of `ffprobe` and `ffmpeg` that do harm.
@Suite("Probing", .timeLimit(.minutes(20)))
struct ProbingTests {
  /// An answer of `ffprobe`.
  private static func answer(_ title: String?, seconds: Double, cover: Bool = false) -> String {
    let tags = title.map { #","tags":{"title":"\#($0)"}"# } ?? ""
    let picture =
      #",{"index":1,"codec_type":"video","width":600,"height":400,"disposition":{"attached_pic":1}}"#
    return #"{"streams":[{"index":0,"codec_type":"audio"}\#(cover ? picture : "")],"#
      + #""format":{"format_name":"wav","duration":"\#(seconds)"\#(tags)}}"#
  }

  /// A program that does what a script says. Each call leaves a link to its arguments: it may write no file.
  private static func program(_ name: String, _ script: String, _ stage: Stage) throws -> String {
    let path = try stage.file(
      name, "#!/bin/sh\nln -s -- \"$*\" \"$(mktemp -u '\(stage.folder)/\(name).call.XXXXXXXX')\"\n\(script)\n"
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  /// `ffprobe` that says this of every file.
  private static func probe(_ answer: String, _ stage: Stage) throws -> [String: String] {
    let text = try stage.file("answer.json", answer)
    return ["CASTQ_FFPROBE": try program("ffprobe", "cat '\(text)'", stage)]
  }

  private static func calls(_ name: String, _ stage: Stage) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: stage.folder).filter { $0.hasPrefix("\(name).call.") }
      .map { try FileManager.default.destinationOfSymbolicLink(atPath: "\(stage.folder)/\($0)") }
  }

  private static func loaded(_ receiver: Receiver, from: Int = 0) async throws -> Document? {
    let index = try #require(await receiver.request("QUEUE_LOAD", from: from))
    return try Document(receiver.log.lines[index])["data"]?["items"]?.elements.first?["media"]
  }

  private static func fetched(_ address: String?, _ stage: Stage) async throws -> String {
    let script = """
      import sys, urllib.request
      answer = urllib.request.urlopen(sys.argv[1])
      print(answer.status, answer.headers["Content-Type"], answer.read()[:3].hex())
      """
    let path = try stage.file("fetch.py", script)
    return try await stage.shell("python3 '\(path)' '\(try #require(address))'").ended().stdout
  }

  @Test("the device and the queue get the title and the length of the file; the list's own title wins")
  func facts() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      let variables = try Self.probe(Self.answer("From the tags", seconds: 600), stage)
      try stage.tone("a.wav", seconds: 600)
      try stage.tone("b.wav", seconds: 600)
      let list = try stage.file(
        "list.m3u", "#EXTM3U\na.wav\n#EXTINF:30,From the list\nb.wav\n#EXTINF:-1,b.wav\nb.wav\n")
      let checked = try await stage.castq("check", "--probe", list, variables: variables)
      #expect(checked.exit == 0 && checked.stdout.isEmpty, "\(checked.stdout)\(checked.stderr)")
      #expect(try Self.calls("ffprobe", stage).count == 2, "each file once")

      expectSilence(try await stage.castq("cast", "-d", receiver.address, list, variables: variables))
      let first = try await Self.loaded(receiver)
      #expect(first?["metadata"]?["title"]?.string == "From the tags")
      #expect(first?["duration"]?.number == 600)
      let queue = try await stage.json("queue", "-d", receiver.address)["entries"]?.elements ?? []
      #expect(queue.map { $0["title"]?.string } == ["From the tags", "From the list", "From the tags"])
      #expect(queue.map { $0["duration_s"]?.number } == [600, 30, 600])
      let table = try await stage.castq("queue", "-d", receiver.address).outLines.last
      #expect(table?.hasPrefix("3 entries, 20:30;") == true, "\(table ?? "")")
      #expect(try await stage.json("status", "-d", receiver.address)["title"]?.string == "From the tags")
      try await stage.castq("stop", "-d", receiver.address)
      #expect(try await stage.history().first?["title"]?.string == "From the tags")
      #expect(try Self.calls("ffprobe", stage).count == 2, "what is known is not asked again")
      let export = try await stage.castq("export", "-d", receiver.address).stdout
      #expect(!export.contains("From the tags"), "a list keeps its own words")
    }
  }

  @Test("the feeder reads the files that come next, and sends an entry when its file is known")
  func ahead() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      let variables = try Self.probe(Self.answer("From the tags", seconds: 600), stage)
      for name in ["a.wav", "b.wav", "c.wav"] { try stage.tone(name, seconds: 600) }
      expectSilence(
        try await stage.castq("cast", "-d", receiver.address, "a.wav", "b.wav", "c.wav", variables: variables)
      )
      var sent = try #require(await receiver.request("QUEUE_LOAD"))
      var items = try Document(receiver.log.lines[sent])["data"]?["items"]?.elements ?? []
      // The first waits for its own file alone; how many others are known by then is chance.
      while items.count < 3 {
        sent = try #require(await receiver.request("QUEUE_INSERT", from: sent + 1))
        items += try Document(receiver.log.lines[sent])["data"]?["items"]?.elements ?? []
      }
      #expect(items.allSatisfy { $0["media"]?["metadata"]?["title"]?.string == "From the tags" }, "\(items)")
      #expect(items.allSatisfy { $0["media"]?["duration"]?.number == 600 })
      #expect(try Self.calls("ffprobe", stage).count == 3, "each file once")
      let queue = try await stage.json("status", "-d", receiver.address)["queue"]
      #expect(queue?["next_title"]?.string == "From the tags", "as the queue names it")
    }
  }

  @Test(
    "what is played first waits for its file, also where the application runs already; a program that hangs costs a moment"
  )
  func first() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      let text = try stage.file("answer.json", Self.answer("From the tags", seconds: 600))
      // Longer than a launch on the simulator takes, and so short that a slow start is still waited for.
      let slow = ["CASTQ_FFPROBE": try Self.program("ffprobe", "sleep 0.7; cat '\(text)'", stage)]
      for name in ["a.wav", "b.wav", "c.wav"] { try stage.tone(name, seconds: 600) }
      var seen = 0
      for name in ["a.wav", "b.wav"] {
        expectSilence(try await stage.castq("cast", "-d", receiver.address, name, variables: slow))
        let media = try await Self.loaded(receiver, from: seen)
        #expect(media?["metadata"]?["title"]?.string == "From the tags", "\(name)")
        #expect(media?["duration"]?.number == 600)
        seen = receiver.log.lines.count
      }
      try await stage.castq("stop", "-d", receiver.address)
      seen = receiver.log.lines.count
      let hanging = ["CASTQ_FFPROBE": try Self.program("hanging", "exec sleep 600", stage)]
      expectSilence(try await stage.castq("cast", "-d", receiver.address, "c.wav", variables: hanging))
      #expect(try await Self.loaded(receiver, from: seen)?["metadata"]?["title"]?.string == "c")
    }
  }

  @Test("a file that was replaced is read again, and what was read before is not shown for it")
  func replaced() async throws {
    try await Stage.with { stage in
      let film = try stage.tone("film.wav", seconds: 60)
      try stage.add(device: "lobby", at: "127.0.0.1:8009")
      expectSilence(try await stage.castq("enqueue", film))
      /// Title and length.
      func entry() async throws -> [String?] {
        let entry = try await stage.queue()["entries"]?.elements.first
        return [entry?["title"]?.string, entry?["duration_s"]?.description]
      }
      #expect(try await entry() == ["film", "null"])
      var variables = try Self.probe(Self.answer("First", seconds: 60), stage)
      expectSilence(try await stage.castq("check", "--probe", film, variables: variables))
      #expect(try await entry() == ["First", "60.0"])
      try stage.tone("film.wav", seconds: 61)
      #expect(try await entry() == ["film", "null"])
      variables = try Self.probe(Self.answer("Second", seconds: 61), stage)
      expectSilence(try await stage.castq("check", "--probe", film, variables: variables))
      #expect(try await entry() == ["Second", "61.0"])
    }
  }

  @Test("without ffprobe everything plays, and the name of the file is the title")
  func none() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      let film = try stage.tone("The.Big_Film-2019.1080p.wav", seconds: 600)
      expectSilence(try await stage.castq("cast", "-d", receiver.address, film))
      let media = try await Self.loaded(receiver)
      #expect(media?["metadata"]?["title"]?.string == "The Big Film 2019" && media?["duration"] == nil)
      let checked = try await stage.castq("check", "--probe", film)
      expectOneLine(checked, exit: 78, saying: "without ffprobe")
    }
  }

  @Test(
    "a program that hangs, lies or dies costs a moment, and no entry",
    arguments: [
      "exec sleep 600", "echo junk", "exit 1", "kill -9 $$", "cat /dev/zero", "echo '{\"format\":{}}'",
    ])
  func harm(_ script: String) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      for number in 1...3 { try stage.tone("film \(number).wav", seconds: 5) }
      let variables = ["CASTQ_FFPROBE": try Self.program("ffprobe", script, stage)]
      let ending = try await stage.castq(
        "run", "-q", "-d", receiver.address, "film 1.wav", "film 2.wav", "film 3.wav", variables: variables)
      #expect(ending.exit == 0, "\(ending.stderr)")
      let plays = try await stage.history()
      #expect(
        plays.map { $0["title"]?.string }.sorted { $0 ?? "" < $1 ?? "" } == ["film 1", "film 2", "film 3"])
      #expect(plays.allSatisfy { $0["outcome"]?.string == "finished" })
    }
  }

  @Test("check --probe names what is no media, with the line that names it")
  func checked() async throws {
    try await Stage.with { stage in
      try stage.tone("good.wav", seconds: 1)
      try stage.file("bad.mp4", "junk")
      try stage.file("odd.mp4", "junk")
      let list = try stage.file("list.m3u", "#EXTM3U\ngood.wav\nbad.mp4\nodd.mp4\nbad.mp4\n")
      let script = """
        case "$*" in
          *bad.mp4) echo 'file:x: Invalid \\033[2Jdata' >&2; exit 1;;
          *odd.mp4) echo '{"format":{"format_name":"srt"},"streams":[{"index":0,"codec_type":"subtitle"}]}';;
          *) echo '\(Self.answer(nil, seconds: 1))';;
        esac
        """
      let config = try stage.file(
        "config.yaml", "programs: {ffprobe: \(try Self.program("ffprobe", script, stage))}\n")
      let variables = ["CASTQ_FFPROBE": ""]
      let text = try await stage.castq("check", "--probe", "--config", config, list, variables: variables)
      #expect(text.exit == 65 && isHarmless(text.stdout), "\(text.stderr)")
      #expect(
        text.outLines.map { $0.split(separator: "/").last.map(String.init) } == [
          "list.m3u:3:1: bad.mp4: it is no media: file:x: Invalid data",
          "list.m3u:4:1: odd.mp4: it holds neither film nor sound",
          "list.m3u:5:1: bad.mp4: it is no media: file:x: Invalid data",
        ], "\(text.stdout)")
      let json = try await stage.castq(
        "check", "--probe", "--json", "--config", config, list, variables: variables)
      #expect(try Document(json.stdout)["issues"]?.elements.count == 3)
      #expect(try Self.calls("ffprobe", stage).count == 3, "what is known is not asked again")
    }
  }

  @Test("a list of the network may not have a file of this machine read")
  func network() async throws {
    try await Stage.with { stage in
      let film = try stage.tone("film.wav", seconds: 1)
      let server = try await WebServer(stage, files: ["list.m3u": "#EXTM3U\nfile://\(film)\n\(film)\n"])
      let variables = try Self.probe(Self.answer("Secret", seconds: 1), stage)
      _ = try await stage.castq("check", "--probe", "\(server.address)/list.m3u", variables: variables)
      #expect(try Self.calls("ffprobe", stage) == [])
    }
  }

  // MARK: - Pictures

  @Test("a picture beside the film is served with its size; one that is gone costs nothing")
  func sidecar() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      let film = try stage.tone("film.wav", seconds: 600)
      // A PNG of 3 by 2, as far as its header tells.
      let png = Data(
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + [
          0, 0, 0, 3, 0, 0, 0, 2,
        ])
      try png.write(to: URL(filePath: "\(stage.folder)/Cover.png"))
      expectSilence(try await stage.castq("cast", "-d", receiver.address, film))
      let image = try await Self.loaded(receiver)?["metadata"]?["images"]?.elements.first
      #expect(image?["width"]?.int == 3 && image?["height"]?.int == 2)
      #expect(try await Self.fetched(image?["url"]?.string, stage) == "200 image/png 89504e\n")
      try await stage.castq("stop", "-d", receiver.address)
      #expect(await FeederEnd.of(stage))
      try FileManager.default.removeItem(atPath: "\(stage.folder)/Cover.png")
      let start = receiver.log.lines.count
      expectSilence(try await stage.castq("play", "-d", receiver.address))
      let media = try await Self.loaded(receiver, from: start)
      #expect(media?["metadata"]?["title"]?.string == "film" && media?["metadata"]?["images"] == nil)
    }
  }

  @Test("the cover in a file is made when the device asks for it, once, and kept within the cache")
  func cover() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      let film = try stage.tone("film.wav", seconds: 600)
      var variables = try Self.probe(Self.answer(nil, seconds: 600, cover: true), stage)
      variables["CASTQ_FFMPEG"] = try Self.program("ffmpeg", "printf '\\377\\330\\377picture'", stage)
      expectSilence(try await stage.castq("check", "--probe", film, variables: variables))
      expectSilence(try await stage.castq("cast", "-d", receiver.address, film, variables: variables))
      let image = try await Self.loaded(receiver)?["metadata"]?["images"]?.elements.first
      #expect(image?["width"]?.int == 600 && image?["height"]?.int == 400)
      #expect(try Self.calls("ffmpeg", stage) == [], "nobody has asked for it")
      for _ in 0..<2 {
        #expect(try await Self.fetched(image?["url"]?.string, stage) == "200 image/jpeg ffd8ff\n")
      }
      let calls = try Self.calls("ffmpeg", stage)
      #expect(
        calls.count == 1 && calls[0].contains("-protocol_whitelist file") && calls[0].contains("-map 0:1"))
      let kept = try FileManager.default.contentsOfDirectory(atPath: "\(stage.folder)/.cache/castq/pictures")
      #expect(kept.count == 1)
      // What the device was given opens the picture, and is the device's alone.
      let status = try await stage.json("status", "-d", receiver.address)
      #expect(status["image"] == .null && status["art"]?.string?.utf8.count == 32)
      let token = try #require(image?["url"]?.string?.split(separator: "/").dropLast().last)
      #expect(!"\(status)".contains(token))
    }
  }

  @Test(
    "a picture that cannot be made is not found, and is not tried again", arguments: ["exit 1", "echo junk"])
  func noCover(_ script: String) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      let film = try stage.tone("film.wav", seconds: 600)
      var variables = try Self.probe(Self.answer(nil, seconds: 600, cover: true), stage)
      variables["CASTQ_FFMPEG"] = try Self.program("ffmpeg", script, stage)
      expectSilence(try await stage.castq("check", "--probe", film, variables: variables))
      expectSilence(try await stage.castq("cast", "-d", receiver.address, film, variables: variables))
      let address = try await Self.loaded(receiver)?["metadata"]?["images"]?.elements.first?["url"]?.string
      for _ in 0..<2 { #expect(try await Self.fetched(address, stage).isEmpty) }
      #expect(try Self.calls("ffmpeg", stage).count == 1)
    }
  }

  @Test(
    "the installed ffprobe and ffmpeg give length, title and a still of a film",
    .enabled(
      if: access("/usr/bin/ffprobe", X_OK) == 0 && access("/usr/bin/ffmpeg", X_OK) == 0,
      "ffmpeg is not installed"))
  func installed() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      let made = try await stage.shell(
        "ffmpeg -v error -f lavfi -i testsrc=d=200:s=320x180:r=5 -c:v mpeg4 -metadata title='A Film' 'a film.mp4'"
      ).ended()
      #expect(made.exit == 0, "\(made.stderr)")
      let variables = ["CASTQ_FFPROBE": "", "CASTQ_FFMPEG": ""]
      let checked = try await stage.castq("check", "--probe", "a film.mp4", variables: variables)
      #expect(checked.exit == 0 && checked.stdout.isEmpty, "\(checked.stdout)\(checked.stderr)")
      expectSilence(try await stage.castq("cast", "-d", receiver.address, "a film.mp4", variables: variables))
      let media = try await Self.loaded(receiver)
      #expect(media?["metadata"]?["title"]?.string == "A Film" && media?["duration"]?.number == 200)
      let address = media?["metadata"]?["images"]?.elements.first?["url"]?.string
      #expect(try await Self.fetched(address, stage) == "200 image/jpeg ffd8ff\n")
    }
  }
}
