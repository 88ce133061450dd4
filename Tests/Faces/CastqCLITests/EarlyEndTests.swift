import Foundation
import Testing

@Suite("Items that end early", .timeLimit(.minutes(20)))
struct EarlyEndTests {
  @Test("a film that is over after two seconds has two seconds: in history, reports, the proof and a hook")
  func everywhere() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(
        stage, speed: 1, "--fault", "early-end=film.wav@after=2s", "--fault", "early-end=second.wav@after=2s")
      try stage.add(device: "lobby", at: receiver.address)
      let listener = try await HookListener(stage)
      let daemon = try await WatchedDaemon(
        stage,
        "hooks: [{on: failed, post: \"http://127.0.0.1:\(listener.port)/hook\", secret: a secret of nobody}]\n"
      )
      for name in ["film.wav", "second.wav"] { try stage.tone(name, seconds: 600) }
      try await stage.castq("enqueue", "film.wav", "second.wav")
      let words = "ended 9:58 before its length"
      let posted = try #require(await listener.log.line(containing: words), "\(listener.log.text)")
      #expect(posted.hasPrefix("204 failed ") && posted.contains("\"title\": \"film\""), "\(posted)")
      try await stage.awaitPlay { $0["title"]?.string == "second" && $0["outcome"]?.string == "finished" }

      let plays = try await stage.history()
      #expect(plays.map { $0["outcome"]?.string } == ["finished", "finished"])
      #expect(plays.map { $0["evidence"]?.string } == ["reported", "reported"])
      #expect(plays.map { $0["cause"]?.string } == ["ended_early", "ended_early"])
      #expect(plays.allSatisfy { $0["reason"]?.string == words }, "\(plays)")
      #expect(plays.allSatisfy { (0.5...4).contains($0["played_s"]?.number ?? -1) }, "\(plays)")
      let table = try await stage.castq("history")
      #expect(table.outLines.count { $0.contains(words) } == 2, "\(table.stdout)")

      let shown = try await stage.json("report", "plays")["total"]?["shown_s"]?.number ?? -1
      #expect((1.0...8).contains(shown), "\(shown)")
      let gaps = try await stage.json("report", "gaps")
      #expect(gaps["total"]?["gaps"]?.int == 1, "\(gaps)")
      expectSilence(try await stage.castq("report", "proof", "-o", "proof.jsonl"))
      let proof = try String(contentsOfFile: "\(stage.folder)/proof.jsonl", encoding: .utf8)
      #expect(proof.split(separator: "\n").count { $0.contains("\"cause\":\"ended_early\"") } == 2)
      let verdict = try await stage.castq("report", "verify", "proof.jsonl", "--json")
      #expect(verdict.exit == 0)
      #expect(try Document(verdict.stdout)["excess_count"]?.int == 0)
      daemon.program.signal(SIGTERM)
      _ = await daemon.program.ended()
    }
  }

  @Test("the proof of a row that says more than a clock can hold is true, and verify names the row")
  func excess() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("a.wav", seconds: 1)
      expectSilence(try await stage.castq("run", "a.wav"))
      // As a castq that believed every FINISHED wrote it.
      try await stage.python(
        """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        db.execute("UPDATE play SET chain = NULL, hash = NULL, proof_format = NULL, nonce = NULL, ended_at = NULL, outcome = NULL, "
          "evidence = NULL, cause = NULL, caused_by = NULL, played_s = 600")
        db.commit()
        """)
      expectSilence(try await stage.castq("run", "a.wav"))
      expectSilence(try await stage.castq("report", "proof", "-o", "proof.jsonl"))
      let verdict = try await stage.castq("report", "verify", "proof.jsonl")
      #expect(verdict.exit == 0)
      let lines = verdict.outLines.filter { $0.contains("says 10:00 shown in 0:") }
      #expect(lines.count == 1 && lines[0].hasPrefix("warning: line "), "\(verdict.stdout)")
      let quiet = try await stage.castq("report", "verify", "proof.jsonl", "-q")
      #expect(quiet.outLines.count == 1)
    }
  }
}
