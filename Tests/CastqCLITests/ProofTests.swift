import Foundation
import Testing

@Suite("Proof of play", .timeLimit(.minutes(20)))
struct ProofTests {
  /// Plays on a receiver, and the proof of them.
  private func proof(_ stage: Stage, tones: Int = 5, seconds: Double = 1) async throws -> [String] {
    let receiver = try await Receiver(stage)
    try await stage.castq("device", "add", "lobby", receiver.address)
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
      try await stage.castq("device", "add", "lobby", receiver.address)
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

  @Test("a proof is true, and what was done to it is named with exit code 65")
  func alterations() async throws {
    try await Stage.with { stage in
      let whole = try await proof(stage)
      #expect(whole.count == 7)
      let header = try Document(whole[0])
      #expect(header["type"] == .string("header") && header["format"] == .string("castq-proof-2"))
      #expect(header["devices"]?.elements.map { $0["name"]?.string } == ["lobby"])
      let play = try Document(whole[1])
      #expect(play["title"] == .string("Tone 1") && play["kind"] == .string("base"))
      let good = try await stage.castq("report", "verify", "proof.jsonl")
      #expect(
        good.exit == 0 && good.stderr.isEmpty && good.outLines.first?.hasPrefix("true: 5 plays") == true)
      // What a play says of the clock is a warning; the machine of a test may have any.
      let isWarned = good.outLines.contains {
        $0.hasPrefix("warning: the clock of the computer ") && $0.hasSuffix("for 5 plays: lines 2-6")
      }
      #expect(isWarned == (play["clock_synchronised"] != .bool(true)))
      let quiet = try await stage.castq("report", "verify", "proof.jsonl", "-q")
      #expect(quiet.outLines.count == 1)

      let changed = { (line: String) in line.replacingOccurrences(of: "Tone", with: "Film") }
      let alterations: [(String, [String], String)] = [
        (
          "changed", whole.enumerated().map { $0.offset == 3 ? changed($0.element) : $0.element },
          "line 4: play 3"
        ),
        ("removed", whole.enumerated().filter { $0.offset != 3 }.map(\.element), "before play 4"),
        ("put_in", Array(whole[...3] + [changed(whole[3])] + whole[4...]), "line 5: play 3"),
        (
          "swapped", Array(whole[...2] + [whole[4], whole[3]] + whole[5...]),
          "play 4 \"Tone 4\" on lobby and play 3"
        ),
        ("end", whole.dropLast(), "the end is missing"),
        (
          "header", [whole[0].replacingOccurrences(of: "\"site\":\"", with: "\"site\":\"x")] + whole[1...],
          "header"
        ),
        (
          "signature",
          whole.dropLast() + [whole[6].replacingOccurrences(of: "\"plays\":5", with: "\"plays\":6")],
          "signature"
        ),
      ]
      for (kind, lines, words) in alterations {
        let file = try write(lines, stage)
        let ending = try await stage.castq("report", "verify", file)
        #expect(ending.exit == 65, "\(kind)")
        #expect(ending.outLines.first?.contains(words) == true, "\(kind): \(ending.stdout)")
        #expect(ending.errorLines.count == 1 && ending.stderr.contains("altered"))
        let document = try await stage.json("report", "verify", file)
        #expect(document["verdict"] == .string("altered"))
        #expect(document["findings"]?.elements.map { $0["kind"]?.string } == [kind], "\(kind)")
      }
      let stream = try await stage.castq("report", "verify", write(alterations[0].1, stage), "--jsonl")
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

  @Test(
    "a proof has the plays of its period, and those of removed devices; the database cannot be changed unseen"
  )
  func periods() async throws {
    try await Stage.with { stage in
      // No two of them end in the same millisecond, however late that is heard.
      let whole = try await proof(stage, tones: 3, seconds: 60)
      let all = try await stage.castq("report", "proof", "--since=-1h", "--until", "tomorrow")
      #expect(all.outLines.dropFirst().dropLast() == whole.dropFirst().dropLast())
      let none = try await stage.castq("report", "proof", "--until=-1h")
      #expect(none.outLines.count == 2 && none.exit == 0)
      let empty = try stage.file("empty.jsonl", none.stdout)
      #expect(try await stage.castq("report", "verify", empty).exit == 0)
      let ends = try whole.dropFirst().dropLast().map { try #require(try Document($0)["ended_at"]?.string) }
      let part = try await stage.castq(
        "report", "proof", "--since", ends[1], "--until", ends[2], "--tz", "Asia/Tokyo")
      #expect(part.outLines.dropFirst().dropLast() == [whole[2]])
      #expect(try await stage.castq("report", "verify", "-", "--json", input: part.stdout).exit == 0)
      expectOneLine(
        try await stage.castq("report", "proof", "--since", "now", "--until=-1h"), exit: 64,
        saying: "nothing lies between")
      expectOneLine(
        try await stage.castq("report", "proof", "-o", "/nowhere/proof"), exit: 73, saying: "/nowhere/proof")
      // Who removes a device, or what was played, removes no proof.
      expectSilence(try await stage.castq("clear", "-d", "lobby"))
      expectSilence(try await stage.castq("device", "rm", "lobby"))
      let later = try await stage.castq("report", "proof").outLines
      #expect(later.dropFirst().dropLast() == whole.dropFirst().dropLast())
      try await stage.python(
        "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(\"UPDATE play SET title = 'Film' WHERE id = 2\"); d.commit()"
      )
      let altered = try await stage.castq("report", "proof", "-o", "proof.jsonl")
      expectOneLine(altered, exit: 65, saying: "play 2")
      let verdict = try await stage.castq("report", "verify", "proof.jsonl")
      #expect(verdict.exit == 65 && verdict.outLines.first?.hasPrefix("line 3: play 2") == true)
    }
  }

  @Test("a client's proof has the hashes of what is not shown, and a change of any line is found")
  func client() async throws {
    try await Stage.with { stage in
      let whole = try await proof(stage, tones: 3, seconds: 60)
      let title = try #require(try Document(whole[2])["title"]?.string)
      let options = ["-d", "lobby", "--media", title]
      let shown = try await stage.castq(["report", "proof"] + options + ["-o", "client.jsonl"])
      expectSilence(shown)
      let lines = try lines(stage, "client.jsonl")
      let rows = try lines.dropFirst().dropLast().map { try Document($0) }
      #expect(rows.map { $0["type"]?.string } == ["hidden", "play", "hidden"])
      #expect(rows[1]["title"]?.string == title)
      #expect(!lines.contains { $0.contains("file://") || $0.contains(stage.folder) }, "no paths")
      #expect(try await stage.castq("report", "verify", "client.jsonl").exit == 0)
      for index in 1...3 {
        var altered = lines
        altered[index] = altered[index].replacing(#/"hash":"([0-9a-f])/#) {
          "\"hash\":\"\($0.1 == "0" ? "1" : "0")"
        }
        #expect(
          try await stage.castq("report", "verify", write(altered, stage)).exit == 65, "line \(index + 1)")
        altered.remove(at: index)
        #expect(try await stage.castq("report", "verify", write(altered, stage)).exit == 65, "without a line")
      }
      for option in ["--rule", "--programme", "--media"] {
        let none = try await stage.castq("report", "proof", option, "nothing", "-o", "none.jsonl")
        expectOneLine(none, exit: 0, saying: "no play of the period")
      }
    }
  }

  @Test("a file that is no proof is refused, whatever it holds")
  func hostile() async throws {
    try await Stage.with { stage in
      let deep = String(repeating: "[", count: 100_000)
      let files = [
        "", "\n", "hello\n", "{}\n", deep + "\n", "{\"type\":\"end\"}", "\u{0}\u{1B}[2J\n",
        String(repeating: "x", count: 3 << 20), String(repeating: "{\"type\":\"play\"}\n", count: 5000),
        "{\"type\":\"play\",\"chain\":9223372036854775807,\"title\":\"\u{1B}]0;x\u{7}\u{202E}\"}\n",
      ]
      for text in files {
        let ending = try await stage.castq("report", "verify", stage.file("bad.jsonl", text))
        #expect(
          ending.exit == 65 && isHarmless(ending.stdout) && isHarmless(ending.stderr), "\(text.prefix(40))")
        #expect(ending.outLines.count <= 1001)
      }
      expectOneLine(try await stage.castq("report", "verify", "gone.jsonl"), exit: 66, saying: "gone.jsonl")
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
