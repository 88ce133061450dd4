import Foundation
import Testing

@Suite("Proof of play", .timeLimit(.minutes(20)))
struct ProofTests {
  /// Plays on a receiver, and the proof of them.
  private func proof(_ stage: Stage, tones: Int = 5, seconds: Double = 1) async throws -> [String] {
    let receiver = try await Receiver(stage)
    try stage.add(device: "lobby", at: receiver.address)
    expectSilence(try await stage.castq("run", "-d", "lobby", stage.playlist(tones: tones, seconds: seconds)))
    expectSilence(try await stage.castq("report", "proof", "-o", "proof.jsonl"))
    return try lines(stage, "proof.jsonl")
  }

  private func lines(_ stage: Stage, _ name: String) throws -> [String] {
    try String(contentsOfFile: "\(stage.folder)/\(name)", encoding: .utf8).split(separator: "\n").map(
      String.init)
  }

  private func write(_ lines: [String], _ stage: Stage) throws -> String {
    try stage.file("altered.jsonl", lines.map { $0 + "\n" }.joined())
  }

  @Test("one play has one title: in history, in reasons, in the proof and in what is said of the proof")
  func titles() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("Summer sale.wav", seconds: 1)
      expectSilence(try await stage.castq("run", "Summer sale.wav"))
      expectSilence(try await stage.castq("report", "proof", "-o", "proof.jsonl"))
      let play = try #require(try await stage.history().first)
      let (number, entry) = (try #require(play["play"]?.int), try #require(play["entry"]?.int))
      let row = try Document(try lines(stage, "proof.jsonl")[1])
      let titles = [
        play["title"], row["title"], try await stage.json("why", "play:\(number)")["title"],
        try await stage.json("why", "\(entry)")["plays"]?.elements.first?["title"],
      ]
      #expect(titles == Array(repeating: .string("Summer sale"), count: 4))
      var altered = try lines(stage, "proof.jsonl")
      altered[1] = altered[1].replacingOccurrences(of: "\"finished\"", with: "\"skipped\"")
      let verdict = try await stage.castq("report", "verify", try write(altered, stage))
      #expect(verdict.stdout.contains("play \(number) \"Summer sale\" on lobby"), "\(verdict.stdout)")
    }
  }

  @Test("a proof is true, and an altered one is named with exit code 65")
  func alteration() async throws {
    try await Stage.with { stage in
      let whole = try await proof(stage)
      #expect(whole.count == 7)
      let play = try Document(whole[1])
      #expect(play["title"] == .string("Tone 1") && play["kind"] == .string("base"))
      let good = try await stage.castq("report", "verify", "proof.jsonl")
      #expect(
        good.exit == 0 && good.stderr.isEmpty && good.outLines.first?.hasPrefix("true: 5 plays") == true)
      let quiet = try await stage.castq("report", "verify", "proof.jsonl", "-q")
      #expect(quiet.outLines.count == 1)
      let file = try write(whole.dropLast(), stage)
      let ending = try await stage.castq("report", "verify", file)
      #expect(ending.exit == 65 && ending.outLines.first?.contains("the end is missing") == true)
      #expect(ending.errorLines.count == 1 && ending.stderr.contains("altered"))
      let document = try await stage.castq("report", "verify", file, "--json")
      #expect(try document.exit == 65 && Document(document.stdout)["verdict"] == .string("altered"))
      let stream = try await stage.castq("report", "verify", file, "--jsonl")
      #expect(try stream.outLines.map { try Document($0)["verdict"]?.string }.last == "altered")
    }
  }

  @Test("what is no file, says nothing or never ends is no proof, which is said at once")
  func endless() async throws {
    try await Stage.with { stage in
      let whole = try await proof(stage, tones: 1)
      #expect(try await stage.shell("mkfifo '\(stage.folder)/pipe'").ended().exit == 0)
      for (file, words) in [
        ("/dev/zero", "cannot read /dev/zero: it is a device, not a file"), (".", "it is a directory"),
        ("pipe", "nothing was written to the pipe for 1 s"),
      ] {
        let bounded = ["report", "verify", "proof.jsonl", "--timeout", "1s"]
        var verify = bounded
        verify[2] = file
        expectOneLine(try await stage.castq(verify), exit: 66, saying: words)
        expectOneLine(try await stage.castq(bounded + ["--key", file]), exit: 66, saying: words)
      }
      // A pipe of a shell is a file like others.
      let piped = try await stage.shell(
        "cd '\(stage.folder)'; bash -c 'castq report verify <(cat proof.jsonl)'"
      )
      .ended()
      #expect(piped.exit == 0 && piped.stdout.hasPrefix("true: 1 play"), "\(piped.stderr)")
      // One line that has no end, and lines without number, behind a true beginning.
      try stage.file("start", whole[0] + "\n")
      for (rest, words) in [
        ("cat start /dev/zero", "line 2: a line that is longer than 1048576 bytes was changed"),
        ("cat start; yes", "this is no proof: 100000 lines up to line 100001 are of none"),
      ] {
        let ending = try await stage.shell("cd '\(stage.folder)'; (\(rest)) | castq report verify -").ended()
        #expect(ending.exit == 65 && ending.stdout.contains(words), "\(ending.stdout.suffix(500))")
        #expect(ending.stderr.contains("altered"))
      }
    }
  }

  @Test("another key is exit code 77, and a key inside the file proves nothing")
  func keys() async throws {
    try await Stage.with { stage in
      _ = try await proof(stage, tones: 1)
      let key = try await stage.castq("report", "key")
      #expect(key.stdout.hasPrefix("-----BEGIN PUBLIC KEY-----\n") && key.exit == 0)
      let document = try await stage.json("report", "key")
      let text = try #require(document["public_key"]?.string)
      #expect(key.outLines.dropFirst().first == text)
      let file = try #require(document["file"]?.string)
      #expect(file == "\(stage.database).key")
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect((attributes[.posixPermissions] as? Int) == 0o600)
      try stage.file("ours.pem", key.stdout)
      try stage.file("ours.txt", text + "\n")
      let theirs = try await stage.castq("report", "key", "--db", "\(stage.folder)/other.db").stdout
      #expect(theirs != key.stdout)
      try stage.file("theirs.pem", theirs)
      for name in ["ours.pem", "ours.txt"] {
        // Whoever verifies needs no database.
        let ending = try await stage.castq(
          "report", "verify", "proof.jsonl", "--key", name,
          variables: ["CASTQ_DB": "\(stage.folder)/none/q.db"])
        #expect(ending.exit == 0 && !FileManager.default.fileExists(atPath: "\(stage.folder)/none"))
      }
      let other = try await stage.castq("report", "verify", "proof.jsonl", "--key", "theirs.pem")
      #expect(other.exit == 77 && other.stderr.contains("another key than the one in theirs.pem"))
      let elsewhere = try await stage.castq(
        "report", "verify", "proof.jsonl", "--json", "--db", "\(stage.folder)/other.db")
      #expect(elsewhere.exit == 77 && elsewhere.stderr.isEmpty)
      #expect(try Document(elsewhere.stdout)["verdict"] == .string("another_key"))
      let none = try await stage.castq("report", "verify", "proof.jsonl", "--db", "\(stage.folder)/none.db")
      #expect(none.exit == 77 && none.stderr.contains("--key"))
      try stage.file("bad.pem", "no key")
      expectOneLine(
        try await stage.castq("report", "verify", "proof.jsonl", "--key", "bad.pem"), exit: 65,
        saying: "report key")
      expectOneLine(
        try await stage.castq("report", "verify", "proof.jsonl", "--key", "gone.pem"), exit: 66,
        saying: "gone.pem")
      // A private key that others can read proves nothing.
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
      expectOneLine(try await stage.castq("report", "proof"), exit: 77, saying: "chmod 600")
    }
  }

  @Test("a proof goes through pipes, and a place where none can be written is named")
  func places() async throws {
    try await Stage.with { stage in
      let whole = try await proof(stage, tones: 1)
      let printed = try await stage.castq("report", "proof")
      #expect(printed.outLines.dropFirst().dropLast() == whole.dropFirst().dropLast())
      let read = try await stage.castq("report", "verify", "-", "--json", input: printed.stdout)
      #expect(read.exit == 0)
      expectOneLine(
        try await stage.castq("report", "proof", "--since", "now", "--until=-1h"), exit: 64,
        saying: "nothing lies between")
      expectOneLine(
        try await stage.castq("report", "proof", "-o", "/nowhere/proof"), exit: 73, saying: "/nowhere/proof")
      for option in ["--rule", "--programme", "--media"] {
        let none = try await stage.castq("report", "proof", option, "nothing", "-o", "none.jsonl")
        expectOneLine(none, exit: 0, saying: "no play of the period")
      }
    }
  }

  @Test(
    "another program that knows only docs/reports.md comes to the same verdict",
    .enabled(if: judge != nil, "set CASTQ_PYTHON to a Python that has the package cryptography"))
  func foreign() async throws {
    try await Stage.with { stage in
      var whole = try await proof(stage, tones: 2)
      let receiver = try await Receiver(stage)
      try stage.tone("odd.wav", seconds: 1)
      let list = try stage.file(
        "odd.m3u", "#EXTM3U\n#EXTINF:-1,Ünïcode \"quoted\" \\ \u{7F}\t漢字 😀\nodd.wav\n")
      expectSilence(try await stage.castq("run", "-d", receiver.address, list))
      expectSilence(try await stage.castq("report", "proof", "-o", "proof.jsonl"))
      try stage.file("key.pem", try await stage.castq("report", "key").stdout)
      #expect(try await judged(stage, "proof.jsonl") == "true 3")
      whole = try lines(stage, "proof.jsonl")
      let file = try write([whole[0], whole[1]] + whole[3...], stage)
      #expect(try await judged(stage, file).hasPrefix("line 3 does not follow"))
      try stage.file("key.pem", try await stage.castq("report", "key", "--db", "\(stage.folder)/o.db").stdout)
      #expect(try await judged(stage, "proof.jsonl") == "the signature does not fit")
    }
  }

  private static let judge: String? = {
    guard let python = ProcessInfo.processInfo.environment["CASTQ_PYTHON"] else { return nil }
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = ["-c", "import cryptography"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    return process.terminationStatus == 0 ? python : nil
  }()

  private func judged(_ stage: Stage, _ file: String) async throws -> String {
    let script = Programs.clone.appending(path: "Tests/Foreign/check_proof.py").path
    let program = try RunningProgram(
      try #require(Self.judge), [script, file, "key.pem"], environment: ProcessInfo.processInfo.environment,
      folder: stage.folder)
    let ending = await program.ended()
    return (ending.stdout + ending.stderr).trimmingCharacters(in: .newlines)
  }
}

extension Stage {
  /// Runs a program of Python, whose first argument is the database.
  func python(_ script: String, _ arguments: String...) async throws {
    let program = try RunningProgram(
      "python3", ["-c", script, database] + arguments, environment: ProcessInfo.processInfo.environment,
      folder: folder)
    let ending = await program.ended()
    #expect(ending.exit == 0, "\(ending.stderr)")
  }
}
