import Foundation
import Testing

@Suite("On a terminal", .timeLimit(.minutes(20)))
struct TerminalTests {
  /// Runs a command on a terminal of so many columns and passes on what it wrote there.
  private static let script = """
    import fcntl, os, pty, signal, struct, sys, termios
    columns, marker, command = int(sys.argv[1]), sys.argv[2].encode(), sys.argv[3:]
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execv(command[0], command)
    output = b""
    while True:
        try: piece = os.read(terminal, 65536)
        except OSError: break
        if not piece: break
        output += piece
        if marker and marker in output: os.kill(child, signal.SIGINT)
    os.waitpid(child, 0)
    sys.stdout.write(output.decode())
    """

  private func screen(
    _ stage: Stage, columns: Int, _ arguments: [String], _ variables: [String: String] = [:],
    until marker: String = ""
  ) async throws -> [String] {
    var environment = stage.environment
    environment["TERM"] = "xterm"
    environment.merge(variables) { $1 }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let program = try RunningProgram(
      "/usr/bin/env",
      ["PATH=\(path)", "python3", "-c", Self.script, "\(columns)", marker, Programs.path("castq")]
        + arguments,
      environment: environment, folder: stage.folder)
    return await program.ended().stdout.split(separator: "\r\n").map(String.init)
  }

  private static let title = "日本語の題名はとても長いのでここで切れます"

  @Test("a table is as wide as the terminal, counted in columns, and whole where there is none")
  func tables() async throws {
    try await QueueTests.with { stage in
      expectSilence(
        try await stage.castq(
          "enqueue", "-", input: "#EXTM3U\n#EXTINF:12,\(Self.title)\nhttp://media.example/a.mp4\n"))
      let lines = try await screen(stage, columns: 50, ["queue"])
      let row = try #require(lines.first { $0.contains("日本") })
      // 29 columns stand before the title; each of its characters takes two, the ellipsis one.
      #expect(row.hasSuffix("日本語の題名はとても…"), "\(row)")
      #expect(try await stage.castq("queue").stdout.contains(Self.title))
    }
  }

  @Test(
    "a long check draws a bar as wide as the terminal has room for, in signs of its locale, and leaves nothing of it",
    arguments: [
      (50, "C.UTF-8", 30, "━─"), (90, "C.UTF-8", 40, "━─"), (50, "C", 30, "=-"), (24, "C", 0, "=-"),
    ])
  func bar(columns: Int, locale: String, width: Int, signs: String) async throws {
    try await Stage.with { stage in
      let answer = #"{"streams":[{"index":0,"codec_type":"audio"}],"format":{"format_name":"wav"}}"#
      let program = try stage.file("ffprobe", "#!/bin/sh\necho '\(answer)'\n")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
      for number in 1...4 { try stage.tone("\(number).wav", seconds: 1) }
      let words = ["check", "--probe", "1.wav", "2.wav", "3.wav", "4.wav"]
      let variables = ["CASTQ_FFPROBE": program, "LC_ALL": locale]
      let shown = try await screen(stage, columns: columns, words, variables).joined()
      let frames = (1...4).map { done -> String in
        let words = "read \(done) of 4 files"
        guard width > 0 else { return words }
        let full = width * done / 4
        let parts = signs.map(String.init)
        return String(repeating: parts[0], count: full) + String(repeating: parts[1], count: width - full)
          + "  " + words
      }
      #expect(shown.components(separatedBy: "\r\u{1B}[2K") == [""] + frames + [""])
      expectSilence(try await stage.castq("check", "--probe", "1.wav", "2.wav", variables: variables))
      let quiet = try await screen(stage, columns: columns, words + ["-q"], variables)
      #expect(quiet.joined().isEmpty, "\(quiet)")
    }
  }

