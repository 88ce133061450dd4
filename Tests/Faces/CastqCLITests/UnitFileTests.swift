import Foundation
import Testing

@Suite("The unit files of systemd", .timeLimit(.minutes(20)))
struct UnitFileTests {
  private static let analyzer = "/usr/bin/systemd-analyze"

  @Test(
    "systemd takes each of them without a word",
    .enabled(
      if: access(analyzer, X_OK) == 0,
      "there is no systemd-analyze here; Debian has it in the package systemd"),
    arguments: [
      ("castq.service", "--system"), ("user/castq.service", "--user"), ("castq-web.service", "--system"),
      ("user/castq-web.service", "--user"), ("castq-mpd.service", "--system"),
      ("user/castq-mpd.service", "--user"), ("castq-link.service", "--system"),
      ("castq-link-standby.service", "--system"),
    ])
  func verified(unit: String, manager: String) async throws {
    try await Stage.with { stage in
      let text = try String(contentsOf: Self.folder.appending(path: unit), encoding: .utf8)
      // The program has to be where the unit says; here it is where it was built. All else is judged as it stands.
      let command = /(?m)^ExecStart=\S+\/castq(?:-link)? (daemon|web|mpd|run|standby -- .*)$/
      let word = try #require(text.firstMatch(of: command)?.1)
      let here = text.replacing(command, with: "ExecStart=\(try Programs.path("castq")) \(word)")
      let file = try stage.file(String(unit.split(separator: "/").last ?? ""), here)
      let judge = try RunningProgram(
        Self.analyzer, [manager, "--man=no", "verify", file],
        environment: stage.environment.merging(["SYSTEMD_LOG_LEVEL": "warning"]) { $1 },
        folder: stage.folder)
      let ending = await judge.ended()
      #expect(ending.exit == 0, "\(ending.stderr)")
      // A warning means that a line does nothing.
      #expect(ending.stderr.isEmpty)
      #expect(ending.stdout.isEmpty)
    }
  }

  @Test(
    "what a machine's unit may do is judged 2.0 or better by systemd",
    .enabled(
      if: access(analyzer, X_OK) == 0,
      "there is no systemd-analyze here; Debian has it in the package systemd"))
  func exposure() async throws {
    try await Stage.with { stage in
      let units = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
        $0.hasSuffix(".service")
      }
      #expect(units.count >= 2)
      for unit in units {
        // The threshold is in tenths of a point.
        let judge = try RunningProgram(
          Self.analyzer,
          [
            "security", "--offline=true", "--no-pager", "--threshold=20",
            Self.folder.appending(path: unit).path,
          ],
          environment: stage.environment, folder: stage.folder)
        let ending = await judge.ended()
        #expect(ending.exit == 0, "\(unit): \(ending.outLines.last ?? "") \(ending.stderr)")
        #expect(ending.stdout.contains("Overall exposure level"), "\(ending.stderr)")
      }
    }
  }

  @Test(
    "the service and the timer of docs/cron.md are taken without a word",
    .enabled(
      if: access(analyzer, X_OK) == 0,
      "there is no systemd-analyze here; Debian has it in the package systemd"))
  func timers() async throws {
    try await Stage.with { stage in
      let page = try String(contentsOf: Programs.clone.appending(path: "docs/cron.md"), encoding: .utf8)
      let units = page.matches(of: /cat >\S+\/(\w+\.(?:service|timer)) <<'END'\n([\s\S]*?)END\n/)
      #expect(units.map { String($0.1) } == ["breakfast.service", "breakfast.timer"])
      let files = try units.map { unit in
        try stage.file(
          String(unit.1), String(unit.2).replacing("%h/.local/bin/castq", with: try Programs.path("castq")))
      }
      let judge = try RunningProgram(
        Self.analyzer, ["--user", "--man=no", "verify"] + files,
        environment: stage.environment.merging(["SYSTEMD_LOG_LEVEL": "warning"]) { $1 }, folder: stage.folder)
      let ending = await judge.ended()
      #expect(ending.exit == 0 && ending.stderr.isEmpty && ending.stdout.isEmpty, "\(ending.stderr)")
    }
  }

  private static var folder: URL {
    Programs.clone.appending(path: "systemd")
  }
}
