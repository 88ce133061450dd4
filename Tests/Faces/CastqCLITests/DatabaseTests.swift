import Foundation
import Testing

@Suite("Databases that cannot be used", .timeLimit(.minutes(20)))
struct DatabaseTests {
  @Test(
    "a place where no database can be made is exit 73",
    arguments: ["/proc/nowhere/castq.db", "/dev/null/castq.db", "folder"])
  func cannotCreate(path: String) async throws {
    try await Stage.with { stage in
      try FileManager.default.createDirectory(
        atPath: "\(stage.folder)/folder", withIntermediateDirectories: false)
      for command in [["queue"], ["devices"], ["history"], ["run", "x.mp4"]] {
        expectOneLine(try await stage.castq(command + ["--db", path]), exit: 73, saying: path)
      }
      let document = try await stage.castq("queue", "--db", path, "--json")
      #expect(try Document(document.stdout)["error"]?["code"] == .string("cannot_create"))
    }
  }

  @Test("a folder that may not be written is exit 73", .enabled(if: geteuid() != 0))
  func readOnlyFolder() async throws {
    try await Stage.with { stage in
      mkdir("\(stage.folder)/shut", 0o500)
      expectOneLine(
        try await stage.castq("queue", "--db", "shut/castq.db"), exit: 73, saying: "shut/castq.db")
    }
  }

  @Test("a check that finds damage advises how to restore a backup, and not a check")
  func checkAdvice() async throws {
    try await Stage.with { stage in
      let path = try stage.file("castq.db", String(repeating: "this is no database ", count: 500))
      let check = try await stage.castq("db", "check")
      #expect(check.exit == 74 && check.outLines.count == 1, "\(check)")
      #expect(check.stdout.hasPrefix("\(path) is damaged or not a castq database: "), "\(check)")
      #expect(check.errorLines.count == 1 && check.stderr.contains("&& cp BACKUP \(path)"), "\(check)")
      #expect(!(check.stdout + check.stderr).contains("db check"), "\(check)")
      let document = try Document(try await stage.castq("db", "check", "--json", "-q").stdout)
      #expect(document["problems"]?.elements.count == 1)
    }
  }

  @Test("an empty file is no intact database, and a check makes none of it")
  func checkOfNothing() async throws {
    try await Stage.with { stage in
      let path = try stage.file("empty.db", "")
      let check = try await stage.castq("db", "check", "--db", path)
      #expect(check.exit == 74, "\(check)")
      #expect(check.outLines == ["\(path) is damaged or not a castq database: it is empty"], "\(check)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
    }
  }

  @Test("a backup is the file as it is: neither it nor a vacuum upgrades a file of an older castq")
  func olderFile() async throws {
    try await Stage.with { stage in
      let schema = Programs.clone.appending(path: "Tests/Engine/CastqStoreTests/Schemas/version-15.sql")
      let make = """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        db.executescript(open(sys.argv[2]).read())
        """
      let maker = try RunningProgram(
        "/usr/bin/env", ["python3", "-c", make, stage.database, schema.path],
        environment: ProcessInfo.processInfo.environment, folder: stage.folder)
      #expect(await maker.ended().exit == 0)
      expectSilence(try await stage.castq("db", "backup", "copy.db"))
      expectSilence(try await stage.castq("db", "vacuum"))
      for path in [stage.database, "\(stage.folder)/copy.db"] {
        // The version of the schema in the header of a file of SQLite.
        let header = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(64)
        #expect([UInt8](header.suffix(4)) == [0, 0, 0, 15], "\(path)")
      }
      #expect(!FileManager.default.fileExists(atPath: "\(stage.database).schema-15"))
    }
  }

  @Test("a file that is no database is named and left alone")
  func garbage() async throws {
    try await Stage.with { stage in
      let words = String(repeating: "this is no database ", count: 500)
      let path = try stage.file("castq.db", words)
      for command in [["queue"], ["enqueue", "http://media.example/a.mp4"], ["history"], ["devices"]] {
        expectOneLine(try await stage.castq(command), exit: 74, saying: path)
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == words)
    }
  }

  @Test("the database and its folders are the owner's alone")
  func permissions() async throws {
    try await Stage.with { stage in
      expectSilence(try await stage.castq("device", "add", "tv", "192.0.2.1", "--db", "a/b/castq.db"))
      for (path, mode) in [("a", 0o700), ("a/b", 0o700), ("a/b/castq.db", 0o600)] {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(stage.folder)/\(path)")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode, "\(path)")
      }
    }
  }
}