  @Test("a plan has a row of blocks over its range, in a colour for each programme, and no line is too wide")
  func plan() async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: "127.0.0.1:1")
      try stage.file(
        "site.yaml", "rules: {day: {play: /srv/a.m3u, devices: lobby, daily: \"06:00-12:00\", tz: UTC}}")
      #expect(try await stage.castq("schedule", "apply", "site.yaml").exit == 0)
      let plan = [
        "plan", "--from", "2036-12-14T00:00:00Z", "--to", "2036-12-15T00:00:00Z", "--tz", "UTC",
      ]
      func row(_ block: String, _ count: Int) -> String { String(repeating: block, count: count) }
      let lines = try await screen(stage, columns: 48, plan)
      #expect(lines[0] == row("·", 12) + "\u{1B}[36m" + row("█", 12) + "\u{1B}[0m" + row("·", 24))
      #expect(lines[1] == "Sun 14 Dec 00:00" + row(" ", 16) + "Mon 15 Dec 00:00")
      #expect(lines[3] == "\u{1B}[36m█\u{1B}[0m Sun 14 Dec 06:00–12:00  day → /srv/a.m3u  (da…")
      let plain = try await screen(stage, columns: 200, plan, ["NO_COLOR": "1"])
      #expect(plain[0].count == 120 && !plain.joined().contains("\u{1B}"))
      #expect(try await !stage.castq(plan).stdout.contains("█"))
    }
  }

  @Test(
    "the doctor's lines continue below themselves, coloured by their verdicts, and none is wider than the terminal"
  )
  func doctor() async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: try QuietPort.closed())
      let lines = try await screen(stage, columns: 60, ["doctor", "-q"])
      let plain = lines.map { $0.replacing(/\u{1B}\[[0-9]*m/, with: "") }
      #expect(plain.allSatisfy { $0.count <= 60 } && plain.count > 20, "\(plain)")
      let first = try #require(lines.firstIndex { $0.hasPrefix("address") })
      #expect(lines[first].contains("\u{1B}[31mfail\u{1B}[0m"), "\(lines[first])")
      #expect(plain[first + 1].hasPrefix("                         "), "\(plain[first + 1])")
      #expect(
        plain.joined(separator: " ").split(separator: " ").joined(separator: " ").contains(
          "does not accept connections"))
    }
  }

  @Test(
    "states are coloured on a terminal alone, and not where nobody wants it",
    arguments: [([:], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false), (["NO_COLOR": ""], true)])
  func colours(variables: [String: String], isColoured: Bool) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      _ = try await stage.castq("run", "-d", receiver.address, "http://127.0.0.1:9/none.wav")
      let lines = try await screen(stage, columns: 120, ["history"], variables)
      #expect(lines.contains { $0.contains("failed") })
      #expect(lines.contains { $0.contains("\u{1B}[31mfailed\u{1B}[0m") } == isColoured)
      #expect(!(try await stage.castq("history").stdout.contains("\u{1B}")))
    }
  }

  /// What is drawn of a title in a script of its own while it is followed.
  private func followed(_ variables: [String: String] = [:]) async throws -> String {
    var drawn: [String] = []
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("long.wav", seconds: 600)
      let list = try stage.file("list.m3u", "#EXTM3U\n#EXTINF:600,\(Self.title)\nlong.wav\n")
      let feeder = try stage.start(["run", list])
      await receiver.playing()
      drawn = try await screen(stage, columns: 40, ["status", "--follow"], variables, until: " / 10:00")
      feeder.signal(SIGTERM)
      _ = await feeder.ended()
    }
    return drawn.joined()
  }

  @Test("a line that is kept up to date never fills the terminal's last column, and keeps its position")
  func following() async throws {
    let drawn = try await followed()
    let line = try #require(drawn.components(separatedBy: "\u{1B}[2K").last { $0.contains("日本") })
    #expect(line.contains("PLAYING") && line.contains("… ") && line.contains(" / 10:00"), "\(line)")
    let shown = line.unicodeScalars.filter { $0.value >= 0x20 }
    #expect(shown.reduce(0) { $0 + ($1.value >= 0x2E80 ? 2 : 1) } <= 39, "\(line)")
  }

  @Test("in a locale without Unicode such a line is ASCII, as wide as it may be, and keeps its position")
  func followingInASCII() async throws {
    let drawn = try await followed(["LC_ALL": "C"])
    #expect(drawn.utf8.allSatisfy { $0 < 0x80 }, "\(drawn.debugDescription)")
    let line = try #require(drawn.components(separatedBy: "\u{1B}[2K").last { $0.contains("PLAYING") })
    #expect(line.contains("???... ") && line.contains(" / 10:00"), "\(line)")
    #expect(line.utf8.count { $0 >= 0x20 } <= 39, "\(line)")
  }

  @Test("check says on a terminal how far it is with a long list, and leaves no trace of it")
  func progress() async throws {
    try await Stage.with { stage in
      let server = try await WebServer(stage, files: ["a.mp3": "ID3", "b.mp3": "ID3"])
      let list = try stage.file("list.m3u", "\(server.address)/a.mp3\n\(server.address)/b.mp3\n")
      let drawn = try await screen(stage, columns: 60, ["check", "--online", list]).joined()
      let lines = drawn.components(separatedBy: "\u{1B}[2K")
      #expect(lines.contains { $0.contains("asked for 1 of 2 addresses") }, "\(lines)")
      #expect(lines.contains { $0.contains("asked for 2 of 2 addresses") }, "\(lines)")
      #expect(lines.last?.contains("asked for") == false, "\(lines)")
      let quiet = try await screen(stage, columns: 60, ["check", "--online", "-q", list])
      #expect(!quiet.joined().contains("asked for"))
    }
  }

  @Test("a picture is shown, for so long of so long")
  func pictures() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let poster = Programs.clone.appending(path: "playlists/media/poster.jpg").path
      let list = try stage.file("list.m3u", "#EXTM3U\n#CASTQ: duration=600 title=Menu\n\(poster)\n")
      expectSilence(try await stage.castq("cast", list))
      let status = try await stage.castq("status").stdout
      #expect(status.contains(/SHOWING  Menu  \d:\d\d \/ 10:00/), "\(status)")
    }
  }

  @Test("what says why history is empty names the time that was meant")
  func emptyHistory() async throws {
    try await Stage.with { stage in
      let lines = try await screen(
        stage, columns: 80, ["history", "--since", "2026-01-02 03:04", "--tz", "UTC"])
      #expect(lines == ["castq: nothing was played since 2026-01-02 03:04:00 UTC"])
      expectSilence(try await stage.castq("history", "--since", "2026-01-02"))
    }
  }
}
