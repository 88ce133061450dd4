import Foundation
import Testing

@Suite("What a person chose for the page and the terminal", .timeLimit(.minutes(20)))
struct FaceTests {
  private func configure(_ stage: Stage, _ text: String) throws {
    let folder = "\(stage.folder)/config/castq"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: "\(folder)/config.yaml", atomically: true, encoding: .utf8)
  }

  @Test("the default device of the configuration is that of commands that name none; a named one comes first")
  func defaultDevice() async throws {
    try await Stage.with { stage in
      for name in ["lobby", "bar"] { try await stage.castq("device", "add", name, try QuietPort.closed()) }
      try await stage.castq("device", "default", "lobby")
      try configure(stage, "default_device: bar\n")
      try await stage.castq("enqueue", "http://media.example/a.mp4")
      #expect(try await stage.queue()["device"] == .string("bar"))
      #expect(try await stage.json("queue", "-d", "lobby")["device"] == .string("lobby"))
      #expect(try await stage.castq("device", "default").stdout == "bar\n")
      #expect(try await stage.castq("queue", variables: ["CASTQ_DEVICE": "lobby"]).exit == 1)
      let chosen = try await stage.castq("device", "default", "lobby")
      #expect(chosen.exit == 0 && chosen.stderr.contains("default_device of the configuration is bar"))
      try configure(stage, "default_device: nobody\n")
      let unknown = try await stage.castq("queue")
      expectOneLine(unknown, exit: 68, saying: "nobody")
      try configure(stage, "default_device: \"@all\"\n")
      expectOneLine(
        try await stage.castq("queue"), exit: 78, saying: "1:17: `@all` is not a device")
    }
  }

  @Test(
    "the page has the style of the configuration: colours by role and part, for light and dark, and fonts")
  func pageStyle() async throws {
    try await Stage.with { stage in
      try configure(
        stage,
        """
        style:
          light: {active_tint: "#AA0011", mini_controller: {background: "#F2F4F7"}}
          dark: {ad_mark: "#7FB0FF"}
          fonts: {title: {family: Inter, size: 22, bold: true}}
        """)
      let page = try await OperatorPage(stage)
      let home = try await page.page("/")
      let link = try #require(home.firstMatch(of: #/href="(/assets/[0-9a-f]+/style\.css)"/#)?.output.1)
      let sheet = try await page.page(String(link))
      #expect(sheet.contains(":root{--light-active-tint:#aa0011;--dark-ad-mark:#7fb0ff}"))
      #expect(sheet.contains(".mini{--light-background:#f2f4f7;background:var(--paper)}"))
      #expect(
        sheet.contains(
          ":is(h1, h2, .title){font-size:22.0px;font-weight:700;font-style:normal;font-family:\"Inter\""))
      try configure(stage, "timezone: UTC\n")
      let plain = try await OperatorPage(stage)
      #expect(try await !plain.page("/").contains("style.css"))
    }
  }

  @Test(
    "a mistake in a style, or in what opens, is an error with its place, for the page and for the daemon",
    arguments: [
      ("style: {light: {tint: red}}", "1:8: style.light.tint: a colour is written"),
      ("style:\n  fonts: {title: {family: \"x;}\"}}", "2:3: style.fonts.title.family: a family is"),
      ("introduction: maybe", "1:15: `maybe` is not valid here; write once or off"),
      ("open_controller: yes", "1:18: `yes` is not valid here; write asked, or casting"),
    ])
  func mistakes(text: String, words: String) async throws {
    try await Stage.with { stage in
      try configure(stage, text)
      for command in ["web", "daemon"] {
        let ending = try await stage.castq(command, "--quiet")
        #expect(ending.exit == 78 && ending.stderr.contains(words), "\(command): \(ending.stderr)")
      }
    }
  }

  @Test("the introduction is shown once, and never where the configuration says off")
  func introduction() async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: try QuietPort.closed())
      try configure(stage, "introduction: off\n")
      let quiet = try await ShellSession(
        stage,
        [
          .sees("ready> "), .types("castq remote; echo left with $?\n"), .sees("The queue is empty"),
          .types("q"),
          .sees("left with 0"),
        ])
      #expect(!quiet.output.contains("plays your queue on a screen nearby"))
      let page = try await OperatorPage(stage)
      #expect(try await page.page("/").contains("data-introduction=\"off\""))
      try configure(stage, "introduction: once\n")
      let first = try await ShellSession(
        stage,
        [
          .sees("ready> "), .types("castq remote; echo left with $?\n"), .sees("The queue is empty"),
          .sees("plays your queue on a screen nearby"), .types("j"), .types("q"), .sees("left with 0"),
        ])
      #expect(first.output.contains("plays your queue on a screen nearby"))
      let second = try await ShellSession(
        stage,
        [
          .sees("ready> "), .types("castq remote; echo left with $?\n"), .sees("The queue is empty"),
          .types("q"),
          .sees("left with 0"),
        ])
      #expect(!second.output.contains("plays your queue on a screen nearby"))
    }
  }

  @Test("the terminal has the colours of the style where it has enough of them")
  func terminalStyle() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      try configure(stage, "style: {dark: {active_tint: \"#FF00FF\"}}\n")
      for (type, sequence) in [("xterm-256color", "\u{1B}[0;38;5;201m"), ("xterm", "\u{1B}[0;32m")] {
        let session = try await ShellSession(
          stage,
          [
            .sees("ready> "),
            .types("export TERM=\(type); unset COLORTERM; castq remote; echo left with $?\n"),
            .sees("connected"), .types("q"), .sees("left with 0"),
          ])
        #expect(session.output.contains(sequence), "\(type): \(session.output.debugDescription)")
      }
    }
  }

  @Test(
    "the mini controller leads to the expanded one: by enter, and by itself when casting begins where that is chosen",
    arguments: [true, false])
  func opens(byItself: Bool) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      try await stage.castq("enqueue", try stage.playlist(tones: 1, seconds: 300))
      try configure(stage, "open_controller: \(byItself ? "casting" : "asked")\nintroduction: off\n")
      let start: [ShellSession.Step] =
        byItself ? [] : [.sees("[space pause]"), .types("\r")]
      _ = try await ShellSession(
        stage,
        [
          .sees("ready> "), .types("stty -g > before; castq status --follow; echo left with $?\n"),
          .sees("nothing is playing"), .runs("castq play"),
        ] + start + [
          .sees("space pause   n next"), .types("q"), .sees("left with 0"),
          .types("stty -g > after; cmp before after && echo as it was\n"), .sees("\nas it was"),
        ])
      try await stage.castq("stop")
    }
  }
}
