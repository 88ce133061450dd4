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
        "http://[removed]@\(files)/film.mp4?[removed]",
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
}
