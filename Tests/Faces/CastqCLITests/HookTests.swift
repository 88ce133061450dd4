import Foundation
import Testing

@Suite("Hooks", .timeLimit(.minutes(20)))
struct HookTests {
  @Test(
    "a failed entry is posted, signed, and again until it is accepted, also by a daemon that comes after a kill"
  )
  func posting() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let first = try await HookListener(stage, refusals: 1000)
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
      await first.end()
      let second = try await HookListener(stage, port: first.port, refusals: 1)
      let next = try await WatchedDaemon(stage, hooks)
      let accepted = try #require(await second.log.line(containing: "204 failed "), "\(second.log.text)")
      let words = accepted.split(separator: " ", maxSplits: 4).map(String.init)
      #expect(words[3] == "lobby")
      #expect(words[2] == refused.split(separator: " ")[2], "it is the same delivery")
      let event = try Document(words[4])
      #expect(
        event.keys == [
          "event", "device", "at", "since", "dark_s", "cause", "entry", "title", "reason", "source",
        ])
      #expect(event["entry"]?.int == 1 && event["since"] == .null && event["cause"] == .null)
      #expect(event["title"]?.string?.contains("\u{1B}") == false)
      #expect(event["reason"]?.string?.isEmpty == false)
      // The listener has said so before its answer is there. A delivery that was refused before has a line.
      #expect(await next.program.stderr.line(containing: "hook delivered") != nil)
      next.program.signal(SIGTERM)
      #expect(await next.program.ended().exit == 0)
      // What was accepted is not sent again.
      let third = try await WatchedDaemon(stage, hooks)
      _ = try await third.samples()
      #expect(second.log.lines.count { $0.hasPrefix("204 failed ") } == 1)
    }
  }

  @Test("a program reads the event, and sees few variables; no shell reads its arguments")
  func running() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
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

  @Test("a program that floods its output fails and is run again, and the daemon goes on")
  func flooding() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let script = try stage.file("flood.sh", "#!/bin/sh\nexec yes\n")
      #expect(chmod(script, 0o755) == 0)
      let daemon = try await WatchedDaemon(stage, "hooks: [{on: failed, run: [\(script)]}]\n")
      try await stage.castq("enqueue", try stage.file("dead.m3u", "\(try QuietPort.closedURL())\n"))
      let line = try #require(
        await daemon.program.stderr.line(containing: "hook not delivered"), "\(daemon.program.stderr.text)")
      #expect(line.contains("flood.sh"))
      #expect((try await daemon.samples().sum("process_resident_memory_bytes") ?? .infinity) < 1e9)
    }
  }

  @Test(
    "a program that hangs is ended with all that it started, while other hooks and later events are delivered",
    arguments: [true, false])
  func hanging(isDeaf: Bool) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let pipe = "\(stage.folder)/told"
      #expect(mkfifo(pipe, 0o600) == 0)
      let feed = LineFeed()
      feed.read(open(pipe, O_RDWR | O_CLOEXEC))
      // A pipe that ends with the last process of the program.
      let life = "\(stage.folder)/life"
      #expect(mkfifo(life, 0o600) == 0)
      let living = open(life, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      _ = fcntl(living, F_SETFL, 0)
      // It hangs at the first event, and so does what it has started, which is deaf to every polite request.
      let script = try stage.file(
        "hook.sh",
        """
        #!/bin/sh
        mkdir "\(stage.folder)/first" 2>/dev/null || { echo "done $CASTQ_DELIVERY" >"\(pipe)"; exit 0; }
        exec 9>"\(life)"
        \(isDeaf ? "trap '' TERM INT HUP" : "")
        sh -c 'trap "" TERM INT HUP; while :; do sleep 1000; done' &
        echo "hangs $CASTQ_DELIVERY" >"\(pipe)"
        while :; do sleep 1000; done
        """)
      #expect(chmod(script, 0o755) == 0)
      let listener = try await HookListener(stage)
      let daemon = try await WatchedDaemon(
        stage,
        """
        hooks:
          - {on: failed, run: [\(script)], within: 10s}
          - {on: failed, post: "http://127.0.0.1:\(listener.port)/", secret: a secret of nobody}

        """)
      try await stage.castq("enqueue", try stage.file("dead.m3u", "\(try QuietPort.closedURL())\n"))
      let hangs = try #require(await feed.line(containing: "hangs "), "\(daemon.program.stderr.text)")
      #expect(
        await listener.log.line(containing: "204 failed ") != nil, "it does not wait for the other hook")
      let line = try #require(
        await daemon.program.stderr.line(containing: "hook not delivered"), "\(daemon.program.stderr.text)")
      #expect(line.contains("hook.sh"))
      // Nothing of the first one is left, and the same event comes again.
      let remains = LineFeed()
      remains.read(living)
      await remains.ended()
      #expect(await feed.line(containing: hangs.replacing("hangs", with: "done")) != nil)
      let seen = feed.lines.count
      try await stage.castq("enqueue", try stage.file("dead2.m3u", "\(try QuietPort.closedURL())\n"))
      #expect(
        await feed.index(from: seen) { $0.hasPrefix("done ") } != nil,
        "the next event: \(daemon.program.stderr.text)\n\(receiver.log.lines.suffix(20))")
      daemon.program.signal(SIGTERM)
      let ending = await daemon.program.ended()
      #expect(ending.exit == 0, "\(ending.exit): \(ending.stderr)")
    }
  }

  @Test("what happened while an address did not answer is delivered when it does, once each")
  func outage() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let first = try await HookListener(stage)
      let port = first.port
      await first.end()
      let daemon = try await WatchedDaemon(
        stage, "hooks: [{on: failed, post: \"http://127.0.0.1:\(port)/\", secret: a secret of nobody}]\n")
      try await stage.castq(
        "enqueue", try stage.file("dead.m3u", "\(try QuietPort.closedURL())\n\(try QuietPort.closedURL())\n"))
      #expect(await daemon.program.stderr.line(containing: "hook not delivered") != nil)
      #expect(await daemon.program.stderr.line(containing: "feeding ended") != nil)
      let second = try await HookListener(stage, port: port)
      for entry in 1...2 {
        #expect(await second.log.line(containing: "\"entry\": \(entry),") != nil, "\(second.log.text)")
      }
      #expect(await daemon.program.stderr.line(containing: "hook delivered") != nil)
      daemon.program.signal(SIGTERM)
      #expect(await daemon.program.ended().exit == 0)
      let numbers = second.log.lines.filter { $0.hasPrefix("204 ") }.map { $0.split(separator: " ")[2] }
      #expect(numbers.count == 2 && Set(numbers).count == 2)
    }
  }

  @Test(
    "an address whose answer has no end accepts by its status, and a redirection is not followed",
    arguments: [
      ("HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n", true),
      ("HTTP/1.1 307 Elsewhere\\r\\nLocation: http://127.0.0.1:1/\\r\\nContent-Length: 0\\r\\n\\r\\n", false),
    ])
  func strangeAnswers(_ head: String, _ isAccepted: Bool) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let script = """
        import socket
        own = socket.create_server(("127.0.0.1", 0))
        print("listening on", own.getsockname()[1], flush=True)
        while True:
            peer, _ = own.accept()
            peer.recv(65536)
            print("asked", flush=True)
            try:
                peer.sendall(b"\(head)")
                for _ in range(1000): peer.sendall(b"10000\\r\\n" + b"x" * 65536 + b"\\r\\n")
            except OSError: pass
            peer.close()
            print("over", flush=True)
        """
      let stranger = try RunningProgram(
        "python3", ["-c", script], environment: ProcessInfo.processInfo.environment, folder: stage.folder,
        patience: RunningProgram.lifetime)
      let greeting = try #require(
        await stranger.stdout.line(containing: "listening on"), "\(stranger.stderr.text)")
      let port = try #require(greeting.split(separator: " ").last)
      let daemon = try await WatchedDaemon(
        stage, "hooks: [{on: failed, post: \"http://127.0.0.1:\(port)/\"}]\n")
      try await stage.castq("enqueue", try stage.file("dead.m3u", "\(try QuietPort.closedURL())\n"))
      #expect(await stranger.stdout.line(containing: "over") != nil)
      if !isAccepted {
        #expect(await daemon.program.stderr.line(containing: "hook not delivered") != nil)
        let first = try #require(await stranger.stdout.index { $0 == "over" })
        #expect(await stranger.stdout.index(from: first) { $0 == "asked" } != nil, "again, later")
      }
      daemon.program.signal(SIGTERM)
      #expect(await daemon.program.ended().exit == 0)
      if isAccepted { #expect(stranger.stdout.lines.count { $0 == "asked" } == 1) }
      stranger.signal(SIGKILL)
    }
  }

  @Test("a guest who takes the screen, and a screen that stays dark, are told once each")
  func guestsAndDarkness() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(
        stage, speed: 1, "--application", "233637DE:Tube:urn:x-cast:tube")
      try stage.add(device: "lobby", at: receiver.address)
      let listener = try await HookListener(stage)
      let post = "post: \"http://127.0.0.1:\(listener.port)/\", secret: a secret of nobody"
      let daemon = try await WatchedDaemon(stage, "hooks: [{on: [takeover, dark>15s], \(post)}]\n")
      try await stage.castq("enqueue", try stage.playlist(tones: 1, seconds: 300))
      #expect(await receiver.playing() != nil)
      try await stage.awaitPlay { $0["outcome"] == .null }
      // On a busy computer it may have been dark for that long before it began.
      let before = listener.log.lines.count
      try await receiver.control("power off")
      let told = await listener.log.index(from: before) { $0.contains("204 dark ") }
      let dark = listener.log.lines[try #require(told)]
      let event = try Document(try #require(dark.split(separator: " ", maxSplits: 4).last.map(String.init)))
      #expect(event["cause"]?.string == "unreachable")
      #expect((event["dark_s"]?.number ?? 0) >= 15 && event["since"]?.string != nil)
      let seen = receiver.log.lines.count
      try await receiver.control("power on")
      #expect(await receiver.playing(from: seen) != nil)
      try await receiver.control("takeover 233637DE")
      #expect(await listener.log.line(containing: "204 takeover ") != nil)
      _ = try await daemon.samples()
      #expect(listener.log.lines.dropFirst(before).count { $0.contains(" dark ") } == 1)
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
      ("- {on: failed, run: x, within: 0s}", "how long a hook may take"),
      ("- {on: failed, run: x, within: 11m}", "how long a hook may take"),
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
