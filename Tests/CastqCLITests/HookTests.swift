import Foundation
import Testing

@Suite("Hooks", .timeLimit(.minutes(6)))
struct HookTests {
  /// A web server that accepts what hooks post, as the example of docs/metrics.md checks it; it refuses the first ones.
  private final class Listener: Sendable {
    let program: RunningProgram
    let port: String
    var log: LineFeed { program.stdout }

    private static let script = """
      import hashlib, hmac, http.server, json, sys
      refusals = int(sys.argv[2])
      class Handler(http.server.BaseHTTPRequestHandler):
          def log_message(self, *arguments): pass
          def do_POST(self):
              global refusals
              body = self.rfile.read(int(self.headers["Content-Length"]))
              said = self.headers.get("Castq-Signature", "")
              good = hmac.compare_digest(said, "sha256=" + hmac.new(b"a secret of nobody", body, hashlib.sha256).hexdigest())
              status = 503 if refusals > 0 else 204 if good else 401
              refusals -= 1
              event = json.loads(body)
              print(status, self.headers["Castq-Event"], self.headers["Castq-Delivery"], event["device"], json.dumps(event), flush=True)
              self.send_response(status); self.send_header("Content-Length", "0"); self.end_headers()
      server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
      print("listening on", server.server_address[1], flush=True)
      server.serve_forever()
      """

    init(_ stage: Stage, port: String = "0", refusals: Int = 0) async throws {
      program = try RunningProgram(
        "python3", ["-c", Self.script, port, "\(refusals)"],
        environment: ProcessInfo.processInfo.environment, folder: stage.folder,
        patience: RunningProgram.lifetime)
      let greeting = try #require(
        await program.stdout.line(containing: "listening on "), "\(program.stderr.text)")
      self.port = try #require(greeting.split(separator: " ").last.map(String.init))
    }

