import Foundation
import Testing

@Suite("A database that may only be read", .timeLimit(.minutes(20)))
struct ReadOnlyTests {
  private static let questions = [
    ["queue", "--json"], ["history", "--jsonl"], ["devices", "--json"], ["export"],
    ["db", "check"],
  ]

  /// Somebody else's program that has the file open and has written what is not in the file itself yet.
  private static let holder = """
    import sqlite3, sys, signal
    db = sqlite3.connect(sys.argv[1], isolation_level=None)
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute("UPDATE queue SET repeat_mode = 'all'")
    print("open", flush=True)
    signal.pause()
    """

  /// Runs castq as somebody who may read all of a stage, and write nothing of it.
  private func stranger(_ stage: Stage, _ arguments: [String]) async throws -> Ending {
    // Permissions do not hold for the superuser.
    let become = geteuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
    return try await RunningProgram(
      "/usr/bin/env", become + [try Programs.path("castq")] + arguments, environment: stage.environment,
      folder: NSTemporaryDirectory()
    ).ended()
  }

  private func close(_ stage: Stage) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: stage.folder)) ?? []
    where name.hasPrefix("castq.db") { chmod("\(stage.folder)/\(name)", 0o444) }
    chmod(stage.folder, 0o555)
  }

  private func prepare(_ stage: Stage) async throws {
    try await stage.castq("device", "add", "lobby", "127.0.0.1:1")
    try await stage.castq("device", "add", "hall", "127.0.0.1:2")
    try await stage.castq("device", "default", "lobby")
    try await stage.castq("enqueue", "http://media.example/a.mp4", "http://media.example/b.mp4")
  }

  @Test(
    "what only looks works without a right to write, with nobody else there",
    .timeLimit(.minutes(20)))
  func alone() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      var before: [Ending] = []
      for question in Self.questions { before.append(try await stage.castq(question)) }
      #expect(before.allSatisfy { $0.exit == 0 })
      close(stage)
      defer { chmod(stage.folder, 0o700) }
      for (question, expected) in zip(Self.questions, before) {
        let ending = try await stranger(stage, question)
        #expect(ending.exit == 0 && ending.stderr.isEmpty, "\(question): \(ending.stderr)")
        #expect(ending.stdout == expected.stdout)
      }
      // The device is away; the queue is told all the same.
      let status = try await stranger(stage, ["status", "--json"])
      #expect(try Document(status.stdout)["queue"]?["pending"]?.int == 2, "\(status)")
      expectOneLine(
        try await stranger(stage, ["enqueue", "http://media.example/c.mp4"]), exit: 74,
        saying: "cannot be written")
    }
  }

  @Test(
    "it also works beside a program that writes, and sees what that has written",
    .timeLimit(.minutes(20)))
  func beside() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      let holder = try RunningProgram(
        "/usr/bin/env", ["python3", "-c", Self.holder, stage.database],
        environment: ProcessInfo.processInfo.environment, folder: stage.folder)
      #expect(await holder.stdout.line(containing: "open") != nil)
      close(stage)
      defer { chmod(stage.folder, 0o700) }
      let ending = try await stranger(stage, ["queue", "--json"])
      #expect(ending.exit == 0 && ending.stderr.isEmpty, "\(ending.stderr)")
      let queue = try Document(ending.stdout)
      #expect(queue["repeat"]?.string == "all")
      #expect(queue["entries"]?.elements.count == 2)
      holder.signal(SIGKILL)
      _ = await holder.ended()
      // What a killed program has left behind is read, too.
      let after = try await stranger(stage, ["queue", "--json"])
      #expect(after.stdout == ending.stdout, "\(after.stderr)")
    }
  }

  @Test(
    "without a daemon a device obeys those who may only read, and what must be recorded says what it needs")
  func live() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try await stage.castq("device", "add", "lobby", receiver.address)
      let list = try stage.playlist(tones: 3, seconds: 600)
      try await stage.castq("enqueue", list)
      // What plays is fed from elsewhere: for the closed database nobody feeds.
      let other = ["CASTQ_DB": "\(stage.folder)/other.db"]
      try await stage.castq("cast", "-d", receiver.address, list, variables: other)
      close(stage)
      defer { chmod(stage.folder, 0o700) }
      for words in [
        ["volume", "30"], ["mute"], ["unmute"], ["pause"], ["toggle"], ["seek", "1:30"], ["rate", "1.5"],
        ["next"], ["prev"], ["pause"], ["play"],
      ] { expectSilence(try await stranger(stage, words)) }
      let volume = try await stranger(stage, ["volume"])
      #expect(volume.exit == 0 && volume.stdout == "30\n" && volume.stderr.isEmpty, "\(volume)")
      for words in [["tracks"], ["device", "show", "lobby"], ["device", "default"]] {
        let ending = try await stranger(stage, words)
        #expect(ending.exit == 0 && ending.stderr.isEmpty, "\(words): \(ending.stderr)")
      }
      expectOneLine(
        try await stranger(stage, ["stop"]), exit: 74, saying: "lobby is stopped until castq starts anew")
      let status = try await stranger(stage, ["status", "--json"])
      #expect(try Document(status.stdout)["player_state"]?.string != "PLAYING")
      expectOneLine(
        try await stranger(stage, ["play"]), exit: 74, saying: "those who can record its plays: the database")
    }
  }

  @Test("one damaged row hides no other from a person, and 'db check' names it")
  func damage() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      let edit = """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        db.execute("UPDATE media_item SET custom_data = 's3cret' WHERE id = 1")
        db.commit()
        """
      let editor = try RunningProgram(
        "/usr/bin/env", ["python3", "-c", edit, stage.database],
        environment: ProcessInfo.processInfo.environment, folder: stage.folder)
      #expect(await editor.ended().exit == 0)
      let queue = try await stage.castq("queue", "--json")
      #expect(queue.exit == 74)
      #expect(try Document(queue.stdout)["entries"]?.elements.map { $0["position"]?.int } == [2])
      #expect(
        queue.errorLines.count == 1 && queue.stderr.contains("table media_item, row 1"),
        "\(queue.stderr)")
      let check = try await stage.castq("db", "check")
      #expect(check.exit == 74 && check.stdout.contains("table media_item, row 1"), "\(check)")
      #expect(!(queue.stderr + check.stdout + check.stderr).contains("s3cret"))
    }
  }

  @Test("a backup is a whole database, and does not take the place of a file")
  func backup() async throws {
    try await Stage.with { stage in
      try await prepare(stage)
      expectSilence(try await stage.castq("db", "check"))
      expectSilence(try await stage.castq("db", "backup", "copy.db"))
      expectSilence(try await stage.castq("db", "vacuum"))
      let copy = try await stage.castq("queue", "--json", "--db", "copy.db")
      #expect(try await copy.stdout == stage.castq("queue", "--json").stdout)
      expectOneLine(
        try await stage.castq("db", "backup", "copy.db"), exit: 73,
        saying: "copy.db: File exists; name a new file")
      expectOneLine(
        try await stage.castq("db", "backup", "nowhere/copy.db"), exit: 73, saying: "cannot copy the database"
      )
    }
  }

  @Test(
    "a database that is not there is not checked, copied or compacted, and none is made",
    arguments: [["check"], ["backup", "copy.db"], ["vacuum"]])
  func missing(words: [String]) async throws {
    try await Stage.with { stage in
      expectOneLine(
        try await stage.castq(["db"] + words + ["--db", "lost.db"]), exit: 66,
        saying: "no database at lost.db")
      let document = try await stage.castq(["db"] + words + ["--db", "lost.db", "--json"])
      #expect(document.exit == 66)
      #expect(try Document(document.stdout)["error"]?["code"]?.string == "input_missing")
      let files = try FileManager.default.contentsOfDirectory(atPath: stage.folder)
      #expect(!files.contains { $0.hasPrefix("lost") || $0.hasPrefix("copy") }, "\(files)")
    }
  }
}
