import Foundation
import Testing

@Suite("castq doctor", .timeLimit(.minutes(20)))
struct DoctorTests {
  /// The verdicts of a run, and its exit code.
  struct Report {
    let exit: Int32
    let verdicts: [Document]

    init(_ ending: Ending) throws {
      exit = ending.exit
      verdicts = try Document(ending.stdout).elements
    }

    func verdict(_ check: String) -> String {
      verdicts.first { $0["check"]?.string == check }?["verdict"]?.string ?? "missing"
    }

    /// Its words and its advice.
    func words(_ check: String) -> String {
      let row = verdicts.first { $0["check"]?.string == check }
      return [row?["words"]?.string, row?["advice"]?.string].compactMap { $0 }.joined(separator: "; ")
    }
  }

  private func report(
    _ stage: Stage, _ arguments: String..., variables: [String: String] = [:]
  ) async throws -> Report {
    try Report(try await stage.castq(["doctor", "--json"] + arguments, variables: variables))
  }

  private func device(
    speed: Double = 20, _ options: String..., body: (Stage, Receiver) async throws -> Void
  ) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: speed, options)
      try stage.add(device: "lobby", at: receiver.address)
      try await body(stage, receiver)
    }
  }

  /// Everything by which a device could be disturbed.
  private static let disturbing: Set = ["LAUNCH", "STOP", "LOAD", "QUEUE_LOAD", "SET_VOLUME", "PAUSE"]

  @Test("all is well with a healthy device, which is proved by what it fetched; its screen is left as it was")
  func healthy() async throws {
    try await device("--authentication", "honest") { stage, receiver in
      // A folder for temporary files that no other test has.
      let own = "\(stage.folder)/own"
      try #require(mkdir(own, 0o700) == 0)
      let report = try await report(stage, variables: ["TMPDIR": own])
      #expect(report.exit == 0, "\(report.verdicts)")
      let order = report.verdicts.compactMap { $0["check"]?.string }
      #expect(
        order == [
          "multicast", "address", "tls", "authentication", "launch", "media_server", "device_fetch",
          "firewall",
          "subtitles", "clock", "disk", "open_files", "ffprobe", "ffmpeg", "yt-dlp",
        ])
      for check in [
        "address", "tls", "authentication", "launch", "media_server", "device_fetch", "firewall", "subtitles",
        "disk",
      ] {
        #expect(report.verdict(check) == "ok", "\(check): \(report.words(check))")
      }
      #expect(report.verdicts.allSatisfy { $0.keys == ["check", "verdict", "words", "advice"] })
      #expect(report.words("authentication").contains("pinned key"))
      #expect(report.words("device_fetch").contains("fetched a silent test sound"))
      #expect(report.verdict("multicast") == "skipped", "switched off for tests")
      #expect(await receiver.request("STOP") != nil, "it was closed again: \(receiver.requests)")
      #expect(receiver.requests.filter { $0 == "LAUNCH" }.count == 1)
      #expect(try await stage.castq("status").exit == 1, "nothing plays")
      // Text for people: a line each, the port of the file beside the database in it.
      let text = try await stage.castq("doctor", "--no-launch")
      #expect(text.exit == 0 && text.outLines.count == 15 && text.stderr.isEmpty, "\(text.stdout)")
      #expect(text.outLines.allSatisfy { $0.contains(/^\S+( \S+)? +(ok|warn|skipped) +\S/) })
      let port = try #require(
        try String(contentsOfFile: "\(stage.database).media", encoding: .utf8).split(separator: "\n").first)
      #expect(text.stdout.contains("TCP port \(port),"))
      #expect(receiver.requests.filter { $0 == "LAUNCH" }.count == 1, "not launched again")
      #expect(try await stage.castq("doctor", "--no-launch", "--jsonl").outLines.count == 15)
      #expect(try FileManager.default.contentsOfDirectory(atPath: own).isEmpty)
    }
  }

  @Test("a device that is off fails at its address, and everything else is still examined")
  func off() async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: try QuietPort.closed())
      let report = try await report(stage)
      #expect(report.exit == 69)
      #expect(
        report.verdict("address") == "fail"
          && report.words("address").contains("it is off, restarting, or at another port"))
      for check in ["tls", "authentication", "launch", "device_fetch"] {
        #expect(report.verdict(check) == "skipped", "\(check)")
      }
      #expect(report.verdict("media_server") == "ok" && report.verdict("disk") == "ok")
    }
  }

  @Test("a port that accepts and says nothing fails at TLS, within the time of a run")
  func silent() async throws {
    try await Stage.with { stage in
      let port = try QuietPort()
      try stage.add(device: "lobby", at: port.address)
      let report = try await report(stage, "--timeout", "8s")
      #expect(report.exit == 69)
      #expect(report.verdict("address") == "ok" && report.verdict("tls") == "fail", "\(report.verdicts)")
    }
  }

  @Test("a device that fails its proof is told of as that, with the command for a device that was replaced")
  func proof() async throws {
    try await device("--authentication", "honest") { stage, _ in
      #expect(try await stage.castq("volume").exit == 0)
      let other = try await Receiver(stage, "--authentication", "other-device")
      try stage.add(device: "lobby", at: other.address)
      let report = try await report(stage)
      #expect(report.exit == 77)
      #expect(report.verdict("address") == "ok" && report.verdict("tls") == "ok")
      #expect(report.verdict("authentication") == "fail")
      #expect(report.words("authentication").contains("'castq device unpin lobby'"))
      #expect(report.verdict("launch") == "skipped")
      #expect(Set(other.requests).isDisjoint(with: Self.disturbing), "\(other.requests)")
    }
  }

  @Test("a device that cannot prove anything is used, and a receiver that refuses to launch says why")
  func refusedLaunch() async throws {
    try await device("--fault", "launch-error=NOT_FOUND") { stage, _ in
      let report = try await report(stage)
      #expect(report.exit == 76)
      #expect(report.verdict("authentication") == "warn" && report.words("authentication").contains("--off"))
      #expect(report.verdict("launch") == "fail" && report.words("launch").contains("NOT_FOUND"))
      #expect(report.verdict("device_fetch") == "skipped")
    }
  }

  @Test("a media server that leads elsewhere is found from outside of its process, and by the device")
  func advertised() async throws {
    try await device { stage, _ in
      let nobody = try QuietPort.closed()
      let report = try await report(stage, "--advertise", nobody)
      #expect(report.exit == 69)
      #expect(report.verdict("media_server") == "fail" && report.words("media_server").contains(nobody))
      #expect(report.words("media_server").contains("correct --advertise"))
      #expect(report.verdict("device_fetch") == "fail" && report.verdict("launch") == "ok")
      // Something answers there, and it is not castq.
      let server = try await WebServer(stage, files: [:])
      let other = try await self.report(
        stage, "--no-launch", "--advertise", server.address.replacing("http://", with: ""))
      #expect(other.exit == 69 && other.words("media_server").contains("something else than castq"))
    }
  }

  @Test("a fixed port that is in use is named, with the code for trying again")
  func takenPort() async throws {
    try await device { stage, _ in
      let port = try QuietPort(listens: true)
      let number = try #require(port.address.split(separator: ":").last)
      let report = try await report(stage, "--no-launch", "--media-port", "\(number)")
      #expect(report.exit == 75)
      #expect(report.verdict("media_server") == "fail" && report.words("media_server").contains("\(number)"))
    }
  }

  @Test("a screen that somebody else uses stays as it is, even with --launch")
  func busy() async throws {
    try await device("--application", "233637DE:Tube:urn:x-cast:tube") {
      stage, receiver in
      try await receiver.control("takeover 233637DE")
      for options in [[], ["--launch"]] {
        let report = try Report(try await stage.castq(["doctor", "--json"] + options))
        #expect(report.exit == 0, "\(report.verdicts)")
        #expect(
          report.verdict("launch") == "skipped"
            && report.words("launch").contains("Tube runs and keeps the screen"))
      }
      #expect(Set(receiver.requests).isDisjoint(with: Self.disturbing), "\(receiver.requests)")
    }
  }

  @Test("what a daemon plays is not disturbed, and the doctor tells what the device fetched from it")
  func daemon() async throws {
    try await device(speed: 1) { stage, receiver in
      let daemon = try stage.start(["daemon"])
      #expect(await daemon.stderr.line(containing: "ready") != nil)
      try stage.tone("film.wav", seconds: 600)
      #expect(try await stage.castq("cast", "film.wav").exit == 0)
      await receiver.playing()
      let from = receiver.requests.count
      let report = try await report(stage)
      #expect(report.exit == 0, "\(report.verdicts)")
      #expect(report.verdict("launch") == "skipped", "\(report.words("launch"))")
      #expect(report.verdict("media_server") == "ok", "\(report.words("media_server"))")
      #expect(report.words("device_fetch").contains("film.wav"))
      #expect(report.words("firewall").contains("of the running castq"))
      #expect(report.words("disk").contains("fed from by process \(daemon.process)"))
      #expect(report.verdict("subtitles") == "ok")
      #expect(Set(receiver.requests.dropFirst(from)).isDisjoint(with: Self.disturbing))
      #expect(try await stage.status()["player_state"]?.string == "PLAYING")
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
    }
  }

  @Test("an idle daemon keeps its device and its port, unless a launch is wanted")
  func idleDaemon() async throws {
    try await device { stage, receiver in
      let daemon = try stage.start(["daemon"])
      #expect(await daemon.stderr.line(containing: "ready") != nil)
      let report = try await report(stage)
      #expect(report.exit == 0 && report.verdict("launch") == "skipped", "\(report.verdicts)")
      #expect(report.verdict("media_server") == "skipped" && report.verdict("subtitles") == "ok")
      #expect(Set(receiver.requests).isDisjoint(with: Self.disturbing))
      #expect(try await self.report(stage, "--launch").verdict("launch") == "ok")
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
    }
  }

  @Test("without a device the computer itself is examined, and what is missing is said")
  func noDevice() async throws {
    try await Stage.with { stage in
      let none = try await report(stage)
      #expect(none.exit == 68 && none.verdict("address") == "fail", "\(none.verdicts)")
      #expect(none.verdict("media_server") == "ok" && none.verdict("disk") == "ok")
      let unknown = try await report(stage, "-d", "cellar")
      #expect(unknown.exit == 68 && unknown.words("address").contains("cellar"))
    }
  }

  @Test(
    "a database that cannot be used is a verdict, and a configuration that cannot be read is the program's error"
  )
  func damaged() async throws {
    try await device { stage, receiver in
      try stage.file("broken.db", String(repeating: "not a database ", count: 1000))
      let report = try await report(stage, "--db", "\(stage.folder)/broken.db")
      #expect(report.exit == 65 || report.exit == 74, "\(report.verdicts)")
      #expect(report.verdict("disk") == "fail" && report.verdict("address") == "skipped")
      #expect(report.verdicts.count == 15, "a check that was not made is named")
      let file = try stage.file("config.yaml", "guests: [")
      expectOneLine(try await stage.castq("doctor", "--config", file), exit: 78, saying: "config.yaml")
      withExtendedLifetime(receiver) {}
    }
  }

  @Test("quiet hours keep the screen dark unless a launch is wanted")
  func quietHours() async throws {
    try await device { stage, receiver in
      let file = try stage.file("config.yaml", "defaults:\n  quiet_hours: [\"00:00-24:00\"]\n")
      let report = try await report(stage, "--config", file)
      #expect(report.verdict("launch") == "skipped" && report.words("launch").contains("quiet hours"))
      #expect(!receiver.requests.contains("LAUNCH"))
      #expect(try await self.report(stage, "--config", file, "--launch").verdict("launch") == "ok")
    }
  }

  @Test("a device heard by multicast is told so, and one without an interface why it was not")
  func multicast() async throws {
    try await LoopbackNetwork.alone {
      try await Stage.with { stage in
        let loopback = LoopbackNetwork.variables
        let receiver = try await Receiver(
          stage, "--advertise", "--interface", "lo", "--name", "Doctor TV", "--seed", "4821")
        let heard = try await report(stage, "-d", "Doctor TV", "--no-launch", variables: loopback)
        #expect(heard.exit == 0 && heard.verdict("multicast") == "ok", "\(heard.verdicts)")
        #expect(heard.words("multicast").contains("this one among them"))
        let deaf = try await report(stage, "--no-launch", variables: ["CASTQ_INTERFACES": "wlan77"])
        #expect(deaf.exit == 0, "its address is known")
        #expect(deaf.verdict("multicast") == "warn" && deaf.words("multicast").contains("wlan77"))
        withExtendedLifetime(receiver) {}
      }
    }
  }

  /// Who may have a network without interfaces.
  private static let namespace: [String]? = [["-n"], ["-r", "-n"]].first { options in
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unshare")
    process.arguments = options + ["true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  @Test(
    "on a computer without a network that is what multicast and address say",
    .enabled(if: namespace != nil, "no network namespaces here"))
  func noNetwork() async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: "192.0.2.1")
      let program = try RunningProgram(
        "/usr/bin/unshare",
        (Self.namespace ?? []) + [
          "env", "-u", "CASTQ_INTERFACES", try Programs.path("castq"), "doctor", "--json",
        ], environment: stage.environment, folder: stage.folder)
      let report = try Report(await program.ended())
      #expect(report.exit == 69, "\(report.verdicts)")
      #expect(
        report.verdict("multicast") == "warn" && report.words("multicast").contains("no network interface"))
      #expect(report.verdict("address") == "fail" && report.words("address").contains("no route"))
      #expect(report.verdict("media_server") == "fail" && report.words("media_server").contains("no route"))
    }
  }

  @Test("an old yt-dlp is told of, and what other programs and devices say cannot move the cursor")
  func hostile() async throws {
    try await device("--name", "TV\u{1B}[2J") { stage, _ in
      for (name, text) in [("yt-dlp", "echo 2020.01.02"), ("ffmpeg", "printf 'bad\\033[2J\\n'")] {
        let path = try stage.file(name, "#!/bin/sh\n\(text)\n")
        #expect(chmod(path, 0o755) == 0)
      }
      try FileManager.default.createSymbolicLink(
        atPath: "\(stage.folder)/tmp", withDestinationPath: NSTemporaryDirectory())
      let path = [
        "PATH": "\(stage.folder):/usr/bin:/bin", "CASTQ_FFMPEG": "", "TMPDIR": "\(stage.folder)/tmp",
      ]
      let ending = try await stage.castq("doctor", variables: path)
      #expect(ending.exit == 0 && isHarmless(ending.stdout), "\(ending.stdout)")
      #expect(ending.stdout.contains("fetched a silent test sound"), "from behind a symbolic link")
      #expect(ending.outLines.contains { $0.contains(/yt-dlp +warn +2020.01.02 is \d+ months old/) })
      let report = try await report(stage, "--no-launch", variables: path)
      #expect(report.verdict("ffmpeg") == "warn" && isHarmless(report.words("ffmpeg")))
      let file = try stage.file("config.yaml", "programs: {ffprobe: off, ffmpeg: /no/such}\n")
      let chosen = try await self.report(
        stage, "--no-launch", "--config", file, variables: ["CASTQ_FFMPEG": ""])
      #expect(chosen.verdict("ffprobe") == "skipped" && chosen.words("ffmpeg").contains("/no/such"))
    }
  }
}
