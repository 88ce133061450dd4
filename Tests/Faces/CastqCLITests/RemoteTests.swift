import Foundation
import Testing

@Suite("The full-screen remote", .timeLimit(.minutes(20)))
struct RemoteTests {
  /// What a shell is told before and after, so that its modes can be compared.
  private static let before: [ShellSession.Step] = [
    .sees("ready> "), .types("stty -g > before; castq remote; echo left with $?\n"),
  ]
  private static let after: [ShellSession.Step] = [
    .types("stty -g > after; cmp before after && echo as it was\n"), .sees("\nas it was"),
  ]

  private func lobby(_ stage: Stage, _ options: String...) async throws -> Receiver {
    let receiver = try await Receiver(stage, speed: 1, options)
    try stage.add(device: "lobby", at: receiver.address)
    try await stage.castq("enqueue", try stage.playlist(tones: 3, seconds: 300))
    return receiver
  }

  @Test("what plays is drawn, keys reach the receiver, and leaving stops nothing")
  func keys() async throws {
    try await Stage.with { stage in
      let receiver = try await lobby(stage)
      _ = try await ShellSession(
        stage,
        Self.before + [
          .sees("Nothing is playing"), .types("\r"), .sees("space pause"), .types(" "), .sees("space play"),
          .types("q"), .sees("left with 0"),
        ] + Self.after)
      await receiver.request("PAUSE")
      try await stage.awaitStatus {
        $0["player_state"]?.string == "PAUSED" && $0["title"]?.string == "Tone 1"
      }
      expectSilence(try await stage.castq("stop"))
    }
  }

  @Test(
    "a device that calls itself otherwise has that name on the screen, with an alias too, and the remote of one that is removed ends and says so"
  )
  func removed() async throws {
    try await Stage.with { stage in
      let receiver = try await lobby(stage)
      let rename = #"UPDATE device SET name = \"Salon\""#
      _ = try await ShellSession(
        stage,
        Self.before + [
          .sees("Nothing is playing"), .runs("castq device alias lobby parlour"),
          .runs(
            "python3 -c \"import sqlite3; d = sqlite3.connect('\(stage.database)'); d.execute('\(rename)'); d.commit()\""
          ),
          .sees("Salon"),
          .runs("castq device rm parlour"), .sees("parlour was removed from castq"), .sees("left with 68"),
        ] + Self.after)
      _ = receiver
    }
  }

  @Test("where rules are for the device and no daemon runs, the picture says so, as the status does")
  func noDaemon() async throws {
    try await Stage.with { stage in
      let receiver = try await lobby(stage)
      try stage.tone("lunch.wav", seconds: 1)
      try await stage.castq("schedule", "add", "lunch", "--play", "lunch.wav", "-d", "lobby", "--always")
      _ = try await ShellSession(
        stage,
        Self.before + [
          .sees("Nothing is playing"),
          .sees("no daemon runs, which plays the rules; 'castq daemon' starts it"), .types("q"),
          .sees("left with 0"),
        ] + Self.after)
      _ = receiver
    }
  }

  @Test("plan, reason and history are a key away, of this device alone, in the words of the commands")
  func texts() async throws {
    try await Stage.with { stage in
      let receiver = try await lobby(stage)
      try stage.add(device: "window", at: "192.0.2.1")
      try stage.tone("lunch.wav", seconds: 1)
      try await stage.castq("schedule", "add", "lunch", "--play", "lunch.wav", "-d", "lobby", "--always")
      _ = try await ShellSession(
        stage,
        [
          .sees("ready> "), .types("stty -g > before; castq remote -d lobby; echo left with $?\n"),
          .sees("Nothing is playing"), .types("\r"), .sees("space pause"), .types("P"), .sees("zone data"),
          .types("q"), .types("w"), .sees("lost: is due"),
          .types("q"), .types("L"), .sees("times in"), .types("q"), .types("q"), .sees("left with 0"),
        ] + Self.after)
      _ = receiver
      expectSilence(try await stage.castq("-d", "lobby", "stop"))
    }
  }

  @Test("what plays is moved to another screen with its queue, and the remote goes with it")
  func transfer() async throws {
    try await Stage.with { stage in
      let receiver = try await lobby(stage)
      let other = try await Receiver(stage, speed: 1)
      try stage.add(device: "parlour", at: other.address)
      _ = try await ShellSession(
        stage,
        [
          .sees("ready> "), .types("castq remote -d lobby; echo left with $?\n"),
          .sees("Nothing is playing"), .types("\r"), .sees("space pause"), .types("T"),
          .sees("Move Tone 1 to"), .types("\r"), .sees("parlour  connected"), .sees("space pause"),
          .types("q"), .sees("left with 0"),
        ])
      #expect(await other.playing() != nil)
      let queue = try await stage.json("queue", "-d", "parlour")
      #expect(queue["entries"]?.elements.count == 3)
      expectSilence(try await stage.castq("-d", "parlour", "stop"))
      _ = receiver
    }
  }

