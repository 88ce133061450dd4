import Foundation
import Testing

/// The crontabs of docs/cron.md, run by Debian's cron itself.
@Suite("cron", .timeLimit(.minutes(20)))
struct CronTests {
  private static let script = Programs.clone.appending(path: "Tests/Foreign/Cron/run-cron").path

  /// Whether cron can be run here: it, a compiler for the clock it is shown, and a namespace in which it may change users.
  private static let isPossible: Bool = {
    guard ["/usr/sbin/cron", "/usr/bin/cc"].allSatisfy(FileManager.default.isExecutableFile) else {
      return false
    }
    let trial = Process()
    trial.executableURL = URL(filePath: "/usr/bin/unshare")
    trial.arguments = ["--user", "--map-root-user", "--mount", "--pid", "--fork", "--mount-proc", "true"]
    trial.standardError = FileHandle.nullDevice
    guard (try? trial.run()) != nil else { return false }
    trial.waitUntilExit()
    return trial.terminationStatus == 0
  }()

  /// The crontabs of the page, in its order.
  private static func crontabs() throws -> [String] {
    let page = try String(contentsOf: Programs.clone.appending(path: "docs/cron.md"), encoding: .utf8)
    return page.split(separator: "<<'END'\n").dropFirst().compactMap { $0.split(separator: "\nEND\n").first }
      .map { "\($0)\n" }
  }

  @Test(
    "a line of the page plays its list at its minute, and nothing is mailed",
    .enabled(
      if: isPossible, "needs Debian's cron, cc and user namespaces; Debian has the packages cron and gcc"),
    arguments: [
      (0, "0 7 * * 1-5   castq cast", "06:59:57"), (1, "0 9 * * *   castq -d lobby run", "08:59:57"),
    ])
  func plays(crontab: Int, line: String, clock: String) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      _ = try stage.playlist("breakfast.m3u", tones: 2, seconds: 2)
      let text = try #require(Self.crontabs().dropFirst(crontab).first)
      #expect(text.contains(line))
      // The page speaks of the machine of an operator, whose home is not this one's.
      let folder = URL(filePath: try Programs.path("castq")).deletingLastPathComponent().path
      let here = text.replacing("PATH=/usr/local/bin:", with: "HOME=\(stage.folder)\nPATH=\(folder):")
        .replacing("/var/lib/castq/castq.db", with: stage.database).replacing(
          "/srv/castq/", with: "\(stage.folder)/")
      try stage.file("crontab", here)
      // Monday, 14 December 2026.
      let moment = try #require(ISO8601DateFormatter().date(from: "2026-12-14T\(clock)Z"))
      let cron = try RunningProgram(
        Self.script, [stage.folder, "\(Int(moment.timeIntervalSince1970))"],
        environment: stage.environment.merging(["TZ": "UTC"]) { $1 }, folder: stage.folder,
        patience: RunningProgram.lifetime)
      defer { cron.signal(SIGKILL) }
      let first = await receiver.log.index(from: 0) { $0.contains("QUEUE_LOAD") }
      #expect(first != nil, "\(cron.stderr.text)")
      #expect(await FeederEnd.of(stage))
      #expect(try await stage.history().map { $0["outcome"]?.string } == ["finished", "finished"])
      #expect(!FileManager.default.fileExists(atPath: "\(stage.folder)/mail"))
    }
  }
}
