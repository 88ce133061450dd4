import Foundation
import Testing

@Suite("The daemon as the shipped unit confines it", .timeLimit(.minutes(20)))
struct ConfinedDaemonTests {
  private static let root = Programs.clone.path
  private static let service = "\(root)/scripts/as-service"

  /// Whether an ordinary user may have namespaces here, and systemd can tell what its groups of system calls are.
  private static let isPossible: Bool = {
    guard geteuid() != 0, access("/usr/bin/systemd-analyze", X_OK) == 0 else { return false }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unshare")
    process.arguments = ["--user", "--mount", "true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  @Test(
    "from an empty state directory to a finished entry, with no privilege and nothing else to write",
    .enabled(if: isPossible, "needs an ordinary user (scripts/as-user), user namespaces and systemd-analyze"))
  func playsConfined() async throws {
    try await Stage.with { stage in
      let folders = ["state", "run"].map { "\(stage.folder)/\($0)" }
      for folder in folders { try #require(mkdir(folder, 0o700) == 0) }
      let program = try Programs.path("castq")
      let daemon = try RunningProgram(
        Self.service,
        [
          "--show", Self.root, "--show", URL(filePath: program).deletingLastPathComponent().path,
          folders[0], folders[1], program, "daemon",
        ],
        environment: stage.environment, folder: stage.folder)
      #expect(await daemon.stderr.line(containing: "ready") != nil, "\(daemon.stderr.text)")
      let status = try String(contentsOfFile: "/proc/\(daemon.process)/status", encoding: .utf8)
      for line in ["CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"]
      {
        #expect(status.contains(line), "the test itself confines nothing")
      }

      // Its users' commands are not confined; they name its database.
      let receiver = try await Receiver(stage)
      let database = ["--db", "\(folders[0])/castq.db"]
      expectSilence(try await stage.castq(database + ["device", "add", "lobby", receiver.address]))
      expectSilence(
        try await stage.castq(
          database + ["-d", "lobby", "enqueue", "\(Self.root)/playlists/media/promos/chime.wav"]))
      #expect(await daemon.stderr.line(containing: "nothing is left") != nil, "\(daemon.stderr.text)")
      let history = try await stage.castq(database + ["history", "--jsonl"])
      let plays = try history.outLines.map { try Document($0) }
      #expect(plays.map { $0["outcome"]?.string } == ["finished"], "\(daemon.stderr.text)")
      daemon.signal(SIGTERM)
      let ending = await daemon.ended()
      #expect(ending.exit == 0, "\(ending.stderr)")
    }
  }
}
