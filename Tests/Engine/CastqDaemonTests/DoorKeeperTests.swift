import CastSender
import CastqMetrics
import Logging
import NIOCore
import Synchronization
import Testing
@testable import CastqDaemon
@testable import CastqFeeding

@Suite("The port for those who watch", .timeLimit(.minutes(20)))
struct DoorKeeperTests {
  /// Sleeps until it is woken, and tells that it sleeps.
  private final class Bed: Sendable {
    let (lain, lies) = AsyncStream.makeStream(of: Duration.self)
    private let sleeper = Mutex<CheckedContinuation<Void, any Error>?>(nil)

    var time: TimeSource {
      var time = TimeSource.continuous
      time.sleep = { [self] duration in
        try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            sleeper.withLock { $0 = continuation }
            lies.yield(duration)
          }
        } onCancel: {
          taken()?.resume(throwing: CancellationError())
        }
      }
      return time
    }

    func wake() { taken()?.resume() }

    private func taken() -> CheckedContinuation<Void, any Error>? {
      sleeper.withLock { sleeper in
        defer { sleeper = nil }
        return sleeper
      }
    }
  }

  private struct Lines: LogHandler {
    let lines: AsyncStream<String>.Continuation
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) { lines.yield("\(event.level) \(event.message)") }
  }

  @Test("a port that another program holds is named once, tried again, and served when it is free")
  func held() async throws {
    let holder = try await MetricDoor.open(host: "127.0.0.1", port: 0) { _, loop in
      loop.makeSucceededFuture(DoorAnswer("the holder"))
    }
    let bed = Bed()
    var (naps, (lines, line)) = (bed.lain.makeAsyncIterator(), AsyncStream.makeStream(of: String.self))
    let keeper = DoorKeeper(
      Logger(label: "door") { _ in Lines(lines: line) }, connections: 4, time: bed.time
    ) { _, loop in loop.makeSucceededFuture(DoorAnswer("ours")) }
    await keeper.keep(MetricRules(listen: try WebListen("127.0.0.1:\(holder.port)")))
    let running = Task { await keeper.run() }
    for _ in 0..<2 {
      #expect(await naps.next() == DoorKeeper.patience)
      bed.wake()
    }
    #expect(await naps.next() == DoorKeeper.patience)
    await holder.close()
    bed.wake()
    var told = lines.makeAsyncIterator()
    #expect(await told.next() == "error metrics are not served")
    #expect(await told.next() == "notice metrics are served", "one line for each change")
    running.cancel()
    await running.value
  }
}
