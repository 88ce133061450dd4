import Foundation
import Testing

@Suite("castq mpd", .timeLimit(.minutes(20)))
struct MusicTests {
  /// A stage with a receiver called lobby, a folder with two songs, and a server.
  private func with(
    _ configuration: String = "", _ body: (Stage, Receiver, MusicServer) async throws -> Void
  ) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try FileManager.default.createDirectory(
        atPath: "\(stage.folder)/music/b", withIntermediateDirectories: true)
      try stage.tone("music/a song.wav", seconds: Stage.outlasting)
      try stage.tone("music/b/c.wav", seconds: Stage.outlasting)
      try stage.file("secret.txt", "secret")
      try FileManager.default.createDirectory(
        atPath: "\(stage.folder)/own/lists", withIntermediateDirectories: true)
      try stage.file("own/lists/copied.m3u", "a song.wav\nb/c.wav\n../secret.txt\n")
      let file = try stage.file(
        "mpd.yaml",
        "mpd:\n  folders: \(stage.folder)/music\n\(configuration.replacing("LISTS", with: "\(stage.folder)/own/lists"))"
      )
      try await body(stage, receiver, MusicServer(stage, "--config", file))
    }
  }

  private func daemon(_ stage: Stage) async throws -> RunningProgram {
    let program = try stage.start(["daemon"], patience: RunningProgram.lifetime)
    #expect(await program.stderr.line(containing: "ready") != nil, "\(program.stderr.text)")
    return program
  }

  @Test("songs of the folder are listed, added, and played by the daemon; everything is castq's own queue")
  func playing() async throws {
    try await with { stage, receiver, music in
      #expect(
        try await music.ask("lsinfo") == "directory: b\nfile: a song.wav\nTitle: a song\nOK")
      #expect(
        try await music.ask("add \"a song.wav\"", "addid b/c.wav 0", "addid http://192.0.2.1/x.mp3")
          == "OK\nId: 2\nOK\nId: 3\nOK")
      let queue = try await stage.queue()
      #expect(queue["entries"]?.elements.map { $0["entry"]?.int } == [2, 1, 3])
      let heard = try music.listen("status", "idle player")
      #expect(await heard.line(containing: "OK", from: 1) != nil)
      let refused = try await music.ask("play")
      let words = "lobby: no daemon feeds this database"
      if refused == "OK" {
        // The device was slower than clients wait: what became of it is part of the status.
        #expect(await heard.line(containing: "changed: player") != nil)
        #expect(try await music.ask("status").contains("error: \(words)"))
      } else {
        #expect(refused.hasPrefix("ACK [52@0] {play} \(words)"), "\(refused)")
      }
      let running = try await daemon(stage)
      #expect(try await music.ask("play 1") == "OK")
      #expect(await receiver.playing() != nil)
      while true {
        let look = try music.listen("status", "idle player")
        #expect(await look.index(from: 1) { $0 == "OK" } != nil)
        if look.text.contains("state: play\nsong: 1\nsongid: 1\n") { break }
        try #require(await look.line(containing: "changed: player") != nil)
      }
      #expect(try await music.ask("currentsong").contains("file: a song.wav\n"))
      #expect(try await music.ask("setvol 30", "pause 1") == "OK\nOK")
      #expect(await receiver.request("SET_VOLUME") != nil)
      #expect(await receiver.request("PAUSE") != nil)
      _ = running.process
    }
  }

  @Test("each file is listed once, whatever links lead to it, and only under a name that can be added")
  func links() async throws {
    try await with { stage, _, music in
      let folder = "\(stage.folder)/music"
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/loop", withDestinationPath: ".")
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/b/back", withDestinationPath: "..")
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/z", withDestinationPath: "b")
      try stage.tone("music/esc\u{1B}[31mred.wav", seconds: 600)
      #expect(
        try await music.ask("listall") == "directory: b\nfile: b/c.wav\nfile: a song.wav\nOK")
      #expect(try await !music.ask("lsinfo").contains("red"))
      #expect(try await music.ask("add \"\"") == "OK")
      #expect(try await stage.queue()["entries"]?.elements.count == 2)
      let words = try await music.ask("repeat 1", "single oneshot")
      #expect(words.contains("castq has no mode that ends after a song"), "\(words)")
    }
  }

  @Test("no file outside of the folders is named or read, whatever it is called")
  func outside() async throws {
    try await with { stage, _, music in
      let folder = stage.folder
      let names = [
        "../secret.txt", "\(folder)/secret.txt", "file://\(folder)/secret.txt", "b/../../secret.txt",
      ]
      for name in names {
        for line in ["add \"\(name)\"", "load \"\(name)\"", "albumart \"\(name)\" 0"] {
          let answer = try await music.ask(line)
          #expect(answer.hasPrefix("ACK "), "\(line): \(answer)")
        }
      }
      let queue = try await stage.castq("queue")
      #expect(queue.exit == 1)
    }
  }

  @Test("a list copied from MPD is relative to the folder of the music, for clients and for the command line")
  func copiedList() async throws {
    try await with("  playlists: LISTS\n") { stage, _, music in
      // MPD 0.23 resolves what a stored list names in its `music_directory`.
      let listed = "\(stage.folder)/own/lists/copied.m3u"
      #expect(
        try await music.ask("listplaylist copied", "load copied", "playlistinfo").contains("file: b/c.wav\n"))
      let queue = try await stage.queue()
      #expect(
        queue["entries"]?.elements.map { $0["url"]?.string?.split(separator: "/").last.map(String.init) }
          == ["a%20song.wav", "c.wav"])
      let check = try await stage.castq("--config", "\(stage.folder)/mpd.yaml", "check", listed)
      #expect(check.exit == 65)
      #expect(check.outLines.map { $0.contains(":3:1: no such file: ../secret.txt") } == [true])
    }
  }

  @Test("a queue is saved as a list, loaded again, and removed; its file is its owner's alone")
  func lists() async throws {
    try await with { stage, _, music in
      #expect(
        try await music.ask("add \"a song.wav\"", "add b", "save evening", "clear", "load evening")
          == "OK\nOK\nOK\nOK\nOK")
      let names = try await music.ask("playlist")
      #expect(names == "0:file: a song.wav\n1:file: b/c.wav\nOK")
      #expect(try await music.ask("listplaylistinfo evening").contains("file: b/c.wav\n"))
      let attributes = try FileManager.default.attributesOfItem(
        atPath: "\(stage.folder)/playlists/evening.m3u8")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(try await music.ask("rm evening", "load evening") == "OK\nACK [50@0] {load} No such playlist")
    }
  }

  @Test("the part of a song that is played can be set until the device has it")
  func sections() async throws {
    try await with { stage, _, music in
      #expect(try await music.ask("addid \"a song.wav\"", "rangeid 1 10:25.5") == "Id: 1\nOK\nOK")
      #expect(try await music.ask("playlistid 1").contains("Range: 10.000-25.500\n"))
      let list = try await stage.castq("export", "--format", "yaml").stdout
      #expect(list.contains("start: 10") || list.contains("start_time"), "\(list)")
    }
  }

  @Test("a client hears what the command line does")
  func idle() async throws {
    try await with { stage, _, music in
      let heard = try music.listen("status", "idle playlist options")
      #expect(await heard.line(containing: "OK", from: 1) != nil)
      try await stage.castq("enqueue", "http://192.0.2.1/a.mp4")
      #expect(await heard.line(containing: "changed: playlist") != nil)
      let options = try music.listen("status", "idle options")
      #expect(await options.line(containing: "OK", from: 1) != nil)
      try await stage.castq("repeat", "all")
      #expect(await options.line(containing: "changed: options") != nil)
      #expect(try await music.ask("status").contains("repeat: 1\n"))
    }
  }

  @Test("elsewhere than on loopback, or by the configuration, everybody needs a token, and its role")
  func passwords() async throws {
    try await with("  password: always\n") { stage, _, music in
      var tokens: [String] = []
      for role in ["look", "operate", "edit"] {
        tokens.append(
          try await stage.castq("web", "token", "add", role, "--role", role).stdout.trimmingCharacters(
            in: .whitespacesAndNewlines))
      }
      let add = "add http://192.0.2.1/a.mp3"
      #expect(try await music.ask("status").hasPrefix("ACK [4@0] {status}"))
      #expect(try await music.ask("password castq_00").hasPrefix("ACK [3@0] {password}"))
      #expect(try await music.ask("password \(tokens[0])", "repeat 1").hasPrefix("OK\nACK [4@0] {repeat}"))
      #expect(
        try await music.ask("password \(tokens[1])", "repeat 1", add).hasPrefix("OK\nOK\nACK [4@0] {add}"))
      #expect(try await music.ask("password \(tokens[2])", add) == "OK\nOK")
      try await stage.castq("web", "token", "rm", "edit")
      #expect(try await music.ask("password \(tokens[2])").hasPrefix("ACK [3@0]"))
      let wild = try await MusicServer(stage, listen: "0.0.0.0:0")
      #expect(try await wild.ask("status").hasPrefix("ACK [4@0] {status}"))
    }
  }

  @Test("a token that was removed opens nothing from then on, over connections that are open, too")
  func removedToken() async throws {
    try await with("  password: always\n") { stage, _, music in
      let token = try await stage.castq("web", "token", "add", "anna", "--role", "edit").stdout
        .trimmingCharacters(in: .whitespacesAndNewlines)
      let (busy, say) = try music.talk("password \(token)", "status")
      #expect(await busy.index(from: 2) { $0 == "OK" } != nil)
      let waiting = try music.listen("password \(token)", "status", "idle playlist")
      #expect(await waiting.index(from: 2) { $0 == "OK" } != nil)
      expectSilence(try await stage.castq("web", "token", "rm", "anna"))
      let heard = busy.lines.count
      say("add http://192.0.2.1/a.mp3")
      #expect(await busy.index(from: heard) { _ in true } != nil)
      #expect(busy.lines[heard].hasPrefix("ACK [4@0] {add}"), "\(busy.lines[heard])")
      try await stage.castq("enqueue", "http://192.0.2.1/b.mp3")
      await waiting.ended()
      #expect(!waiting.text.contains("changed"))
      #expect(try await stage.queue()["entries"]?.elements.count == 1)
    }
  }

  @Test("each device is a partition, and may have a port and a socket of its own")
  func partitions() async throws {
    try await Stage.with { stage in
      let (lobby, bar) = (try await Receiver(stage), try await Receiver(stage))
      try stage.add(device: "lobby", at: lobby.address)
      try stage.add(device: "bar", at: bar.address)
      try await stage.castq("device", "default", "lobby")
      let file = try stage.file(
        "mpd.yaml",
        """
        mpd:
          listen: 127.0.0.1:0
          devices: {bar: 127.0.0.1:0, lobby: \(stage.folder)/lobby.sock}
          playlists: \(stage.folder)/own

        """)
      let music = try await MusicServer(stage, listen: nil, count: 3, "--config", file)
      #expect(try await music.ask("listpartitions") == "partition: bar\npartition: lobby\nOK")
      #expect(try await music.ask("partition bar", "add http://192.0.2.1/a.mp3") == "OK\nOK")
      #expect(try await music.ask("status").contains("partition: lobby\nplaylist: "))
      #expect(try await music.ask("status", at: music.ports[1]).contains("partition: bar\n"))
      #expect(
        try await music.ask("playlistinfo", at: music.ports[1]).contains("file: http://192.0.2.1/a.mp3\n"))
      #expect(try await music.ask("partition bar", "save mine") == "OK\nOK")
      #expect(access("\(stage.folder)/own/mine.m3u8", F_OK) == 0)
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(stage.folder)/lobby.sock")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      music.program.signal(SIGTERM)
      #expect(await music.program.ended().exit == 143)
      #expect(access("\(stage.folder)/lobby.sock", F_OK) != 0)
    }
  }

  @Test("a partition is chosen by any name of its device, and stays chosen when that gets another one")
  func names() async throws {
    try await with { stage, _, music in
      try stage.add(device: "kitchen", at: "127.0.0.1:1")
      expectSilence(try await stage.castq("device", "default", "lobby"))
      let (client, say) = try music.talk("partition kitchen", "status", "idle partition")
      #expect(await client.line(containing: "partition: kitchen") != nil)
      expectSilence(try await stage.castq("device", "alias", "kitchen", "ki"))
      #expect(await client.line(containing: "changed: partition") != nil)
      say("status")
      #expect(await client.line(containing: "partition: ki") != nil)
      say("idle playlist")
      expectSilence(try await stage.castq("enqueue", "-d", "ki", "http://192.0.2.1/a.mp3"))
      #expect(await client.line(containing: "changed: playlist") != nil)
      for name in ["kitchen", "ki", "127.0.0.1:1"] {
        #expect(try await music.ask("partition \(name)", "status").contains("partition: ki\n"), "\(name)")
      }
      #expect(try await music.ask("listpartitions") == "partition: ki\npartition: lobby\nOK")
      #expect(
        try await music.ask("partition bar") == "ACK [50@0] {partition} partition does not exist")
    }
  }

  @Test("a place of the configuration for a device that there is not is told at the start")
  func unknownPlace() async throws {
    try await Stage.with { stage in
      try stage.add(device: "kitchen", at: "127.0.0.1:1")
      expectSilence(try await stage.castq("device", "alias", "kitchen", "ki"))
      let file = try stage.file(
        "mpd.yaml",
        "mpd:\n  listen: 127.0.0.1:0\n  devices: {kitchen: '127.0.0.1:0', zzz: '127.0.0.1:0'}\n")
      let music = try await MusicServer(stage, listen: nil, count: 3, "--config", file)
      #expect(try await music.ask("status", at: music.ports[1]).contains("partition: ki\n"))
      let words = music.program.stderr.lines.filter { $0.hasPrefix("castq: mpd: devices: ") }
      #expect(words.count == 1)
      #expect(words.first?.contains("no device zzz is known; known are: ki;") == true, "\(words)")
    }
  }

  @Test("a place that cannot be listened at, and a configuration that is wrong, is told in one line")
  func failures() async throws {
    try await with { stage, _, music in
      let port = try #require(music.ports.first)
      expectOneLine(
        try await stage.castq("mpd", "--listen", "127.0.0.1:\(port)"), exit: 75, saying: "cannot listen on")
      expectOneLine(
        try await stage.castq("mpd", "--listen", "nowhere"), exit: 64, saying: "no address with a port")
      let wrong = try stage.file("wrong.yaml", "mpd:\n  folders: [music]\n  password: never\n")
      expectOneLine(try await stage.castq("mpd", "--config", wrong), exit: 78, saying: "no absolute path")
    }
  }
}
