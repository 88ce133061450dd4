import Foundation
import Testing

@Suite("Tables on narrow and wide terminals", .timeLimit(.minutes(20)))
struct TableWidthTests {
  /// Two devices, their plays and outages, with names and titles that are long, Japanese and Arabic.
  private static let rows = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    titles = ["A title that is much longer than any terminal has room for, whatever one may do about it",
      "日本語の題名はとても長いのでここで切れます、だからもっと幅が要ります", "مدينة طويلة جدا لا تتسع في أي شاشة مهما فعلنا بها في هذا اليوم", "film"]
    names = {1: "The television in the lobby of the house", 2: "会議室の大きなテレビジョン受像機（三階の東側）"}
    for device, name in names.items():
        db.execute("UPDATE device SET name = ?, model = 'Chromecast with Google TV (4K)', status_text = ? WHERE id = ?",
          (name, "Casting: " + titles[0], device))
    outcomes = ["finished", "interrupted", "cancelled", "skipped", "failed", "unknown", "finished", None]
    base, hour = 1793000000000, 3600000
    for i in range(16):
        device, outcome = 1 + i % 2, outcomes[i % 8]
        db.execute("INSERT INTO play (entry_id, turn, device_id, device_name, title, url, started_at, ended_at, played_s, outcome, evidence,"
          " note, gap_before_s, kind, rule_name) VALUES (?, 1, ?, ?, ?, ?, ?, ?, 3599, ?, ?, ?, 12.345, ?, ?)",
          (900 + i, device, names[device], titles[i % 4], f"http://media.example/a/very/long/folder/of/films/with/parts/number-{i % 4}.mp4",
          base + i * hour, outcome and base + (i + 1) * hour - 1000, outcome, outcome and ["reported", "inferred", "unobserved"][i % 3],
          "the server answers 404 Not Found to whoever wants this film" if outcome == "failed" else None,
          ["base", "rule", "share"][i % 3], [None, "a-rule-with-a-rather-long-name", "a-share-with-a-rather-long-name"][i % 3]))
    for device in (1, 2):
        db.execute("INSERT INTO outage (device_id, device_name, began_at, ended_at, cause) VALUES (?, ?, ?, ?, ?)", (device, names[device],
          base + device * hour, base + device * hour + 900000, "the network is unreachable from here, and nobody knows why that is so"))
    db.execute("INSERT INTO decision (device_id, device_name, at, until, kind, rule_id, rule_name, revision, programme, occurrence,"
      " starts_at, ends_at, planned_at, reason) VALUES (1, 'lobby', ?, ?, 'rule', 9, 'a-rule-with-a-rather-long-name', 1, 'p',"
      " '2026-10-25T01:00', ?, ?, ?, 'r')", (base, base + 2 * hour, base, base + 2 * hour, base))
    db.commit()
    """

  /// Runs commands on terminals of several widths, and prints what they wrote there without colours, and how wide each line is.
  private static let terminals = """
    import fcntl, json, os, pty, re, struct, sys, termios, unicodedata
    program, widths, commands = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
    def columns(text):
        return sum(0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
    def lines(width, command):
        child, terminal = pty.fork()
        if child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
            os.execv(program, [program] + command)
        output = b""
        while True:
            try: piece = os.read(terminal, 65536)
            except OSError: break
            if not piece: break
            output += piece
        os.waitpid(child, 0)
        text = re.sub(r"\\x1b\\[[0-9;?]*[A-Za-z]", "", output.decode())
        return [line for line in text.split("\\r\\n") if line]
    result = []
    for command in commands:
        for width in widths:
            shown = lines(width, command)
            result.append({"command": " ".join(command), "width": width, "lines": shown, "widest": max(map(columns, shown), default=0)})
    json.dump(result, sys.stdout)
    """

  private struct Shown: Decodable {
    let command: String
    let width: Int
    let lines: [String]
    let widest: Int
  }

  private func shown(
    _ stage: Stage, _ commands: [String], widths: [Int], _ variables: [String: String] = [:]
  ) async throws -> [Shown] {
    var environment = stage.environment
    environment["TERM"] = "xterm"
    environment.merge(variables) { $1 }
    let words = try JSONEncoder().encode(commands.map { $0.split(separator: " ").map(String.init) })
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let program = try RunningProgram(
      "/usr/bin/env",
      [
        "PATH=\(path)", "python3", "-c", Self.terminals, try Programs.path("castq"), "\(widths)",
        String(decoding: words, as: UTF8.self),
      ],
      environment: environment, folder: stage.folder)
    return try JSONDecoder().decode([Shown].self, from: Data(await program.ended().stdout.utf8))
  }

  /// Everything that tables show, with long names.
  private func fill(_ stage: Stage) async throws {
    try stage.add(device: "lobby", at: "192.0.2.1")
    try stage.add(device: "hall", at: "192.0.2.2")
    let title = "A title that is much longer than any terminal has room for"
    try stage.file(
      "list.yaml",
      """
      - {url: "http://media.example/a.mp4", title: "\(title)", not_before: 2036-01-01T00:00:00Z, not_after: 2037-01-01T00:00:00Z}
      - {url: "http://media.example/b.mp4", title: "日本語の題名はとても長いのでここで切れます、だからもっと幅が要ります"}
      """)
    try stage.file(
      "site.yaml",
      """
      programmes: {a-programme-with-a-rather-long-name: {source: /srv/media/a/long/folder/with/many/parts/breakfast.m3u}}
      groups: {all-the-screens-of-this-house: [lobby, hall]}
      dayparts: {breakfast-time-of-the-week: {time: "08:00-10:30"}}
      calendars: {holidays-of-the-country: {2036-12-25: "Christmas, on which nobody works and everything is closed for a day"}}
      rules:
        a-rule-with-a-rather-long-name: {play: a-programme-with-a-rather-long-name, devices: "@all-the-screens-of-this-house", cron: "0 8,9,10,11,12,13 * * 1-5", for: 10m}
      shares:
        a-share-with-a-rather-long-name: {play: a-programme-with-a-rather-long-name, devices: lobby, per_hour: 5%}
      """)
    let applied = try await stage.castq("schedule", "apply", "site.yaml")
    #expect(applied.exit == 0, "\(applied.stderr)")
    try await stage.castq("enqueue", "-d", "lobby", "list.yaml")
    try await stage.castq(
      "web", "token", "add", "somebody-whose-name-is-rather-long-for-a-token", "--role", "look")
    try await stage.python(Self.rows)
  }

  private static let tables = [
    "devices", "queue -d 192.0.2.1", "history", "history -d 192.0.2.1", "history --outcome failed",
    "report plays", "report plays --by device", "report plays --by day", "report plays --by hour",
    "report plays --by rule", "report gaps", "report gaps --by media", "report outages",
    "report outages --by day", "report adherence", "report share", "schedule ls", "share ls",
    "schedule log a-rule-with-a-rather-long-name", "programme ls", "group ls", "daypart ls", "calendar ls",
    "calendar ls holidays-of-the-country", "web token ls", "plan -d 192.0.2.1",
  ]

  @Test("no table has a line that is wider than the terminal, and each has rows")
  func widths() async throws {
    try await Stage.with { stage in
      try await fill(stage)
      for each in try await shown(stage, Self.tables, widths: [40, 80, 160]) {
        #expect(each.widest <= each.width, "\(each.command): \(each.lines)")
        #expect(each.lines.count > 1, "\(each.command): \(each.lines)")
      }
    }
  }

  @Test("where a table has no room for all columns, titles keep theirs, and what has left is named")
  func room() async throws {
    try await Stage.with { stage in
      try await fill(stage)
      let commands = ["report plays", "history -d 192.0.2.1", "history", "devices"]
      let narrow = try await shown(stage, commands, widths: [80]).map(\.lines)
      #expect(
        narrow[0].first?.split(separator: " ") == [
          "TITLE", "PLAYS", "SHOWN", "FINISHED", "INTERRUPTED", "FAILED",
        ])
      #expect(narrow[0].contains { $0.contains("A title that is much longer") }, "\(narrow[0])")
      #expect(narrow[0].last?.hasPrefix("no room for MEDIA, CANCELLED, ") == true, "\(narrow[0])")
      #expect(narrow[0].contains { $0.hasPrefix("total ") })
      // Who has named the device knows whose plays they are.
      #expect(narrow[1].first?.split(separator: " ") == ["STARTED", "PLAYED", "OUTCOME", "TITLE", "REASON"])
      #expect(narrow[1].contains { $0.contains("A title that is muc") }, "\(narrow[1])")
      #expect(narrow[2].first?.contains("DEVICE") == true)
      #expect(narrow[3].contains { $0.contains("Casting: A title that is much") }, "\(narrow[3])")
      let wide = try await shown(stage, ["report plays", "history"], widths: [240]).map(\.lines)
      #expect(wide[0].first?.hasPrefix("MEDIA") == true && wide[0].first?.contains("UNOBSERVED") == true)
      #expect(wide[0].contains { $0.contains("/parts/number-1.mp4") && $0.contains("█") }, "\(wide[0])")
      #expect(wide[1].first?.contains("EVIDENCE") == true)
      #expect(!wide.joined().contains { $0.hasPrefix("no room") })
      let plain = try await stage.castq("history", "-d", "192.0.2.1").outLines
      #expect(plain.first?.contains("DEVICE") == true, "without a terminal nothing is left out")
    }
  }

  @Test("in a locale without Unicode bars and cuts are drawn in ASCII")
  func ascii() async throws {
    try await Stage.with { stage in
      try await fill(stage)
      let commands = ["report outages --by day", "plan -d 192.0.2.1", "calendar ls holidays-of-the-country"]
      let lines = try await shown(stage, commands, widths: [60], ["LC_ALL": "C"]).map(\.lines)
      #expect(lines[0].contains { $0.contains("####################") }, "\(lines[0])")
      #expect(lines[1].first?.utf8.allSatisfy { $0 < 0x80 } == true, "\(lines[1])")
      #expect(lines[2].last?.hasSuffix("...") == true, "\(lines[2])")
    }
  }
}
