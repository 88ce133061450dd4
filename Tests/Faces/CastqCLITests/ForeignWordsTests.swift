import Foundation
import Testing

/// What strangers name at this computer is not asked. The stranger is 127.0.0.2, and the bystander, who must hear of nothing, 127.0.0.1.
@Suite("The words of strangers", .timeLimit(.minutes(20)))
struct ForeignWordsTests {
  private static let picture = Data(
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 64))

  private func allow(_ place: String, _ stage: Stage) throws {
    try FileManager.default.createDirectory(
      atPath: "\(stage.folder)/config/castq", withIntermediateDirectories: true)
    try stage.file("config/castq/config.yaml", "allow_local: [\"\(place)\"]\n")
  }

  // MARK: - Pictures

  /// Waits until the page shows what plays; its status.
  private func shown(_ page: OperatorPage, _ events: LineFeed, _ title: String) async throws -> Document {
    _ = await events.index { $0.contains("\"\(title)\"") && $0.contains("\"art\":\"") }
    return try await page.get("devices/lobby/status")
  }

  /// Has another sender show something with this picture.
  private func cast(_ title: String, picture: String, from stranger: CountingServer, on receiver: Receiver)
    async throws
  {
    let media = """
      {"type":"LOAD","autoplay":true,"media":{"contentId":"\(stranger.address)/good.wav","contentType":"audio/wav",\
      "streamType":"BUFFERED","metadata":{"metadataType":0,"title":"\(title)","images":[{"url":"\(picture)"}]}}}
      """
    try await receiver.control("request \(media)")
  }

  @Test(
    "a picture that a guest names at this computer is not asked for, also behind a redirection; the page works"
  )
  func picturesOfGuests() async throws {
    try await Stage.with { stage in
      let bystander = try await CountingServer(stage, host: "127.0.0.1")
      let stranger = try await CountingServer(stage, host: "127.0.0.2")
      try bystander.serve("admin", Self.picture)
      try stranger.serve(
        "good.wav", try Data(contentsOf: URL(filePath: stage.tone("good.wav", seconds: 6000))))
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let page = try await OperatorPage(stage)
      let events = try page.events("?topics=status&device=lobby")
      try await receiver.control("takeover CC1AD845")
      try await receiver.control("load \(stranger.address)/good.wav audio/wav")
      let target = "\(bystander.address)/admin?reboot=1"
      for (title, picture) in [("Direct", target), ("Moved", "\(stranger.address)/to/\(target)")] {
        try await cast(title, picture: picture, from: stranger, on: receiver)
        let art = try #require(try await shown(page, events, title)["art"]?.string)
        #expect(try await page.ask("GET", "art/\(art)").status == 404)
        #expect(try await bystander.asked() == [])
        #expect(try await page.get("devices/lobby/status")["title"]?.string == title)
      }
      // The rule of a receiver on this computer holds for its own address, too; an exception does for all.
      #expect(try await stranger.asked() == [])
      try allow(bystander.place, stage)
      try await cast("Allowed", picture: target, from: stranger, on: receiver)
      let art = try #require(try await shown(page, events, "Allowed")["art"]?.string)
      #expect(try await page.ask("GET", "art/\(art)").status == 200)
      #expect(try await bystander.asked() == ["/admin?reboot=1"])
    }
  }

  @Test(
    "pictures of what castq has loaded are shown: those that the owner names, and those that castq serves")
  func ownPictures() async throws {
    try await Stage.with { stage in
      let server = try await CountingServer(stage, host: "127.0.0.1")
      try server.serve("cover.png", Self.picture)
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("named.wav", seconds: Stage.outlasting)
      let folder = "\(stage.folder)/album"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try stage.tone("album/served.wav", seconds: Stage.outlasting)
      try Self.picture.write(to: URL(fileURLWithPath: "\(folder)/cover.png"))
      let page = try await OperatorPage(stage)
      let events = try page.events("?topics=status&device=lobby")
      let list = """
        castq: 1
        entries:
          - {file: named.wav, title: Named, images: ["\(server.address)/cover.png"]}
          - {file: album/served.wav, title: Served}

        """
      try await stage.castq("cast", "-d", "lobby", try stage.file("list.yaml", list))
      for title in ["Named", "Served"] {
        let art = try #require(try await shown(page, events, title)["art"]?.string)
        let answer = try await page.ask("GET", "art/\(art)")
        #expect(answer.status == 200, "\(title): \(answer.head)")
        if title == "Named" { try await stage.castq("next", "-d", "lobby") }
      }
      #expect(try await server.asked() == ["/cover.png"])
    }
  }

  // MARK: - Lists

  private func list(_ bystander: String, _ stranger: String) -> String {
    """
    castq: 1
    fallback: \(bystander)/fallback.m3u
    entries:
      - {url: "\(stranger)/good.wav", title: First}
      - {url: "\(bystander)/nested.m3u"}
      - {url: "\(bystander)/kindless"}
      - url: \(stranger)/good.wav
        title: Subtitled
        tracks: [{url: "\(bystander)/secret.vtt", language: en}]
      - {url: "\(bystander)/gone.mp4", type: video/mp4, title: Gone, on_error: skip}
      - {url: "\(stranger)/good.wav", title: Last}

    """
  }

  /// A stranger's list that names a bystander wherever a list can, and what the bystander would say.
  private func servers(_ stage: Stage) async throws -> (bystander: CountingServer, stranger: CountingServer) {
    let bystander = try await CountingServer(stage, host: "127.0.0.1")
    let stranger = try await CountingServer(stage, host: "127.0.0.2")
    try stranger.serve("good.wav", try Data(contentsOf: URL(filePath: stage.tone("good.wav", seconds: 2))))
    try stranger.serve("list.yaml", list(bystander.address, stranger.address))
    try bystander.serve("nested.m3u", "secret-of-this-computer.mp4\n")
    try bystander.serve("fallback.m3u", "secret-of-this-computer.mp4\n")
    try bystander.serve("kindless", "secret-of-this-computer")
    try bystander.serve("secret.vtt", "WEBVTT\n\n00:00.000 --> 00:09.000\nsecret-of-this-computer\n")
    return (bystander, stranger)
  }

  private func isRefusal(_ line: String, _ place: Substring, _ bystander: CountingServer) -> Bool {
    line.contains("list.yaml:\(place)") && line.contains("127.0.0.1 is an address of this computer")
      && line.contains("what 127.0.0.2 names") && line.contains("`allow_local: [\"\(bystander.place)\"]`")
  }

  @Test("check says of each line of a stranger's list what it may not have asked, and asks nothing of it")
  func checked() async throws {
    try await Stage.with { stage in
      let (bystander, stranger) = try await servers(stage)
      let plain = try await stage.castq("check", "\(stranger.address)/list.yaml")
      for place in ["2:11", "5:11"] {
        #expect(plain.outLines.contains { isRefusal($0, place[...], bystander) }, "\(place): \(plain.stdout)")
      }
      let online = try await stage.castq("check", "--online", "\(stranger.address)/list.yaml")
      for line in ["2", "5", "6", "7", "10"] {
        #expect(
          online.outLines.contains { isRefusal($0, "\(line):", bystander) }, "\(line): \(online.stdout)")
      }
      #expect(!online.stdout.contains("secret-of-this-computer"))
      #expect(try await bystander.asked() == [])
    }
  }

  @Test("a stranger's list plays without what it names at this computer, and history says why")
  func played() async throws {
    try await Stage.with { stage in
      let (bystander, stranger) = try await servers(stage)
      let receiver = try await Receiver(stage)
      let ending = try await stage.castq("run", "-d", receiver.address, "\(stranger.address)/list.yaml")
      #expect(ending.stderr.contains("is an address of this computer"), "\(ending.stderr)")
      let plays = try await stage.history()
      for title in ["First", "Subtitled", "Last"] {
        #expect(
          plays.contains { $0["title"]?.string == title && $0["outcome"]?.string == "finished" },
          "\(title): \(plays)")
      }
      let gone = plays.first { $0["title"]?.string == "Gone" }
      #expect(gone?["outcome"]?.string == "failed")
      #expect(
        gone?["reason"]?.string?.contains(
          "castq did not ask for it: 127.0.0.1 is an address of this computer") == true
          && gone?["reason"]?.string?.contains("`allow_local: [\"\(bystander.place)\"]`") == true, "\(plays)")
      #expect(!"\(plays)".contains("secret-of-this-computer"))
      #expect(try await bystander.asked() == [])
    }
  }

  @Test("what a device would get of a stranger's subtitles is not there; with allow_local it is")
  func subtitles() async throws {
    try await Stage.with { stage in
      let (bystander, stranger) = try await servers(stage)
      try stranger.serve(
        "good.wav", try Data(contentsOf: URL(filePath: stage.tone("good.wav", seconds: 6000))))
      try stranger.serve(
        "one.yaml",
        """
        castq: 1
        entries:
          - url: \(stranger.address)/good.wav
            tracks: [{url: "\(bystander.address)/secret.vtt", language: en}]

        """)
      let receiver = try await Receiver(stage)
      for isAllowed in [false, true] {
        if isAllowed { try allow(bystander.place, stage) }
        let start = receiver.log.lines.count
        try await stage.castq("cast", "-d", receiver.address, "\(stranger.address)/one.yaml")
        let index = try #require(await receiver.request("QUEUE_LOAD", from: start))
        let media = try Document(receiver.log.lines[index])["data"]?["items"]?.elements.first?["media"]
        let track = try #require(media?["tracks"]?.elements.first?["trackContentId"]?.string)
        let fetched = try RunningProgram(
          "curl", ["-s", track], environment: stage.environment, folder: stage.folder)
        let text = await fetched.ended().stdout
        #expect(text.contains("secret-of-this-computer") == isAllowed)
        #expect(try await bystander.asked().isEmpty != isAllowed)
        try await stage.castq("stop", "--quit", "-d", receiver.address)
      }
    }
  }

  @Test("allow_local lets a stranger's list through to this place, and the owner's list needs no such thing")
  func allowed() async throws {
    try await Stage.with { stage in
      let (bystander, stranger) = try await servers(stage)
      let own = try stage.file("own.yaml", list(bystander.address, stranger.address))
      _ = try await stage.castq("check", "--online", own)
      let wanted: Set = ["/nested.m3u", "/fallback.m3u", "/kindless", "/secret.vtt", "/gone.mp4"]
      #expect(try await Set(bystander.asked()).isSuperset(of: wanted))
      try bystander.serve("list.yaml", list(bystander.address, bystander.address))
      let same = try await stage.castq("check", "--online", "\(bystander.address)/list.yaml")
      #expect(!same.stdout.contains("allow_local"), "\(same.stdout)")
      let before = try await bystander.asked().count
      try allow(bystander.place, stage)
      let ending = try await stage.castq("check", "--online", "\(stranger.address)/list.yaml")
      #expect(!ending.stdout.contains("allow_local"), "\(ending.stdout)")
      #expect(try await Set(bystander.asked().dropFirst(before)).isSuperset(of: wanted))
    }
  }

  @Test("a page of a stranger's list at this computer is given to no resolver")
  func resolver() async throws {
    try await Stage.with { stage in
      let (bystander, stranger) = try await servers(stage)
      try FileManager.default.createDirectory(
        atPath: "\(stage.folder)/config/castq", withIntermediateDirectories: true)
      let program = try stage.file(
        "find", "#!/bin/sh\necho \"$@\" >> \(stage.folder)/calls\necho \(stranger.address)/good.wav\n")
      chmod(program, 0o755)
      try stage.file(
        "config/castq/config.yaml", "resolvers: [{match: 127.0.0.1/watch, run: \(program)}]\n")
      try stranger.serve(
        "list.m3u", "\(bystander.address)/watch?v=1\n#EXTINF:-1,Last\n\(stranger.address)/good.wav\n")
      let receiver = try await Receiver(stage)
      let ending = try await stage.castq("run", "-d", receiver.address, "\(stranger.address)/list.m3u")
      let plays = try await stage.history()
      #expect(
        plays.contains { $0["title"]?.string == "Last" && $0["outcome"]?.string == "finished" }, "\(ending)")
      #expect(
        plays.contains { $0["reason"]?.string?.contains("is an address of this computer") == true },
        "\(plays)")
      #expect(!FileManager.default.fileExists(atPath: "\(stage.folder)/calls"))
      #expect(try await bystander.asked() == [])
    }
  }
}