  @Test("on a wide terminal the plan and the log stand beside the queue, the newest play first")
  func beside() async throws {
    try await Stage.with { stage in
      let receiver = try await lobby(stage)
      try await stage.castq("play")
      try await stage.castq("next")
      _ = try await ShellSession(
        stage,
        [
          .sees("ready> "), .resizes(columns: 120, rows: 40), .types("castq remote; echo left with $?\n"),
          .sees(" Plan "), .sees("│"), .types("v"), .sees(" Log "),
          .sees("Tone 1  skipped"), .types("L"), .sees("What was played"), .sees("OUTCOME"), .types("q"),
          .sees(" Log "), .types("q"), .sees("left with 0"),
        ])
      expectSilence(try await stage.castq("stop"))
      _ = receiver
    }
  }

  @Test("of a long queue what plays is shown first, and its last entry can be reached, found and removed")
  func longQueue() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("tone.wav", seconds: 300)
      let lines = (1...1700).map { "#EXTINF:300,Song \($0) of many\ntone.wav" }
      let list = try stage.file("long.m3u", "#EXTM3U\n" + lines.joined(separator: "\n") + "\n")
      try await stage.castq("enqueue", list)
      let entries =
        try await stage.queue()["entries"]?.elements.compactMap { $0["entry"]?.number } ?? []
      try await stage.castq("play", "\(Int(try #require(entries.dropFirst(899).first)))")
      _ = try await ShellSession(
        stage,
        Self.before + [
          .sees("1700 entries"), .sees("Song 900 of many"), .sees("Song 901 of many"), .types("."),
          .sees("space pause"), .types("G"),
          .sees("Song 1700 of many"), .types("d"), .sees("1699 entries"), .types("/song 2 of"), .types("\r"),
          .sees("Song 3 of many"), .runs("castq pause"), .sees("space play"), .types("q"),
          .sees("left with 0"),
        ])
      #expect(try await stage.queue()["total"]?.number == 1699)
      expectSilence(try await stage.castq("stop"))
    }
  }

  @Test("entries are moved, removed and brought back as the commands do it")
  func editing() async throws {
    try await Stage.with { stage in
      let receiver = try await lobby(stage)
      func numbers() async throws -> [Double] {
        try await stage.queue()["entries"]?.elements.compactMap { $0["entry"]?.number } ?? []
      }
      let before = try await numbers()
      _ = try await ShellSession(
        stage,
        Self.before + [
          .sees("Nothing is playing"), .types("J"), .sees("moved to 2 of 3"), .types("d"),
          .sees("is removed"),
          .types("u"), .sees("is back"), .types("cy"), .sees("The queue is empty"), .types("u"),
          .sees("the queue is back"), .types("q"), .sees("left with 0"),
        ])
      let titles = try await stage.queue()["entries"]?.elements.compactMap { $0["title"]?.string }
      #expect(titles == ["Tone 2", "Tone 1", "Tone 3"])
      #expect(try await numbers() == [before[1], before[0], before[2]], "under their own numbers")
      _ = receiver
    }
  }

  @Test(
    "however it ends, the terminal is as it was", arguments: ["q", "\u{3}", "INT", "TERM", "QUIT"])
  func ends(how: String) async throws {
    try await Stage.with { stage in
      let receiver = try await lobby(stage)
      let code = ["q": "0", "\u{3}": "0", "INT": "130"][how] ?? "143"
      let session = try await ShellSession(
        stage,
        Self.before + [
          .sees("Nothing is playing"), how.count == 1 ? .types(how) : .signals(how),
          .sees("left with \(code)"),
        ] + Self.after)
      #expect(session.output.contains("\u{1B}[?1049h") && session.output.contains("\u{1B}[?1049l"))
      #expect(session.output.contains("\u{1B}[?2004l") && session.output.contains("\u{1B}[?1002l"))
      _ = receiver
    }
  }

  @Test(
    "stopped it gives the terminal back, and continued it draws again",
    arguments: [ShellSession.Step.types("\u{1A}"), .signals("TSTP")])
  func stopping(how: ShellSession.Step) async throws {
    try await Stage.with { stage in
      let receiver = try await lobby(stage)
      _ = try await ShellSession(
        stage,
        Self.before + [
          .sees("Nothing is playing"), how, .sees("left with 148"), .sees("\nready> "), .types("fg\n"),
          .sees("Nothing is playing"), .types("q"), .sees("ready> "),
        ] + Self.after)
      _ = receiver
    }
  }

  @Test("on a wide terminal the picture of what plays is drawn by chafa, in characters alone")
  func artwork() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("song.wav", seconds: 300)
      try stage.file("cover.png", "no picture, and nobody looks")
      let list = try stage.file("list.m3u", "#EXTM3U\n#CASTQ: image=cover.png\nsong.wav\n")
      try await stage.castq("cast", list)
      try FileManager.default.createDirectory(
        atPath: "\(stage.folder)/bin", withIntermediateDirectories: true)
      let fake = try stage.file("bin/chafa", "#!/bin/sh\nprintf 'PICTURE\\033[2J of %s\\n' \"${*##*/}\"\n")
      #expect(chmod(fake, 0o755) == 0)
      let session = try await ShellSession(
        stage,
        [
          .sees("ready> "), .types("PATH=$PWD/bin:$PATH\n"), .resizes(columns: 120, rows: 40),
          .types("castq remote; echo left with $?\n"), .sees("PICTURE"), .sees("of cover.png"), .types("q"),
          .sees("left with 0"),
        ])
      #expect(!session.output.contains("\u{1B}[2J of"))
      try await stage.castq("stop")
    }
  }

  @Test("a storm of new sizes ends in the last one, and keys still work")
  func storm() async throws {
    try await Stage.with { stage in
      let receiver = try await lobby(stage)
      _ = try await ShellSession(
        stage,
        Self.before + [
          .sees("Nothing is playing"), .storm(2000), .resizes(columns: 40, rows: 10),
          .sees("Plays your queue"),
          .types("q"),
          .sees("left with 0"),
        ] + Self.after)
      _ = receiver
    }
  }

  @Test("in a locale without Unicode everything that is drawn is ASCII, titles too")
  func ascii() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("tone.wav", seconds: 300)
      let list = try stage.file("list.m3u8", "#EXTM3U\n#EXTINF:300,Größe – Ωmega\ntone.wav\n")
      try await stage.castq("enqueue", list)
      let session = try await ShellSession(
        stage, Self.before + [.sees("Gr??e - ?mega"), .types("q"), .sees("left with 0")] + Self.after,
        variables: ["LC_ALL": "C"])
      #expect(session.output.utf8.allSatisfy { $0 < 0x80 }, "\(session.output.debugDescription)")
      _ = receiver
    }
  }

  @Test("several devices are offered where none is named, with the way into the controller")
  func chooser() async throws {
    try await Stage.with { stage in
      let receiver = try await lobby(stage)
      try stage.add(device: "bar", at: try QuietPort.closed())
      _ = try await ShellSession(
        stage,
        Self.before + [
          .sees("Cast to"), .sees("lobby"), .types("j"), .types("\r"), .sees("Nothing is playing"),
          .types("q"), .sees("left with 0"),
        ])
      _ = receiver
    }
  }

  @Test("the terminal leads to something playing in three keys")
  func threeKeys() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.tone("music.wav", seconds: 300)
      try stage.add(device: "lobby", at: receiver.address)
      // A fresh installation: nothing is queued. A device that has answered stands in the list.
      _ = try await ShellSession(
        stage,
        Self.before + [
          .sees("The queue is empty"), .types("a"), .sees("music.wav"), .types("\r"), .sees("space pause"),
        ])
      await receiver.playing()
      try await stage.castq("stop")
    }
  }

  @Test(
    "without a screen to draw on a line is printed at each change",
    arguments: [["TERM": "dumb"], ["NO_COLOR": "1"], ["TERM": ""]])
  func plain(variables: [String: String]) async throws {
    try await Stage.with { stage in
      let receiver = try await lobby(stage)
      let session = try await ShellSession(
        stage, Self.before + [.sees("lobby: nothing is playing"), .signals("INT"), .sees("left with 130")],
        variables: variables)
      #expect(!session.output.contains("\u{1B}[?1049h"))
      _ = receiver
    }
  }

  @Test("without a terminal a line is printed at each change, and documents are refused")
  func piped() async throws {
    try await Stage.with { stage in
      let receiver = try await lobby(stage)
      let remote = try stage.start(["remote"])
      _ = await remote.stdout.line(containing: "lobby: nothing is playing")
      remote.signal(SIGTERM)
      #expect(await remote.ended().exit == 143)
      expectOneLine(try await stage.castq("remote", "--timeout", "x"), exit: 64)
      _ = receiver
    }
  }
}
