import Foundation
import Testing

@Suite("Words of strangers", .timeLimit(.minutes(20)))
struct HostileTextTests {
  /// Sets a terminal's title, clears it, rings, colours, and turns text around: in 7 bits and in 8. Hides words in invisible characters.
  static let evil =
    "A\u{1B}]0;owned\u{07}\u{1B}[2J\u{1B}[31mB\u{07}\u{08}\u{9B}31m\u{9D}0;x\u{9C}C\u{202E}D\u{7F}E\u{E0041}\u{200B}\u{2062}\u{FE0F}\u{E0101}\u{3164}F"

  @Test("titles, addresses and names never reach the terminal raw, in any form")
  func titles() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      expectSilence(try await stage.castq("device", "add", "TV", receiver.address))
      try stage.tone("good.wav", seconds: 600)
      try stage.file(
        "list.m3u",
        "#EXTM3U\n#EXTINF:600,\(Self.evil)\ngood.wav\n#EXTINF:1,\(Self.evil)\n"
          + "http://media.example/\(Self.evil).mp4\n\(Self.evil)gone.mp3\n#CASTQ: \(Self.evil)=\(Self.evil)\n"
      )
      var outputs = [
        try await stage.castq("device", "add", "TV\(Self.evil)", receiver.address),
        try await stage.castq("device", "alias", receiver.address, "al\(Self.evil)"),
        try await stage.castq("calendar", "add", "days", "2026-12-24", Self.evil),
        try await stage.castq("check", "list.m3u"), try await stage.castq("check", "list.m3u", "--json"),
        try await stage.castq("enqueue", "list.m3u"), try await stage.castq("enqueue", "list.m3u", "--json"),
        try await stage.castq("enqueue", "\(Self.evil).m3u"), try await stage.castq("queue", "-d", Self.evil),
        try await stage.castq("queue", "--\(Self.evil)"), try await stage.castq("device", "rm", Self.evil),
        try await stage.castq("device", "add", "x", Self.evil), try await stage.castq(Self.evil),
        try await stage.castq("queue", "--config", Self.evil),
        try await stage.castq("queue", "--db", "/proc/\(Self.evil)/x.db"),
        try await stage.castq("cast", "list.m3u", "--json"),
      ]
      for arguments in [
        ["queue"], ["queue", "--json"], ["queue", "--jsonl"], ["status"], ["status", "--json"], ["history"],
        ["history", "--json"], ["history", "--jsonl"], ["history", "--csv"], ["devices"],
        ["devices", "--json"], ["export"], ["export", "--format", "json"], ["export", "--format", "m3u"],
        ["export", "--format", "xspf"], ["export", "--format", "jspf"], ["export", "--format", "pls"],
        ["report", "plays", "--csv"], ["report", "plays", "--json"],
      ] {
        let output = try await stage.castq(arguments)
        #expect(output.exit == 0, "\(arguments)")
        outputs.append(output)
      }
      for output in outputs {
        #expect(isHarmless(output.stdout), "\(output.stdout.debugDescription)")
        #expect(isHarmless(output.stderr), "\(output.stderr.debugDescription)")
      }
    }
  }

  @Test("errors stay on one line whatever they quote")
  func oneLine() async throws {
    try await Stage.with { stage in
      let name = "two\nlines\r\nof it"
      expectOneLine(try await stage.castq("queue", "-d", name), exit: 68)
      expectOneLine(try await stage.castq("queue", "--config", name), exit: 78)
      expectOneLine(try await stage.castq("queue", "--db", "/proc/\(name)/x"), exit: 73)
      expectOneLine(try await stage.castq("device", "add", "lobby", name), exit: 64)
    }
  }

  @Test("no cell of a table of values is taken for a formula")
  func formulas() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.tone("good.wav", seconds: 1)
      let titles = ["=cmd|'/c calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\"quoted\", with a comma"]
      try stage.file(
        "list.m3u", "#EXTM3U\n" + titles.map { "#EXTINF:1,\($0)\ngood.wav\n" }.joined())
      try await stage.castq("device", "add", "=TV", receiver.address)
      expectSilence(try await stage.castq("run", "list.m3u"))
      let ending = try await stage.castq("history", "--csv")
      #expect(ending.exit == 0)
      let cells = ending.outLines.dropFirst().map(Self.cells)
      #expect(ending.outLines.first?.hasPrefix("play,entry,device,title,url") == true)
      #expect(cells.map { $0[2] } == Array(repeating: "'=TV", count: 5))
      #expect(cells.map { $0[3] } == titles.dropLast().map { "'\($0)" } + titles.suffix(1))
    }
  }

  /// The cells of a row, their quotes taken off (RFC 4180).
  static func cells(_ row: String) -> [String] {
    var cells = [""]
    var isQuoted = false
    var last: Character?
    for character in row {
      switch character {
      case "\"":
        isQuoted.toggle()
        if isQuoted, last == "\"" { cells[cells.count - 1] += "\"" }
      case "," where !isQuoted: cells.append("")
      default: cells[cells.count - 1].append(character)
      }
      last = character
    }
    return cells
  }
}
