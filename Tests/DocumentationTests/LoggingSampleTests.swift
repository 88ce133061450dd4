import CastSender
import Foundation
import Logging
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