    deinit { program.signal(SIGKILL) }
  }

  @Test(
    "a failed entry is posted, signed, and again until it is accepted, also by a daemon that comes after a kill"
  )
  func posting() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try await stage.castq("device", "add", "lobby", receiver.address)
      let first = try await Listener(stage, refusals: 1000)
      let hooks =
        "hooks: [{on: failed, post: \"http://127.0.0.1:\(first.port)/hook\", secret: a secret of nobody}]\n"
      let daemon = try await WatchedDaemon(stage, hooks)
      try await stage.castq(
        "enqueue",
        try stage.file("dead.m3u", "#EXTM3U\n#EXTINF:-1,Go\u{1B}[2Jne\n\(try QuietPort.closedURL())\n"))
      let refused = try #require(await first.log.line(containing: "503 failed "))
      // It was kept before it was sent.
      daemon.program.signal(SIGKILL)
      _ = await daemon.program.ended()
      first.program.signal(SIGKILL)
      _ = await first.program.ended()
      let second = try await Listener(stage, port: first.port)
      let next = try await WatchedDaemon(stage, hooks)
      let accepted = try #require(await second.log.line(containing: "204 failed "), "\(second.log.text)")
      let words = accepted.split(separator: " ", maxSplits: 4).map(String.init)
      #expect(words[3] == "lobby")
      #expect(words[2] == refused.split(separator: " ")[2], "it is the same delivery")
      let event = try Document(words[4])
      #expect(
        event.keys == ["event", "device", "at", "since", "dark_s", "cause", "entry", "title", "reason"])
      #expect(event["entry"]?.int == 1 && event["since"] == .null && event["cause"] == .null)
      #expect(event["title"]?.string?.contains("\u{1B}") == false)
      #expect(event["reason"]?.string?.isEmpty == false)
      next.program.signal(SIGTERM)
      #expect(await next.program.ended().exit == 0)
      // What was accepted is not sent again.
      let third = try await WatchedDaemon(stage, hooks)
      _ = try await third.samples()
      #expect(second.log.lines.count { $0.contains(" failed ") } == 1)
    }
  }

  @Test("a program reads the event, and sees few variables; no shell reads its arguments")
  func running() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try await stage.castq("device", "add", "lobby", receiver.address)
      let pipe = "\(stage.folder)/told"
      #expect(mkfifo(pipe, 0o600) == 0)
      let feed = LineFeed()
      let descriptor = open(pipe, O_RDWR | O_CLOEXEC)
      feed.read(descriptor)
      let script = try stage.file(
        "hook.sh",
        "#!/bin/sh\nread -r event\necho \"$1|$CASTQ_EVENT|$CASTQ_DEVICE|$HOME|$event\" >\"\(pipe)\"\n")
      #expect(chmod(script, 0o755) == 0)
      let daemon = try await WatchedDaemon(
        stage, "hooks: [{on: [failed, takeover], run: [\(script), \"$(id) ; x\"]}]\n")
      try await stage.castq("enqueue", try stage.file("dead.m3u", "\(try QuietPort.closedURL())\n"))
      let line = try #require(await feed.line(containing: "|failed|"), "\(daemon.program.stderr.text)")
      let parts = line.split(separator: "|", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
      #expect(parts[0] == "$(id) ; x" && parts[2] == "lobby" && parts[3].isEmpty)
      #expect(try Document(parts[4])["event"]?.string == "failed")
      daemon.program.signal(SIGTERM)
      #expect(await daemon.program.ended().exit == 0)
    }
  }

  @Test("a guest who takes the screen, and a screen that stays dark, are told once each")
  func guestsAndDarkness() async throws {
    try await Stage.with { stage in
      let socket = "\(stage.folder)/tv.sock"
      let receiver = try await Receiver(
        stage, speed: 1, "--control", socket, "--application", "233637DE:Tube:urn:x-cast:tube")
      try await stage.castq("device", "add", "lobby", receiver.address)
      let listener = try await Listener(stage)
      let post = "post: \"http://127.0.0.1:\(listener.port)/\", secret: a secret of nobody"
      let daemon = try await WatchedDaemon(stage, "hooks: [{on: [takeover, dark>2s], \(post)}]\n")
      try await stage.castq("enqueue", try stage.playlist(tones: 1, seconds: 300))
      #expect(await receiver.playing() != nil)
      try ReceiverControl.send("power off", to: socket)
      let dark = try #require(await listener.log.line(containing: "204 dark "))
      let event = try Document(try #require(dark.split(separator: " ", maxSplits: 4).last.map(String.init)))
      #expect(event["cause"]?.string == "unreachable")
      #expect((event["dark_s"]?.number ?? 0) >= 2 && event["since"]?.string != nil)
      let seen = receiver.log.lines.count
      try ReceiverControl.send("power on", to: socket)
      #expect(await receiver.playing(from: seen) != nil)
      try ReceiverControl.send("takeover 233637DE", to: socket)
      #expect(await listener.log.line(containing: "204 takeover ") != nil)
      _ = try await daemon.samples()
      #expect(listener.log.lines.count { $0.contains(" dark ") } == 1)
    }
  }

  @Test(
    "a hook that is written wrong is refused with its line",
    arguments: [
      ("- {on: dark, run: x}", "nothing that hooks wait for"), ("- {on: failed}", "`run` or `post`"),
      ("- {on: failed, run: x, post: \"http://h/\"}", "`run` or `post`"),
      ("- {on: failed, post: \"ftp://h/\"}", "no address"), ("- {run: x}", "needs `on`"),
      ("- {on: failed, run: \"a b\"}", "no shell reads it"),
      ("- {on: failed, post: \"http://h/\", secret: x}", "8 to"),
    ])
  func mistakes(_ hook: String, _ words: String) async throws {
    try await Stage.with { stage in
      let folder = "\(stage.folder)/config/castq"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data("hooks:\n  \(hook)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/config.yaml"))
      let ending = try await stage.castq("daemon", "--until-idle")
      expectOneLine(ending, exit: 78, saying: words)
      #expect(ending.stderr.contains("config.yaml:2:"))
    }
  }
}
