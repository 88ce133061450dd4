import CastProtocol
import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqStore
import Logging
import Synchronization
import Testing

extension DaemonTests {
  /// What a log of months has to say of a television that is switched off each night.
  @Suite struct RunnerLogTests {
    @Test("a device that is lost costs a line, however often it is called, and another one when it is back")
    func lines() async throws {
      let port = Int.random(in: 20_000..<32_000)
      let stage = try await Stage(port: port)
      await stage.server.stop()
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"))])
      let kept = KeptLines()
      let logger = Logger(label: "test") { _ in LineHandler(kept: kept) }
      var settings = DeviceSettings()
      settings.runner.reconnect = ReconnectPolicy(
        waits: [.zero, .milliseconds(20)], jitter: 0, giveUpAfter: nil)
      let running = try Running(
        feeder: DeviceFeeder(device: stage.device, database: stage.database, logger: logger), settings)
      for _ in 1...5 { #expect(await running.next(where: \.isRetrying) != nil) }
      let server = try await Stage.serve(port: port)
      #expect(await running.started("welcome"))
      _ = await running.stop()
      await server.stop()
      let lines = kept.lines.filter { $0.contains("device") }
      #expect(lines.count == 2, "\(lines)")
      #expect(lines.first?.contains("device lost") == true)
      #expect(lines.last?.contains("device is back") == true)
      let calls = lines.last?.split(separator: "calls=").last.flatMap { Int($0) }
      #expect((calls ?? 0) >= 5, "\(lines)")
    }

    @Test("an entry that fails costs a line with its title and its path, however often it is tried")
    func failures() async throws {
      let stage = try await Stage()
      let gone = "http://127.0.0.1:1/gone.mp4"
      try stage.enqueue([Stage.draft(gone, title: "Gone"), Stage.draft(Stage.sample("welcome.mp4"))])
      let kept = KeptLines()
      let logger = Logger(label: "test") { _ in LineHandler(kept: kept) }
      let running = try Running(
        feeder: DeviceFeeder(device: stage.device, database: stage.database, logger: logger), DeviceSettings()
      )
      _ = await running.outcome()
      await stage.server.stop()
      let plays = try HistoryStore(stage.database).plays(matching: .init()).filter { $0.outcome == .failed }
      #expect(plays.count > 1, "it is tried again")
      let lines = kept.lines.filter { $0.contains("entry failed") }
      #expect(lines == ["warning entry failed title=Gone path=\(gone)"])
    }
  }
}

/// Lines that people see unless they asked for more or less.
private final class KeptLines: Sendable {
  private let state = Mutex<[String]>([])
  var lines: [String] { state.withLock { $0 } }
  func add(_ line: String) { state.withLock { $0.append(line) } }
}

private struct LineHandler: LogHandler {
  let kept: KeptLines
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.notice

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let facts = ["calls", "title", "path"].compactMap { key in
      event.metadata?["castq.\(key)"].map { " \(key)=\($0)" }
    }
    kept.add("\(event.level) \(event.message)\(facts.joined())")
  }
}
