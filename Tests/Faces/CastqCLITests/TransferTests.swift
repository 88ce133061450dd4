import Foundation
import Testing

@Suite("Moving to another device", .timeLimit(.minutes(20)))
struct TransferTests {
  /// Two devices, of which the first plays the second of three long tones, at 1:40.
  private func playing(
    isFed: Bool, hasDaemon: Bool = false, ruled: [String] = [], _ options: String...,
    body: (Stage, _ first: Receiver, _ second: Receiver) async throws -> Void
  ) async throws {
    try await Stage.with { stage in
      let first = try await Receiver(stage, speed: 1)
      let second = try await Receiver(stage, speed: 1, ["--seed", "2"] + options)
      try stage.add(device: "lobby", at: first.address)
      try stage.add(device: "hall", at: second.address)
      try await stage.castq("device", "default", "lobby")
      for (device, receiver) in [("lobby", first), ("hall", second)] where ruled.contains(device) {
        try stage.tone("\(device).wav", seconds: 5)
        try await stage.castq(
          "schedule", "add", device, "--play", "\(device).wav", "-d", receiver.address, "--once",
          "2099-01-01 10:00", "--for", "5m")
      }
      let daemon = hasDaemon ? try stage.start(["daemon"]) : nil
      if let daemon { #expect(await daemon.stderr.line(containing: "ready") != nil) }
      for device in ruled {
        #expect(await daemon?.stderr.line(containing: "feeding castq.device=\(device)") != nil)
      }
      let variables = isFed ? [:] : ["CASTQ_DB": "\(stage.folder)/other.db"]
      // Media that stay where they are when a feeder ends.
      let server = try await WebServer(stage, files: ["list": ""])
      var list = "#EXTM3U\n"
      for number in 1...3 {
        try stage.tone("www/\(number).wav", seconds: 600)
        list += "#EXTINF:-1,Tone \(number)\n\(server.address)/\(number).wav\n"
      }
      expectSilence(
        try await stage.castq(
          "cast", "-d", first.address, try stage.file("list.m3u", list), variables: variables))
      if !isFed { kill(try stage.holder(of: "other.db.feeder-1.lock"), SIGKILL) }
      expectSilence(try await stage.castq("next"))
      expectSilence(try await stage.castq("seek", "1:40"))
      try await body(stage, first, second)
      withExtendedLifetime(server) {}
      daemon?.signal(SIGTERM)
      _ = await daemon?.ended()
    }
  }

  /// Passes on what clients ask the daemon, in whose place it listens, and prints each request before that.
  private static let relay = """
    import os, socket, sys, threading
    path = sys.argv[1]
    daemon = os.path.join(os.path.dirname(path), "daemon")
    os.rename(path, daemon)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    print("listening", flush=True)
    turn = threading.Lock()
    def answer(server, client):
        try:
            while piece := server.recv(65536): client.sendall(piece)
            client.shutdown(socket.SHUT_WR)
        except OSError: pass
    def serve(client):
        server = socket.socket(socket.AF_UNIX)
        server.connect(daemon)
        threading.Thread(target=answer, args=(server, client), daemon=True).start()
        try:
            for line in client.makefile("rb"):
                with turn: print(line.decode().rstrip(), flush=True)
                server.sendall(line)
            server.shutdown(socket.SHUT_WR)
        except OSError: pass
    while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """

  private func title(_ stage: Stage, on device: String) async throws -> String? {
    try await stage.json("status", "-d", device)["title"]?.string
  }

  @Test(
    "what plays goes on elsewhere with its queue and its position, and ends where it was",
    arguments: [true, false])
  func moves(isFed: Bool) async throws {
    try await playing(isFed: isFed) { stage, first, second in
      expectSilence(try await stage.castq("transfer", "--to", "hall"))
      let there = try await stage.json("status", "-d", "hall")
      #expect(there["title"]?.string == "Tone 2" && there["player_state"]?.string == "PLAYING", "\(there)")
      #expect((99...400).contains(there["position_s"]?.number ?? -1), "\(there)")
      #expect(try await stage.castq("status", "-d", "lobby").exit == 1, "nothing plays where it was")
      if isFed {
        let queue = try await stage.json("queue", "-d", "hall")["entries"]?.elements ?? []
        #expect(queue.map { $0["entry"]?.int } == [1, 2, 3], "entries keep their numbers")
        #expect(queue.map { $0["state"]?.string }.prefix(2) == ["skipped", "playing"])
        #expect(try await stage.json("queue", "-d", "lobby")["entries"]?.elements.isEmpty == true)
        let history = try await stage.history()
        #expect(history.map { $0["device"]?.string } == ["lobby", "lobby", "hall"])
      }
      expectSilence(try await stage.castq("next", "-d", "hall"))
      #expect(try await title(stage, on: "hall") == "Tone 3", "the queue came along")
    }
  }

  @Test("the page moves what plays as the command line does")
  func page() async throws {
    try await playing(isFed: true, hasDaemon: true) { stage, _, _ in
      let page = try await OperatorPage(stage)
      let events = try page.events("?topics=health")
      #expect(await events.line(containing: "event: hello") != nil)
      let answer = try await page.ask(
        "POST", "devices/lobby/commands", json: #"{"verb":"transfer","to":"hall"}"#)
      let number = try #require(try answer.json["request"]?.string)
      let outcome = try #require(await events.line(containing: "\"request\":\"\(number)\""))
      #expect(outcome.contains("\"done\":true"), "\(outcome)")
      #expect(try await title(stage, on: "hall") == "Tone 2")
    }
  }

  @Test("the daemon is told that the source is stopped no more before the command ends")
  func told() async throws {
    try await playing(isFed: true, hasDaemon: true) { stage, _, _ in
      let relay = try RunningProgram(
        "python3", ["-c", Self.relay, "\(stage.database).daemon.sock"],
        environment: ProcessInfo.processInfo.environment, folder: stage.folder)
      #expect(await relay.stdout.line(containing: "listening") != nil, "\(relay.stderr.text)")
      expectSilence(try await stage.castq("transfer", "--to", "hall"))
      relay.signal(SIGTERM)
      let requests = try await relay.ended().outLines.dropFirst().map { try Document($0) }
      let asked = requests.map {
        "\($0["command"]?["verb"]?.string ?? $0["command"]?.string ?? "") \($0["device"]?.int ?? 0)"
      }
      #expect(asked.contains("stop 1") && asked.contains("feed 2"), "\(asked)")
      #expect(asked.last == "poke 1", "\(asked)")
    }
  }

  @Test(
    "rules of either device are no obstacle: the daemon that feeds both moves the queue",
    arguments: [["hall"], ["lobby"], ["lobby", "hall"]])
  func ruled(devices: [String]) async throws {
    try await playing(isFed: true, hasDaemon: true, ruled: devices) { stage, _, _ in
      let queue = try await stage.queue()["entries"]?.elements.map { $0["entry"]?.int }
      expectSilence(try await stage.castq("transfer", "--to", "hall"))
      let there = try await stage.json("status", "-d", "hall")
      #expect(there["title"]?.string == "Tone 2" && there["player_state"]?.string == "PLAYING", "\(there)")
      #expect((99...400).contains(there["position_s"]?.number ?? -1), "\(there)")
      let moved = try await stage.json("queue", "-d", "hall")["entries"]?.elements.map { $0["entry"]?.int }
      #expect(moved == queue && moved?.count == 3, "entries keep their numbers")
      for device in ["lobby", "hall"] {
        #expect(try await stage.castq("status", "-d", device).stdout.contains("stopped by castq") == false)
      }
      #expect(try await stage.history().map { $0["device"]?.string } == ["lobby", "lobby", "hall"])
    }
  }

  @Test(
    "a rule that has the screen of either device keeps it, and nothing is stopped",
    arguments: ["lobby", "hall"])
  func ruledNow(device: String) async throws {
    try await playing(isFed: true, hasDaemon: true) { stage, first, second in
      let receiver = device == "lobby" ? first : second
      let seen = receiver.log.lines.count
      try stage.tone("day.wav", seconds: 600)
      expectSilence(
        try await stage.castq("schedule", "add", "day", "--play", "day.wav", "-d", device, "--always"))
      let loaded = try #require(await receiver.log.index(from: seen) { $0.contains(#""title":"day""#) })
      #expect(await receiver.playing(from: loaded) != nil)
      try await stage.awaitPlay { $0["title"]?.string == "day" }
      #expect(try await stage.json("status", "-d", device)["rule"]?.string == "day")
      let asked = receiver.log.lines.count
      expectOneLine(
        try await stage.castq("transfer", "--to", "hall"), exit: 75,
        saying: "\(device): the rule day has the screen")
      #expect(try await title(stage, on: "lobby") == (device == "lobby" ? "day" : "Tone 2"))
      #expect(try await stage.json("status", "-d", device)["rule"]?.string == "day")
      #expect(try await stage.queue()["entries"]?.elements.count == 3)
      #expect(!receiver.log.lines.dropFirst(asked).contains { $0.contains(#""STOP""#) })
    }
  }

  @Test("when the other device cannot, all goes on where it was")
  func refused() async throws {
    try await playing(isFed: false, "--fault", "launch-error=NOT_FOUND") { stage, _, _ in
      let ending = try await stage.castq("transfer", "--to", "hall")
      expectOneLine(ending, exit: 76, saying: "NOT_FOUND")
      #expect(try await title(stage, on: "lobby") == "Tone 2")
      let position = try await stage.status()["position_s"]?.number
      #expect((99...400).contains(position ?? -1))
    }
  }

  @Test("nothing that plays cannot be moved, and nowhere is no place")
  func idle() async throws {
    try await Stage.with { stage in
      let first = try await Receiver(stage)
      try stage.add(device: "lobby", at: first.address)
      expectOneLine(try await stage.castq("-d", "lobby", "transfer", "--to", "192.0.2.1"), exit: 1)
      expectOneLine(try await stage.castq("transfer"), exit: 64)
    }
  }
}
