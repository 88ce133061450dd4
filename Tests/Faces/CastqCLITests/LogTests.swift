import Foundation
import Testing

@Suite("What castq says about itself", .timeLimit(.minutes(20)))
struct LogTests {
  /// What a record looks like: time, level, class, words.
  private static func isRecord(_ line: String) -> Bool {
    line.contains(
      #/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (verbose|debug|info|warning|error|assert) [A-Za-z]+: /#)
  }

  /// Who speaks of a device that cannot prove who it is, once.
  private static let trust: Set = ["DeviceAuthentication", "LedgerTrust"]

  /// And who speaks of the feeding.
  private static let feeding = trust.union(["QueueRunner", "DaemonService"])

  @Test(
    "nothing unless asked for; then a record a line on stderr, and nothing else changes",
    arguments: [
      ([], "", []),
      (["-v"], "", feeding.union(["Session", "TLSTransport", "RemoteMediaClient", "MediaServer"])),
      (["-v", "-q"], "debug", []), ([], "info", feeding.union(["Session"])),
      ([], "debug,TLS*=none", feeding.union(["Session", "RemoteMediaClient", "MediaServer"])),
      ([], "TLS*=debug", ["TLSTransport"]),
      (
        ["-v"], "none,Session=none,Queue*=none,Daemon*=none,Remote*=none",
        trust.union(["TLSTransport", "MediaServer"])
      ),
      (["-q"], "debug", []),
    ] as [([String], String, Set<String>)])
  func classes(options: [String], variable: String, classes: Set<String>) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      // Long enough for the server to have said what it served before the program ends.
      try stage.tone("good.wav", seconds: 20)
      let ending = try await stage.castq(
        ["run", "-d", receiver.address, "good.wav"] + options, variables: ["CASTQ_LOG": variable])
      #expect(ending.exit == 0)
      #expect(ending.stdout.isEmpty)
      #expect(ending.errorLines.allSatisfy(Self.isRecord), "\(ending.stderr)")
      let named = ending.errorLines.compactMap { $0.split(separator: " ").dropFirst(2).first?.dropLast() }
      #expect(Set(named.map(String.init)) == classes)
      #expect(!ending.stderr.contains(" verbose "))
    }
  }

  @Test("in the journal of systemd a record has its priority, and no time of its own")
  func journal() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.tone("good.wav", seconds: 1)
      // As systemd does it: the variable names the file that stderr is.
      let command = """
        JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec "$0" run -v -d "$1" good.wav
        """
      let program = try RunningProgram(
        "/bin/sh", ["-c", command, try Programs.path("castq"), receiver.address],
        environment: stage.environment, folder: stage.folder)
      let ending = await program.ended()
      #expect(ending.exit == 0)
      #expect(ending.errorLines.contains { $0.hasPrefix("<6>info DaemonService: ") }, "\(ending.stderr)")
      let beginnings = #/<(7>debug|7>verbose|6>info|4>warning|3>error|2>assert) [A-Za-z]+: /#
      #expect(ending.errorLines.allSatisfy { $0.starts(with: beginnings) }, "\(ending.stderr)")

      // One that names another file is from a program before, and means nothing here.
      let other = try await stage.castq(
        "run", "-v", "-d", receiver.address, "good.wav", variables: ["JOURNAL_STREAM": "8:1"])
      #expect(other.exit == 0)
      #expect(other.errorLines.allSatisfy(Self.isRecord), "\(other.stderr)")
    }
  }

  @Test(
    "a value of CASTQ_LOG that means nothing is a mistake in the arguments",
    arguments: ["loud", "debug,", "debug,info", "TLS=loud", "A B=debug", "debug\u{1B}[2J\n"])
  func mistakes(variable: String) async throws {
    try await Stage.with { stage in
      let ending = try await stage.castq("queue", variables: ["CASTQ_LOG": variable])
      expectOneLine(ending, exit: 64, saying: "CASTQ_LOG")
      #expect(isHarmless(ending.stderr))
      let version = try await stage.castq("--version", variables: ["CASTQ_LOG": variable])
      #expect(version.exit == 0)
    }
  }

  @Test("with -vv every frame is shown, and no secret of an address in any of them")
  func frames() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      let files = try QuietPort.closed()
      let ending = try await stage.castq(
        "run", "-vv", "-d", receiver.address, "http://anna:s3cret@\(files)/film.mp4?key=s3cret#s3cret")
      #expect(ending.exit == 76, "nothing is there to be played")
      let records = ending.errorLines.filter(Self.isRecord)
      for words in [
        "sending", "received", "\"type\":\"LAUNCH\"", "\"type\":\"CONNECT\"", "cast.size=",
        "cast.source=sender-",
        "http://…@\(files)/film.mp4?…",
      ] {
        #expect(records.contains { $0.contains(words) }, "\(words)")
      }
      let sent = receiver.requests
      #expect(sent.contains("QUEUE_LOAD"))
      #expect(records.count { $0.contains("Session: sending ") && $0.contains("QUEUE_LOAD") } >= 1)
      #expect(!ending.stderr.contains("s3cret"), "\(ending.stderr)")
      #expect(isHarmless(ending.stderr))
    }
  }

  @Test("a daemon whose log nobody reads plays on, and says how many lines are missing when somebody does")
  func unread() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let pipe = "\(stage.folder)/log"
      #expect(mkfifo(pipe, 0o600) == 0)
      let log = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      // F_SETPIPE_SZ: the least that a pipe can hold, which the first frames fill.
      _ = fcntl(log, 1031, 4096)
      _ = fcntl(log, F_SETFL, 0)
      // Titles that make each status of the receiver some kilobytes long.
      let title = String(repeating: "long ", count: 600)
      var list = "#EXTM3U\n"
      for number in 1...30 {
        try stage.tone("\(number).wav", seconds: 2)
        list += "#EXTINF:-1,\(title)\(number)\n\(number).wav\n"
      }
      try await stage.castq("enqueue", try stage.file("list.m3u", list))
      let daemon = try stage.shell("exec castq daemon -vv 2>'\(pipe)'")
      try await stage.awaitPlay { $0["entry"]?.int == 30 && $0["outcome"]?.string == "finished" }
      #expect(try await stage.history().allSatisfy { $0["outcome"]?.string == "finished" })
      #expect(receiver.requests.count { $0 == "LAUNCH" } == 1, "the connection was never lost")
      let feed = LineFeed()
      feed.read(log)
      let line = try #require(await feed.line(containing: "dropped here"), "\(feed.text.count) bytes")
      let dropped = line.firstMatch(of: /warning Log: (\d+) lines were dropped here/).flatMap {
        Int($0.output.1)
      }
      #expect((dropped ?? 0) > 0, "\(line)")
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
      await feed.ended()
      #expect(feed.lines.allSatisfy(Self.isRecord))
      #expect(feed.lines.last?.contains("feeding ended") == true || feed.text.contains("ending"))
      // What waits is bounded: the pipe, what is being written, and the backlog.
      #expect(feed.text.utf8.count < 1 << 20, "\(feed.text.utf8.count)")
    }
  }
}
