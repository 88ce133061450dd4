import CastSender
import Foundation
import Logging
import Synchronization
import Testing

extension SampleTests {
  @Suite struct LoggersAndErrors {
    /// In a process of its own: there is one logger for a process.
    @Test("what passes the filter reaches delegate and file")
    func logs() async {
      await #expect(processExitsWith: .success) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "castq-log-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "cast.log").path
        let counter = TroubleCounter()
        CastLogger.shared.delegate = counter
        try logSessions(to: path)
        signageLogger().info("a quiet day")
        signageLogger().warning("the lobby is dark")
        CastLogger.shared.logger(for: "Session").trace("a frame")
        #expect(counter.count == 1)
        let written = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(written.count == 2 && written[0].hasSuffix("warning Signage: the lobby is dark"))
      }
    }

    /// In a process of its own: there is one shared context, and one logger, for a process.
    @Test("the first samples together: with the shared context a delegate sees what its sessions go through")
    func contextLogs() async {
      await #expect(processExitsWith: .success) {
        try await SampleDevice.run { stage in
          let ear = LineKeeper()
          CastLogger.shared.delegate = ear
          CastLogger.shared.filter.minimumLevel = .debug
          try prepareCasting()
          let session = try await CastContext.shared.sessionManager.startSession(with: stage.device)
          _ = try await session.remoteMediaClient.load(stage.film("film")).value
          try await CastContext.shared.sessionManager.endSession()
          #expect(ear.lines.contains { $0.hasPrefix("Session session active") }, "\(ear.lines)")
          #expect(ear.lines.contains { $0.hasPrefix("RemoteMediaClient media state") })
        }
      }
    }

    @Test("every class that logs is in the list of the article, and every class of the list logs")
    func classes() throws {
      let article = try #require(
        try Files.under("Sources/Cast/CastSender/CastSender.docc", endingIn: "Logging.md").first)
      let rows = article.text.split(separator: "\n").filter {
        $0.hasPrefix("| `") && !$0.hasPrefix("| `verbose")
      }
      let listed = rows.flatMap { row in
        row.split(separator: "|").first?.matches(of: /`(\w+)`/).map { String($0.1) } ?? []
      }
      let levels = Set(["verbose", "debug", "info", "warning", "error", "assert"])
      #expect(Set(listed).subtracting(levels) == Set(CastLogClass.allCases.map(\.rawValue)))
      let source = try Files.under("Sources/Cast/CastSender", endingIn: ".swift").map(\.text).joined()
      for logClass in CastLogClass.allCases {
        #expect(source.contains("(for: .\(logClass))"), "\(logClass)")
      }
      #expect(!source.contains("logger(for: \""), "a class that is not in the list")
    }

    @Test("an error is judged by its code")
    func judges() async {
      let nobody = Device(endpoint: DeviceEndpoint(host: "127.0.0.1", port: 1))
      do {
        _ = try await whatPlays(on: nobody)
        Issue.record("nobody is there")
      } catch {
        let verdict = judge(error)
        #expect(verdict.isWorthAnotherTry && verdict.line.contains("127.0.0.1"))
      }
    }
  }
}

private final class LineKeeper: CastLoggerDelegate {
  private let words = Mutex<[String]>([])
  var lines: [String] { words.withLock { $0 } }

  func logMessage(
    _ message: String, at level: CastLogLevel, fromFunction function: String, class className: String,
    location: String
  ) { words.withLock { $0.append("\(className) \(message)") } }
}
